//! The program in a pseudo-terminal, as a person sees it.

use std::{
    fs::File,
    io::{Read, Write},
    process::{Child, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::{Duration, Instant},
};

use nix::pty::{Winsize, openpty};

use crate::program::World;

/// Nobody waits longer for an answer.
const PATIENCE: Duration = Duration::from_secs(90);

/// A chat that is open.
pub(crate) struct Chat {
    child: Child,
    keyboard: File,
    screen: Receiver<Vec<u8>>,
    seen: String,
    raw: Vec<u8>,
}

/// A program in a pseudo-terminal: itself, its keyboard, its screen.
fn start(world: &World, arguments: &[&str], colored: bool) -> (Child, File, Receiver<Vec<u8>>) {
    let size = Winsize { ws_row: 60, ws_col: 200, ws_xpixel: 0, ws_ypixel: 0 };
    let pty = openpty(Some(&size), None).unwrap();
    let slave = File::from(pty.slave);
    let mut command = world.command(arguments);
    command.env("TERM", "xterm");
    if !colored {
        command.env("NO_COLOR", "1");
    }
    command.stdin(Stdio::from(slave.try_clone().unwrap()));
    command.stdout(Stdio::from(slave.try_clone().unwrap())).stderr(Stdio::from(slave));
    let child = command.spawn().unwrap();
    // The command holds the other end open as well; only the child may.
    drop(command);
    let keyboard = File::from(pty.master);
    let mut reader = keyboard.try_clone().unwrap();
    let (sender, screen) = channel();
    thread::spawn(move || {
        let mut buffer = [0; 8192];
        // The end of the pseudo-terminal is an error on Linux.
        while let Ok(count) = reader.read(&mut buffer) {
            if count == 0 || sender.send(buffer[..count].to_vec()).is_err() {
                break;
            }
        }
    });
    (child, keyboard, screen)
}

/// Runs a command in a pseudo-terminal, types, and returns its exit code and every byte that reached the screen.
pub(crate) fn run(world: &World, arguments: &[&str], typed: &str) -> (i32, Vec<u8>) {
    let (mut child, mut keyboard, screen) = start(world, arguments, true);
    keyboard.write_all(typed.as_bytes()).unwrap();
    let mut seen = Vec::new();
    let end = Instant::now() + PATIENCE;
    let status = loop {
        seen.extend(screen.recv_timeout(Duration::from_millis(20)).unwrap_or_default());
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        assert!(Instant::now() < end, "it does not end: {}", String::from_utf8_lossy(&seen));
    };
    while let Ok(bytes) = screen.recv_timeout(Duration::from_millis(200)) {
        seen.extend(bytes);
    }
    (status.code().unwrap_or(-1), seen)
}

/// What stands before the cursor when a person is asked to decide.
const QUESTION: &str = "[y]es, [n]o: ";

impl Chat {
    /// Opens a chat and waits until it can be typed to.
    pub(crate) fn open(world: &World, arguments: &[&str]) -> Self {
        let (child, keyboard, screen) = start(world, arguments, false);
        let mut chat = Self { child, keyboard, screen, seen: String::new(), raw: Vec::new() };
        chat.wait(|text| text.trim_end_matches('\r').ends_with("> "));
        chat
    }

    /// What was on the screen so far.
    pub(crate) fn seen(&self) -> &str {
        &self.seen
    }

    /// Every byte that reached the screen so far.
    pub(crate) fn raw(&self) -> String {
        String::from_utf8_lossy(&self.raw).into_owned()
    }

    /// Types a message, several lines as one paste, and returns what came until the next prompt.
    pub(crate) fn say(&mut self, message: &str) -> String {
        let before = self.seen.len();
        let typed =
            if message.contains('\n') { format!("\x1b[200~{message}\x1b[201~") } else { message.to_owned() };
        self.keyboard.write_all(typed.as_bytes()).unwrap();
        self.keyboard.write_all(b"\r").unwrap();
        let mut from = before;
        loop {
            self.wait(|text| {
                let new = text.get(from..).unwrap_or_default();
                let answered = text.get(before..).unwrap_or_default().contains("guided mode, no AI");
                new.ends_with(QUESTION) || answered && new.ends_with("> ")
            });
            if !self.seen.ends_with(QUESTION) {
                return self.seen.get(before..).unwrap_or_default().to_owned();
            }
            // What is decided stands above the question; these people mean what they say.
            from = self.seen.len();
            self.keyboard.write_all(b"y\r").unwrap();
        }
    }

    /// Presses keys and waits for these words, then returns what came.
    pub(crate) fn press(&mut self, keys: &str, until: &str) -> String {
        let before = self.seen.len();
        self.keyboard.write_all(keys.as_bytes()).unwrap();
        self.wait(|text| text.get(before..).unwrap_or_default().contains(until));
        self.seen.get(before..).unwrap_or_default().to_owned()
    }

    /// Does what a terminal does when Ctrl-C is pressed while nothing is read, and returns what came until the next prompt.
    pub(crate) fn interrupt(&mut self) -> String {
        let before = self.seen.len();
        let program = nix::unistd::Pid::from_raw(self.child.id().try_into().unwrap());
        nix::sys::signal::kill(program, nix::sys::signal::Signal::SIGINT).unwrap();
        self.wait(|text| text.get(before..).unwrap_or_default().ends_with("> "));
        self.seen.get(before..).unwrap_or_default().to_owned()
    }

    /// Presses keys and waits until the same prompt stands there again, on a line of its own and with nothing behind it:
    /// while something is typed, the line is drawn anew.
    pub(crate) fn press_for_next(&mut self, keys: &str, prompt: &str) -> String {
        let before = self.seen.len();
        self.keyboard.write_all(keys.as_bytes()).unwrap();
        self.wait(|text| {
            let came = text.get(before..).unwrap_or_default();
            let last = came.rsplit_once('\n').map(|(_, last)| last);
            last.is_some_and(|last| last.trim_end().ends_with(prompt.trim_end()))
        });
        self.seen.get(before..).unwrap_or_default().to_owned()
    }

    /// Ends the input, as Ctrl-D does, and waits for the program.
    pub(crate) fn leave(mut self) -> String {
        self.keyboard.write_all(b"\x04").unwrap();
        let status = self.child.wait().unwrap();
        assert!(status.success(), "{}", self.seen);
        while let Ok(bytes) = self.screen.recv_timeout(Duration::from_millis(300)) {
            self.take(&bytes);
        }
        self.seen
    }

    fn wait(&mut self, enough: impl Fn(&str) -> bool) {
        let end = Instant::now() + PATIENCE;
        while !enough(&self.seen) {
            assert!(Instant::now() < end, "no prompt came: {}", self.seen);
            if let Ok(bytes) = self.screen.recv_timeout(Duration::from_millis(200)) {
                self.take(&bytes);
            }
        }
    }

    /// Adds what a person would read: no escape sequences, no carriage returns.
    fn take(&mut self, bytes: &[u8]) {
        self.raw.extend(bytes);
        let text = String::from_utf8_lossy(bytes).into_owned();
        let mut letters = text.chars().peekable();
        while let Some(letter) = letters.next() {
            match letter {
                '\x1b' => {
                    let bracket = letters.next_if_eq(&'[').is_some();
                    while bracket && letters.next().is_some_and(|letter| !letter.is_ascii_alphabetic()) {}
                }
                '\r' => {}
                letter => self.seen.push(letter),
            }
        }
    }
}
