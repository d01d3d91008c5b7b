//! Reading what servers really send: a field of the wrong type is an absent field, never a lost event.

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use serde_json::value::RawValue;

/// Values of these kinds are passed over and read as nothing.
macro_rules! nothing {
    ($nothing:expr; $($visit:ident($kind:ty)),*) => {
        $(fn $visit<E>(self, _: $kind) -> Result<Self::Value, E> {
            Ok($nothing)
        })*
        fn visit_unit<E>(self) -> Result<Self::Value, E> {
            Ok($nothing)
        }
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            Ok($nothing)
        }
    };
}

/// Text, borrowed where JSON allows. Numbers read as their text; null, objects and lists as nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Str<'a>(Option<Cow<'a, str>>);

impl Str<'_> {
    /// The text, if there was one, even an empty one.
    pub(crate) fn get(&self) -> Option<&str> {
        self.0.as_deref()
    }

    /// The text, unless it was absent or empty: many servers send `""` for "not here".
    pub(crate) fn non_empty(&self) -> Option<&str> {
        self.get().filter(|text| !text.is_empty())
    }

    /// An owned copy of [`Str::non_empty`].
    pub(crate) fn owned(&self) -> Option<String> {
        self.non_empty().map(str::to_owned)
    }

    /// The text itself, moved out.
    pub(crate) fn into_string(self) -> Option<String> {
        self.0.map(Cow::into_owned)
    }

    /// The text or nothing.
    pub(crate) fn or_empty(&self) -> &str {
        self.get().unwrap_or_default()
    }
}

impl<'a> From<&'a str> for Str<'a> {
    fn from(text: &'a str) -> Self {
        Self(Some(Cow::Borrowed(text)))
    }
}

impl From<String> for Str<'_> {
    fn from(text: String) -> Self {
        Self(Some(Cow::Owned(text)))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Str<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl<'de> Visitor<'de> for Text {
            type Value = Str<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("text")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Str(Some(Cow::Borrowed(text))))
            }
            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Str(Some(Cow::Owned(text.to_owned()))))
            }
            fn visit_string<E>(self, text: String) -> Result<Self::Value, E> {
                Ok(Str(Some(Cow::Owned(text))))
            }
            fn visit_i64<E>(self, number: i64) -> Result<Self::Value, E> {
                Ok(Str(Some(Cow::Owned(number.to_string()))))
            }
            fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
                Ok(Str(Some(Cow::Owned(number.to_string()))))
            }
            fn visit_f64<E>(self, number: f64) -> Result<Self::Value, E> {
                Ok(Str(Some(Cow::Owned(number.to_string()))))
            }
            nothing!(Str(None); visit_bool(bool));
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                while seq.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Str(None))
            }
        }
        deserializer.deserialize_any(Text)
    }
}

/// A position. A number in quotes counts; anything else is absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Index(pub(crate) Option<u64>);

impl<'de> Deserialize<'de> for Index {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Number;
        impl<'de> Visitor<'de> for Number {
            type Value = Index;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a position")
            }
            fn visit_u64<E>(self, number: u64) -> Result<Index, E> {
                Ok(Index(Some(number)))
            }
            nothing!(Index(None); visit_i64(i64), visit_f64(f64), visit_bool(bool));
            fn visit_str<E>(self, text: &str) -> Result<Index, E> {
                Ok(Index(text.parse().ok()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Index, A::Error> {
                while seq.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Index(None))
            }
        }
        deserializer.deserialize_any(Number)
    }
}

/// Argument text: a string as it should be, or a JSON value where servers get it wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Arguments {
    Text(String),
    Value(String),
}

/// Reads arguments from their raw JSON; null is absent.
pub(crate) fn arguments(raw: Option<&RawValue>) -> Option<Arguments> {
    let raw = raw?.get();
    match raw.as_bytes().first()? {
        b'"' => serde_json::from_str(raw).ok().map(Arguments::Text),
        b'n' => None,
        _ => Some(Arguments::Value(raw.to_owned())),
    }
}

/// A list, where null, absence or another type is an empty one.
#[derive(Clone, Debug)]
pub(crate) struct List<T>(pub(crate) Vec<T>);

impl<T> Default for List<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Through the raw text: a value of another type must be skipped whole, which a visitor cannot undo.
        let raw = <Option<&'de RawValue>>::deserialize(deserializer)?;
        Ok(raw.and_then(|raw| serde_json::from_str(raw.get()).ok()).map_or_else(Self::default, Self))
    }
}

/// A list whose values stay raw. It needs no second look: whatever stands in it fits.
#[derive(Clone, Debug, Default)]
pub(crate) struct Raws<'a>(pub(crate) Vec<&'a RawValue>);

impl<'de: 'a, 'a> Deserialize<'de> for Raws<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Values;
        impl<'de> Visitor<'de> for Values {
            type Value = Raws<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                let mut values = Vec::new();
                while let Some(value) = seq.next_element()? {
                    values.push(value);
                }
                Ok(Raws(values))
            }
            nothing!(Raws(Vec::new()); visit_i64(i64), visit_u64(u64), visit_f64(f64), visit_bool(bool), visit_str(&str));
        }
        deserializer.deserialize_any(Values)
    }
}

/// Whether the text is one JSON object that can be read: built for the test, since a mere scan passes numbers and
/// escapes that no reader accepts.
pub(crate) fn is_json_object(text: &str) -> bool {
    serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_types_read_as_absent() {
        #[derive(Deserialize)]
        struct Event<'a> {
            #[serde(borrow, default)]
            delta: Str<'a>,
            #[serde(default)]
            index: Index,
            #[serde(borrow, default)]
            parts: List<Str<'a>>,
            #[serde(borrow, default)]
            raws: Raws<'a>,
        }
        let read = |json: &'static str| {
            let event: Event<'_> = serde_json::from_str(json).unwrap();
            let mut parts: Vec<_> = event.parts.0.iter().map(|part| part.or_empty().to_owned()).collect();
            parts.extend(event.raws.0.iter().map(|raw| raw.get().to_owned()));
            (event.delta.get().map(str::to_owned), event.index.0, parts)
        };
        assert_eq!(
            read(r#"{"delta":"a","index":3,"parts":["x"],"raws":[{"y": 1}, "z", [], null]}"#),
            (Some("a".into()), Some(3), ["x", r#"{"y": 1}"#, "\"z\"", "[]", "null"].map(String::from).into())
        );
        for other in ["null", "true", "-1", "1", "1.5", "\"x\"", "{\"a\":[1]}"] {
            let Raws(raws) = serde_json::from_str(other).unwrap();
            assert!(raws.is_empty(), "{other}");
        }
        assert_eq!(read(r#"{"delta":{"x":[1]},"index":"4","parts":{"a":1}}"#), (None, Some(4), vec![]));
        assert_eq!(read(r#"{"delta":null,"index":null,"parts":null}"#), (None, None, vec![]));
        assert_eq!(read(r#"{"delta":504,"index":-1}"#), (Some("504".into()), None, vec![]));
    }

    #[test]
    fn only_whole_objects_are_objects() {
        for good in ["{}", " {\"a\":[1,{}]} "] {
            assert!(is_json_object(good), "{good}");
        }
        for bad in ["", "[]", "1", "{", "{}{}", "{\"a\":}", "null", "{\"a\":1e999}", r#"{"a":"\ud800"}"#] {
            assert!(!is_json_object(bad), "{bad}");
        }
    }
}
