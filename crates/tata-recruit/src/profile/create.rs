//! Makes a draft.

use std::collections::BTreeSet;

use jiff::Timestamp;
use tata_guided::{
    answer::position_named,
    sort::{Piece, Place},
};
use tata_language::identify::identify;

use super::{
    artifact::{MUST_HAVES, Profile, ProfileStatus, job_country},
    input::ProfileInput,
    lists::named,
    pay::read_pay,
    reading::{MOST_PAYS, MOST_SORTED, Requirements, cut, cut_to_sort, is_same, limited, read_requirements},
    render::render,
    rivals::{is_correction, rivals},
    statements::{MOST_OF_STATEMENT, MOST_STATEMENTS, pay, quotable, size, traced},
    withheld,
};
use crate::{
    Audience, Gate, Item, Kind, Language, Made, Notice, Project, Refusal, Source, Sources, Texts, Tracer,
    clip::start,
    same, tidy,
    withheld::Sieve,
    wording::{reads_like_notes, title_in_sentence},
};

/// Notes shorter than this are worth a warning.
const SHORT_NOTES: usize = 50;
/// The most unused lines that are shown.
const MOST_UNUSED: usize = 60;
/// The most statements a message lists.
const MOST_LISTED: usize = 30;

/// Makes a requirement profile as a draft, and asks whether it is right.
pub fn create_requirement_profile(
    mut input: ProfileInput,
    project: &Project,
    now: Timestamp,
) -> Result<Made, Refusal> {
    let texts = project.texts();
    check(&input, project, texts)?;
    let place = input.enrichments.team.location.as_deref();
    let country = job_country(place, input.country, &input.sources());
    let mut sieve = Sieve::new(texts, project.voice().language(), country);
    withheld::sift(&mut input, &mut sieve)?;
    let (mut refusal, mut sources) = (Refusal::default(), input.sources());
    let mut profile = said(&input, &mut sources, &mut refusal, texts);
    let mut found = read_requirements(&sources, project.voice().language());
    // A line that is the title says no more.
    found.unsorted.retain(|item| !names_title(&item.text, &input.position_title));
    // Nobody has said where the lines of the notes belong.
    let read_by_rule = input.must_haves.is_none() && input.responsibilities.is_none();
    // With four must-haves under their labels there is a draft; the other lines are listed with it.
    let labelled = found.profile.must_have_skills.len() + input.enrichments.must_haves.len();
    if read_by_rule && !found.unsorted.is_empty() && labelled < MUST_HAVES {
        if cut_to_sort(&input.startup_notes, project.voice().language()).is_none() {
            let most = [("most", &*MOST_SORTED.to_string())];
            return Err(Refusal::saying("startup_notes", texts, key!("profile.too_many_lines"), &most));
        }
        // Nothing is guessed: whoever knows the notes sorts them.
        let count = found.unsorted.len().to_string();
        let values = [("count", &*count), ("items", &*quoted(&found.unsorted, texts))];
        return Err(Refusal::saying("startup_notes", texts, key!("profile.unsorted"), &values));
    }
    let quotable = quotable(&sources);
    let tracer = Tracer::new(&quotable);
    let lists = named(input.lists()).zip(found.profile.lists()).zip(profile.lists_mut());
    for (((list, given), found), items) in lists {
        let added = std::mem::take(items);
        *items = match given {
            Some(given) => traced(list.name, given, &tracer, &mut refusal, texts),
            None => found.clone(),
        };
        // What is one of several things in a line was said apart on purpose: it is not the line.
        let is_part =
            |item: &Item, line: &Item| line.text.contains([',', ';']) && item.text.len() < line.text.len();
        let is_new = |item: &Item| !items.iter().any(|known| is_same(known, item) && !is_part(item, known));
        let fresh: Vec<Item> = added.into_iter().filter(is_new).collect();
        items.extend(fresh);
    }
    refusal.or_ok()?;
    let further = limited(&mut profile.primary_responsibilities);
    let (must, good) = (&mut profile.must_have_skills, &mut profile.good_to_haves);
    good.extend(four(must, input.chosen_must_haves.as_deref(), texts)?);
    good.retain(|item| !must.iter().any(|must| must.text.to_lowercase() == item.text.to_lowercase()));

    let known: Vec<&str> = sources.iter().map(|(_, text)| text).collect();
    let context = format!("{}\n{}", input.position_title, known.join("\n"));
    let spoken_voice = project.speak(input.language.as_deref(), input.german_form, &context);
    // What labels say, unless somebody has put every line in its place already.
    if !input.lists().iter().all(Option::is_some) {
        let (own, read) = (&mut profile.team_info, &found.profile.team_info);
        own.size = own.size.take().or_else(|| read.size.clone());
        for (own, (_, read)) in profile.singles_mut().into_iter().zip(found.profile.singles()) {
            *own = own.take().or_else(|| read.clone());
        }
        profile.pay_range = profile.pay_range.or_else(|| found.profile.pay_range.clone());
    }
    profile.position_title = tidy(&input.position_title);
    profile.version = project.next_version(Kind::RequirementProfile, "");
    profile.voice = spoken_voice.voice;
    profile.content_language = content_language(&profile);
    profile.country = input.country;
    profile.sources = sources;
    profile.created_at = now;
    let sieve = sieve.in_country(profile.job_country());
    let mut notices = spoken_voice.notices;
    notices.extend(sieve.notice());
    let read = found.further_tasks.iter().filter(|_| input.responsibilities.is_none());
    let further: Vec<&Item> = further.iter().chain(read).collect();
    notices.extend(remarks(&input, &profile, &further, texts));
    let mut questions = questions(&found, read_by_rule, texts);
    if input.settled_lines.is_empty() {
        questions.extend(ask_rivals(&profile, texts));
    }
    let pay_asked = found.unclear_pay.as_ref().filter(|_| profile.pay_range.is_none());
    questions.extend(pay_asked.map(|pay| texts.say(key!("profile.ask_pay"), &[("text", &pay.text)])));
    if needs_country(&profile, &sieve) {
        questions.push(texts.get(key!("profile.ask_country")).to_owned());
    }
    finish(&profile, notices, questions, texts)
}

