//! Stands before every tool: does it exist, is what it builds on there, are the arguments right; then it runs it.

use std::{panic::AssertUnwindSafe, sync::Arc, time::Duration};

use futures_util::FutureExt;
use jsonschema::{ValidationError, error::ValidationErrorKind};
use serde_json::{Map, Value};
use tracing::{debug, warn};

use super::{
    MadeArtifact, READ_MATERIAL, READ_OUTPUT, Tool, ToolContext, ToolOutput, ToolRegistry, output::shorten,
};
use crate::{
    ArtifactIndex, ArtifactKind, CallState, Citation, Form, MOST_ARGUMENT_BYTES, Problem, ResultPart,
    ToolCall, ToolError, ToolFailure, ToolResult, ToolStatus, near, panic_code,
};

/// The time that a tool gets again while it waits for a person.
const PATIENCE: Duration = Duration::from_secs(5);

/// The most problems a model is told at once: more would only fill its context.
const MOST_PROBLEMS: usize = 10;

/// Checks calls and runs tools.
#[derive(Clone)]
pub struct ToolExecutor {
    registry: ToolRegistry,
    time: Duration,
    most_characters: usize,
}

/// A call that may run.
pub(crate) struct Ready {
    pub(crate) tool: Arc<dyn Tool>,
    pub(crate) arguments: Map<String, Value>,
}

/// What came of a call.
#[derive(Debug)]
pub struct Executed {
    /// What the model reads.
    pub result: ToolResult,
    /// How it went.
    pub status: ToolStatus,
    /// What the person should read when it went wrong.
    pub problem: Option<String>,
    /// The whole text, when the result was shortened.
    pub whole: Option<String>,
    /// Documents made.
    pub artifacts: Vec<MadeArtifact>,
    /// Kinds of documents that are out of date by this.
    pub stale: Vec<ArtifactKind>,
    /// Where it looked things up, if it is a search.
    pub sources: Option<Vec<Citation>>,
    /// A better name for the session.
    pub title: Option<String>,
}

impl ToolExecutor {
    /// An executor that gives each tool `time`, and shortens results beyond `most_characters`.
    pub fn new(registry: ToolRegistry, time: Duration, most_characters: usize) -> Self {
        Self { registry, time, most_characters }
    }

    /// The most characters of a result that enter a context.
    pub fn most_characters(&self) -> usize {
        self.most_characters
    }

    /// The tools it knows.
    pub fn registry(&self) -> &ToolRegistry {
        &self.registry
    }

    /// Checks and runs one call.
    pub async fn execute(
        &self,
        call: &ToolCall,
        artifacts: &ArtifactIndex,
        context: &ToolContext,
    ) -> Executed {
        match self.check(call, artifacts) {
            Ok(ready) => self.run(call, ready, context, Duration::MAX).await,
            Err(error) => self.refuse(call, &self.worded(error, context).await),
        }
    }

    /// The same error in the tool's own words, where it has any.
    pub(crate) async fn worded(&self, mut error: ToolError, context: &ToolContext) -> ToolError {
        if let ToolError::Dependency { tool, missing, words } = &mut error
            && let Some(registered) = self.registry.registered(tool)
        {
            *words = registered.tool.lacking(missing, context).await;
        }
        error
    }

