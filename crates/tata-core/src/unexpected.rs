//! A panic has a short code: people read it, and the log has the whole trace under it (A8.4).

use std::any::Any;

use sha2::{Digest, Sha256};

use crate::audit::hex;

/// The code of a panic, by its message: whoever catches it and whoever logs it come to the same one.
pub fn panic_code(payload: &(dyn Any + Send)) -> String {
    let digest = hex(&Sha256::digest(panic_message(payload)));
    format!("E-{}", digest.get(..6).unwrap_or_default())
}

/// What a panic says.
pub fn panic_message(payload: &(dyn Any + Send)) -> &str {
    let owned = payload.downcast_ref::<String>().map(String::as_str);
    owned.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no message")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_message_has_the_same_code() {
        let code = panic_code(&"index out of bounds");
        assert_eq!(code, panic_code(&"index out of bounds".to_owned()));
        assert_ne!(code, panic_code(&"another"));
        assert_eq!((code.len(), panic_message(&7_u8)), (8, "no message"));
    }
}
