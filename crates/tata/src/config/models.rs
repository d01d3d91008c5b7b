//! Which model is asked, where it is, and with whose key.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

use secrecy::SecretString;
use tata_core::{ModelError, ModelErrorKind};
use tata_llm::{Catalog, Endpoint, HttpModel, ModelSpec, ProviderSpec, Timeouts, Transport, UnknownModel};

use super::{
    Config, ConfigError,
    environment::Environment,
    file::ConfigFile,
    folder::{DOTENV, Folder, MODELS},
    origin::Origin,
    trust::{Trust, Want},
};
use crate::{cli::Cli, named_file};

/// The largest file of models that is read.
const LARGEST: u64 = 4 * 1024 * 1024;

/// The catalogs there are.
#[derive(Debug)]
pub(super) struct Catalogs {
    /// The program's, and the person's over it.
    pub(super) own: Catalog,
    /// That, and the folder's over it.
    pub(super) all: Catalog,
    /// The folder's file, where there is one.
    pub(super) folder_file: Option<String>,
}

/// Who chose a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChosenBy {
    Person,
    Folder,
    /// A file that the person named and has not trusted.
    File,
    /// It is the first one that is set up.
    Nobody,
}

/// A model and the way to it.
#[derive(Clone, Debug)]
pub(crate) struct Route {
    pub(crate) spec: ModelSpec,
    pub(crate) provider: ProviderSpec,
    pub(crate) chosen_by: ChosenBy,
    /// The folder's file decides where it is.
    by_folder: Option<String>,
}

impl From<Origin> for ChosenBy {
    fn from(origin: Origin) -> Self {
        match origin {
            Origin::Person => Self::Person,
            Origin::Folder => Self::Folder,
        }
    }
}

impl Route {
    /// The folder's file that decides where it is, if it does.
    pub(super) fn decided_by(&mut self, place: Option<String>) {
        self.by_folder = place;
    }
}

impl Config {
    /// The model to use: the one asked for, the configured one, or the first default that is set up.
    pub(crate) fn choose(&self, wish: Option<(&str, ChosenBy)>) -> anyhow::Result<Route> {
        let configured =
            self.model.as_ref().map(|model| (model.value.as_str(), ChosenBy::from(model.origin)));
        if let Some((name, chosen_by)) = wish.or(configured) {
            return Ok(self.route(name, chosen_by)?);
        }
        let is_set = |name: &str| self.is_set(name);
        let (own, all) =
            (self.catalogs.own.first_ready(is_set, None), self.catalogs.all.first_ready(is_set, None));
        let chosen_by = if own == all { ChosenBy::Nobody } else { ChosenBy::Folder };
        if let Some(name) = all.or(own) {
            return Ok(self.route(&name, chosen_by)?);
        }
        // The person may have meant what the folder would set up: that is asked, not passed over.
        let brought = |name: &str| self.environment.bringer(name).is_some();
        if let Some(name) = self.catalogs.all.first_ready(brought, None) {
            self.check_set_up(&self.route(&name, ChosenBy::Folder)?.provider)?;
        }
        let message =
            "Set OPENAI_API_KEY or ANTHROPIC_API_KEY, or name a local model: --model ollama/qwen3:8b.";
        Err(ModelError::new(ModelErrorKind::NotConfigured).with_detail(message).into())
    }

    /// A model by name, and who decides where it is. What the folder makes of a name that the person's own catalog knows
    /// counts as the folder's as soon as it leads elsewhere.
    pub(super) fn route(&self, name: &str, chosen_by: ChosenBy) -> Result<Route, UnknownModel> {
        let own = self.catalogs.own.resolve(name);
        let (spec, provider) = self.catalogs.all.resolve(name)?;
        let moved = match &own {
            Ok((own_spec, own_provider)) => {
                !same_way(own_provider, &provider) || own_spec.wire_name != spec.wire_name
            }
            // A new name for a known provider leads nowhere new.
            Err(_) => !self.catalogs.own.providers().iter().any(|own| same_way(own, &provider)),
        };
        let by_variable = provider.base_url_env.as_deref().and_then(|name| self.environment.get(name));
        let by_file = self.catalogs.folder_file.clone().filter(|_| moved);
        let by_variable = by_variable.filter(|set| set.origin == Origin::Folder).map(|set| set.place);
        Ok(Route { spec, provider, chosen_by, by_folder: by_file.or(by_variable) })
    }

    /// The address in use for a provider, fit to be shown.
    pub(crate) fn shown_address(&self, provider: &ProviderSpec) -> Option<String> {
        let base_url = self.base_url(provider)?;
        Some(Endpoint { base_url, key: None, headers: Vec::new() }.shown_address())
    }

    fn base_url(&self, provider: &ProviderSpec) -> Option<String> {
        let other = provider.base_url_env.as_deref().and_then(|name| self.environment.get(name));
        other.map(|other| other.value.to_owned()).or_else(|| provider.base_url.clone())
    }

