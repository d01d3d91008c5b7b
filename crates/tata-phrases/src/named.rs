//! Enums whose variants have a written name.

/// Makes enums whose variants have a written name: the enum itself, `ALL` in the order of the variants, `name()`, and
/// `find(name)`. The usual derives of a plain enum are part of it; others, and serde's, are written as ever.
///
/// ```
/// tata_phrases::named! {
///     /// How bad it is.
///     pub enum Severity {
///         /// Worth a thought.
///         Low = "low",
///         /// Must be changed.
///         High = "high",
///     }
/// }
///
/// assert_eq!(Severity::ALL.map(Severity::name), ["low", "high"]);
/// assert_eq!(Severity::find("high"), Some(Severity::High));
/// assert!(Severity::Low < Severity::High);
/// ```
#[macro_export]
macro_rules! named {
    ($(#[$about:meta])* $seen:vis enum $enum:ident {
        $($(#[$detail:meta])* $variant:ident = $name:literal),+ $(,)?
    }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $seen enum $enum {
            $($(#[$detail])* $variant,)+
        }

        #[allow(dead_code, reason = "few need all three")]
        impl $enum {
            /// All of them, in order.
            $seen const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            /// As it is written in documents, in word lists and in the keys of texts.
            $seen const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// The one with this name.
            $seen fn find(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|one| one.name() == name)
            }
        }
    };
}

#[cfg(test)]
mod tests {
    named! {
        /// A test.
        #[derive(Default)]
        enum Fruit {
            /// Red.
            Apple = "apple",
            /// Yellow.
            #[default]
            SourLemon = "sour_lemon",
        }
    }

    #[test]
    fn a_name_leads_to_its_variant_and_back() {
        for fruit in Fruit::ALL {
            assert_eq!(Fruit::find(fruit.name()), Some(fruit));
        }
        assert_eq!(Fruit::ALL.map(Fruit::name), ["apple", "sour_lemon"]);
        assert_eq!((Fruit::find("Apple"), Fruit::find("")), (None, None));
        assert_eq!(Fruit::default(), Fruit::SourLemon);
        assert!(Fruit::Apple < Fruit::SourLemon);
    }
}