/// Whether the country has to be asked for: nothing tells it, and a law was cited, or what is said about the missing pay
/// depends on it. A language other than English proposes one, and only Norway has another rule about pay.
fn needs_country(profile: &Profile, sieve: &Sieve<'_>) -> bool {
    let pay_differs = profile.pay_range.is_none() && profile.written_in() == Language::En;
    profile.job_country().is_none() && (sieve.cites_law() || pay_differs)
}

/// What the recruiter should know: notes that are very short, tasks beyond the limit, lines that were not used.
fn remarks(input: &ProfileInput, profile: &Profile, further: &[&Item], texts: &Texts) -> Vec<Notice> {
    let mut notices = Vec::new();
    if input.startup_notes.trim().chars().count() < SHORT_NOTES {
        notices.push(Notice::say("startup_notes", texts, key!("profile.short_notes"), &[]));
    }
    if !further.is_empty() {
        let tasks = [("tasks", &*quoted(further.iter().copied(), texts))];
        notices.push(Notice::say("responsibilities", texts, key!("profile.further_tasks"), &tasks));
    }
    notices.extend(unused(profile, &input.settled_lines, texts));
    notices.extend(corrections(profile, &input.settled_lines, texts));
    notices
}

/// Lines that take back what another says, or leave it open: which one holds is for people to say.
fn corrections(profile: &Profile, settled: &[String], texts: &Texts) -> Option<Notice> {
    let text = profile.sources.get(Source::StartupNotes)?;
    let notes = cut(text, profile.written_in());
    let corrects = |line: &&Piece| is_correction(&line.text) && !settled.contains(&line.text);
    let quote = |line: &Piece| texts.say(key!("candidate.quoted"), &[("text", &tidy(&line.text))]);
    let lines: Vec<String> = notes.lines().filter(corrects).take(MOST_LISTED).map(quote).collect();
    let items = [("items", &*texts.enumerate(&lines))];
    (!lines.is_empty()).then(|| Notice::say("startup_notes", texts, key!("profile.corrections"), &items))
}