    /// Whether anything may take this way. A folder that is not trusted decides of none, whatever it brings along: a key of
    /// its own makes the conversation no less the person's.
    fn judge(&self, route: &Route) -> Result<(), ConfigError> {
        let address = self.shown_address(&route.provider).unwrap_or_default();
        let Some(place) = &route.by_folder else {
            let trust = match route.chosen_by {
                ChosenBy::Person | ChosenBy::Nobody => return Ok(()),
                ChosenBy::Folder => self.trust,
                ChosenBy::File => Trust::NONE,
            };
            if self.is_the_usual_way(&route.provider) {
                return Ok(());
            }
            let place = self.model.as_ref().filter(|model| model.value == route.spec.name);
            let place = place.map_or("a file in this folder", |model| model.place.as_str());
            return trust.allow(Origin::Folder, place, Want::Model { name: route.spec.name.clone() });
        };
        for name in secrets(&route.provider) {
            if self.environment.bringer(name) == Some(Origin::Person) {
                let want = Want::Variable { name: name.to_owned(), address: address.clone() };
                self.trust.allow(Origin::Folder, place, want)?;
            }
        }
        let want = Want::Address { address, provider: route.provider.name.clone() };
        self.trust.allow(Origin::Folder, place, want)
    }

    /// Whether a provider has all it needs. What only a folder brings that is not trusted is named as that.
    pub(super) fn check_set_up(&self, provider: &ProviderSpec) -> anyhow::Result<()> {
        let missing = provider.missing(|name| self.is_set(name));
        let brought = secrets(provider).into_iter().find(|name| self.is_left_out(name));
        match (missing.is_empty(), brought) {
            (true, _) => Ok(()),
            (false, Some(name)) => {
                let want = Want::Key { name: name.to_owned() };
                let place = format!("./{DOTENV}");
                Err(ConfigError::NeedsTrust { want, place, file: None }.into())
            }
            (false, None) => {
                let message = format!("{}: {}.", provider.label, missing.join(", "));
                Err(ModelError::new(ModelErrorKind::NotConfigured).with_detail(message).into())
            }
        }
    }

    /// The keys that this folder brings and that are not used, in a sentence.
    pub(crate) fn left_out(&self) -> Option<String> {
        let providers = self.catalogs.all.providers();
        let names: BTreeSet<&str> =
            providers.iter().flat_map(secrets).filter(|name| self.is_left_out(name)).collect();
        let names = names.into_iter().collect::<Vec<_>>().join(", ");
        (!names.is_empty()).then(|| {
            format!(
                "what ./{DOTENV} says of {names} is not used: you have not trusted this folder (`tata trust` shows \
                 what it wants)."
            )
        })
    }

    /// Whether a secret is the folder's alone, and the folder is not trusted.
    pub(super) fn is_left_out(&self, name: &str) -> bool {
        !self.trust.is_given() && self.environment.bringer(name) == Some(Origin::Folder)
    }

    /// Whether conversations go to this provider without any word of the folder.
    fn is_the_usual_way(&self, provider: &ProviderSpec) -> bool {
        let wish = self.own_model.as_deref();
        let usual = self.catalogs.own.first_ready(|name| self.is_set(name), wish);
        let usual = usual.and_then(|name| self.catalogs.own.resolve(&name).ok());
        usual.is_some_and(|(_, usual)| usual.name == provider.name)
    }

    /// Puts a model behind the port.
    pub(crate) fn connect(&self, route: &Route) -> anyhow::Result<HttpModel> {
        self.connect_with(route, self.timeouts)
    }

    /// The same with another patience.
    pub(crate) fn connect_with(&self, route: &Route, timeouts: Timeouts) -> anyhow::Result<HttpModel> {
        let provider = &route.provider;
        self.check_set_up(provider)?;
        let endpoint = self.endpoint(route)?;
        let transport = Transport::new(timeouts, self.retry)?;
        Ok(HttpModel::new(route.spec.clone(), provider.clone(), endpoint, transport))
    }

    /// The address and what is sent along to prove who we are: the one place where they come together.
    pub(crate) fn endpoint(&self, route: &Route) -> Result<Endpoint, ConfigError> {
        let provider = &route.provider;
        self.judge(route)?;
        let secret = |name: &str| self.environment.secret(name, self.sight(), &self.folder);
        let key = provider.key_env.as_deref().map(secret).transpose()?.flatten();
        let mut headers: Vec<(String, SecretString)> = Vec::new();
        for (header, name) in &provider.headers_env {
            headers.extend(secret(name)?.map(|value| (header.clone(), value)));
        }
        let base_url = self.base_url(provider).unwrap_or_default();
        if !(base_url.starts_with("http://") || base_url.starts_with("https://")) {
            let name =
                provider.base_url_env.clone().unwrap_or_else(|| format!("base_url of {}", provider.name));
            return Err(ConfigError::Address { name });
        }
        Ok(Endpoint { base_url, key, headers })
    }

