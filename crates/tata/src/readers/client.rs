//! Starts readers, hands them files and takes their answers, which are not trusted: they are bounded and may be nonsense.

use std::{
    fmt,
    io::{self, BufRead, BufReader, Read as _, Write as _},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::{
        Condvar, Mutex, PoisonError,
        mpsc::{RecvTimeoutError, sync_channel},
    },
    thread,
    time::{Duration, Instant},
};

use tata_document::{FileContents, FileReader, ReadError, ReadRequest, Reading};

use super::{
    COMMAND, Head, LONGEST_ANSWER, MEMORY,
    queue::{Owner, Queue, Waiting},
};

/// How long a person waits for a place, and how long ingestion does, in front of which nobody sits.
const SHORT_WAIT: Duration = Duration::from_secs(20);
const LONG_WAIT: Duration = Duration::from_mins(1);

/// A reader looks at the clock itself; one that does not come to it is stopped so much later.
const GRACE: Duration = Duration::from_millis(700);

/// What one reader of a series reads before another takes its place, so that no file pays for those before it.
const MOST_FILES: usize = 200;
const MOST_BYTES: usize = 8 * 1024 * 1024;
const LONGEST_USE: Duration = Duration::from_mins(1);

/// Notes about a file, and characters of a note.
const MOST_NOTES: usize = 50;
const LONGEST_NOTE: usize = 500;

/// Reads each file in a new process, so that no file of one person meets one of another.
#[derive(Clone, Debug)]
pub(crate) struct OneEach {
    owner: Owner,
    waiting: Waiting,
}

impl OneEach {
    /// For somebody who waits for the answer.
    pub(crate) fn for_person(owner: Owner) -> Self {
        Self { owner, waiting: Waiting::Person }
    }

    /// For work that nobody waits for.
    pub(crate) fn in_background(owner: Owner) -> Self {
        Self { owner, waiting: Waiting::Nobody }
    }
}

impl FileReader for OneEach {
    fn read_file(&self, bytes: Vec<u8>, request: &ReadRequest) -> Result<FileContents, ReadError> {
        let _place = Place::take(&self.owner, self.waiting)?;
        let answer = Worker::start()?.ask(bytes, request);
        remember_cost(&self.owner, &answer);
        answer
    }
}

/// Reads many files of one person: a process reads several of them, as long as all goes well.
#[derive(Debug, Default)]
pub(crate) struct Series {
    worker: Mutex<Option<Worker>>,
}

impl FileReader for Series {
    fn read_file(&self, bytes: Vec<u8>, request: &ReadRequest) -> Result<FileContents, ReadError> {
        let _place = Place::take(&Owner::default(), Waiting::Nobody)?;
        let mut kept = self.worker.lock().unwrap_or_else(PoisonError::into_inner);
        let mut worker = match kept.take() {
            Some(worker) if worker.has_room(bytes.len()) => worker,
            Some(_) | None => Worker::start()?,
        };
        let answer = worker.ask(bytes, request);
        if answer.is_ok() {
            *kept = Some(worker);
        }
        answer
    }
}

static QUEUE: Mutex<Queue> = Mutex::new(Queue::new());
static CHANGED: Condvar = Condvar::new();

/// The right to run one reader; given back when it is dropped.
struct Place(u64);

impl Place {
    /// Waits until it is this owner's turn.
    fn take(owner: &Owner, waiting: Waiting) -> Result<Self, ReadError> {
        let until = Instant::now() + if waiting == Waiting::Nobody { LONG_WAIT } else { SHORT_WAIT };
        let mut queue = QUEUE.lock().unwrap_or_else(PoisonError::into_inner);
        let place = Self(queue.enter(owner, waiting).ok_or(ReadError::Busy)?);
        loop {
            let now = Instant::now();
            if queue.begin(place.0, now) {
                // It may be somebody else's turn as well.
                CHANGED.notify_all();
                return Ok(place);
            }
            let Some(left) = until.checked_duration_since(now).filter(|left| !left.is_zero()) else {
                // Dropping the place asks for the queue.
                drop(queue);
                return Err(ReadError::Busy);
            };
            let waited = CHANGED.wait_timeout(queue, left);
            (queue, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        QUEUE.lock().unwrap_or_else(PoisonError::into_inner).leave(self.0);
        // Not all who wait may take this place.
        CHANGED.notify_all();
    }
}

/// Remembers whose file cost a reader all that it may have.
fn remember_cost(owner: &Owner, answer: &Result<FileContents, ReadError>) {
    if matches!(answer, Err(ReadError::TooSlow { .. } | ReadError::Stopped { .. })) {
        QUEUE.lock().unwrap_or_else(PoisonError::into_inner).was_stopped(owner, Instant::now());
    }
}

/// The ends of the pipes to a reader. Its input stays open until its answer is there: an input that ends, ends it.
struct Pipes {
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

/// A reader, killed with all that it may have started when this is dropped.
struct Worker {
    child: Child,
    pipes: Option<Pipes>,
    begun: Instant,
    files: usize,
    bytes: usize,
}

impl fmt::Debug for Worker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Worker").field("process", &self.child.id()).finish_non_exhaustive()
    }
}

impl Worker {
    fn start() -> Result<Self, ReadError> {
        let failed = |error: io::Error| ReadError::NoReader(error.to_string());
        let mut command = Command::new(program().map_err(failed)?);
        // What it does not know, no file can make it tell.
        command.arg(COMMAND).env_clear().current_dir(root());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt as _;
            command.arg0("tata").process_group(0);
        }
        let mut child = command.spawn().map_err(failed)?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let pipes = pipes.map(|(input, output)| Pipes { input, output: BufReader::new(output) });
        Ok(Self { child, pipes, begun: Instant::now(), files: 0, bytes: 0 })
    }

