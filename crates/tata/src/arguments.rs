//! The arguments of a call as a program reads them: parsed, if nothing is lost by it.

use std::{collections::HashSet, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::{Value, value::RawValue};

/// A float keeps this many digits, whatever they are.
const EXACT_DIGITS: usize = 15;

/// The value of a text, unless reading it would change what it says: a key that stands twice, a number that has more
/// digits than a program's numbers keep.
pub(crate) fn faithful(text: &str) -> Option<Value> {
    // The value comes first: it is refused when it is nested too deeply to be followed.
    let value: Value = serde_json::from_str(text).ok()?;
    is_faithful(serde_json::from_str(text).ok()?).then_some(value)
}

fn is_faithful(raw: &RawValue) -> bool {
    match raw.get().as_bytes().first() {
        Some(b'{') => serde_json::from_str(raw.get()).is_ok_and(|Members(members)| {
            let mut seen = HashSet::new();
            members.into_iter().all(|(name, value)| seen.insert(name) && is_faithful(value))
        }),
        Some(b'[') => serde_json::from_str::<Vec<&RawValue>>(raw.get())
            .is_ok_and(|items| items.into_iter().all(is_faithful)),
        Some(b'-' | b'0'..=b'9') => is_exact(raw.get()),
        Some(_) | None => true,
    }
}

/// Whether a number is the same after it was read.
fn is_exact(number: &str) -> bool {
    if !number.contains(['.', 'e', 'E']) {
        // -0 is read as a float, and stays what it is.
        return number.parse::<i64>().is_ok() || number.parse::<u64>().is_ok();
    }
    let digits = number.split(['e', 'E']).next().unwrap_or_default().chars().filter(char::is_ascii_digit);
    let read: f64 = number.parse().unwrap_or(f64::NAN);
    let normal = read.is_normal() || digits.clone().all(|digit| digit == '0');
    normal && (digits.skip_while(|digit| *digit == '0').count() <= EXACT_DIGITS || number == read.to_string())
}

/// The members of an object as they stand there, doubles included.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct All;
        impl<'de> Visitor<'de> for All {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(All)
    }
}

#[cfg(test)]
mod tests {
    use super::faithful;

    #[test]
    fn only_what_is_read_without_loss_is_given_as_a_value() {
        for whole in [
            "{}",
            r#"{"a": [1, -2, 0.5, 1e3, 18446744073709551615, "x", null, {"b": 1.50}]}"#,
            "0.0",
            "-0",
            "0.123456789012345678e0".replace("678e0", "").as_str(),
        ] {
            assert!(faithful(whole).is_some(), "{whole}");
        }
        for lossy in [
            r#"{"a": 1, "a": 2}"#,
            r#"{"a": 1, "\u0061": 2}"#,
            r#"{"n": [12345678901234567890123]}"#,
            r#"{"n": 0.1234567890123456789}"#,
            r#"{"n": 1e-320}"#,
            r#"{"n": 1"#,
            "plain",
        ] {
            assert!(faithful(lossy).is_none(), "{lossy}");
        }
    }
}
