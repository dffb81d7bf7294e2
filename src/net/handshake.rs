//! Judges the request that asks for a WebSocket (RFC 6455, section 4.2).

use super::Origins;
use super::counters::Refusal;
use axum::http::{HeaderMap, Method, StatusCode, Version, header, request::Parts};
use tungstenite::handshake::derive_accept_key;

/// Why a request is no handshake: what is counted, and what the peer is told.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Rejection {
    pub(super) refusal: Refusal,
    pub(super) status: StatusCode,
    pub(super) words: &'static str,
}

const fn malformed(status: StatusCode, words: &'static str) -> Rejection {
    Rejection { refusal: Refusal::Handshake, status, words }
}

/// The value of `Sec-WebSocket-Accept` for a request that may be upgraded.
pub(super) fn accept_key(request: &Parts, origins: &Origins) -> Result<String, Rejection> {
    let headers = &request.headers;
    check_request(request)?;
    if !has_token(headers, header::CONNECTION, "upgrade") || !has_token(headers, header::UPGRADE, "websocket") {
        return Err(malformed(StatusCode::UPGRADE_REQUIRED, "this address speaks WebSocket\n"));
    }
    if only(headers, header::SEC_WEBSOCKET_VERSION) != Some("13") {
        return Err(malformed(StatusCode::UPGRADE_REQUIRED, "WebSocket version 13 is spoken here\n"));
    }
    let key = only(headers, header::SEC_WEBSOCKET_KEY).filter(|key| is_key(key));
    let key = key.ok_or(malformed(StatusCode::BAD_REQUEST, "Sec-WebSocket-Key is missing or malformed\n"))?;
    check_origin(headers, origins)?;
    Ok(derive_accept_key(key.as_bytes()))
}

fn check_request(request: &Parts) -> Result<(), Rejection> {
    if request.method != Method::GET {
        return Err(malformed(StatusCode::METHOD_NOT_ALLOWED, "a handshake is a GET\n"));
    }
    if request.version != Version::HTTP_11 {
        return Err(malformed(StatusCode::BAD_REQUEST, "a handshake needs HTTP/1.1\n"));
    }
    // What follows it would be taken for frames here, and for a body by a proxy.
    let length = only(&request.headers, header::CONTENT_LENGTH);
    let has_body = request.headers.contains_key(header::CONTENT_LENGTH) && length != Some("0");
    if has_body || request.headers.contains_key(header::TRANSFER_ENCODING) {
        return Err(malformed(StatusCode::BAD_REQUEST, "a handshake has no body\n"));
    }
    Ok(())
}

/// Two Origin headers are nobody's honest request.
fn check_origin(headers: &HeaderMap, origins: &Origins) -> Result<(), Rejection> {
    let foreign = Rejection {
        refusal: Refusal::Origin,
        status: StatusCode::FORBIDDEN,
        words: "pages of this origin may not connect\n",
    };
    let origin = only(headers, header::ORIGIN);
    if headers.contains_key(header::ORIGIN) && origin.is_none() {
        return Err(foreign);
    }
    let allowed = origins.allow(origin, only(headers, header::HOST));
    if allowed { Ok(()) } else { Err(foreign) }
}

/// The value of a header that stands there exactly once.
fn only(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

/// Whether a comma-separated header, which may stand there more than once, holds the token.
fn has_token(headers: &HeaderMap, name: header::HeaderName, token: &str) -> bool {
    let values = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|part| part.trim().eq_ignore_ascii_case(token))
}

/// Whether this is the base64 form of 16 bytes.
fn is_key(key: &str) -> bool {
    let symbol = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'+' || byte == b'/';
    key.len() == 24 && key.ends_with("==") && key.bytes().take(22).all(symbol)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::Request;

    fn request(lines: &[(&str, &str)]) -> Parts {
        let mut builder = Request::builder().uri("/ws");
        for (name, value) in lines {
            builder = builder.header(*name, *value);
        }
        builder.body(()).unwrap().into_parts().0
    }

    const GOOD: [(&str, &str); 5] = [
        ("Host", "game.example"),
        ("Connection", "keep-alive, Upgrade"),
        ("Upgrade", "WebSocket"),
        ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ];

    fn judged(lines: &[(&str, &str)]) -> Result<String, u16> {
        accept_key(&request(lines), &Origins::default()).map_err(|rejection| rejection.status.as_u16())
    }

    #[test]
    fn the_key_of_the_rfc_is_accepted() {
        assert_eq!(judged(&GOOD).as_deref(), Ok("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="));
    }

    #[test]
    fn a_request_with_any_part_missing_is_refused() {
        for missing in GOOD.iter().skip(1) {
            let lines: Vec<_> = GOOD.iter().filter(|line| line.0 != missing.0).copied().collect();
            assert!(judged(&lines).is_err(), "{}", missing.0);
        }
    }

    #[test]
    fn old_versions_and_short_keys_are_refused() {
        let mut lines = GOOD;
        lines[3].1 = "8";
        assert_eq!(judged(&lines), Err(426));
        let mut lines = GOOD;
        lines[4].1 = "short";
        assert_eq!(judged(&lines), Err(400));
    }

    #[test]
    fn a_handshake_with_a_body_is_refused() {
        for (line, answer) in [
            (("Content-Length", "5"), Err(400)),
            (("Transfer-Encoding", "chunked"), Err(400)),
            (("Content-Length", "x"), Err(400)),
            (("Content-Length", "0"), Ok(())),
        ] {
            let lines: Vec<_> = GOOD.into_iter().chain([line]).collect();
            assert_eq!(judged(&lines).map(drop), answer, "{line:?}");
        }
    }

    #[test]
    fn foreign_and_doubled_origins_are_refused() {
        for origins in [&["https://game.example.evil.com"][..], &["https://game.example", "https://game.example"]] {
            let mut lines = GOOD.to_vec();
            lines.extend(origins.iter().map(|origin| ("Origin", *origin)));
            assert_eq!(judged(&lines), Err(403));
        }
    }
}
