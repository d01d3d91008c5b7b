//! `tata account`: who may sign in to a server for many.

use std::io::{self, IsTerminal, Write};

use serde_json::{Value, json};
use tata_core::{Account, AccountRole, Clock, NewAudit, Store, TokenKind, check_account_name};
use tata_web::{hash_password, key_end, new_token};

use crate::{
    cli::{AccountAction, RoleName},
    config::Config,
    error::UsageError,
    exit::Exit,
    input,
    terminal::{BOLD, DIM, Terminal},
    wiring,
};

pub(crate) async fn run(action: AccountAction, config: &Config, terminal: &Terminal) -> anyhow::Result<Exit> {
    let store = wiring::open_store(config).await?;
    let store = store.as_ref();
    let clock = config.clock;
    match action {
        AccountAction::Add { name, tenant, role, directory } => {
            let role = match role {
                RoleName::Recruiter => AccountRole::Recruiter,
                RoleName::Admin => AccountRole::Admin,
            };
            check_account_name(&name).map_err(|why| UsageError(why.to_string()))?;
            if tenant.trim().is_empty() || tenant != tenant.trim() {
                return Err(
                    UsageError(format!("{tenant:?} is no name of a company; --tenant needs one")).into()
                );
            }
            let hash = if directory { String::new() } else { password(&name, terminal)? };
            let mut account = Account::new(tenant, name, role, hash, clock.now());
            account.password = account.password.filter(|_| !directory);
            store.save_account(account.clone()).await?;
            audit(store, clock, &account, "account.made").await?;
            terminal.note(&format!(
                "{} can sign in as {} of {}.",
                account.name,
                role.as_str(),
                account.tenant
            ));
        }
        AccountAction::List { tenant, json } => list(&store.accounts(tenant).await?, json, terminal)?,
        AccountAction::Password { name } => {
            let account = named(store, &name).await?;
            if account.person.is_some() {
                let why = "signs in with the company's directory and needs no password";
                return Err(UsageError(format!("{name} {why}")).into());
            }
            let account = Account { password: Some(password(&name, terminal)?), ..account };
            store.save_account(account.clone()).await?;
            sign_out(store, &account, true).await?;
            audit(store, clock, &account, "account.password").await?;
            terminal.note(&format!(
                "{name} has a new password, is signed out everywhere, and has no API keys any more."
            ));
        }
        AccountAction::Directory { name } => {
            let account = Account { password: None, ..named(store, &name).await? };
            store.save_account(account.clone()).await?;
            sign_out(store, &account, true).await?;
            audit(store, clock, &account, "account.handed_over").await?;
            terminal.note(&format!(
                "{name} belongs to the person of the directory with that verified address, from their next sign-in. \
                 It has no password, no sign-ins and no API keys any more."
            ));
        }
        AccountAction::Disable { name } => {
            let account = Account { disabled: true, ..named(store, &name).await? };
            store.save_account(account.clone()).await?;
            sign_out(store, &account, false).await?;
            audit(store, clock, &account, "account.disabled").await?;
            terminal.note(&format!("{name} can no longer sign in. What is theirs stays."));
        }
        AccountAction::Enable { name } => {
            let account = Account { disabled: false, ..named(store, &name).await? };
            store.save_account(account.clone()).await?;
            audit(store, clock, &account, "account.enabled").await?;
            terminal.note(&format!("{name} can sign in."));
        }
        AccountAction::Key { name, label, days } => {
            let account = named(store, &name).await?;
            let end = key_end(days, clock.now());
            let (token, secret) = new_token(&account, TokenKind::ApiKey, &label, clock.now(), end);
            store.save_token(token).await?;
            audit(store, clock, &account, "key.made").await?;
            writeln!(terminal.out(), "{secret}")?;
            let until = match end {
                Some(end) => format!("It ends on {}.", end.strftime("%Y-%m-%d")),
                None => "It never ends by itself.".to_owned(),
            };
            terminal.note(&format!("This is shown once. Send it as `Authorization: Bearer KEY`. {until}"));
        }
    }
    wiring::leave(store).await;
    Ok(Exit::Done)
}

async fn named(store: &dyn Store, name: &str) -> anyhow::Result<Account> {
    let found = store.account_named(name.to_owned()).await?;
    let missing = || UsageError(format!("there is no account {name:?}; `tata account list` shows them"));
    Ok(found.ok_or_else(missing)?)
}

/// The hash of the password on standard input: its first line.
fn password(name: &str, terminal: &Terminal) -> anyhow::Result<String> {
    let typed = if io::stdin().is_terminal() {
        terminal.note("The password (what you type is not shown):");
        rpassword::read_password()?
    } else {
        match input::line(&mut io::stdin().lock())? {
            input::Line::Text(line) => line.trim_end_matches(['\r', '\n']).to_owned(),
            input::Line::Refused(why) => return Err(UsageError(why).into()),
            input::Line::End => {
                return Err(UsageError("there is no password on standard input".to_owned()).into());
            }
        }
    };
    Ok(hash_password(name, &typed).map_err(|weak| UsageError(weak.to_string()))?)
}

/// Signs an account out everywhere, and ends its keys as well if that is wanted: whoever gets a new password may have lost
/// the old one to somebody, who may have made keys.
async fn sign_out(store: &dyn Store, account: &Account, with_keys: bool) -> anyhow::Result<()> {
    for token in store.tokens(account.id.clone()).await? {
        if with_keys || token.kind == TokenKind::Browser {
            store.delete_token(token.hash).await?;
        }
    }
    Ok(())
}

async fn audit(store: &dyn Store, clock: Clock, account: &Account, action: &str) -> anyhow::Result<()> {
    let entry = NewAudit {
        at: clock.now(),
        actor: "command line".to_owned(),
        account: None,
        tenant: Some(account.tenant.clone()),
        action: action.to_owned(),
        subject: account.id.clone(),
        detail: String::new(),
    };
    store.record_audit(entry).await?;
    Ok(())
}

fn list(accounts: &[Account], as_json: bool, terminal: &Terminal) -> anyhow::Result<()> {
    let mut out = terminal.out();
    if as_json {
        let shown = |one: &Account| {
            json!({
                "id": one.id, "tenant": one.tenant, "name": one.name, "role": one.role,
                "disabled": one.disabled, "created_at": one.created_at,
            })
        };
        let all: Vec<Value> = accounts.iter().map(shown).collect();
        writeln!(out, "{:#}", json!({ "accounts": all }))?;
        return Ok(());
    }
    if accounts.is_empty() {
        terminal.note("There are no accounts. `tata account add NAME --role admin` makes one.");
    }
    for one in accounts {
        let state = if one.disabled { " (disabled)" } else { "" };
        writeln!(
            out,
            "{BOLD}{}{BOLD:#}  {}  {DIM}{}{state}{DIM:#}",
            one.name,
            one.role.as_str(),
            one.tenant
        )?;
    }
    Ok(())
}
