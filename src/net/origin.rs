//! Whose pages may open a socket.

/// The origins that are allowed. Browsers name theirs and cannot lie; a program may send none and is let
/// in, for it could as well send any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origins(Vec<String>);

impl Origins {
    /// The origins that may connect, each whole: `https://game.example` or `http://10.0.0.1:8080`.
    /// An empty list allows the pages of the host that the request itself names.
    pub fn new(allowed: impl IntoIterator<Item = String>) -> Self {
        Self(allowed.into_iter().map(|origin| origin.to_ascii_lowercase()).collect())
    }

    /// Whether a request with these headers may open a socket. Whole strings are compared: a suffix of
    /// the host would let `game.example.evil.com` in.
    pub(super) fn allow(&self, origin: Option<&str>, host: Option<&str>) -> bool {
        let Some(origin) = origin else { return true };
        let origin = origin.to_ascii_lowercase();
        if !self.0.is_empty() {
            return self.0.contains(&origin);
        }
        let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        authority.zip(host).is_some_and(|(authority, host)| authority.eq_ignore_ascii_case(host))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listed_origin_is_compared_whole() {
        let origins = Origins::new(["https://Game.example".to_owned()]);
        let allow = |origin| origins.allow(Some(origin), Some("game.example"));
        assert!(allow("https://game.example"));
        assert!(allow("HTTPS://GAME.EXAMPLE"));
        for evil in [
            "https://game.example.evil.com",
            "https://evil.com/https://game.example",
            "https://notgame.example",
            "http://game.example",
            "https://game.example:444",
            "null",
            "",
        ] {
            assert!(!allow(evil), "{evil}");
        }
    }

    #[test]
    fn an_empty_list_means_the_same_host() {
        let origins = Origins::default();
        assert!(origins.allow(Some("http://localhost:8080"), Some("localhost:8080")));
        assert!(origins.allow(Some("https://game.example"), Some("Game.Example")));
        assert!(!origins.allow(Some("https://game.example.evil.com"), Some("game.example")));
        assert!(!origins.allow(Some("http://localhost:8081"), Some("localhost:8080")));
        assert!(!origins.allow(Some("null"), Some("localhost")));
        assert!(!origins.allow(Some("http://a"), None));
    }

    #[test]
    fn a_program_without_an_origin_is_let_in() {
        assert!(Origins::default().allow(None, Some("game.example")));
        assert!(Origins::new(["https://game.example".to_owned()]).allow(None, None));
    }
}