    /// Whether a call may run, and if not, why.
    pub(crate) fn check(&self, call: &ToolCall, artifacts: &ArtifactIndex) -> Result<Ready, ToolError> {
        let tool = call.name.clone();
        let Some(registered) = self.registry.registered(&call.name) else {
            let known: Vec<String> = self.registry.names().map(str::to_owned).collect();
            return Err(ToolError::NotFound { near: near(&tool, self.registry.names()), known, tool });
        };
        if call.arguments.len() > MOST_ARGUMENT_BYTES {
            return Err(ToolError::TooLarge { tool, bytes: call.arguments.len() });
        }
        if call.state != CallState::Finished {
            return match call.parse_arguments() {
                Err(source) => Err(ToolError::Unreadable { tool, source }),
                Ok(_) => Err(ToolError::CutOff { tool }),
            };
        }
        let spec = registered.tool.spec();
        let missing: Vec<_> = spec.requires.iter().filter(|kind| !artifacts.has(kind)).cloned().collect();
        if !missing.is_empty() {
            return Err(ToolError::Dependency { tool, missing, words: None });
        }
        let arguments = match call.parse_arguments() {
            Ok(arguments) => Value::Object(arguments),
            Err(source) => return Err(ToolError::Unreadable { tool, source }),
        };
        let validator = match registered.validator() {
            Ok(validator) => validator,
            Err(error) => {
                let failure =
                    ToolFailure::Failed { message: error.to_string(), source: Some(Box::new(error)) };
                return Err(ToolError::Execution { tool, failure });
            }
        };
        // Saying what is wrong costs far more than seeing that nothing is.
        let (arguments, problems) = if validator.is_valid(&arguments) {
            (arguments, Vec::new())
        } else {
            let arguments = without_absent(arguments, validator);
            let errors = validator.iter_errors(&arguments).take(MOST_PROBLEMS);
            let problems: Vec<Problem> = errors.map(|error| problem(&error, &spec.schema)).collect();
            (arguments, problems)
        };
        match arguments {
            Value::Object(arguments) if problems.is_empty() => {
                Ok(Ready { tool: Arc::clone(&registered.tool), arguments })
            }
            Value::Object(_)
            | Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_) => Err(ToolError::Invalid { tool, problems }),
        }
    }

    /// Runs a call that was checked, in no more than `most` time.
    pub(crate) async fn run(
        &self,
        call: &ToolCall,
        ready: Ready,
        context: &ToolContext,
        most: Duration,
    ) -> Executed {
        let Ready { tool: ref ready, arguments } = ready;
        let time = ready.spec().time.unwrap_or(self.time).min(most);
        let tool = call.name.clone();
        debug!(call_id = %call.call_id, %tool, "tool runs");
        if context.cancel.is_cancelled() {
            return self.refuse(call, &ToolError::Cancelled { tool });
        }
        if time.is_zero() {
            // The turn's time ran out while it was stored that the call begins.
            return self.refuse(call, &ToolError::TimedOut { tool, after: time });
        }
        // A tool that panics is a tool that failed; the conversation goes on.
        let work = AssertUnwindSafe(async { ready.run(arguments, context).await }).catch_unwind();
        let outcome = tokio::select! {
            biased;
            outcome = work => match outcome {
                Ok(Ok(output)) => Ok(output),
                Ok(Err(failure)) => Err(ToolError::Execution { tool, failure }),
                Err(panic) => Err(ToolError::BrokeDown { tool, code: panic_code(panic.as_ref()) }),
            },
            () = time_is_up(ready.as_ref(), time, most) => Err(ToolError::TimedOut { tool, after: time }),
            () = context.cancel.cancelled() => Err(ToolError::Cancelled { tool }),
        };
        match outcome {
            Ok(output) => self.succeeded(call, output),
            Err(error) => self.refuse_with_form(ready.as_ref(), call, &error, context).await,
        }
    }

    /// A call that a person would be asked about and that would be refused then, if so.
    pub(crate) async fn refused_beforehand(
        &self,
        call: &ToolCall,
        artifacts: &ArtifactIndex,
        context: &ToolContext,
    ) -> Option<Executed> {
        let Ready { tool, arguments } = self.check(call, artifacts).ok()?;
        let refusal = AssertUnwindSafe(tool.refusal(&arguments, context)).catch_unwind().await;
        // One that breaks down is asked about like any other: it will say so when it runs.
        let error = ToolError::Execution { tool: call.name.clone(), failure: refusal.ok().flatten()? };
        Some(self.refuse_with_form(tool.as_ref(), call, &error, context).await)
    }

    /// A call that brought nothing, with the form of what it lacks.
    async fn refuse_with_form(
        &self,
        tool: &dyn Tool,
        call: &ToolCall,
        error: &ToolError,
        context: &ToolContext,
    ) -> Executed {
        let mut refused = self.refuse(call, error);
        if refused.status == ToolStatus::Rejected {
            let arguments = call.parse_arguments().unwrap_or_default();
            let form = AssertUnwindSafe(tool.form(&arguments, context)).catch_unwind().await;
            refused.result.content.extend(form.ok().flatten().map(|form| asked(error, &form)));
        }
        refused
    }

    /// A call that brought nothing. The log has the cause; the model and the person get what they can act on.
    pub(crate) fn refuse(&self, call: &ToolCall, error: &ToolError) -> Executed {
        // Values stay out of the log: arguments may hold a candidate's data.
        let (cause, fields) = (std::error::Error::source(error).map(ToString::to_string), error.fields());
        let status = error.status().as_str();
        warn!(call_id = %call.call_id, tool = %call.name, status, ?fields, cause, "tool call failed");
        let problem = Some(error.for_user());
        Executed {
            status: error.status(),
            problem,
            ..Executed::of(error.to_result(call, self.most_characters))
        }
    }

    /// A result that somebody else brings.
    pub(crate) fn brought(&self, call: &ToolCall, output: String) -> Executed {
        self.succeeded(call, ToolOutput::text(output))
    }

    fn succeeded(&self, call: &ToolCall, mut output: ToolOutput) -> Executed {
        // What reads the rest of a result keeps to the limit by itself.
        let reading = call.name == READ_OUTPUT || call.name == READ_MATERIAL;
        let shortened =
            (!reading).then(|| shorten(&mut output.content, call.call_id.as_str(), self.most_characters));
        let whole = shortened.flatten();
        let (call_id, name) = (call.call_id.clone(), call.name.clone());
        let result = ToolResult { call_id, name, content: output.content, is_error: false };
        Executed {
            whole,
            artifacts: output.artifacts,
            stale: output.stale,
            sources: output.sources,
            title: output.title,
            ..Executed::of(result)
        }
    }
}

