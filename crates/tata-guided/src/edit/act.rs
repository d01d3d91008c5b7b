//! What a change may want: the names of the sections of `data/frames`, which the build reads too.

use tata_phrases::named;

named! {
    /// What a sentence about an item wants.
    pub(super) enum Act {
        Remove = "remove",
        Add = "add",
        Change = "change",
        Move = "move",
        /// It only speaks of it.
        Nothing = "none",
    }
}
