//! Addresses of documents as people and models see them: of a file no more than its name.

use std::path::{Path, PathBuf};

use url::Url;

use crate::{DocumentEntry, Knowledge, KnowledgeError, document::hashed};

/// How the shown address of a file begins.
const SHOWN: &str = "document:";
/// Letters that tell files of one name apart.
const SEAL: usize = 8;

/// The address of a document as it is shown. Where a file lies on the server is nobody's business but the operator's, so
/// that of a file is its name and a few letters that tell it from others of that name; pages keep their address.
pub fn shown_address(url: &str) -> String {
    let Some(path) = file_of(url) else { return url.to_owned() };
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    format!("{}/{name}", sealed_address(url))
}

/// What tells a document from others, without its name, which may be somebody's: for what outlives the document.
pub fn sealed_address(url: &str) -> String {
    let seal: String = hashed(&[url]).chars().take(SEAL).collect();
    format!("{SHOWN}{seal}")
}

/// The address in the index of a file.
pub fn address_of_file(path: &Path) -> String {
    Url::from_file_path(path).map_or_else(|()| path.display().to_string(), |url| url.to_string())
}

/// The file that an address of the index stands for.
pub fn file_of(url: &str) -> Option<PathBuf> {
    Url::parse(url).ok().filter(|url| url.scheme() == "file")?.to_file_path().ok()
}

impl Knowledge {
    /// A document by its address in the index, or by the one that is shown.
    pub async fn document(&self, address: &str) -> Result<Option<DocumentEntry>, KnowledgeError> {
        let found = self.engine.document(address).await?;
        if found.is_some() || !address.starts_with(SHOWN) {
            return Ok(found);
        }
        let all = self.engine.documents().await?;
        Ok(all.into_iter().find(|entry| shown_address(&entry.url) == address))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_of_a_file_shows_its_name_and_not_its_folder() {
        let one = shown_address("file:///srv/tata/uploads/My%20CV.pdf");
        let other = shown_address("file:///home/anna/My%20CV.pdf");
        for address in [&one, &other] {
            assert!(address.starts_with("document:") && address.ends_with("/My CV.pdf"), "{address}");
            assert!(!address.contains("srv") && !address.contains("anna"), "{address}");
        }
        assert_ne!(one, other, "two files of one name are two documents");
        assert_eq!(shown_address("https://example.com/a/b.pdf"), "https://example.com/a/b.pdf");
        assert_eq!(shown_address("a"), "a");
    }
}