/// The lines of the notes that no statement of the profile comes from.
fn unused(profile: &Profile, settled: &[String], texts: &Texts) -> Option<Notice> {
    let text = profile.sources.get(Source::StartupNotes)?;
    let mut used: Vec<(usize, usize)> = profile
        .items()
        .map(|item| &item.evidence)
        .chain(profile.pay_range.as_ref().map(|pay| &pay.evidence))
        .chain(profile.team_info.size.as_ref().map(|size| &size.evidence))
        .filter(|evidence| evidence.source == Source::StartupNotes)
        .map(|evidence| (evidence.start, evidence.end))
        .collect();
    // What the recruiter added word for word from the notes stands there as well.
    let said: Vec<String> = profile.items().map(|item| item.text.to_lowercase()).collect();
    let language = profile.written_in();
    let known_pay = |line: &str| {
        profile.pay_range.as_ref().is_some_and(|pay| {
            let quote = pay.evidence.quote.as_str();
            let quoted = !quote.is_empty() && (line.contains(quote) || quote.contains(line));
            quoted || pay.beside.contains(&tidy(line))
        })
    };
    used.sort_unstable();
    let notes = cut(text, profile.written_in());
    let (mut free, mut pays): (Vec<String>, usize) = (Vec::new(), 0);
    // The head, the greeting and the end of a letter are nothing to be taken from.
    for line in notes.lines().filter(|line| line.place != Some(Place::Out)) {
        // The recruiter was asked about it.
        if settled.contains(&line.text) {
            continue;
        }
        let at = used.partition_point(|(_, end)| *end <= line.content.start);
        let overlaps = used.get(at).is_some_and(|(start, _)| *start < line.content.end);
        if known_pay(&line.text) {
            // Of a line with the pay, the pay alone is used.
            pays += 1;
            let read = if pays > MOST_PAYS { None } else { read_pay(&line.text, language) };
            free.extend(read.into_iter().flat_map(|read| read.rest));
            continue;
        }
        let is_title = names_title(&line.text, &profile.position_title);
        let own = tidy(&line.text).to_lowercase();
        if !overlaps && !is_title && !said.iter().any(|text| text.contains(&own)) {
            free.push(tidy(&line.text));
        }
    }
    let lines: Vec<String> = free
        .iter()
        .filter(|line| line.chars().any(char::is_alphanumeric))
        .map(|line| texts.say(key!("candidate.quoted"), &[("text", line)]))
        .collect();
    let shown = lines.get(..MOST_UNUSED).unwrap_or(&lines);
    let (items, more) = match lines.len() - shown.len() {
        _ if lines.is_empty() => return None,
        0 => (texts.enumerate(shown), String::new()),
        rest => (shown.join(", "), texts.say(key!("profile.unused_more"), &[("count", &rest.to_string())])),
    };
    Some(Notice::say("startup_notes", texts, key!("profile.unused"), &[("items", &items), ("more", &more)]))
}

/// Whether a line says no more than the title: "Position: Payroll Specialist".
fn names_title(line: &str, title: &str) -> bool {
    same(line, title) || position_named(line).is_some_and(|named| same(named, title))
}

/// The made document: through the gate, with what the recruiter is asked and offered.
pub(super) fn finish(
    profile: &Profile,
    notices: Vec<Notice>,
    questions: Vec<String>,
    texts: &Texts,
) -> Result<Made, Refusal> {
    let document = render(profile);
    let mut verbatim: Vec<&str> = profile.items().map(|item| item.text.as_str()).collect();
    verbatim.push(&profile.position_title);
    let gate = Gate { voice: profile.voice, audience: Audience::Colleagues, verbatim: &verbatim };
    let mut made = Made::passing(&gate, Kind::RequirementProfile, profile, document, notices, texts)?;
    let language = profile.written_in();
    if language != profile.voice.language() {
        let name = [("language", texts.get(group!("profile.languages").key(language.code())))];
        made.notices.push(Notice::say("language", texts, key!("profile.other_language"), &name));
    }
    made.questions = questions;
    match profile.status {
        ProfileStatus::Draft => {
            let rough = |item: &&Item| reads_like_notes(item, &profile.sources, profile.written_in());
            let rough = quoted(profile.must_have_skills.iter().filter(rough), texts);
            if !rough.is_empty() {
                made.questions.push(texts.say(key!("profile.ask_wording"), &[("items", &rough)]));
            }
            let position = title_in_sentence(&profile.position_title, texts.language());
            made.questions.push(texts.say(key!("profile.ask_right"), &[("position", &position)]));
            made.program_asks_last = true;
            made.next_steps = texts.list(key!("profile.next_draft")).to_vec();
        }
        ProfileStatus::Confirmed => made.next_steps = texts.list(key!("profile.next_confirmed")).to_vec(),
    }
    made.title = Some(profile.position_title.clone());
    Ok(made)
}

