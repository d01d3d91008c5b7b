//! What a reader may have of the machine, kept by the kernel.

use std::{io, time::Duration};

#[cfg(unix)]
use nix::sys::{
    resource::{Resource, UsageWho, getrusage, setrlimit},
    time::TimeValLike as _,
};

/// Seconds of computing time after which a reader ends, whatever it was told: nobody may be there any more to stop it.
#[cfg(unix)]
const LONGEST_LIFE: u64 = 300;

/// Gives up what reading does not need: no file can be opened, no connection made, nothing written but the answer.
#[cfg(unix)]
pub(super) fn give_up() -> io::Result<()> {
    // The three streams there are; every further one would be a file or a connection.
    setrlimit(Resource::RLIMIT_NOFILE, 3, 3)?;
    setrlimit(Resource::RLIMIT_FSIZE, 0, 0)?;
    setrlimit(Resource::RLIMIT_CORE, 0, 0)?;
    let memory = u64::try_from(super::MEMORY).unwrap_or(u64::MAX);
    let limited = setrlimit(Resource::RLIMIT_DATA, memory, memory);
    // Other systems know the limit by name and do not keep it; what Linux refuses is a fault.
    if cfg!(target_os = "linux") {
        limited?;
        // The program itself and what it reserves without using it; shared memory is not counted as data.
        let space = memory.saturating_mul(8);
        setrlimit(Resource::RLIMIT_AS, space, space)?;
    }
    Ok(())
}

#[cfg(not(unix))]
pub(super) fn give_up() -> io::Result<()> {
    Ok(())
}

/// Grants so much computing time for the next file.
#[cfg(unix)]
pub(super) fn grant(time: Duration) -> io::Result<()> {
    let usage = getrusage(UsageWho::RUSAGE_SELF)?;
    let spent = (usage.user_time() + usage.system_time()).num_seconds();
    let until = u64::try_from(spent).unwrap_or_default() + time.as_secs() + 2;
    Ok(setrlimit(Resource::RLIMIT_CPU, until.min(LONGEST_LIFE), LONGEST_LIFE)?)
}

#[cfg(not(unix))]
pub(super) fn grant(_: Duration) -> io::Result<()> {
    Ok(())
}