/// A refusal with the form that would mend it: for programs and for the model in this process, no wire sends it.
fn asked(error: &ToolError, form: &Form) -> ResultPart {
    let mut refusal = error.to_json();
    if let Some(error) = refusal.get_mut("error") {
        error["form"] = serde_json::json!(form);
    }
    ResultPart::Own(refusal.to_string())
}

impl Executed {
    /// A result and nothing beside it.
    pub(crate) fn of(result: ToolResult) -> Self {
        Self {
            result,
            status: ToolStatus::Succeeded,
            problem: None,
            whole: None,
            artifacts: Vec::new(),
            stale: Vec::new(),
            sources: None,
            title: None,
        }
    }
}

/// Returns when a tool has had its time. While it waits for a person, it is the person who takes it; what is left of the
/// turn is the end of it.
async fn time_is_up(tool: &dyn Tool, time: Duration, most: Duration) {
    tokio::time::sleep(time).await;
    let mut spent = time;
    while tool.is_asking() && spent < most {
        let more = PATIENCE.min(most.saturating_sub(spent));
        tokio::time::sleep(more).await;
        spent += more;
    }
}

/// Takes out nulls that the schema does not allow: providers that guarantee arguments make every field required, and
/// a model then writes null for what it does not give.
fn without_absent(mut arguments: Value, validator: &jsonschema::Validator) -> Value {
    // Each pass removes at least one, and there are finitely many.
    loop {
        let nulls: Vec<String> = validator
            .iter_errors(&arguments)
            .filter(|error| error.instance().is_null())
            .map(|error| error.instance_path().to_string())
            .filter(|path| !path.is_empty())
            .collect();
        let mut removed = false;
        for path in nulls {
            removed |= remove(&mut arguments, &path);
        }
        if !removed {
            return arguments;
        }
    }
}

/// Removes the member of an object that a JSON pointer names.
fn remove(value: &mut Value, path: &str) -> bool {
    let Some((parent, name)) = path.rsplit_once('/') else { return false };
    let name = name.replace("~1", "/").replace("~0", "~");
    value
        .pointer_mut(parent)
        .and_then(Value::as_object_mut)
        .is_some_and(|object| object.remove(&name).is_some())
}

fn problem(error: &ValidationError<'_>, schema: &Value) -> Problem {
    let error = meant(error);
    let field = error.instance_path().to_string();
    let choices = choices(error);
    let given = error.instance().as_str().unwrap_or_default();
    let hint = if let ValidationErrorKind::AdditionalProperties { unexpected } = error.kind() {
        let known = known_names(error, schema);
        let nearest = unexpected.iter().find_map(|name| near(name, known.iter().copied()).into_iter().next());
        Some(nearest.map_or_else(|| "leave it out".to_owned(), |name| format!("did you mean {name:?}?")))
    } else {
        near(given, choices.iter().copied()).first().map(|name| format!("did you mean {name:?}?"))
    };
    let message = if choices.is_empty() {
        error.to_string()
    } else {
        let choices: Vec<String> = choices.iter().map(|choice| format!("{choice:?}")).collect();
        format!("{} is not one of {}", error.instance(), choices.join(", "))
    };
    // A long value would be quoted whole.
    let message = message.chars().take(300).collect();
    Problem { field, message, hint }
}

/// Of what may be one thing or another, such as a choice or nothing, the error of the one that was meant: a value of the
/// wrong type was not.
fn meant<'a, 'i>(error: &'a ValidationError<'i>) -> &'a ValidationError<'i> {
    let (ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context }) =
        error.kind()
    else {
        return error;
    };
    let first = context.iter().filter_map(|errors| errors.first());
    let mut fitting = first.filter(|inner| {
        !matches!(inner.kind(), ValidationErrorKind::Type { .. })
            || inner.instance_path() != error.instance_path()
    });
    match (fitting.next(), fitting.next()) {
        (Some(only), None) => meant(only),
        _ => error,
    }
}

/// What may be chosen, where it is one of some words: as one list, or as words that are explained one by one.
fn choices<'a>(error: &'a ValidationError<'_>) -> Vec<&'a str> {
    if let ValidationErrorKind::Enum { options } = error.kind() {
        return options.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    }
    let (ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context }) =
        error.kind()
    else {
        return Vec::new();
    };
    let constant = |errors: &'a Vec<ValidationError<'static>>| {
        let ValidationErrorKind::Constant { expected_value } = errors.first()?.kind() else { return None };
        expected_value.as_str()
    };
    context.iter().map(constant).collect::<Option<_>>().unwrap_or_default()
}

/// The names that an object may have, where the schema that refused another is found.
fn known_names<'s>(error: &ValidationError<'_>, schema: &'s Value) -> Vec<&'s str> {
    let path = error.schema_path().to_string();
    let parent = path.rsplit_once('/').map_or("", |(parent, _)| parent);
    let properties = schema.pointer(parent).and_then(|parent| parent["properties"].as_object());
    properties.into_iter().flatten().map(|(name, _)| name.as_str()).collect()
}
