//! What a candidate says about work stands in the report, once and at its place; what was taken back does not.

use tata_recruit::{CandidateReport, Language, Quote};

use super::{
    evidence::{interview, project_with},
    made, report,
};

const NONE: [&str; 4] = ["Kubernetes", "OTDR", "SAP", "PostGIS"];
const LANGUAGES: [Language; 5] = [Language::En, Language::Sv, Language::Da, Language::No, Language::De];

fn told(language: Language, skills: [&str; 4], turns: &[(&str, &str)]) -> CandidateReport {
    report(&made(interview(turns), &project_with(language, skills)))
}

fn texts(quotes: &[Quote]) -> String {
    quotes.iter().map(|quote| quote.text.as_str()).collect::<Vec<_>>().join("\n")
}

/// "Corrected, first said: three months" stood beside three months.
#[test]
fn who_comes_back_to_the_first_value_has_corrected_nothing() {
    let said = [
        (
            "What's your notice period?",
            "Three months. Or wait, I have been there six years, so, no, the contract says three. Three months.",
            "Three months.",
        ),
        (
            "Hur lång uppsägningstid har du?",
            "Tre månader. Eller vänta, jag har ju varit där i mer än sex år, så, nej, det står tre i avtalet. Tre \
             månader.",
            "Tre månader.",
        ),
        (
            "Hvad er dit opsigelsesvarsel?",
            "Løbende måned plus en måned. Nej, det er to måneder nu, fordi jeg har været der over, nej vent. Jeg siger \
             jo selv op, så det er løbende måned plus en.",
            "Jeg siger jo selv op, så det er løbende måned plus en.",
        ),
        (
            "Hva er oppsigelsestiden din?",
            "Tre måneder. Nei vent, jeg har vært der i seks år, men det er tre. Tre måneder.",
            "Tre måneder.",
        ),
        (
            "Welche Kündigungsfrist haben Sie?",
            "Drei Monate. Moment, ich bin sechs Jahre dort, aber es bleibt bei drei. Drei Monate.",
            "Drei Monate.",
        ),
    ];
    for (language, (question, answer, counts)) in LANGUAGES.into_iter().zip(said) {
        let report = told(language, NONE, &[(question, answer)]);
        let detail = &report.practical_details.notice_period;
        assert_eq!((detail.text.as_str(), &detail.corrected), (counts, &None), "{answer}");
        assert_eq!(report.other_answers, [], "what was taken back is no answer: {answer}");
    }
}

/// A correction later in the interview, outside the answer, counts.
#[test]
fn a_correction_later_in_the_interview_counts() {
    let said = [
        ("What's your notice period?", "Three months.", "Anything else?", "Sorry, my notice is two months."),
        (
            "Hur lång uppsägningstid har du?",
            "Tre månader.",
            "Något mer?",
            "Förlåt, min uppsägningstid är två månader.",
        ),
        (
            "Hvad er dit opsigelsesvarsel?",
            "Tre måneder.",
            "Andet?",
            "Undskyld, mit opsigelsesvarsel er to måneder.",
        ),
        (
            "Hva er oppsigelsestiden din?",
            "Tre måneder.",
            "Noe mer?",
            "Beklager, oppsigelsestiden er to måneder.",
        ),
        (
            "Welche Kündigungsfrist haben Sie?",
            "Drei Monate.",
            "Noch etwas?",
            "Entschuldigung, meine Kündigungsfrist ist zwei Monate.",
        ),
    ];
    for (language, (question, first, later, corrected)) in LANGUAGES.into_iter().zip(said) {
        let detail =
            told(language, NONE, &[(question, first), (later, corrected)]).practical_details.notice_period;
        assert_eq!(detail.text, corrected);
        assert_eq!(detail.corrected.map(|quote| quote.text).as_deref(), Some(first));
    }
}

/// The start has its own line, and a later one than the profile wants is a risk.
#[test]
fn the_first_day_has_a_line_of_its_own() {
    let said = [
        (
            "What's your notice period?",
            "Two months.",
            "So you could start when?",
            "First of March would work.",
        ),
        (
            "Hur lång uppsägningstid har du?",
            "Två månader.",
            "Så när skulle du kunna börja?",
            "Den första mars.",
        ),
        (
            "Hvad er dit opsigelsesvarsel?",
            "To måneder.",
            "Så du kunne starte hvornår?",
            "Den 1. marts passer fint.",
        ),
        ("Hva er oppsigelsestiden din?", "To måneder.", "Når kan du begynne da?", "Det blir første mars."),
        (
            "Welche Kündigungsfrist haben Sie?",
            "Zwei Monate.",
            "Wann könnten Sie also anfangen?",
            "Zum 1. März.",
        ),
    ];
    for (language, (question, notice, when, start)) in LANGUAGES.into_iter().zip(said) {
        let details = told(language, NONE, &[(question, notice), (when, start)]).practical_details;
        assert_eq!((details.notice_period.text.as_str(), details.start.text.as_str()), (notice, start));
    }
}

