//! Work that needs the processor for a while, on a thread of its own. Whoever waits for it can be stopped, run out of time
//! or go away; the work then ends by itself, for it is linear in a text that has a limit.

use std::{future::pending, panic::resume_unwind};

use tokio::runtime::Handle;

/// Does some work apart from the thread that waits for it.
pub(crate) async fn apart<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    // Without a runtime nothing else waits for this thread.
    let Ok(runtime) = Handle::try_current() else { return work() };
    match runtime.spawn_blocking(work).await {
        Ok(done) => done,
        Err(stopped) => match stopped.try_into_panic() {
            Ok(panic) => resume_unwind(panic),
            // The runtime ends, and with it whoever waits.
            Err(_) => pending().await,
        },
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn whoever_waits_may_leave_while_the_work_goes_on() {
        let (go_on, waits) = mpsc::channel::<()>();
        let (done, ended) = mpsc::channel();
        let mut work = Box::pin(apart(move || {
            waits.recv().unwrap();
            done.send(()).unwrap();
        }));
        assert!(work.as_mut().now_or_never().is_none());
        drop(work);
        assert_eq!(ended.try_recv(), Err(mpsc::TryRecvError::Empty), "it has not ended yet");
        go_on.send(()).unwrap();
        ended.recv().unwrap();
    }

    #[test]
    fn without_a_runtime_it_is_done_at_once() {
        assert_eq!(apart(|| 5).now_or_never(), Some(5));
    }
}