/// What must be right before anything is read.
fn check(input: &ProfileInput, project: &Project, texts: &Texts) -> Result<(), Refusal> {
    let mut refusal = Refusal::default();
    let confirmed = super::of(project).is_some_and(|profile| profile.status == ProfileStatus::Confirmed);
    if confirmed && !input.replace {
        refusal.say("replace", texts, key!("profile.locked"), &[]);
    }
    if !input.position_title.chars().any(char::is_alphanumeric) {
        refusal.say("position_title", texts, key!("profile.no_title"), &[]);
    }
    refusal.check_most("position_title", &input.position_title, 200, texts);
    if !input.startup_notes.chars().any(char::is_alphanumeric) {
        refusal.say("startup_notes", texts, key!("profile.no_notes"), &[]);
    }
    refusal.check_length("startup_notes", &input.startup_notes, texts);
    let optional = [
        ("old_job_ad", &input.old_job_ad),
        ("hiring_manager_input", &input.hiring_manager_input),
        ("recruiter_input", &input.recruiter_input),
    ];
    for (field, text) in optional {
        refusal.check_length(field, text.as_deref().unwrap_or_default(), texts);
    }
    for (field, _, text) in input.enrichments.statements() {
        refusal.check_most(&format!("enrichments/{field}"), text, MOST_OF_STATEMENT, texts);
    }
    refusal.or_ok()
}

/// A profile of what the recruiter adds.
fn said(input: &ProfileInput, sources: &mut Sources, refusal: &mut Refusal, texts: &Texts) -> Profile {
    let (wishes, mut said) = (&input.enrichments, Profile::default());
    for (items, (_, statements)) in said.lists_mut().into_iter().zip(wishes.lists()) {
        let statements = statements.iter().take(MOST_STATEMENTS);
        *items = statements.filter_map(|text| sources.say(Source::RecruiterInput, text)).collect();
    }
    said.team_info.size = wishes.team.size.and_then(|people| size(people, sources));
    // Lines that were placed are words of the notes; only what stands in none of them is the recruiter's own.
    let known = quotable(sources);
    let tracer = Tracer::new(&known);
    for (item, (_, text)) in said.singles_mut().into_iter().zip(wishes.singles()) {
        let quoted = tracer.item(text, Some(Source::StartupNotes)).filter(|_| !text.trim().is_empty());
        *item = quoted.or_else(|| sources.say(Source::RecruiterInput, text));
    }
    said.pay_range = pay("enrichments/pay_range", wishes.pay_range.as_deref(), sources, refusal, texts);
    said
}

/// Leaves the four that count; gives back the others. Refuses when there are fewer, or more and nobody chose.
fn four(must: &mut Vec<Item>, chosen: Option<&[String]>, texts: &Texts) -> Result<Vec<Item>, Refusal> {
    let (count, found) = (must.len().to_string(), listed(must, texts));
    let found = [("count", count.as_str()), ("found", found.as_str())];
    if must.len() < MUST_HAVES {
        let key = if must.is_empty() { key!("profile.none_found") } else { key!("profile.too_few") };
        let missing = [("missing", &*(MUST_HAVES - must.len()).to_string())];
        let way_out = texts.say(key!("profile.too_few_way_out"), &missing);
        return Err(Refusal::of("must_haves", texts.say(key, &found), way_out));
    }
    let chosen: Vec<&str> =
        chosen.unwrap_or_default().iter().map(|text| text.trim()).filter(|text| !text.is_empty()).collect();
    if chosen.is_empty() {
        if must.len() == MUST_HAVES {
            return Ok(Vec::new());
        }
        return Err(Refusal::saying("chosen_must_haves", texts, key!("profile.too_many"), &found));
    }
    let (mut refusal, mut picked) = (Refusal::default(), BTreeSet::new());
    let way_out = texts.get(key!("profile.too_many_way_out"));
    for (at, wish) in chosen.iter().take(MOST_LISTED).enumerate() {
        let Some(index) = pick(must, wish) else {
            let values = [("text", start(wish, 200)), found[1]];
            let message = texts.say(key!("profile.unknown_choice"), &values);
            refusal.add(format!("/chosen_must_haves/{at}"), message, way_out);
            continue;
        };
        picked.insert(index);
    }
    if refusal.problems.is_empty() && picked.len() != MUST_HAVES {
        let message = texts.say(key!("profile.not_four"), &[("chosen", &picked.len().to_string()), found[1]]);
        refusal.add("chosen_must_haves", message, way_out);
    }
    refusal.or_ok()?;
    let mut places = 0..;
    Ok(must.extract_if(.., |_| places.next().is_some_and(|at| !picked.contains(&at))).collect())
}