/// What somebody has today is no expectation, in the same breath or not.
#[test]
fn what_somebody_has_today_is_not_quoted_beside_the_expectation() {
    let said = [
        (
            "And your salary expectations?",
            "I have forty-six today and would like to have fifty-two.",
            "forty-six",
        ),
        ("Och löneanspråk?", "Jag ligger på 46 000 nu och skulle vilja ha 52 000.", "46 000"),
        ("Og lønforventning?", "Jeg ligger på 46.000 nu og vil gerne op på 52.000.", "46.000"),
        ("Og lønnsforventninger?", "Jeg har 460 000 i dag og ønsker 520 000.", "460 000"),
        ("Und Ihre Gehaltsvorstellung?", "Ich habe heute 46.000 und möchte 52.000.", "46.000"),
    ];
    for (language, (question, answer, secret)) in LANGUAGES.into_iter().zip(said) {
        let text = made(interview(&[(question, answer)]), &project_with(language, NONE)).document.plain();
        assert!(!text.contains(secret), "{answer}: {text}");
    }
}

/// An answer about work that belongs to no requirement is listed with its question; private life is not.
#[test]
fn an_answer_that_is_placed_nowhere_is_listed() {
    let said = [
        ("How are you as a colleague?", "Calm, I would say. I rather call once too often."),
        ("Hur är du som kollega?", "Lugn, skulle jag säga. Jag ringer hellre en gång för mycket."),
        ("Hvordan er du som kollega?", "Rolig, vil jeg sige. Jeg ringer hellere en gang for meget."),
        ("Hvordan er du som kollega?", "Rolig, vil jeg si. Jeg ringer heller en gang for mye."),
        ("Wie sind Sie als Kollege?", "Ruhig, würde ich sagen. Ich rufe lieber einmal zu oft an."),
    ];
    let skills = ["Kubernetes", "OTDR", "SAP", "PostGIS"];
    for (language, (question, answer)) in LANGUAGES.into_iter().zip(said) {
        let report =
            told(language, skills, &[("Kubernetes?", "Five years, two hundred nodes."), (question, answer)]);
        assert_eq!(texts(&report.other_answers), answer);
        assert_eq!(report.other_answers[0].question.as_deref(), Some(question));
        assert!(report.skill_assessments.iter().all(|one| one.quotes().all(|quote| quote.text != answer)));
    }
    let private = [
        ("Do you plan to have a family?", "We are thinking about it, perhaps next year."),
        ("Vill du skaffa barn?", "Vi funderar på det, kanske nästa år."),
        ("Har du planer om at få børn?", "Vi tænker over det, måske til næste år."),
        ("Har du tenkt å få barn?", "Vi tenker på det, kanskje til neste år."),
        ("Möchten Sie Kinder bekommen?", "Wir denken darüber nach, vielleicht im nächsten Jahr."),
    ];
    for (language, asked) in LANGUAGES.into_iter().zip(private) {
        let report = told(language, skills, &[("Kubernetes?", "Five years."), asked]);
        assert_eq!(report.other_answers, [], "{asked:?}");
    }
}

/// Whether somebody is in a union is asked in some interviews, and stays out of every list.
#[test]
fn membership_of_a_union_is_not_listed() {
    let said = [
        ("Are you in a union?", "Yes, in Prospect, but that hardly matters here."),
        ("Är du med i facket?", "Ja, i Unionen, men det spelar väl ingen roll."),
        ("Er du organiseret?", "Ja, i HK, men det betyder vel ikke noget."),
        ("Er du organisert?", "Ja, i Econa, men det har vel ikke noe å si."),
        ("Sind Sie gewerkschaftlich organisiert?", "Ja, bei Verdi, aber das spielt wohl keine Rolle."),
    ];
    for (language, private) in LANGUAGES.into_iter().zip(said) {
        let turns = [("Kubernetes?", "Five years."), private];
        let text = made(interview(&turns), &project_with(language, NONE)).document.plain();
        assert!(!text.contains(private.1), "{text}");
    }
}

/// Thanks for a clear answer ask for no clear English, and a colleague is no requirement.
#[test]
fn thanks_ask_for_nothing() {
    let skills = ["Calm and clear spoken English", "OTDR", "SAP", "PostGIS"];
    let answer = "I write them, all of ours, within five working days.";
    let report = told(
        Language::En,
        skills,
        &[("Thanks for being clear. How do you work with incident reviews?", answer)],
    );
    assert_eq!(report.skill_assessments[0].examples, []);
}

/// A must-have that is plainly not met stands among the risks, in the candidate's words.
#[test]
fn a_must_have_that_is_not_met_is_a_risk() {
    let said = [
        (
            "Have you used Kubernetes?",
            "I have read about it. I haven't worked with it.",
            "I haven't worked with it.",
        ),
        (
            "Har du jobbat med Kubernetes?",
            "Jag lär mig gärna, men jag kan det inte nu.",
            "jag kan det inte nu",
        ),
        ("Og Kubernetes?", "Der må jeg være ærlig. Det kan jeg ikke.", "Det kan jeg ikke."),
        (
            "Har du jobbet med Kubernetes?",
            "Nei, egentlig ikke. En annen avdeling tar det.",
            "Nei, egentlig ikke.",
        ),
        (
            "Wie sieht es mit Kubernetes aus?",
            "Da muss ich ehrlich sein. Da bin ich nicht sicher.",
            "nicht sicher",
        ),
    ];
    for (language, (question, answer, decisive)) in LANGUAGES.into_iter().zip(said) {
        let report = told(language, NONE, &[(question, answer)]);
        let risks: Vec<&Quote> = report.risks.iter().flat_map(|risk| &risk.quotes).collect();
        assert!(risks.iter().any(|quote| quote.text.contains(decisive)), "{answer}: {:#?}", report.risks);
    }
}
