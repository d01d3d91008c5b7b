//! The contract in Postgres, where there is one, and what is special about it.

use std::{sync::Arc, time::Duration};

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use tata_core::{
    Accounts, Audit, Batch, Journal, NewAudit, NewSession, SessionFilter, Sessions, Store, StoreError,
    verify_chain,
};
use tata_store::PostgresStore;
use tata_testkit::store::{self as contract, LONG, batch, finished, said};
use uuid::Uuid;

/// The role that owns the databases of these tests: an ordinary one, as SECURITY.md asks for. A superuser may do what it
/// may not, and passes every wall.
const ORDINARY: &str = "tata_ordinary";

/// Makes a database of an ordinary role, hands its URL out, and drops it.
async fn with_database(test: impl AsyncFnOnce(String)) {
    let Some(admin) = tata_testkit::store::postgres_url() else { return };
    let name = format!("tata_test_{}", Uuid::new_v4().simple());
    let mut connection = PgConnection::connect(&admin).await.unwrap();
    // It stays for the tests that run beside this one; another may make it at this moment.
    let role = format!("CREATE ROLE {ORDINARY} LOGIN NOSUPERUSER NOBYPASSRLS PASSWORD '{ORDINARY}'");
    let _made_by_another = connection.execute(AssertSqlSafe(role)).await;
    connection.execute(AssertSqlSafe(format!("CREATE DATABASE {name} OWNER {ORDINARY}"))).await.unwrap();
    test(address(&admin, &name, Some(ORDINARY))).await;
    let mut connection = PgConnection::connect(&admin).await.unwrap();
    connection.execute(AssertSqlSafe(format!("DROP DATABASE {name} WITH (FORCE)"))).await.unwrap();
}

/// The address of a database on the same server, for the role of the tests or for the one that may do everything.
fn address(url: &str, database: &str, role: Option<&str>) -> String {
    let (scheme, rest) = url.split_once("://").unwrap();
    let (server, _) = rest.rsplit_once('/').unwrap();
    let (user, host) = server.rsplit_once('@').unwrap();
    let user = role.map_or_else(|| user.to_owned(), |role| format!("{role}:{role}"));
    format!("{scheme}://{user}@{host}/{database}")
}

/// The same database for the role that may do everything.
fn for_admin(url: &str) -> String {
    let admin = tata_testkit::store::postgres_url().unwrap();
    let (_, name) = url.rsplit_once('/').unwrap();
    address(&admin, name, None)
}

async fn in_postgres(case: impl AsyncFnOnce(Arc<dyn Store>)) {
    with_database(async |url| case(Arc::new(PostgresStore::connect(&url).await.unwrap())).await).await;
}

tata_testkit::store_contract!(super::in_postgres);

