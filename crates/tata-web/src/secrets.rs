//! The routes that take or give secrets: nothing of a request to them, nor of its answer, is kept.
//!
//! Which these are is read from the document that describes every route: a field of a secret has the format `password`
//! there. A test holds the names of all fields against that, so that a new route of the kind is not forgotten.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use serde_json::Value;

/// What is known of the routes for programs, by path as the router spells it: whether they take or give a secret.
#[derive(Clone, Debug)]
pub(crate) struct RoutesWithSecrets(Arc<BTreeMap<String, bool>>);

impl RoutesWithSecrets {
    /// Reads the document that describes every route.
    pub(crate) fn read(document: &Value) -> Self {
        Self(Arc::new(secretive(document)))
    }

    /// Whether a route is one for programs, so that its answers may be kept under a key, and what it takes or gives is no
    /// secret. None for pages and what is mounted: nobody sends them a key that means something.
    pub(crate) fn keeps_answers(&self, route: &str) -> Option<bool> {
        self.0.get(route).map(|secretive| !secretive)
    }
}

/// Every path of the document, and whether an operation of it takes or gives a secret.
fn secretive(document: &Value) -> BTreeMap<String, bool> {
    let mut found = BTreeMap::new();
    let Some(paths) = document["paths"].as_object() else { return found };
    for (path, operations) in paths {
        let operations = operations.as_object().into_iter().flat_map(|all| all.values());
        let mut fields = Vec::new();
        for operation in operations {
            gather(document, &operation["requestBody"], &mut BTreeSet::new(), &mut fields);
            gather(document, &operation["responses"], &mut BTreeSet::new(), &mut fields);
        }
        found.insert(path.clone(), fields.iter().any(|(_, field)| is_secret(field)));
    }
    found
}

fn is_secret(field: &Value) -> bool {
    field["format"] == "password"
}

/// The fields of everything that a part of the document speaks of, with their names.
fn gather<'a>(
    document: &'a Value,
    part: &'a Value,
    seen: &mut BTreeSet<&'a str>,
    fields: &mut Vec<(&'a str, &'a Value)>,
) {
    match part {
        Value::Object(entries) => {
            if let Some(place) = part["$ref"].as_str().and_then(|place| place.strip_prefix('#'))
                && seen.insert(place)
                && let Some(meant) = document.pointer(place)
            {
                gather(document, meant, seen, fields);
            }
            if let Some(properties) = part["properties"].as_object() {
                fields.extend(properties.iter().map(|(name, field)| (name.as_str(), field)));
            }
            for entry in entries.values() {
                gather(document, entry, seen, fields);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| gather(document, item, seen, fields)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openapi;

    /// Whoever adds a field for a secret marks it: else what is in it would be kept with the answers under a key.
    #[test]
    fn every_field_of_a_secret_is_marked() {
        let document = openapi();
        let mut fields = Vec::new();
        gather(&document, &document["paths"], &mut BTreeSet::new(), &mut fields);
        assert!(fields.len() > 100, "the walk found {} fields", fields.len());
        let mut marked = 0;
        for (name, field) in fields {
            let lower = name.to_lowercase();
            let secret = ["password", "secret", "credential", "passphrase"]
                .iter()
                .any(|word| lower.contains(word))
                || ["token", "old", "access_token", "api_key"].contains(&lower.as_str()) && is_text(field);
            if secret {
                assert!(is_secret(field), "the field {name:?} is for a secret: #[schema(format = Password)]");
                marked += 1;
            }
        }
        assert!(marked >= 5, "{marked} fields are marked");
    }

    fn is_text(field: &Value) -> bool {
        field["type"] == "string"
            || field["type"].as_array().is_some_and(|all| all.contains(&"string".into()))
    }

    #[test]
    fn routes_with_secrets_are_told_apart() {
        let routes = RoutesWithSecrets::read(&openapi());
        for secretive in ["/api/v1/keys", "/api/v1/accounts", "/api/v1/sign-in", "/api/v1/me/password"] {
            assert_eq!(routes.keeps_answers(secretive), Some(false), "{secretive}");
        }
        assert_eq!(routes.keeps_answers("/api/v1/sessions"), Some(true));
        assert_eq!(routes.keeps_answers("/account/keys"), None, "a page");
    }
}
