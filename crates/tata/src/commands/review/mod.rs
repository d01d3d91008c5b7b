//! `tata di`, `tata review` and `tata eval`: reviews of texts, without a conversation and without a model.

mod eval;
mod marks;
mod measure;
mod sarif;
mod screen;

use std::{
    io::{self, IsTerminal, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use jiff::Timestamp;
use serde_json::{Value, json};
use tata_recruit::{
    DecideInput, DiReviewInput, JobAdReviewInput, Kind, Language, Made, Project, Refusal, Settings,
    create_di_review, create_job_ad_review, decide_di_findings, decide_job_ad_findings, profile_of,
};

pub(super) use self::eval::eval;
use self::marks::Reviewed;
use super::desk::find_session;
use crate::{
    cli::{AdReview, Di, ReviewForm, ReviewOutput},
    config::Config,
    error::UsageError,
    exit::Exit,
    input,
    terminal::{NOTE, Terminal},
    wiring,
};

/// `tata di`.
pub(super) async fn di(wish: Di, config: &Config, terminal: &Terminal) -> anyhow::Result<Exit> {
    let Di { output, title_form } = wish;
    let project = project(output.explain_in, None);
    let now = config.clock.now();
    each(output, project, Kind::DiReview, now, terminal, move |text, lang, project| {
        let language = lang.map(|lang| lang.code().to_owned());
        create_di_review(
            DiReviewInput { job_ad_text: Some(text), language, title_form, ..DiReviewInput::default() },
            project,
            now,
        )
    })
    .await
}

/// `tata review`.
pub(super) async fn ad(wish: AdReview, config: &Config, terminal: &Terminal) -> anyhow::Result<Exit> {
    let AdReview { output, profile } = wish;
    let stored = match &profile {
        None => None,
        Some(session) => Some(stored(session, config, terminal).await?),
    };
    let project = project(output.explain_in, stored);
    let now = config.clock.now();
    each(output, project, Kind::JobAdReview, now, terminal, move |text, lang, project| {
        let language = lang.map(|lang| lang.code().to_owned());
        create_job_ad_review(
            JobAdReviewInput { job_ad_text: Some(text), language, ..JobAdReviewInput::default() },
            project,
            now,
        )
    })
    .await
}

/// The project of a conversation.
async fn stored(session: &str, config: &Config, terminal: &Terminal) -> anyhow::Result<Project> {
    let store = wiring::open_store(config).await?;
    let read = async {
        let session = find_session(store.as_ref(), session).await?;
        anyhow::Ok(Project::of(store.artifacts(session.id).await?))
    };
    let project = read.await;
    wiring::leave(Arc::clone(&store).as_ref()).await;
    let project = project?;
    if profile_of(&project).is_none() {
        terminal.note(&format!(
            "{NOTE}note:{NOTE:#} this conversation has no requirement profile to compare with"
        ));
    }
    Ok(project)
}

/// A project that explains in the wished language, else in its own, else in English until the text is read.
fn project(language: Option<Language>, stored: Option<Project>) -> Project {
    let project = stored.unwrap_or_default();
    match language {
        None => project,
        Some(language) => {
            let settings = Settings { language, ..project.settings() };
            project.with(Kind::ProjectSettings, "", &settings)
        }
    }
}

/// Reviews every file and shows what came of it, on a thread of its own: Ctrl-C is heard while it reads and works.
async fn each(
    output: ReviewOutput,
    project: Project,
    kind: Kind,
    now: Timestamp,
    terminal: &Terminal,
    review: impl Fn(String, Option<Language>, &Project) -> Result<Made, Refusal> + Send + 'static,
) -> anyhow::Result<Exit> {
    let terminal = terminal.clone();
    tokio::task::spawn_blocking(move || review_all(&output, &project, kind, now, &terminal, review)).await?
}

fn review_all(
    output: &ReviewOutput,
    project: &Project,
    kind: Kind,
    now: Timestamp,
    terminal: &Terminal,
    review: impl Fn(String, Option<Language>, &Project) -> Result<Made, Refusal>,
) -> anyhow::Result<Exit> {
    let form = if output.json { ReviewForm::Json } else { output.format };
    let texts = texts(&output.files, terminal)?;
    if texts.len() > 1 && !output.accept.is_empty() {
        return Err(UsageError("--accept works on one ad at a time".to_owned()).into());
    }
    let mut all = Vec::new();
    for (path, text) in texts {
        let (mut made, spoken) =
            in_its_language(text, output, project, &review).map_err(|refusal| refused(&path, &refusal))?;
        if !output.accept.is_empty() {
            let input = DecideInput { accept: output.accept.clone(), ignore: Vec::new() };
            let reviewed = spoken.clone().with(kind, "", &made.json);
            let decide = if kind == Kind::DiReview { decide_di_findings } else { decide_job_ad_findings };
            made = decide(input, &reviewed, now).map_err(|refusal| refused(&path, &refusal))?;
        }
        all.push(Reviewed { path, made, texts: spoken.texts() });
    }
    let many = all.len() > 1;
    match form {
        ReviewForm::Text => {
            for reviewed in &all {
                show(reviewed, many, terminal)?;
            }
        }
        ReviewForm::Md => {
            for reviewed in &all {
                terminal.say(&reviewed.made.document.markdown())?;
            }
        }
        ReviewForm::Json if many => {
            let documents: Vec<Value> = all.iter().map(as_json).collect();
            writeln!(terminal.out(), "{:#}", json!(documents))?;
        }
        ReviewForm::Json => {
            if let Some(reviewed) = all.first() {
                writeln!(terminal.out(), "{:#}", as_json(reviewed))?;
            }
        }
        ReviewForm::Sarif => writeln!(terminal.out(), "{:#}", sarif::log(&all))?,
    }
    let under = |least: u32| all.iter().any(|reviewed| reviewed.score() < least);
    if let Some(least) = output.fail_under.filter(|least| under(*least)) {
        terminal.note(&format!("{NOTE}failed:{NOTE:#} the score is under {least}"));
        return Ok(Exit::Failed);
    }
    Ok(Exit::Done)
}

/// The review of a text, in the language of the text: whoever wrote it reads it. Where a language was wished for, or a
/// conversation has one, in that.
fn in_its_language(
    text: String,
    output: &ReviewOutput,
    project: &Project,
    review: &impl Fn(String, Option<Language>, &Project) -> Result<Made, Refusal>,
) -> Result<(Made, Project), Refusal> {
    let decided = output.explain_in.is_some() || profile_of(project).is_some();
    let made = review(text.clone(), output.lang, project)?;
    let found = made.json["language"].as_str().and_then(Language::wished);
    let Some(language) = found.filter(|found| !decided && *found != project.settings().language) else {
        return Ok((made, project.clone()));
    };
    let spoken = self::project(Some(language), Some(project.clone()));
    Ok((review(text, Some(language), &spoken)?, spoken))
}

/// For people: the findings in their lines, or the revised text if something was accepted.
fn show(reviewed: &Reviewed, many: bool, terminal: &Terminal) -> anyhow::Result<()> {
    for notice in &reviewed.made.notices {
        terminal.note(&format!("{NOTE}note:{NOTE:#} {}", &notice.message));
    }
    if let Some(text) = reviewed.made.json["revised_text"].as_str() {
        terminal.say(text)?;
        return Ok(());
    }
    screen::show(reviewed, many, terminal)?;
    Ok(())
}

fn as_json(reviewed: &Reviewed) -> Value {
    let mut document = reviewed.made.json.clone();
    document["file"] = json!(reviewed.path.display().to_string());
    document["warnings"] = json!(reviewed.made.notices);
    document
}

fn refused(path: &Path, refusal: &Refusal) -> anyhow::Error {
    let problems: Vec<String> = refusal
        .problems
        .iter()
        .map(|problem| format!("{} {}", problem.message, problem.hint.as_deref().unwrap_or_default()))
        .collect();
    UsageError(format!("{}: {}", path.display(), problems.join(" ").trim())).into()
}

/// The texts to review: files, or standard input.
fn texts(files: &[PathBuf], terminal: &Terminal) -> anyhow::Result<Vec<(PathBuf, String)>> {
    if files.is_empty() && io::stdin().is_terminal() {
        let message = "there is nothing to review; name a file, or pipe the text of an ad into it";
        return Err(UsageError(message.to_owned()).into());
    }
    let stdin = [PathBuf::from("-")];
    let files = if files.is_empty() { &stdin } else { files };
    let mut texts = Vec::new();
    for path in files {
        if path.as_os_str() == "-" {
            texts.push((PathBuf::from("standard input"), input::piped(terminal)?));
        } else {
            texts.push((path.clone(), input::file(path)?));
        }
    }
    Ok(texts)
}