async fn meddle(url: &str, sql: &str) {
    let mut connection = PgConnection::connect(&for_admin(url)).await.unwrap();
    connection.execute("SET search_path TO tata").await.unwrap();
    connection.execute(AssertSqlSafe(sql)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn replicas_may_start_together() {
    with_database(async |url| {
        let starts = (0..6).map(|_| {
            let url = url.clone();
            tokio::spawn(async move { PostgresStore::connect(&url).await.unwrap() })
        });
        let mut stores = Vec::new();
        for start in starts.collect::<Vec<_>>() {
            stores.push(start.await.unwrap());
        }
        let version = stores[0].version().await.unwrap();
        assert!(version.engine.starts_with("PostgreSQL ") && version.schema == 8, "{version:?}");
    })
    .await;
}

#[tokio::test]
async fn a_newer_schema_is_refused() {
    with_database(async |url| {
        drop(PostgresStore::connect(&url).await.unwrap());
        meddle(
            &url,
            "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
             VALUES (999, 'tomorrow', TRUE, ''::BYTEA, 0)",
        )
        .await;
        for _ in 0..2 {
            let refused = PostgresStore::connect(&url).await.unwrap_err();
            assert!(refused.to_string().contains("newer version of Tata"), "{refused}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_change_behind_our_back_breaks_the_chain() {
    with_database(async |url| {
        let store: Arc<dyn Store> = Arc::new(PostgresStore::connect(&url).await.unwrap());
        contract::audit::many_writers_make_one_chain(Arc::clone(&store)).await;
        meddle(&url, "UPDATE audit SET actor = '\"bo\"' WHERE position = 9").await;
        let trail = store.audit_trail().await.unwrap();
        assert_eq!(verify_chain(&trail).unwrap_err().position, 9);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_damage_is_named() {
    with_database(async |url| {
        let store: Arc<dyn Store> = Arc::new(PostgresStore::connect(&url).await.unwrap());
        for case in &crate::damage::CASES {
            let meddle = async |sql: String| {
                // Else the server would keep references from being broken.
                meddle(&url, &format!("SET session_replication_role = replica; {sql}")).await;
            };
            crate::damage::check(case, Arc::clone(&store), meddle).await;
            self::meddle(
                &url,
                "TRUNCATE sessions, journal, artifacts, usage, feedback, outputs, files, request_keys, stops, chat_marks, audit RESTART IDENTITY",
            )
            .await;
        }
    })
    .await;
}

/// As version 0.1 of this program made it.
#[tokio::test]
async fn a_database_of_the_first_version_opens() {
    with_database(async |url| {
        let store = PostgresStore::connect(&url).await.unwrap();
        let new = NewSession {
            title: Some("A\u{30a}rhus".to_owned()),
            ..NewSession::with("tata", contract::at(0))
        };
        let id = store.create_session(new).await.unwrap().id;
        drop(store);
        meddle(
            &url,
            "ALTER TABLE sessions ADD COLUMN title_folded TEXT; UPDATE sessions SET title_folded = 'x'; \
             DELETE FROM _sqlx_migrations WHERE version = 2",
        )
        .await;
        for _ in 0..2 {
            let store = PostgresStore::connect(&url).await.unwrap();
            assert_eq!(store.version().await.unwrap().schema, 8);
            let filter =
                SessionFilter { title_contains: Some("\u{e5}RHUS".to_owned()), ..SessionFilter::default() };
            assert_eq!(store.sessions(filter).await.unwrap().sessions[0].id, id);
        }
    })
    .await;
}

#[tokio::test]
async fn the_password_is_never_told() {
    const SECRET: &str = "s3cr3t-in-the-url";
    for url in [format!("postgres://tata:{SECRET}@[nonsense/none"), format!("not a url {SECRET}")] {
        let error = PostgresStore::connect(&url).await.unwrap_err();
        assert!(!format!("{error} {error:?}").contains(SECRET), "{error:?}");
    }
    // Not in the default run: the store waits for a server that does not answer.
    with_database(async |url| {
        let (_, database) = url.rsplit_once('/').unwrap();
        let error = PostgresStore::connect(&format!("postgres://tata:{SECRET}@127.0.0.1:1/{database}")).await;
        let error = error.unwrap_err();
        assert!(matches!(error, StoreError::Unavailable { .. }), "{error:?}");
        assert!(!format!("{error} {error:?}").contains(SECRET), "{error:?}");
    })
    .await;
}

/// Connections are cut again and again, also between a commit and its answer: nothing is lost, nothing is doubled.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cut_connections_lose_and_double_nothing() {
    const TURNS: u32 = 25;
    with_database(async |url| {
        let stores: Vec<Arc<dyn Store>> = vec![
            Arc::new(PostgresStore::connect(&url).await.unwrap()),
            Arc::new(PostgresStore::connect(&url).await.unwrap()),
        ];
        let cutting = tokio::spawn(cut_connections(url));
        let tasks: Vec<_> = (0..8)
            .map(|number| {
                let store = Arc::clone(&stores[number % 2]);
                tokio::spawn(async move {
                    let id = contract::session(&store).await;
                    for turn in 1..=TURNS {
                        let begun = store.begin(id, LONG).await.unwrap();
                        let after = u64::from(turn - 1) * 2;
                        assert_eq!(begun.session.last_position, after);
                        store.append(&begun.lease, batch(after, [said(turn, "hi")])).await.unwrap();
                        let usage = vec![contract::unknown_usage(turn).into()];
                        store.append(&begun.lease, Batch { usage, ..Batch::default() }).await.unwrap();
                        let last = Batch { release: true, ..batch(after + 1, [finished(turn)]) };
                        store.append(&begun.lease, last).await.unwrap();
                        store.record_audit(noted(&format!("{number}/{turn}"))).await.unwrap();
                    }
                    id
                })
            })
            .collect();
        for task in tasks {
            let id = task.await.unwrap();
            let session = contract::now(&stores[0], id).await;
            assert_eq!((session.turn_count, session.last_position), (TURNS, u64::from(TURNS) * 2));
            let records = stores[0].records(id, 0).await.unwrap();
            assert_eq!(u64::try_from(records.len()).unwrap(), session.last_position);
            assert_eq!(stores[0].usage(id).await.unwrap().len(), TURNS as usize, "each request counts once");
        }
        cutting.abort();
        let trail = stores[0].audit_trail().await.unwrap();
        assert_eq!((trail.len(), verify_chain(&trail)), (8 * TURNS as usize, Ok(())));
    })
    .await;
}

fn noted(subject: &str) -> NewAudit {
    NewAudit {
        account: None,
        tenant: None,
        at: contract::at(0),
        actor: "anna".to_owned(),
        action: "turn.ended".to_owned(),
        subject: subject.to_owned(),
        detail: String::new(),
    }
}

async fn cut_connections(url: String) {
    loop {
        if let Ok(mut connection) = PgConnection::connect(&url).await {
            let others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                WHERE datname = current_database() AND pid <> pg_backend_pid()";
            drop(connection.execute(others).await);
        }
        tokio::time::sleep(Duration::from_millis(40)).await;
    }
}

/// B10: whatever a statement asks for, a connection of one company sees no row of another.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_second_wall_stands_by_itself() {
    with_database(async |url| {
        let store = PostgresStore::connect(&url).await.unwrap();
        for tenant in ["acme", "other"] {
            let new = NewSession {
                tenant_id: Some(tenant.to_owned()),
                ..NewSession::with("tata", contract::at(0))
            };
            let id = store.create_session(new).await.unwrap().id;
            let lease = store.begin(id, LONG).await.unwrap().lease;
            let mut written = batch(0, [said(1, tenant), finished(1)]);
            written.artifacts.push(contract::document("job_ad", "", 1));
            store.append(&lease, written).await.unwrap();
            store.save_account(contract::accounts::account(tenant, tenant)).await.unwrap();
            let entry = NewAudit { tenant: Some(tenant.to_owned()), ..noted(tenant) };
            store.record_audit(entry).await.unwrap();
        }
        let mut connection = PgConnection::connect(&for_admin(&url)).await.unwrap();
        // Whoever may pass every wall would prove nothing.
        let role = format!("tata_wall_{}", Uuid::new_v4().simple());
        let prepared = format!(
            "CREATE ROLE {role}; GRANT USAGE ON SCHEMA tata TO {role}; \
             GRANT ALL ON ALL TABLES IN SCHEMA tata TO {role}; SET ROLE {role}; SET search_path TO tata"
        );
        connection.execute(AssertSqlSafe(prepared)).await.unwrap();
        for (wall, seen) in [("", 2), ("\"acme\"", 1), ("\"nobody\"", 0)] {
            sqlx::query("SELECT set_config('tata.tenant', $1, false)")
                .bind(wall)
                .execute(&mut connection)
                .await
                .unwrap();
            for table in ["sessions", "artifacts", "accounts", "audit"] {
                let count: i64 = sqlx::query_scalar(AssertSqlSafe(format!("SELECT COUNT(*) FROM {table}")))
                    .fetch_one(&mut connection)
                    .await
                    .unwrap();
                assert_eq!(count, seen, "{table} behind the wall {wall:?}");
            }
            // The chain is one for all: its head is told, and nothing else of it.
            let head: i64 = sqlx::query_scalar("SELECT last_position FROM audit_head()")
                .fetch_one(&mut connection)
                .await
                .unwrap();
            assert_eq!(head, 2, "the head of the chain behind the wall {wall:?}");
            let lines: i64 =
                sqlx::query_scalar("SELECT COUNT(*) FROM journal").fetch_one(&mut connection).await.unwrap();
            assert_eq!(lines, 2 * seen, "journal behind the wall {wall:?}");
            let changed =
                sqlx::query("UPDATE sessions SET turn_count = turn_count").execute(&mut connection).await;
            assert_eq!(changed.unwrap().rows_affected(), u64::try_from(seen).unwrap());
        }
        let moved =
            sqlx::query("SELECT set_config('tata.tenant', '\"acme\"', false)").execute(&mut connection).await;
        moved.unwrap();
        let given_away =
            sqlx::query("UPDATE sessions SET tenant_id = '\"other\"'").execute(&mut connection).await;
        assert!(given_away.is_err(), "a row was given to another company");
        let foisted = "INSERT INTO audit SELECT 3, at, actor, action, subject, detail, previous, seal, '\"other\"', account \
            FROM audit";
        assert!(connection.execute(foisted).await.is_err(), "an entry was put into another company's trail");
        connection
            .execute(AssertSqlSafe(format!("RESET ROLE; DROP OWNED BY {role}; DROP ROLE {role}")))
            .await
            .unwrap();
    })
    .await;
}
