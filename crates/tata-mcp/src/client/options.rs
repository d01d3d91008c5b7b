//! What the program decides about connections.

use std::{collections::BTreeMap, future::Future, pin::Pin, sync::Arc, time::Duration};

use serde_json::{Map, Value};

use super::SignIn;

/// What the program decides about connections.
#[derive(Clone)]
pub struct ClientOptions {
    /// How we introduce ourselves.
    pub name: String,
    /// Our version.
    pub version: String,
    /// Our environment; a server gets of it only what [`crate::INHERITED`] names.
    pub inherited: BTreeMap<String, String>,
    /// The time to start and greet a server; the first start may download it.
    pub connect_time: Duration,
    /// The time to list its tools.
    pub list_time: Duration,
    /// How a person is asked what a server wants to know. Without it, servers are told that nobody can be asked.
    pub ask: Option<Asker>,
    /// How a person signs in. Without it, a server that wants a sign-in is told of and not used.
    pub sign_in: Option<SignIn>,
}

impl Default for ClientOptions {
    fn default() -> Self {
        Self {
            name: "tata".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            inherited: BTreeMap::new(),
            connect_time: Duration::from_mins(1),
            list_time: Duration::from_secs(30),
            ask: None,
            sign_in: None,
        }
    }
}

/// Something a server wants to know from a person.
#[derive(Clone, Debug)]
pub struct Elicitation {
    /// The server.
    pub server: String,
    /// What it says. Its word, not ours.
    pub message: String,
    /// The fields, as a flat JSON Schema.
    pub schema: Value,
}

/// What the person answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Elicited {
    /// These values. Fields that are left out get their defaults.
    Given(Map<String, Value>),
    /// They do not want to answer.
    Declined,
    /// They closed the question.
    Dismissed,
}

/// A future that comes from a callback.
pub type Answer<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Asks a person.
pub type Asker = Arc<dyn Fn(Elicitation) -> Answer<Elicited> + Send + Sync>;

/// The values with the defaults of the schema where nothing was said.
pub(super) fn with_defaults(mut given: Map<String, Value>, schema: &Value) -> Map<String, Value> {
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        if let (false, Some(default)) = (given.contains_key(name), field.get("default")) {
            given.insert(name.clone(), default.clone());
        }
    }
    given
}