/// Which of the items somebody means: by its text, by its number from 1, or by words that only one has.
pub(super) fn pick(items: &[Item], wish: &str) -> Option<usize> {
    let by_text = items.iter().position(|item| same(&item.text, wish));
    let by_number = || {
        let number: usize = wish.trim_matches(['#', '.', ')', ' ']).parse().ok()?;
        number.checked_sub(1).filter(|at| *at < items.len())
    };
    let by_part = || {
        let wish = tidy(wish).to_lowercase();
        let has = |item: &Item| !wish.is_empty() && item.text.to_lowercase().contains(&wish);
        let mut having = items.iter().enumerate().filter(|(_, item)| has(item)).map(|(at, _)| at);
        having.next().filter(|_| having.next().is_none())
    };
    by_text.or_else(by_number).or_else(by_part)
}

/// Statements with numbers and sources, for a message.
pub(super) fn listed(items: &[Item], texts: &Texts) -> String {
    let line = |(number, item): (usize, &Item)| {
        let (number, source) = (number.to_string(), item.evidence.source.display(texts));
        texts.say(key!("profile.listed"), &[("number", &number), ("text", &item.text), ("source", source)])
    };
    let mut lines: Vec<String> = (1..=MOST_LISTED).zip(items).map(line).collect();
    if items.len() > MOST_LISTED {
        let count = (items.len() - MOST_LISTED).to_string();
        lines.push(texts.say(key!("profile.and_more"), &[("count", &count)]));
    }
    format!("\n{}", lines.join("\n"))
}

/// Statements in quotation marks, for a sentence.
fn quoted<'a>(items: impl IntoIterator<Item = &'a Item>, texts: &Texts) -> String {
    let quote = |item: &Item| {
        let source = item.evidence.source.display(texts);
        texts.say(key!("profile.quoted"), &[("text", &item.text), ("source", source)])
    };
    texts.enumerate(&items.into_iter().take(MOST_LISTED).map(quote).collect::<Vec<_>>())
}

/// Lines of the notes that contradict each other, where nobody was asked about them before.
fn ask_rivals(profile: &Profile, texts: &Texts) -> Vec<String> {
    let language = profile.written_in();
    let Some(text) = profile.sources.get(Source::StartupNotes) else { return Vec::new() };
    let notes = cut(text, language);
    let lines: Vec<String> = notes.lines().map(|line| tidy(&line.text)).collect();
    let line = |number: usize| number.checked_sub(1).and_then(|at| lines.get(at)).map_or("", String::as_str);
    let source = Source::StartupNotes.display(texts);
    let ask = |first: usize, last: usize| {
        let values =
            [("one", line(first)), ("one_source", source), ("other", line(last)), ("other_source", source)];
        texts.say(key!("profile.ask_contradiction"), &values)
    };
    rivals(&notes, &[], language).iter().map(|pair| ask(pair.first, pair.last)).collect()
}

/// What the recruiter is asked besides whether the profile is right.
fn questions(found: &Requirements, read_by_rule: bool, texts: &Texts) -> Vec<String> {
    let mut questions = Vec::new();
    for (one, other) in found.contradictions.iter().take(MOST_LISTED) {
        let values = [
            ("one", one.text.as_str()),
            ("one_source", one.evidence.source.display(texts)),
            ("other", other.text.as_str()),
            ("other_source", other.evidence.source.display(texts)),
        ];
        questions.push(texts.say(key!("profile.ask_contradiction"), &values));
    }
    if read_by_rule && !found.offered.is_empty() {
        questions.push(texts.say(key!("profile.ask_offered"), &[("items", &quoted(&found.offered, texts))]));
    }
    questions
}

/// The language of the statements, all but those of how success is measured and of what is hard.
pub(super) fn content_language(profile: &Profile) -> Option<Language> {
    let text: Vec<&str> =
        profile.lists().into_iter().take(5).flatten().map(|item| item.text.as_str()).collect();
    identify(&text.join(".\n")).map(|identified| identified.language)
}
