//! A server with a small world behind it, and a client.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use reqwest::{Client, ClientBuilder, Method, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};
use tata_core::{
    AgentParts, Clock, Effect, Model, ModelChoice, Person, SessionId, Spawn, Store, ToolRegistry, TurnHost,
};
use tata_store::MemoryStore;
use tata_testkit::{CountingTool, PlannedModel, Runs};
use tata_web::{
    AgentInfo, Agents, Counter, FileServices, Metrics, ModelInfo, Server, ServerOptions, Services,
    Unavailable, UnreadFile, UploadRead,
};
use tokio_util::sync::CancellationToken;

pub(crate) struct World {
    pub(crate) base: String,
    pub(crate) address: SocketAddr,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) host: TurnHost,
    pub(crate) client: Client,
    pub(crate) stop: CancellationToken,
    pub(crate) served: tokio::task::JoinHandle<()>,
}

pub(crate) fn tools(runs: &Runs) -> ToolRegistry {
    let invite =
        CountingTool::new("send_invite", Effect::Outward, runs).with(|spec| spec.needs_approval = true);
    let tools = [
        CountingTool::new("look_up", Effect::Read, runs),
        CountingTool::new("write_profile", Effect::Own, runs),
        invite,
    ];
    ToolRegistry::new(tools.map(CountingTool::shared)).unwrap()
}

pub(crate) fn local() -> ServerOptions {
    ServerOptions::local("127.0.0.1:0".parse().unwrap())
}

/// Files as these tests know them.
fn file_services() -> FileServices {
    FileServices {
        export: Arc::new(|_, artifact, ending, by_ai| match ending {
            "md" | "txt" | "json" => Ok(format!("# v{} {by_ai}", artifact.version).into_bytes()),
            other => Err(format!("There is no format {other}.")),
        }),
        read: Arc::new(|_, name: &str, bytes: Vec<u8>| {
            if name.contains(".bad") {
                return Err(UnreadFile::Unreadable("it is damaged".to_owned()));
            }
            if name.contains(".busy") {
                return Err(UnreadFile::Later("others are being read: try again".to_owned()));
            }
            let text = String::from_utf8_lossy(&bytes).into_owned();
            Ok(UploadRead { kind: "text", text, notes: vec!["a note".to_owned()] })
        }),
        largest: 1000,
        is_rules: Arc::new(|_| false),
    }
}

/// What a server is made of, with this store and this model.
pub(crate) fn services<M: Model + 'static>(store: &Arc<dyn Store>, model: &Arc<M>) -> Services {
    let spawn: Spawn = Arc::new(|task| drop(tokio::spawn(task)));
    let metrics = Arc::new(Metrics::default());
    let seen = Arc::clone(&metrics);
    let host =
        TurnHost::new(Arc::clone(store), spawn, 100, Some(Arc::new(move |_, event| seen.observe(event))));
    let tools = tools(&Runs::default());
    let (agent_tools, agent_store, agent_model) = (tools.clone(), Arc::clone(store), Arc::clone(model));
    let parts = move |name: String, other: Option<String>| -> tata_web::AgentFuture {
        let model = Arc::clone(&agent_model) as Arc<dyn Model>;
        let (tools, store) = (agent_tools.clone(), Arc::clone(&agent_store));
        Box::pin(async move {
            match other.as_deref() {
                None | Some("planned") => {}
                Some("unset") => return Err(Unavailable::NotConfigured("Set its key first.".to_owned())),
                Some(model) => return Err(Unavailable::Unknown(format!("There is no model {model:?}."))),
            }
            Ok(AgentParts { tools, ..AgentParts::new(name, vec![ModelChoice::new(model)], store) })
        })
    };
    let info = |name: &str| AgentInfo { name: name.to_owned(), description: format!("The agent {name}.") };
    Services {
        store: Arc::clone(store),
        host,
        agents: Agents {
            usual: "tata".to_owned(),
            known: vec![info("tata"), info("docs")],
            parts: Arc::new(parts),
            model: Arc::new(|_: &str, wanted: Option<&str>| wanted.map(str::to_owned)),
        },
        tools,
        restore_tool: None,
        models: Arc::new(|| {
            let model = |name: &str, configured: bool| ModelInfo {
                name: name.to_owned(),
                provider: "planned".to_owned(),
                configured,
                missing: if configured { Vec::new() } else { vec!["PLANNED_KEY".to_owned()] },
                usual: configured,
                context_window: None,
                max_output: None,
            };
            vec![model("planned", true), model("unset", false)]
        }),
        render: Arc::new(|artifact, _| Some(format!("# {}\n", artifact.name.kind))),
        files: file_services(),
        not_ready: Arc::new(|artifact| {
            artifact.json.as_str().contains("draft").then(|| "It is a draft.".to_owned())
        }),
        counters: Arc::new(|| {
            vec![Counter { name: "tata_call_ids_extracted_total", help: "Calls with an id.", value: 3.0 }]
        }),
        metrics,
        pages: None,
        mcp: None,
        accounts: false,
        company: None,
        oidc: None,
        admit: None,
        person: Person { user_id: None, name: "local".to_owned() },
        clock: Clock::System,
        version: "0.0.0-test".to_owned(),
    }
}