    fn has_room(&self, bytes: usize) -> bool {
        self.files < MOST_FILES
            && self.bytes.saturating_add(bytes) <= MOST_BYTES
            && self.begun.elapsed() < LONGEST_USE
    }

    /// Has a file read. After an error it must not be asked again.
    fn ask(&mut self, bytes: Vec<u8>, request: &ReadRequest) -> Result<FileContents, ReadError> {
        let stopped = ReadError::Stopped { memory: MEMORY };
        let limits = request.limits;
        let Some(mut pipes) = self.pipes.take() else { return Err(stopped) };
        self.files += 1;
        self.bytes = self.bytes.saturating_add(bytes.len());
        let head = Head { request: request.clone(), bytes: bytes.len() };
        let (sender, receiver) = sync_channel(1);
        let exchange = move || {
            let answer = exchanged(&mut pipes, &head, bytes);
            // Whoever asked has gone when the time was over.
            drop(sender.send((answer, pipes)));
        };
        let begun = Instant::now();
        let name = "reader".to_owned();
        thread::Builder::new()
            .name(name)
            .spawn(exchange)
            .map_err(|error| ReadError::NoReader(error.to_string()))?;
        match receiver.recv_timeout(limits.time + GRACE) {
            Ok((Ok(answer), pipes)) => {
                self.pipes = Some(pipes);
                checked(answer, request)
            }
            Err(RecvTimeoutError::Timeout) => {
                tracing::warn!(elapsed = ?begun.elapsed(), "a reader of a file was stopped at its deadline");
                Err(ReadError::TooSlow { limit: limits.time })
            }
            Ok((Err(error), _)) => {
                tracing::warn!(%error, elapsed = ?begun.elapsed(), "a reader of a file came to no answer");
                Err(stopped)
            }
            Err(RecvTimeoutError::Disconnected) => Err(stopped),
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It was not waited for yet, so that its number is nobody else's.
        #[cfg(unix)]
        if let Ok(group) = i32::try_from(self.child.id()) {
            let group = nix::unistd::Pid::from_raw(group);
            nix::sys::signal::killpg(group, nix::sys::signal::Signal::SIGKILL).ok();
        }
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// Hands over a file and waits for the answer.
fn exchanged(pipes: &mut Pipes, head: &Head, bytes: Vec<u8>) -> io::Result<Result<FileContents, ReadError>> {
    serde_json::to_writer(&mut pipes.input, head)?;
    pipes.input.write_all(b"\n")?;
    pipes.input.write_all(&bytes)?;
    pipes.input.flush()?;
    // The reader has its own copy now.
    drop(bytes);
    let mut line = Vec::new();
    let most = u64::try_from(LONGEST_ANSWER).unwrap_or(u64::MAX);
    (&mut pipes.output).take(most).read_until(b'\n', &mut line)?;
    if line.pop() != Some(b'\n') {
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the answer has no end"));
    }
    Ok(serde_json::from_slice(&line)?)
}

/// An answer within what was asked for: a reader that a file took over can answer anything.
fn checked(
    answer: Result<FileContents, ReadError>,
    request: &ReadRequest,
) -> Result<FileContents, ReadError> {
    let mut contents = answer.map_err(ReadError::shortened)?;
    let (text, notes) = match &mut contents {
        FileContents::Text(reading) => (reading.len(), &mut reading.notes),
        FileContents::Transcript(transcript) => {
            (transcript.turns.iter().map(|turn| turn.text.len()).sum(), &mut transcript.notes)
        }
        FileContents::Sheets(_) => return Ok(contents),
    };
    if text > request.limits.text {
        return Err(ReadError::Stopped { memory: MEMORY });
    }
    notes.truncate(MOST_NOTES);
    for note in notes {
        *note = note.chars().filter(|letter| !letter.is_control()).take(LONGEST_NOTE).collect();
    }
    if let FileContents::Text(Reading { title: Some(title), .. }) = &mut contents {
        *title = title.chars().take(LONGEST_NOTE).collect();
    }
    Ok(contents)
}

/// This very program, also when its file was replaced or removed since it started.
fn program() -> io::Result<PathBuf> {
    let running = Path::new("/proc/self/exe");
    if running.exists() { Ok(running.to_owned()) } else { std::env::current_exe() }
}

/// A folder that is always there.
fn root() -> &'static Path {
    Path::new(if cfg!(windows) { "\\" } else { "/" })
}
