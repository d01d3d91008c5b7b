//! Reads files in this very process: for tests, and for the process that does nothing else.

pub use crate::read::{read, read_sheets, read_transcript};
use crate::{FileContents, FileReader, ReadAs, ReadError, ReadRequest};

/// Reads files here, without the wall of a process around the parsers.
#[derive(Clone, Copy, Debug)]
pub struct ReadHere;

impl FileReader for ReadHere {
    fn read_file(&self, bytes: Vec<u8>, request: &ReadRequest) -> Result<FileContents, ReadError> {
        let ReadRequest { read_as, hint, limits } = request;
        match read_as {
            ReadAs::Text => read(bytes, hint, limits).map(FileContents::Text),
            ReadAs::Transcript => read_transcript(bytes, hint, limits).map(FileContents::Transcript),
            ReadAs::Sheets => read_sheets(bytes, hint, limits).map(FileContents::Sheets),
        }
    }
}