    /// What the folder's files would decide about models, for the person to look at.
    pub(super) fn wants_of_models(&self) -> Vec<Want> {
        let providers = self.catalogs.all.providers();
        let of_folder = |name: &&str| self.environment.bringer(name) == Some(Origin::Folder);
        let keys: BTreeSet<&str> = providers.iter().flat_map(secrets).filter(of_folder).collect();
        let mut wants: Vec<Want> = keys.into_iter().map(|name| Want::Key { name: name.to_owned() }).collect();
        let own: BTreeMap<String, ProviderSpec> =
            self.catalogs.own.providers().into_iter().map(|own| (own.name.clone(), own)).collect();
        for provider in self.catalogs.all.providers() {
            let moved = own.get(&provider.name).is_none_or(|own| !same_way(own, &provider));
            let variable = provider.base_url_env.as_deref().and_then(|name| self.environment.get(name));
            if !moved && variable.is_none_or(|variable| variable.origin == Origin::Person) {
                continue;
            }
            let address =
                self.shown_address(&provider).unwrap_or_else(|| "an address to be given".to_owned());
            let names = secrets(&provider).into_iter().map(str::to_owned).collect::<Vec<_>>();
            wants.push(Want::Address { address: address.clone(), provider: provider.name.clone() });
            let of_person = |name: &String| self.environment.bringer(name) == Some(Origin::Person);
            wants.extend(
                names
                    .into_iter()
                    .filter(of_person)
                    .map(|name| Want::Variable { name, address: address.clone() }),
            );
        }
        if let Some(model) = self.model.as_ref().filter(|model| model.origin == Origin::Folder) {
            wants.push(Want::Model { name: model.value.clone() });
        }
        let is_set = |name: &str| self.is_set(name);
        let (own, all) =
            (self.catalogs.own.first_ready(is_set, None), self.catalogs.all.first_ready(is_set, None));
        wants.extend(
            all.filter(|_| own.is_none() || self.catalogs.own.defaults() != self.catalogs.all.defaults())
                .filter(|all| own.as_ref() != Some(all))
                .map(|name| Want::Model { name }),
        );
        wants
    }
}

/// The variables whose values are sent to a provider.
fn secrets(provider: &ProviderSpec) -> Vec<&str> {
    provider.key_env.iter().chain(provider.headers_env.values()).map(String::as_str).collect()
}

/// Whether two providers are one as far as it concerns where something goes and what goes along.
fn same_way(one: &ProviderSpec, other: &ProviderSpec) -> bool {
    let way = |provider: &ProviderSpec| {
        let ProviderSpec { name, base_url, base_url_env, key_env, auth, headers, headers_env, .. } =
            provider.clone();
        (name, base_url, base_url_env, key_env, auth, headers, headers_env)
    };
    way(one) == way(other)
}

/// The catalogs: the file that the person named or has, and the folder's.
pub(super) fn load_catalogs(
    cli: &Cli,
    environment: &Environment,
    folder: &Folder,
    project: &ConfigFile,
    own_models: Option<PathBuf>,
) -> Result<Catalogs, ConfigError> {
    let mut own = Catalog::built_in().map_err(ConfigError::Catalog)?;
    let set = environment.get("TATA_MODELS");
    let by_person =
        set.as_ref().filter(|set| set.origin == Origin::Person).map(|set| PathBuf::from(set.value));
    let named = cli.models_file.clone().or(by_person);
    // Whoever names a file means that one alone.
    let leave_folder = named.is_some();
    if let Some(path) = named.or(own_models) {
        let unreadable = |source| ConfigError::Unreadable { path: path.clone(), source };
        let bytes = named_file::bytes(&path, LARGEST).map_err(|why| unreadable(why.into()))?;
        let text = String::from_utf8(bytes)
            .map_err(|_| unreadable(std::io::Error::other("it is not UTF-8 text")))?;
        own.overlay(&path.display().to_string(), &text).map_err(ConfigError::Catalog)?;
    }
    let mut all = own.clone();
    let by_variable = set.filter(|set| set.origin == Origin::Folder).map(|set| set.value.to_owned());
    let in_settings = || project.models_file.as_ref().map(|path| path.display().to_string());
    let named = by_variable.or_else(in_settings).filter(|_| !leave_folder);
    let file = named.clone().unwrap_or_else(|| MODELS.to_owned());
    let text = if leave_folder { None } else { folder.text(&file) };
    let text = match (text, named) {
        (Some(Ok(text)), _) => text,
        (Some(Err(why)), Some(_)) => return Err(unusable(&file, why)),
        (None, Some(_)) => return Err(unusable(&file, "it is not there")),
        // One that nobody names and that cannot be used is told of and stops nothing.
        (Some(Err(_)) | None, None) => return Ok(Catalogs { own, all, folder_file: None }),
    };
    let shown = format!("./{file}");
    all.overlay(&shown, text).map_err(ConfigError::Catalog)?;
    Ok(Catalogs { own, all, folder_file: Some(shown) })
}

fn unusable(file: &str, why: &str) -> ConfigError {
    ConfigError::Unreadable { path: PathBuf::from(file), source: std::io::Error::other(why.to_owned()) }
}
