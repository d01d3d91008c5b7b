//! One timer for many deadlines: most are put off again and again, and hardly any ever comes.

use std::{
    future::{Future, poll_fn},
    pin::{Pin, pin},
    task::{Context, Poll, Waker},
};

use tokio::time::{Instant, Sleep, sleep_until};

/// Rings when a deadline comes. The timer is made when something has to be waited for, and moved only when it rings too
/// early or would ring too late: to put a deadline off costs nothing.
#[derive(Debug, Default)]
pub struct Alarm(Option<Set>);

/// A timer that was set, and whom it wakes.
#[derive(Debug)]
struct Set {
    timer: Pin<Box<Sleep>>,
    wakes: Waker,
}

impl Alarm {
    /// Ready once this moment has come.
    pub fn poll(&mut self, until: Instant, context: &mut Context<'_>) -> Poll<()> {
        let set = match &mut self.0 {
            // It will ring in time, and for the same sleeper: there is nothing to do.
            Some(Set { timer, wakes })
                if timer.deadline() <= until && !timer.is_elapsed() && wakes.will_wake(context.waker()) =>
            {
                return Poll::Pending;
            }
            Some(set) => {
                set.wakes.clone_from(context.waker());
                set
            }
            none => none.insert(Set { timer: Box::pin(sleep_until(until)), wakes: context.waker().clone() }),
        };
        let timer = &mut set.timer;
        loop {
            if timer.deadline() > until {
                timer.as_mut().reset(until);
            }
            let rings = timer.as_mut().poll(context);
            if rings.is_pending() || timer.deadline() >= until {
                return rings;
            }
            timer.as_mut().reset(until);
        }
    }

    /// Waits for some work, but not longer than until this moment.
    pub async fn within<T>(&mut self, until: Instant, work: impl Future<Output = T>) -> Option<T> {
        let mut work = pin!(work);
        poll_fn(|context| match work.as_mut().poll(context) {
            Poll::Ready(done) => Poll::Ready(Some(done)),
            Poll::Pending => self.poll(until, context).map(|()| None),
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use std::{future::pending, time::Duration};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn it_rings_when_the_last_deadline_says_so() {
        let (mut alarm, begun) = (Alarm::default(), Instant::now());
        let after = |seconds: u64| begun + Duration::from_secs(seconds);
        assert_eq!(alarm.within(after(5), async { 1 }).await, Some(1));
        let mut rings = async |seconds: u64| {
            assert_eq!(alarm.within(after(seconds), pending::<()>()).await, None);
            begun.elapsed().as_secs()
        };
        // Sooner than before, later than before, and a moment that has passed.
        assert_eq!((rings(2).await, rings(7).await, rings(3).await), (2, 7, 7));
        let slow = tokio::time::sleep(Duration::from_secs(1));
        assert_eq!(alarm.within(after(60), slow).await, Some(()));
        assert_eq!(begun.elapsed().as_secs(), 8);
    }
}