impl World {
    pub(crate) async fn new(model: PlannedModel) -> Self {
        Self::with(model, local()).await
    }

    pub(crate) async fn with(model: PlannedModel, options: ServerOptions) -> Self {
        Self::at(&(Arc::new(MemoryStore::new()) as Arc<dyn Store>), &Arc::new(model), options).await
    }

    /// A server over a store that others may share.
    pub(crate) async fn at<M: Model + 'static>(
        store: &Arc<dyn Store>,
        model: &Arc<M>,
        options: ServerOptions,
    ) -> Self {
        Self::serving(services(store, model), options).await
    }

    /// A server of these services.
    pub(crate) async fn serving(services: Services, options: ServerOptions) -> Self {
        let store = &services.store;
        let (store, host) = (Arc::clone(store), services.host.clone());
        let bound = Server::bind(services, options).await.unwrap();
        let (address, stop) = (bound.address(), CancellationToken::new());
        let served = tokio::spawn(bound.run(stop.clone()));
        let client = ClientBuilder::new().no_proxy().timeout(Duration::from_secs(30));
        // Reading the certificates of this machine is a third of a short test, and nothing here speaks TLS.
        let client = client.tls_certs_only([]).build().unwrap();
        Self { base: format!("http://{address}"), address, store, host, client, stop, served }
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.base))
    }

    pub(crate) async fn get(&self, path: &str) -> (StatusCode, Value) {
        read(self.request(Method::GET, path).send().await.unwrap()).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> (StatusCode, Value) {
        read(self.request(Method::POST, path).json(body).send().await.unwrap()).await
    }

    /// A new session's path.
    pub(crate) async fn session(&self) -> String {
        let (status, session) = self.post("/api/v1/sessions", &json!({})).await;
        assert_eq!(status, StatusCode::CREATED, "{session}");
        format!("/api/v1/sessions/{}", session["session_id"].as_str().unwrap())
    }

    /// Says something and waits for the report.
    pub(crate) async fn say(&self, session: &str, message: &str) -> Value {
        let (status, report) =
            self.post(&format!("{session}/turns"), &json!({"message": message, "wait": true})).await;
        assert_eq!(status, StatusCode::OK, "{report}");
        report
    }
}

pub(crate) fn id_of(session: &str) -> SessionId {
    session.rsplit('/').next().unwrap().parse().unwrap()
}

pub(crate) async fn read(response: Response) -> (StatusCode, Value) {
    let status = response.status();
    let text = response.text().await.unwrap();
    (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
}

/// One server-sent event.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Sent {
    pub(crate) id: Option<String>,
    pub(crate) event: String,
    pub(crate) data: String,
}

impl Sent {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.data).unwrap_or_else(|_| panic!("not JSON: {self:?}"))
    }
}

/// Reads a stream of events piece by piece.
pub(crate) struct Stream {
    response: Response,
    rest: String,
    pub(crate) comments: usize,
}

impl Stream {
    pub(crate) fn of(response: Response) -> Self {
        assert_eq!(response.status(), StatusCode::OK);
        let kind = response.headers()["content-type"].to_str().unwrap().to_owned();
        assert!(kind.starts_with("text/event-stream"), "{kind}");
        Self { response, rest: String::new(), comments: 0 }
    }

    /// The next event that has data.
    pub(crate) async fn next(&mut self) -> Option<Sent> {
        loop {
            while let Some((block, rest)) = self.rest.split_once("\n\n") {
                let (block, rest) = (block.to_owned(), rest.to_owned());
                self.rest = rest;
                let mut sent = Sent::default();
                for line in block.lines() {
                    let (field, value) = line.split_once(':').unwrap_or((line, ""));
                    let value = value.strip_prefix(' ').unwrap_or(value);
                    match field {
                        "id" => sent.id = Some(value.to_owned()),
                        "event" => value.clone_into(&mut sent.event),
                        "data" => sent.data.push_str(value),
                        "" => self.comments += 1,
                        _ => {}
                    }
                }
                if !sent.data.is_empty() {
                    return Some(sent);
                }
            }
            let chunk = self.response.chunk().await.unwrap()?;
            self.rest.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }

    pub(crate) async fn all(mut self) -> Vec<Sent> {
        let mut all = Vec::new();
        while let Some(sent) = self.next().await {
            all.push(sent);
        }
        all
    }
}
