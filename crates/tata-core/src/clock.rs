//! What time it is: the machine's, or one that a test or an operator fixed.

use jiff::Timestamp;

/// Where the time of day comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clock {
    /// The machine.
    #[default]
    System,
    /// Always the same moment.
    Fixed(Timestamp),
}

impl Clock {
    /// Now, to the millisecond: stores keep no more.
    pub fn now(self) -> Timestamp {
        let now = match self {
            Self::System => Timestamp::now(),
            Self::Fixed(moment) => moment,
        };
        Timestamp::from_millisecond(now.as_millisecond()).unwrap_or(now)
    }
}
