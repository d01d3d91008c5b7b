//! A database with the log beside it, as one image in memory: for a place where SQLite cannot make what it needs to read
//! the log, such as a full disk or a medium that cannot be written.
//!
//! The [format](https://www.sqlite.org/walformat.html) is older than this program and will outlive it. Frames count up to
//! the last commit whose sums are right; what follows was never acknowledged.

const HEADER: usize = 32;
const FRAME_HEADER: usize = 24;
/// Whether the sums are of big-endian words is the last bit.
const MAGIC: u32 = 0x377f_0682;
/// How the file is written and read: 2 stands for a log beside it, 1 for none.
const VERSIONS: std::ops::Range<usize> = 18..20;

/// The database as it is with its log. None when the log is of another database or cannot be read at all.
pub(super) fn with_log(mut database: Vec<u8>, log: &[u8]) -> Option<Vec<u8>> {
    if let Some(frames) = Frames::new(log) {
        let (mut waiting, size) = (Vec::new(), frames.page);
        for (number, pages, page) in frames {
            waiting.push((number, page));
            // Only a commit says how large the database is, and only with it do the pages before count.
            if pages > 0 {
                database.resize(pages.checked_mul(size)?, 0);
                for (number, page) in waiting.drain(..) {
                    let start = number.checked_sub(1)?.checked_mul(size)?;
                    // A page beyond the end was given back by the same commit.
                    if let Some(place) = database.get_mut(start..start + size) {
                        place.copy_from_slice(page);
                    }
                }
            }
        }
    }
    database.get_mut(VERSIONS)?.fill(1);
    Some(database)
}

/// The frames of a log that are whole: the number of the page, the size of the database after a commit, the page.
struct Frames<'a> {
    rest: &'a [u8],
    page: usize,
    salts: &'a [u8],
    big_endian: bool,
    sums: (u32, u32),
}

impl<'a> Frames<'a> {
    fn new(log: &'a [u8]) -> Option<Self> {
        let (header, rest) = log.split_at_checked(HEADER)?;
        let magic = word(header, 0)?;
        let big_endian = magic & 1 == 1;
        let sums = summed((0, 0), header.get(..24)?, big_endian);
        let is_whole = magic & !1 == MAGIC && sums == (word(header, 24)?, word(header, 28)?);
        let page = usize::try_from(word(header, 8)?).ok()?;
        let is_size = page.is_power_of_two() && (512..=65_536).contains(&page);
        (is_whole && is_size).then_some(Self { rest, page, salts: header.get(16..24)?, big_endian, sums })
    }
}

impl<'a> Iterator for Frames<'a> {
    type Item = (usize, usize, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let (frame, rest) = self.rest.split_at_checked(FRAME_HEADER + self.page)?;
        let (header, page) = frame.split_at_checked(FRAME_HEADER)?;
        let sums = summed(self.sums, header.get(..8)?, self.big_endian);
        let sums = summed(sums, page, self.big_endian);
        // A frame of an earlier round of the log has other salts.
        if header.get(8..16)? != self.salts || sums != (word(header, 16)?, word(header, 20)?) {
            return None;
        }
        (self.rest, self.sums) = (rest, sums);
        let number = |at| usize::try_from(word(header, at)?).ok();
        Some((number(0)?, number(4)?, page))
    }
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at + 4)?.try_into().ok().map(u32::from_be_bytes)
}

fn summed((mut one, mut two): (u32, u32), bytes: &[u8], big_endian: bool) -> (u32, u32) {
    let (words, _) = bytes.as_chunks::<4>();
    for pair in words.chunks_exact(2) {
        let [first, second] = [0, 1].map(|at| {
            let word = pair.get(at).copied().unwrap_or_default();
            if big_endian { u32::from_be_bytes(word) } else { u32::from_le_bytes(word) }
        });
        one = one.wrapping_add(first).wrapping_add(two);
        two = two.wrapping_add(second).wrapping_add(one);
    }
    (one, two)
}

#[cfg(test)]
mod tests {
    use std::{error::Error, fs};

    use rusqlite::Connection;
    use tata_core::SessionId;

    use super::*;

    type Done = Result<(), Box<dyn Error>>;

    fn opened(image: &[u8]) -> Result<Connection, rusqlite::Error> {
        let mut connection = Connection::open_in_memory()?;
        connection.deserialize_read_exact(rusqlite::MAIN_DB, image, image.len(), true)?;
        Ok(connection)
    }

    /// A log cut anywhere gives what SQLite itself would read: all commits up to some point.
    #[test]
    fn a_log_is_read_as_sqlite_reads_it() -> Done {
        let folder = std::env::temp_dir().join(format!("tata-{}", SessionId::random()));
        fs::create_dir(&folder)?;
        let path = folder.join("tata.db");
        let writer = Connection::open(&path)?;
        writer.execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (n INTEGER, x TEXT)",
        )?;
        for number in 0..30 {
            writer.execute("INSERT INTO t VALUES (?1, ?2)", (number, "x".repeat(3000)))?;
            if number == 9 {
                // A second round of the log: what is left of the first behind it does not count.
                writer.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
            }
            if number == 20 {
                writer.execute_batch("DELETE FROM t WHERE n < 15; VACUUM")?;
            }
        }
        let (database, log) = (fs::read(&path)?, fs::read(folder.join("tata.db-wal"))?);
        let steps = (0..=log.len()).step_by(1777).chain([log.len()]);
        for length in steps {
            let cut = log.get(..length).ok_or("longer than the log")?;
            let ours = opened(&with_log(database.clone(), cut).ok_or("no image")?)?;
            let theirs = folder.join("theirs.db");
            fs::write(&theirs, &database)?;
            fs::write(folder.join("theirs.db-wal"), cut)?;
            let theirs = Connection::open(&theirs)?;
            for sql in
                ["SELECT count(*) || ' ' || max(n) FROM t", "PRAGMA integrity_check", "PRAGMA page_count"]
            {
                let ask = |connection: &Connection| {
                    connection.query_row(sql, [], |row| row.get::<_, rusqlite::types::Value>(0))
                };
                assert_eq!(ask(&ours)?, ask(&theirs)?, "{sql} after {length} bytes");
            }
        }
        fs::remove_dir_all(folder)?;
        Ok(())
    }
}
