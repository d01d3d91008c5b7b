//! A yes answers one question: the one that the program asked last. What a model asked decides nothing.

use std::sync::Arc;

use serde_json::{Map, Value, json};
use tata_core::{
    Act, ArtifactIndex, ArtifactKind, ArtifactName, Batch, Decision, Desk, Effect, Entry, Input, Message,
    Model, ModelChoice, ModelRequest, Offer, OfferFuture, Person, QuestionReason, Record, RefusalFuture,
    ReplyStream, Tool, ToolContext, ToolFailure, ToolFuture, ToolOutput, ToolRegistry, ToolSpec, WordsFuture,
    verdict_of,
};
use tata_testkit::{Answer, CountingTool, PlannedModel, Runs};

use crate::support::{Told, World, choice, moment};

const YES: &str = "yes";
const CONFIRM: &str = r#"{"what":"x"}"#;

/// Confirms the profile, and may offer to.
struct Confirm {
    spec: ToolSpec,
    runs: Runs,
    offers: bool,
}

impl Confirm {
    fn new(runs: &Runs, offers: bool) -> Self {
        let schema =
            json!({"type": "object", "properties": {"what": {"type": "string"}, "more": {"type": "string"}}});
        let mut spec = ToolSpec::new("confirm", "Confirms.", schema).unwrap();
        (spec.effect, spec.decides) = (Effect::Own, true);
        spec.produces = Some(ArtifactKind::new(CountingTool::KIND));
        Self { spec, runs: runs.clone(), offers }
    }
}

fn document(key: &str) -> ArtifactName {
    ArtifactName { kind: ArtifactKind::new(CountingTool::KIND), key: key.to_owned() }
}

impl Tool for Confirm {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn decides(&self, arguments: &Map<String, Value>, _: &ArtifactIndex) -> Option<Act> {
        let words = format!("Confirm {}.", Value::Object(arguments.clone()));
        let plain = arguments.get("more").is_none();
        Some(Act { document: document(arguments["what"].as_str()?), words, plain, settles: true })
    }

    fn offer<'a>(&'a self, made: &'a ArtifactName, _: &'a ToolContext) -> OfferFuture<'a> {
        let arguments = Map::from_iter([("what".to_owned(), json!(made.key))]);
        let offer = Offer { arguments, words: format!("Do you confirm {}?", made.key) };
        Box::pin(std::future::ready(self.offers.then_some(offer)))
    }

    fn in_words<'a>(
        &'a self,
        arguments: &'a Map<String, Value>,
        _: &'a ArtifactIndex,
        _: &'a ToolContext,
    ) -> WordsFuture<'a> {
        let words = format!("Stimmt {}?", arguments["what"]);
        Box::pin(std::future::ready(Some(words)))
    }

    fn refusal<'a>(&'a self, arguments: &'a Map<String, Value>, _: &'a ToolContext) -> RefusalFuture<'a> {
        let wrong = arguments.get("more").is_some_and(|more| more == "number 99");
        let failure = || ToolFailure::Failed { message: "There is no number 99.".to_owned(), source: None };
        Box::pin(std::future::ready(wrong.then(failure)))
    }

    fn run<'a>(&'a self, arguments: Map<String, Value>, context: &'a ToolContext) -> ToolFuture<'a> {
        Box::pin(async move {
            self.runs.count(context.call_id.as_str());
            let key = arguments["what"].as_str().unwrap_or_default();
            Ok(ToolOutput::artifact(ArtifactKind::new(CountingTool::KIND), key, &json!({"settled": true})))
        })
    }
}

/// A model whose words are the program's own.
struct Program(Arc<PlannedModel>);

impl Model for Program {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn is_program(&self) -> bool {
        true
    }

    fn stream(&self, request: Arc<ModelRequest>) -> ReplyStream {
        self.0.stream(request)
    }
}

struct Scene {
    world: World,
    runs: Runs,
}

