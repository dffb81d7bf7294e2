//! The pages: the client that is built in, or one from a directory.

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use rust_embed::Embed;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The client. In debug builds too it is built in (`debug-embed`), so that both behave the same.
#[derive(Embed)]
#[folder = "src/web"]
struct BuiltIn;

/// Only the page's own host is spoken to, and nothing runs that is not a file of it.
const POLICY: &str = "default-src 'self'; connect-src 'self' ws: wss:; object-src 'none'; base-uri 'none'";

/// Types by the end of a name.
const TYPES: [(&str, &str); 13] = [
    ("html", "text/html; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("mjs", "text/javascript; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("json", "application/json"),
    ("webmanifest", "application/manifest+json"),
    ("wasm", "application/wasm"),
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("ico", "image/x-icon"),
    ("woff2", "font/woff2"),
    ("map", "application/json"),
    ("txt", "text/plain; charset=utf-8"),
];

const NOT_FOUND: &str =
    "<!doctype html><meta charset=utf-8><title>Not found</title><p>There is no such page. <a href=\"/\">Play</a>\n";

/// A file, ready to be sent.
struct Page {
    bytes: Bytes,
    /// Changes with the content; none for files that may change at any time.
    etag: Option<String>,
}

/// Serves the client at every address that is not the front end's own.
pub fn pages(web_dir: Option<&Path>) -> std::io::Result<Router> {
    let root = web_dir.map(Path::canonicalize).transpose()?;
    Ok(Router::new().fallback(answer).with_state(Arc::new(root)))
}

async fn answer(State(root): State<Arc<Option<PathBuf>>>, request: Request) -> Response {
    let mut response = match *request.method() {
        Method::GET | Method::HEAD => find(root.as_deref(), &request),
        _ => plain(StatusCode::METHOD_NOT_ALLOWED, "pages are only read\n"),
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    if response.status() == StatusCode::METHOD_NOT_ALLOWED {
        response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
    }
    response
}

fn find(root: Option<&Path>, request: &Request) -> Response {
    let Some(name) = file_name(request.uri().path()) else { return not_found() };
    let page = match root {
        Some(root) => from_directory(root, name),
        None => built_in(name),
    };
    page.map_or_else(not_found, |page| show(name, page, request.headers()))
}

/// The file that a path names. A path that could lead anywhere else names none.
fn file_name(path: &str) -> Option<&str> {
    let name = path.strip_prefix('/')?;
    let name = if name.is_empty() { "index.html" } else { name };
    let plain = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.contains(['\\', ':', '\0', '%']);
    name.split('/').all(plain).then_some(name)
}

fn built_in(name: &str) -> Option<Page> {
    let file = BuiltIn::get(name)?;
    let hash = file.metadata.sha256_hash();
    let etag = hash[..12].iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let bytes = match file.data {
        std::borrow::Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        std::borrow::Cow::Owned(bytes) => Bytes::from(bytes),
    };
    Some(Page { bytes, etag: Some(format!("\"{etag}\"")) })
}

/// A link may lead out of the directory even if its name does not.
fn from_directory(root: &Path, name: &str) -> Option<Page> {
    let path = root.join(name).canonicalize().ok().filter(|path| path.starts_with(root))?;
    let bytes = std::fs::read(path).ok()?;
    Some(Page { bytes: bytes.into(), etag: None })
}

fn show(name: &str, page: Page, asked: &HeaderMap) -> Response {
    let etag = page.etag.as_deref().and_then(|etag| HeaderValue::from_str(etag).ok());
    let known = etag.is_some() && asked.get(header::IF_NONE_MATCH) == etag.as_ref();
    let mut response = Response::new(if known { Body::empty() } else { Body::from(page.bytes) });
    if known {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    }
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(type_of(name)));
    // Names carry no version: a browser may keep a file, and has to ask whether it is still the newest.
    let keep = if etag.is_some() { "no-cache" } else { "no-store" };
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(keep));
    if let Some(etag) = etag {
        headers.insert(header::ETAG, etag);
    }
    response
}

fn type_of(name: &str) -> &'static str {
    let end = name.rsplit_once('.').map_or("", |(_, end)| end);
    TYPES.iter().find(|(known, _)| *known == end).map_or("application/octet-stream", |(_, mime)| mime)
}

fn not_found() -> Response {
    let mut response = plain(StatusCode::NOT_FOUND, NOT_FOUND);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    response
}

fn plain(status: StatusCode, words: &'static str) -> Response {
    let mut response = Response::new(Body::from(words));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(path: &str, method: Method) -> Response {
        let request = Request::builder().uri(path).method(method).body(Body::empty()).unwrap();
        find(None, &request)
    }

    #[test]
    fn the_client_is_built_in_with_its_types() {
        for (path, mime) in [("/", "text/html; charset=utf-8"), ("/main.js", "text/javascript; charset=utf-8")] {
            let response = asked(path, Method::GET);
            assert_eq!(
                (response.status(), &response.headers()["content-type"]),
                (StatusCode::OK, &HeaderValue::from_static(mime))
            );
        }
    }

    #[test]
    fn a_page_that_the_browser_has_is_not_sent_again() {
        let etag = asked("/", Method::GET).headers()["etag"].clone();
        let request = Request::builder().uri("/").header("If-None-Match", etag).body(Body::empty()).unwrap();
        assert_eq!(find(None, &request).status(), StatusCode::NOT_MODIFIED);
    }

    #[test]
    fn no_path_leads_out_of_the_directory() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/web").canonicalize().unwrap();
        for path in [
            "/../lib.rs",
            "/..%2flib.rs",
            "/%2e%2e/lib.rs",
            "//etc/passwd",
            "/a/../../lib.rs",
            "/.git/config",
            "/\\..\\lib.rs",
        ] {
            assert!(file_name(path).and_then(|name| from_directory(&root, name)).is_none(), "{path}");
        }
        assert!(from_directory(&root, "index.html").is_some());
        assert!(from_directory(&root, "../lib.rs").is_none());
    }
}
