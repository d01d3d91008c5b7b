//! Call ids as one provider accepts them.

use std::collections::{HashMap, HashSet, VecDeque};

use tata_core::CallId;

use super::Wire;

/// Gives every call of a request an id the wire takes: its own where that fits, else one derived from it.
/// One-to-one within the request, and the same each time, so that prompt caches stay warm.
#[derive(Debug)]
pub(crate) struct IdMap {
    /// Ids longer than this are mapped; none are when the conversation is only written down.
    longest: Option<usize>,
    used: HashSet<String>,
    open: HashMap<CallId, VecDeque<String>>,
}

impl IdMap {
    pub(crate) fn new(wire: Wire) -> Self {
        let longest = match wire {
            Wire::Chat => 40,
            Wire::Responses | Wire::Messages => 64,
        };
        Self { longest: Some(longest), used: HashSet::new(), open: HashMap::new() }
    }

    /// Every id as it is.
    pub(crate) fn identity() -> Self {
        Self { longest: None, used: HashSet::new(), open: HashMap::new() }
    }

    /// The id for a call that stands here. A second call with the same id gets its own.
    pub(crate) fn assign(&mut self, call_id: &CallId) -> String {
        let own = call_id.as_str();
        if self.longest.is_none() {
            return own.to_owned();
        }
        let mut id = if self.fits(own) { own.to_owned() } else { format!("call_{:016x}", fnv1a(own)) };
        let mut round = 1_u32;
        while !self.used.insert(id.clone()) {
            round += 1;
            id = format!("call_{:016x}_{round}", fnv1a(own));
        }
        self.open.entry(call_id.clone()).or_default().push_back(id.clone());
        id
    }

    /// The id for a result: of the first call with this key that has none yet. Results stand in call order.
    pub(crate) fn answer(&mut self, call_id: &CallId) -> String {
        let open = self.open.get_mut(call_id).and_then(VecDeque::pop_front);
        open.unwrap_or_else(|| call_id.as_str().to_owned())
    }

    fn fits(&self, id: &str) -> bool {
        let allowed = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
        !id.is_empty() && self.longest.is_none_or(|longest| id.len() <= longest) && id.bytes().all(allowed)
    }
}

fn fnv1a(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fitting_ids_stay_and_others_map_one_to_one() {
        let mut ids = IdMap::new(Wire::Messages);
        assert_eq!(ids.assign(&"toolu_1".into()), "toolu_1");
        let again = ids.assign(&"toolu_1".into());
        assert_ne!(again, "toolu_1");
        assert_eq!(
            [ids.answer(&"toolu_1".into()), ids.answer(&"toolu_1".into())],
            ["toolu_1".to_owned(), again.clone()]
        );
        let odd = ids.assign(&"call:ø/1".into());
        assert!(ids.fits(&odd) && odd != again);
        let long = "x".repeat(65);
        assert!(ids.assign(&long.as_str().into()).len() <= 64);
        assert_eq!(IdMap::new(Wire::Messages).assign(&"call:ø/1".into()), odd, "stable between requests");
    }
}