/// Notes make the profile `x`; a yes makes the model confirm it with these arguments. In between it asks what it likes.
async fn scene(offers: bool, asked: &str, confirm: &str) -> Scene {
    let made = [Answer::calls(&[("w", "write_profile", r#"{"what":"x"}"#)]), Answer::text(asked)];
    let said = [Answer::calls(&[("c", "confirm", confirm)]), Answer::text("Done.")];
    let model = PlannedModel::new("guided").on("Notes", made).on(YES, said.clone()).on("ja", said);
    let model = Arc::new(model.on("And?", [Answer::text("Shall I confirm it?")]));
    let runs = Runs::default();
    let tools: [Arc<dyn Tool>; 2] = [
        CountingTool::new("write_profile", Effect::Own, &runs).shared(),
        Arc::new(Confirm::new(&runs, offers)),
    ];
    Scene { world: World::new(&model, ToolRegistry::new(tools).unwrap()).await, runs }
}

impl Scene {
    /// Says something with the last question of the program before their eyes.
    async fn reply(&self, text: &str) -> Told {
        let conversation = self.world.conversation().await;
        self.world.run(Input::reply(Message::user(text), conversation.closing_question())).await
    }

    fn confirmed(&self) -> u32 {
        self.runs.of("c")
    }

    /// By which message each decision was made, if by one.
    async fn decided(&self) -> Vec<bool> {
        let records = self.world.records().await;
        let one = |record: &Record| match &record.entry {
            Entry::Decided { decision: Decision::Run, message, .. } => Some(message.is_some()),
            _ => None,
        };
        records.iter().filter_map(one).collect()
    }
}

/// "Shall I draft the interview invitation?", "yes": nothing is confirmed, whatever the model makes of it; the program asks.
#[tokio::test(start_paused = true)]
async fn a_yes_to_a_question_of_a_model_decides_nothing() {
    let asked = [
        "Shall I draft the interview invitation?",
        "This is NOT right. Do you agree that it must not be confirmed?",
        "Soll ich den zweiten Punkt streichen?",
        "Do you confirm x?",
        "You have confirmed it already.",
    ];
    for asked in asked {
        let scene = scene(false, asked, CONFIRM).await;
        scene.world.say("Notes").await;
        let told = scene.reply(YES).await;
        assert!(told.waits(), "{asked}: {told:?}");
        assert_eq!(scene.confirmed(), 0, "{asked}");
        let conversation = scene.world.conversation().await;
        let [question] = conversation.questions() else { panic!("{asked}: one question") };
        assert_eq!(
            (question.reason, question.in_words().as_str()),
            (QuestionReason::Decision, "Stimmt \"x\"?")
        );
        // And the answer to that decides, in one message.
        let desk = Desk::new(scene.world.store.as_ref(), Person::default(), scene.world.parts.clock);
        let shown = conversation.last_question().map(|question| question.seal.clone());
        let answer = desk.answer(scene.world.session, Message::user(YES), shown).await.unwrap();
        assert_eq!(scene.world.run(answer).await.content(), "Done.", "{asked}");
        assert_eq!((scene.confirmed(), scene.decided().await), (1, vec![false]), "{asked}");
    }
}

/// Below the answer that made a document, the program asks; a plain yes in the next message decides, with nothing more to
/// say.
#[tokio::test(start_paused = true)]
async fn a_yes_to_the_programs_question_decides_at_once() {
    for yes in [YES, "ja"] {
        let scene = scene(true, "Shall I draft the invitation?", CONFIRM).await;
        let told = scene.world.say("Notes").await;
        let asks = told.report().asks.clone().unwrap();
        assert_eq!(asks.in_words(), "Do you confirm x?");
        assert_eq!(asks.about.as_ref().unwrap().version, 1);
        assert_eq!(scene.reply(yes).await.content(), "Done.");
        assert_eq!((scene.confirmed(), scene.decided().await), (1, vec![true]));
        let report = scene.world.run(Input::Resume).await;
        assert!(report.report().asks.is_none(), "what is settled is not asked again");
    }
}

/// A page that stands open since before, a program that sends a message: whoever did not have the question before them did
/// not answer it.
#[tokio::test(start_paused = true)]
async fn a_yes_of_a_face_that_did_not_show_the_question_is_asked_about() {
    let other = scene(true, "?", CONFIRM).await;
    let elsewhere = other.world.say("Notes").await.report().asks.clone().unwrap();
    for input in [
        Input::say(YES),
        Input::Answer { message: Message::user(YES), seal: String::new() },
        Input::Answer { message: Message::user(YES), seal: elsewhere.seal.replace(char::is_numeric, "a") },
    ] {
        let scene = scene(true, "Shall I?", CONFIRM).await;
        scene.world.say("Notes").await;
        assert!(scene.world.run(input.clone()).await.waits(), "{input:?}");
        assert_eq!(scene.confirmed(), 0, "{input:?}");
    }
}

/// The question was asked, then something else was spoken about: the yes is to that.
#[tokio::test(start_paused = true)]
async fn a_turn_between_the_question_and_the_yes_is_asked_about() {
    let scene = scene(true, "Here it is.", CONFIRM).await;
    let first = scene.world.say("Notes").await.report().asks.clone().unwrap();
    scene.reply("And?").await;
    let stale = Input::Answer { message: Message::user(YES), seal: first.seal };
    assert!(scene.world.run(stale).await.waits());
    assert_eq!(scene.confirmed(), 0);
}

/// What is more or other than what was asked is another decision; more words than a yes are no yes.
#[tokio::test(start_paused = true)]
async fn a_call_that_was_changed_after_the_question_is_asked_about() {
    for confirm in [r#"{"what":"x","more":"and y"}"#, r#"{"what":"y"}"#] {
        let scene = scene(true, "Here it is.", confirm).await;
        scene.world.say("Notes").await;
        let told = scene.reply(YES).await;
        let nothing_there = confirm.contains("\"y\"}");
        assert_eq!((told.waits(), scene.decided().await), (!nothing_there, vec![]), "{confirm}");
    }
    let scene = scene(true, "Here it is.", CONFIRM).await;
    let model = PlannedModel::new("m")
        .on("yes but swap 1 and 2", [Answer::calls(&[("c", "confirm", CONFIRM)]), Answer::text("Done.")]);
    scene.world.say("Notes").await;
    let other = Scene {
        world: scene.world.clone().but(|parts| parts.models = vec![choice(&Arc::new(model))]),
        runs: scene.runs.clone(),
    };
    assert!(other.reply("yes but swap 1 and 2").await.waits());
    assert_eq!(scene.confirmed(), 0);
}

/// Two documents at once are not asked about together.
#[tokio::test(start_paused = true)]
async fn two_documents_at_once_are_not_asked_about() {
    let made = [
        Answer::calls(&[
            ("v", "write_profile", r#"{"what":"x"}"#),
            ("w", "write_profile", r#"{"what":"y"}"#),
        ]),
        Answer::text("Both are right, aren't they?"),
    ];
    let scene = scene(true, "", CONFIRM).await;
    let model = Arc::new(PlannedModel::new("m").on("Notes", made));
    let world = scene.world.clone().but(|parts| parts.models = vec![choice(&model)]);
    assert!(world.say("Notes").await.report().asks.is_none());
    assert!(scene.reply(YES).await.waits());
    assert_eq!(scene.confirmed(), 0);
}

/// Where the program writes every word, a yes right after the document counts as ever. A model of a provider in either of
/// the two turns spoils that, and so does a model that is only called like one of ours.
#[tokio::test(start_paused = true)]
async fn only_the_programs_own_words_need_no_question() {
    for (asked_by_program, called_by_program) in [(true, true), (true, false), (false, true), (false, false)]
    {
        let scene = scene(false, "Is that right?", CONFIRM).await;
        let model = scene.world.parts.models[0].clone();
        let planned = Arc::new(
            PlannedModel::new("guided")
                .on(
                    "Notes",
                    [Answer::calls(&[("w", "write_profile", CONFIRM)]), Answer::text("Is that right?")],
                )
                .on(YES, [Answer::calls(&[("c", "confirm", CONFIRM)]), Answer::text("Done.")]),
        );
        let program = ModelChoice::new(Arc::new(Program(planned)));
        let by = |is_program: bool| {
            let model = if is_program { program.clone() } else { model.clone() };
            scene.world.clone().but(|parts| parts.models = vec![model])
        };
        by(asked_by_program).say("Notes").await;
        let told = by(called_by_program).say(YES).await;
        let both = asked_by_program && called_by_program;
        assert_eq!((told.waits(), scene.confirmed()), (!both, u32::from(both)));
        assert!(told.report().asks.is_none(), "the program asks in its own answer");
    }
}

/// The program stops between the yes and the call: what was answered stands in the journal.
#[tokio::test(start_paused = true)]
async fn a_yes_survives_a_restart() {
    for shown in [true, false] {
        let scene = scene(true, "Here it is.", CONFIRM).await;
        scene.world.say("Notes").await;
        let conversation = scene.world.conversation().await;
        let answers = conversation.closing_question().map(|question| question.seal.clone());
        let begun =
            scene.world.store.begin(scene.world.session, std::time::Duration::from_secs(30)).await.unwrap();
        let entry = Entry::UserMessage {
            turn: 2,
            message: Message::user(YES),
            state: None,
            answers: answers.filter(|_| shown),
        };
        let record = Record { position: begun.records.last().unwrap().position + 1, at: moment(), entry };
        let batch = Batch { records: vec![record], release: true, ..Batch::default() };
        scene.world.store.append(&begun.lease, batch).await.unwrap();
        let told = scene.world.run(Input::Resume).await;
        assert_eq!((told.waits(), scene.confirmed()), (!shown, u32::from(shown)));
    }
}

/// What was taken back was not asked; what stands last then is asked still, about its own version alone.
#[tokio::test(start_paused = true)]
async fn a_question_that_was_taken_back_is_not_answered() {
    let scene = scene(true, "Here it is.", CONFIRM).await;
    let asks = scene.world.say("Notes").await.report().asks.clone().unwrap();
    scene.world.agent().undo(scene.world.session).await.unwrap();
    assert_eq!(scene.world.conversation().await.closing_question(), None);
    let told = scene.world.run(Input::Answer { message: Message::user(YES), seal: asks.seal }).await;
    assert!(told.waits());
    assert_eq!(scene.confirmed(), 0);
}

/// A plain answer is a verdict on one question, and on no more than one.
#[tokio::test(start_paused = true)]
async fn a_yes_to_two_questions_is_a_yes_to_neither() {
    let scene = scene(false, "Shall I?", CONFIRM).await;
    scene.world.say("Notes").await;
    scene.reply(YES).await;
    let questions = scene.world.conversation().await.questions().to_vec();
    let two = [questions.clone(), questions.clone()].concat();
    assert_eq!(verdict_of(&two, YES), None);
    assert_eq!(verdict_of(&questions, "Ja!").map(|verdict| verdict.decision), Some(Decision::Run));
    assert_eq!(verdict_of(&questions, "nein").map(|verdict| verdict.decision), Some(Decision::Refuse));
    assert_eq!(verdict_of(&questions, "yes, and write the ad"), None);
}

/// The person says yes, the model says that it is done and does nothing: nobody is left to believe that.
#[tokio::test(start_paused = true)]
async fn a_yes_that_the_model_does_not_carry_out_is_asked_about_again() {
    let scene = scene(true, "Here it is.", CONFIRM).await;
    let lazy = PlannedModel::new("m")
        .on("Notes", [Answer::calls(&[("w", "write_profile", CONFIRM)]), Answer::text("Here it is.")])
        .on(YES, [Answer::text("It is confirmed.")])
        .on("no", [Answer::text("As you like.")]);
    let lazy = vec![choice(&Arc::new(lazy))];
    let world = scene.world.clone().but(|parts| parts.models = lazy);
    let reply = async |world: &World, text: &str| {
        let conversation = world.conversation().await;
        world.run(Input::reply(Message::user(text), conversation.closing_question())).await
    };
    let first = world.say("Notes").await.report().asks.clone().unwrap();
    let again = reply(&world, YES).await.report().asks.clone().unwrap();
    assert_eq!((again.in_words(), &again.about), (first.in_words(), &first.about));
    assert_eq!(scene.confirmed(), 0);
    // A model that does as it is told then is enough.
    assert_eq!(scene.reply(YES).await.content(), "Done.");
    assert_eq!((scene.confirmed(), scene.decided().await), (1, vec![true]));

    let scene = self::scene(true, "Here it is.", CONFIRM).await;
    let refused = PlannedModel::new("m").on("no", [Answer::text("As you like.")]);
    scene.world.say("Notes").await;
    let world = scene.world.clone().but(|parts| parts.models = vec![choice(&Arc::new(refused))]);
    assert!(reply(&world, "no").await.report().asks.is_none(), "who said no is not asked again");
}

/// A number that does not exist: the model hears of it, and the person is not asked to decide about nothing.
#[tokio::test(start_paused = true)]
async fn nobody_is_asked_about_a_call_that_would_be_refused() {
    let scene = scene(false, "Shall I?", r#"{"what":"x","more":"number 99"}"#).await;
    scene.world.say("Notes").await;
    let told = scene.reply(YES).await;
    assert!(!told.waits(), "{told:?}");
    assert_eq!((told.content(), scene.confirmed()), ("Done.", 0));
}
