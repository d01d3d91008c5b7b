//! The three offices, and the days that are counted there.

use std::{collections::BTreeMap, sync::OnceLock};

use serde::{Deserialize, Serialize};
use tata_core::{FileError, from_yaml};

/// Recruiters count days where the offices are.
pub(crate) const OFFICE_ZONE: &str = "Europe/Stockholm";

/// Where people meet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Office {
    /// What people call the city, in lower case.
    #[serde(skip_serializing)]
    pub names: Vec<String>,
    /// The address.
    pub address: String,
    /// Where it is on a map.
    pub map: String,
    /// Its time zone.
    pub zone: String,
}

/// The offices by the key of their city.
pub fn offices() -> &'static BTreeMap<String, Office> {
    static OFFICES: OnceLock<BTreeMap<String, Office>> = OnceLock::new();
    // A test reads the built-in file, so it is never wrong here.
    OFFICES.get_or_init(|| read().unwrap_or_default())
}

fn read() -> Result<BTreeMap<String, Office>, FileError> {
    from_yaml("data/offices.yaml", include_str!("../data/offices.yaml"))
}

/// The office somebody means by a city.
pub(crate) fn find(city: &str) -> Option<(&'static str, &'static Office)> {
    let wish = city.trim().to_lowercase();
    let known = |office: &Office| office.names.contains(&wish);
    offices().iter().find(|(_, office)| known(office)).map(|(key, office)| (key.as_str(), office))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_right() {
        let offices = read().unwrap();
        assert_eq!(offices.keys().collect::<Vec<_>>(), ["copenhagen", "oslo", "stockholm"]);
        for office in offices.values() {
            assert!(jiff::tz::TimeZone::get(&office.zone).is_ok(), "{}", office.zone);
        }
        assert_eq!(find(" København ").map(|(key, _)| key), Some("copenhagen"));
        assert_eq!(find("Malmö"), None);
    }
}
