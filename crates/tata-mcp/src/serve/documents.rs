//! Documents of a session as resources: `tata://SESSION/KIND/KEY`.

use std::collections::BTreeMap;

use tata_core::{Artifact, ArtifactKind, ArtifactName, SessionId};

use super::offer::{Part, Resource};

const SCHEME: &str = "tata://";

/// Where a document is.
pub(super) struct Place {
    pub(super) session: String,
    kind: String,
    key: String,
}

impl Place {
    pub(super) fn parse(uri: &str) -> Option<Self> {
        let mut parts = uri.strip_prefix(SCHEME)?.splitn(3, '/');
        let (session, kind) = (parts.next()?.to_owned(), decoded(parts.next()?)?);
        Some(Self { session, kind, key: decoded(parts.next().unwrap_or_default())? })
    }

    pub(super) fn name(&self) -> ArtifactName {
        ArtifactName { kind: ArtifactKind::new(&self.kind), key: self.key.clone() }
    }
}

/// The newest version of each document.
pub(super) fn listed(session: SessionId, found: &[Artifact]) -> Vec<Resource> {
    let mut newest: BTreeMap<&ArtifactName, &Artifact> = BTreeMap::new();
    for artifact in found {
        let known = newest.entry(&artifact.name).or_insert(artifact);
        if artifact.version > known.version {
            *known = artifact;
        }
    }
    let resource = |artifact: &Artifact| {
        let ArtifactName { kind, key } = &artifact.name;
        let key = if key.is_empty() { String::new() } else { format!("/{}", encoded(key)) };
        let stale = if artifact.stale { ", out of date" } else { "" };
        Resource {
            uri: format!("{SCHEME}{session}/{}{key}", encoded(kind.as_str())),
            name: format!("{kind}{key}"),
            title: None,
            description: Some(format!("Version {}{stale}", artifact.version)),
            kind: Some("text/markdown".to_owned()),
        }
    };
    newest.into_values().map(resource).collect()
}

/// As people read it, if that can be had, and as it is stored.
pub(super) fn parts(uri: &str, artifact: &Artifact, shown: Option<String>) -> Vec<Part> {
    let document =
        |kind: &str, text: String| Part::Document { uri: uri.to_owned(), kind: kind.to_owned(), text };
    let stored = document("application/json", artifact.json.as_str().to_owned());
    shown.map(|text| document("text/markdown", text)).into_iter().chain([stored]).collect()
}

fn encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    text.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let digits = std::str::from_utf8(after.get(..2)?).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = after.get(2..)?;
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_they_were_written() {
        for key in ["", "Ada Lovelace", "å/ö?#%", "a.b-c_d~e", "🙂"] {
            assert_eq!(decoded(&encoded(key)).as_deref(), Some(key));
        }
        assert_eq!(decoded("%"), None);
        assert_eq!(decoded("%zz"), None);
        assert_eq!(decoded("%ff"), None, "not UTF-8");
        let place = Place::parse("tata://s/JobAd/a%2Fb").unwrap();
        assert_eq!((place.session.as_str(), place.kind.as_str(), place.key.as_str()), ("s", "JobAd", "a/b"));
        assert!(Place::parse("https://s/JobAd").is_none());
    }
}
