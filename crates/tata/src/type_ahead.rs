//! What was typed before a question was on the screen answers nothing: it is thrown away.

use std::{io, os::fd::AsFd};

use nix::{
    poll::{PollFd, PollFlags, PollTimeout, poll},
    sys::termios::{FlushArg, LocalFlags, SetArg, tcflush, tcgetattr, tcsetattr},
};

/// Throws away what waits in the terminal. Tells whether there was something.
pub(crate) fn discard() -> bool {
    let keyboard = io::stdin();
    let waits = waits(&keyboard).unwrap_or(false);
    // Also where nothing could be learned: what was not seen must not decide.
    let flushed = tcflush(&keyboard, FlushArg::TCIFLUSH);
    if let Err(error) = flushed {
        tracing::warn!(%error, "the terminal was not emptied");
    }
    waits
}

/// Whether something was typed, also a line that is not finished: such a line shows only while lines are not waited for.
fn waits(keyboard: &impl AsFd) -> nix::Result<bool> {
    let before = tcgetattr(keyboard)?;
    let mut by_letters = before.clone();
    by_letters.local_flags.remove(LocalFlags::ICANON);
    tcsetattr(keyboard, SetArg::TCSANOW, &by_letters)?;
    let mut asked = [PollFd::new(keyboard.as_fd(), PollFlags::POLLIN)];
    let ready = poll(&mut asked, PollTimeout::ZERO);
    tcsetattr(keyboard, SetArg::TCSANOW, &before)?;
    Ok(ready? > 0)
}
