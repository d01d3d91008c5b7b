//! The three offices, and the days that are counted there.

use serde::Serialize;

/// Recruiters count days where the offices are.
pub(crate) const OFFICE_ZONE: &str = "Europe/Stockholm";

/// Where people meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Office {
    /// What people call the city, in lower case.
    #[serde(skip_serializing)]
    pub names: &'static [&'static str],
    /// The address.
    pub address: &'static str,
    /// Where it is on a map.
    pub map: &'static str,
    /// Its time zone.
    pub zone: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/offices.rs"));

/// The offices by the key of their city.
pub fn offices() -> &'static [(&'static str, Office)] {
    OFFICES
}

/// The office somebody means by a city.
pub(crate) fn find(city: &str) -> Option<(&'static str, &'static Office)> {
    let wish = city.trim().to_lowercase();
    let known = |office: &Office| office.names.contains(&wish.as_str());
    OFFICES.iter().find(|(_, office)| known(office)).map(|(key, office)| (*key, office))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_right() {
        assert_eq!(
            OFFICES.iter().map(|(key, _)| *key).collect::<Vec<_>>(),
            ["copenhagen", "oslo", "stockholm"]
        );
        for (_, office) in OFFICES {
            assert!(jiff::tz::TimeZone::get(office.zone).is_ok(), "{}", office.zone);
        }
        assert_eq!(find(" København ").map(|(key, _)| key), Some("copenhagen"));
        assert_eq!(find("Malmö"), None);
    }
}
