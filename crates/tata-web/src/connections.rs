//! The connections that are open: how many there may be, from one place and from all. One that serves nothing makes way for
//! a new one; who keeps all of theirs busy is refused, and nobody else.

use std::{
    collections::{BTreeMap, HashMap},
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::Notify;

use crate::peer::Peer;

/// All connections.
pub(crate) struct Connections {
    /// The most at once.
    most: usize,
    /// The most of one place.
    most_of_one: usize,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    next: u64,
    /// By number: the oldest comes first.
    all: BTreeMap<u64, Row>,
    places: HashMap<Peer, usize>,
}

struct Row {
    peer: Peer,
    /// Requests that are being served.
    busy: usize,
    /// Tells the connection to make way.
    ended: Arc<Notify>,
}

/// A connection that is open; it is no longer counted once this is gone.
pub(crate) struct Connection {
    number: u64,
    all: Arc<Connections>,
    ended: Arc<Notify>,
}

/// Something is being served on a connection.
pub(crate) struct Busy {
    number: u64,
    all: Arc<Connections>,
}

impl Connections {
    pub(crate) fn new(most: usize, most_of_one: usize) -> Self {
        Self { most: most.max(1), most_of_one: most_of_one.max(1), open: Mutex::default() }
    }

    /// Takes a new connection in. Those of a proxy are not counted as one place. None if there is no room, and nothing
    /// that could make some.
    pub(crate) fn take(self: &Arc<Self>, address: IpAddr, proxied: bool) -> Option<Connection> {
        let peer = Peer::of(address);
        let mut open = self.open();
        if !proxied && open.places.get(&peer).is_some_and(|count| *count >= self.most_of_one) {
            open.end_one(|row| row.peer == peer)?;
        }
        if open.all.len() >= self.most {
            open.end_one(|_| true)?;
        }
        let (number, ended) = (open.next, Arc::new(Notify::new()));
        open.next += 1;
        open.all.insert(number, Row { peer, busy: 0, ended: Arc::clone(&ended) });
        *open.places.entry(peer).or_default() += 1;
        drop(open);
        Some(Connection { number, all: Arc::clone(self), ended })
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Open {
    /// Ends the oldest connection of these that serves nothing.
    fn end_one(&mut self, of: impl Fn(&Row) -> bool) -> Option<()> {
        let number = self.all.iter().find(|(_, row)| row.busy == 0 && of(row)).map(|(number, _)| *number)?;
        self.forget(number);
        Some(())
    }

    fn forget(&mut self, number: u64) {
        let Some(row) = self.all.remove(&number) else { return };
        // Whoever waits on it ends; one that is over does not hear it.
        row.ended.notify_one();
        if let Some(count) = self.places.get_mut(&row.peer) {
            *count -= 1;
            if *count == 0 {
                self.places.remove(&row.peer);
            }
        }
    }
}

impl Connection {
    /// A request is served from now on, until what comes back is gone.
    pub(crate) fn serve(&self) -> Busy {
        if let Some(row) = self.all.open().all.get_mut(&self.number) {
            row.busy += 1;
        }
        Busy { number: self.number, all: Arc::clone(&self.all) }
    }

    /// Waits until another connection needs the room.
    pub(crate) async fn must_make_way(&self) {
        self.ended.notified().await;
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.all.open().forget(self.number);
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        if let Some(row) = self.all.open().all.get_mut(&self.number) {
            row.busy = row.busy.saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1));
    const THERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 2));

    #[test]
    fn what_serves_nothing_makes_way_the_oldest_first() {
        let all = Arc::new(Connections::new(10, 2));
        let (first, second) = (all.take(HERE, false).unwrap(), all.take(HERE, false).unwrap());
        let serving = first.serve();
        let third = all.take(HERE, false).unwrap();
        assert!(first.must_make_way().now_or_never().is_none(), "it serves");
        assert!(second.must_make_way().now_or_never().is_some());
        let _busy = third.serve();
        assert!(all.take(HERE, false).is_none(), "all of them serve");
        assert!(all.take(THERE, false).is_some(), "another place is not concerned");
        assert!(all.take(HERE, true).is_some(), "a proxy stands for many places");
        drop(serving);
        assert!(all.take(HERE, false).is_some());
    }

    #[test]
    fn all_together_have_a_limit_and_what_ends_makes_room() {
        let all = Arc::new(Connections::new(2, 2));
        let one = all.take(HERE, false).unwrap();
        let _serving = one.serve();
        let other = all.take(THERE, false).unwrap();
        let busy = other.serve();
        assert!(all.take(THERE, false).is_none());
        drop(busy);
        drop(other);
        assert!(all.take(THERE, false).is_some());
        assert_eq!(all.open().places.len(), 1, "a place without connections has no row");
    }
}
