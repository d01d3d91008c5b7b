//! Tools that count what they really did, in a place that outlives the turn.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::{Map, Value, json};
use tata_core::{ArtifactKind, Effect, Tool, ToolContext, ToolFailure, ToolFuture, ToolOutput, ToolSpec};

/// What tools really did: call id to how often. Clones share it; a dropped turn does not take it away.
#[derive(Clone, Debug, Default)]
pub struct Runs(Arc<Mutex<BTreeMap<String, u32>>>);

impl Runs {
    /// How often a call took effect.
    pub fn of(&self, call_id: &str) -> u32 {
        self.0.lock().unwrap().get(call_id).copied().unwrap_or(0)
    }

    /// Every call that took effect, and how often.
    pub fn all(&self) -> BTreeMap<String, u32> {
        self.0.lock().unwrap().clone()
    }

    /// How many effects there were.
    pub fn total(&self) -> u32 {
        self.0.lock().unwrap().values().sum()
    }

    /// Takes note of an effect.
    pub fn count(&self, call_id: &str) {
        *self.0.lock().unwrap().entry(call_id.to_owned()).or_default() += 1;
    }
}

type Work = dyn Fn(&Map<String, Value>, &ToolContext) -> Result<ToolOutput, ToolFailure> + Send + Sync;

/// A tool that counts. It takes `{"what": string, "note"?: string, "fail"?: boolean}`, pauses before and after its
/// effect, and answers with what it was asked for.
#[derive(Clone)]
pub struct CountingTool {
    /// What is known of it; change what the test needs.
    pub spec: ToolSpec,
    runs: Runs,
    takes: Duration,
    work: Arc<Work>,
}

impl CountingTool {
    /// A tool of that name and effect. An `Own` one makes a document of the kind [`CountingTool::KIND`].
    pub fn new(name: &str, effect: Effect, runs: &Runs) -> Self {
        let schema = json!({
            "type": "object",
            "properties": {
                "what": {"type": "string"},
                "note": {"type": "string"},
                "fail": {"type": "boolean"},
            },
            "required": ["what"],
            "additionalProperties": false,
        });
        let mut spec = ToolSpec::new(name, format!("Tests {name}."), schema).unwrap();
        spec.effect = effect;
        if effect == Effect::Own {
            spec.produces = Some(ArtifactKind::new(Self::KIND));
        }
        let own = effect == Effect::Own;
        let tool = name.to_owned();
        let work = Arc::new(move |arguments: &Map<String, Value>, _: &ToolContext| {
            let what = arguments.get("what").and_then(Value::as_str).unwrap_or_default();
            if arguments.get("fail") == Some(&Value::Bool(true)) {
                return Err(ToolFailure::failed(format!("{what} cannot be had.")));
            }
            let value = json!({"tool": tool, "what": what});
            Ok(if own {
                ToolOutput::artifact(ArtifactKind::new(Self::KIND), what, &value)
            } else {
                ToolOutput::json(&value)
            })
        });
        Self { spec, runs: runs.clone(), takes: Duration::ZERO, work }
    }

    /// The kind of document that an `Own` tool makes.
    pub const KIND: &'static str = "Profile";

    /// The same tool, which takes this long before it takes effect.
    #[must_use]
    pub fn taking(mut self, time: Duration) -> Self {
        self.takes = time;
        self
    }

    /// The same tool with other work.
    #[must_use]
    pub fn doing(
        mut self,
        work: impl Fn(&Map<String, Value>, &ToolContext) -> Result<ToolOutput, ToolFailure>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        self.work = Arc::new(work);
        self
    }

    /// The same tool with another spec.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut ToolSpec)) -> Self {
        change(&mut self.spec);
        self
    }

    /// As an agent takes it.
    pub fn shared(self) -> Arc<dyn Tool> {
        Arc::new(self)
    }
}

impl Tool for CountingTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn run<'a>(&'a self, arguments: Map<String, Value>, context: &'a ToolContext) -> ToolFuture<'a> {
        Box::pin(async move {
            tokio::task::yield_now().await;
            if !self.takes.is_zero() {
                tokio::time::sleep(self.takes).await;
            }
            let output = (self.work)(&arguments, context);
            self.runs.count(context.call_id.as_str());
            tokio::task::yield_now().await;
            output
        })
    }
}

impl fmt::Debug for CountingTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CountingTool").field("name", &self.spec.name).finish_non_exhaustive()
    }
}
