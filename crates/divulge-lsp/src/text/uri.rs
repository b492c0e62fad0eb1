//! Files by the addresses that editors use.

use std::path::Path;

use divulge_host::short;
use lsp_types::Uri;

/// The path of a file; anything else keeps its address, such as a text that was never saved.
pub fn name_of(uri: &Uri) -> String {
    let text = uri.as_str();
    let Some(rest) = text.strip_prefix("file://") else { return text.to_owned() };
    // What stands before the path is a machine's name, nearly always none.
    let path = decoded(rest.find('/').map_or("", |slash| &rest[slash..]));
    let drive = path.get(1..3).is_some_and(|d| d.ends_with(':') && d.as_bytes()[0].is_ascii_alphabetic());
    short(Path::new(if drive { &path[1..] } else { &path }))
}

/// The address of what [`name_of`] names.
pub fn uri_of(name: &str) -> Option<Uri> {
    let scheme = name.split_once(':').map_or("", |(scheme, _)| scheme);
    if scheme.len() > 1 && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b)) {
        return name.parse().ok();
    }
    let path = std::path::absolute(name).ok()?.display().to_string().replace('\\', "/");
    let slash = if path.starts_with('/') { "" } else { "/" };
    format!("file://{slash}{}", encoded(&path)).parse().ok()
}

fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let (mut out, mut i) = (Vec::with_capacity(bytes.len()), 0);
    while i < bytes.len() {
        let hex = text.get(i + 1..i + 3).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match (bytes[i], hex) {
            (b'%', Some(byte)) => {
                out.push(byte);
                i += 3;
            }
            (byte, _) => {
                out.push(byte);
                i += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

fn encoded(path: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"/-._~:".contains(&b);
    path.bytes().map(|b| if plain(b) { char::from(b).to_string() } else { format!("%{b:02X}") }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_addresses_go_both_ways() {
        for path in ["/a/b c/é#1.divulge", "/tmp/100%.divulge"] {
            assert_eq!(name_of(&uri_of(path).unwrap()), path);
        }
        assert_eq!(name_of(&"file:///a/./b/../c%20d".parse().unwrap()), "/a/c d");
        assert_eq!(name_of(&"untitled:Untitled-1".parse().unwrap()), "untitled:Untitled-1");
        assert_eq!(uri_of("untitled:Untitled-1").unwrap().as_str(), "untitled:Untitled-1");
    }
}
