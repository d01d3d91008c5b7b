//! Each rule, in all languages: what it refuses and what it must let through.

use std::collections::BTreeMap;

use proptest::prelude::*;
use tata_core::from_yaml;
use tata_recruit::{Audience, Block, Document, Finding, Gate, Language, Level, Rule, Texts, Voice};

use super::identification::sentences;

fn gate(voice: Voice, audience: Audience) -> Gate<'static> {
    Gate { voice, audience, verbatim: &[] }
}

fn found(voice: Voice, rule: Rule, text: &str) -> Vec<String> {
    let findings = gate(voice, Audience::Candidates).check(text);
    findings.into_iter().filter(|finding| finding.rule == rule).map(|finding| finding.excerpt).collect()
}

fn check(voice: Voice, rule: Rule, text: &str, expected: &[&str]) {
    assert_eq!(found(voice, rule, text), expected, "{voice:?} {rule:?}: {text}");
}

fn voices(language: Language) -> Vec<Voice> {
    Voice::ALL.into_iter().filter(|voice| voice.language() == language).collect()
}

/// Property 3: a sentence in another language is refused in every voice; sentences of the own language never are.
#[test]
fn other_languages_are_refused_and_the_own_one_is_not() {
    let (mut missed, mut all) = (Vec::new(), 0);
    for voice in Voice::ALL {
        for language in Language::ALL {
            for sentence in sentences(language) {
                let refused = !found(voice, Rule::Language, sentence).is_empty();
                if language == voice.language() {
                    assert!(!refused, "{voice:?}: {sentence}");
                } else {
                    all += 1;
                    if !refused {
                        missed.push(format!("{voice:?}: {sentence}"));
                    }
                }
            }
            for chunk in sentences(language).chunks(5).filter(|_| language != voice.language()) {
                let text = chunk.join(" ");
                assert!(!found(voice, Rule::Language, &text).is_empty(), "{voice:?}: {text}");
            }
        }
    }
    assert!(missed.len() * 10 < all, "{} of {all}: {missed:#?}", missed.len());
}

/// Property 3: no English words are left inside, outside names and borrowed expressions.
#[test]
fn english_words_left_inside_are_refused() {
    let check = |voice, text: &str, expected: &[&str]| check(voice, Rule::Language, text, expected);
    check(Voice::Sv, "Du arbetar med Build and operate fibre networks.", &["and"]);
    check(Voice::Sv, "Du har erfarenhet of nätverk", &["of"]);
    check(Voice::Da, "Du arbejder with netværk", &["with"]);
    check(Voice::No, "Erfaring from the bransjen", &["from", "the"]);
    check(Voice::DeSie, "Erfahrung with Netzwerken and Servern", &["with", "and"]);
    check(Voice::DeDu, "Du bist the richtige Person", &["the"]);
    // What belongs to the language, or is at home there.
    check(Voice::Da, "Over for kunderne er du ansvarlig for budgettet, og du er her for at hjælpe.", &[]);
    check(Voice::No, "Stillingen er for deg, og her er det over ti som har jobbet under press.", &[]);
    check(Voice::Sv, "Head of Sales på Bank of America, end-to-end, Internet of Things, it och IT.", &[]);
    check(
        Voice::DeSie,
        "Teams, Feedback, Data, Job, Proof of Concept, Infrastructure as Code in Hamburg.",
        &[],
    );
    check(Voice::Sv, "Ange uppgiften i based_on precis som den står.", &[]);
    check(Voice::No, "GlobalConnect AS har kontor i Oslo", &[]);
    check(Voice::En, "The team and the data", &[]);
}

/// Property 3: names, skills and quotations may be in any language.
#[test]
fn words_of_others_may_be_in_any_language() {
    let skill = "at least five years of experience with the design of networks";
    let text = format!("Det här behöver du: {skill}.");
    assert!(!gate(Voice::Sv, Audience::Candidates).check(&text).is_empty());
    let open = Gate { voice: Voice::Sv, audience: Audience::Candidates, verbatim: &["", "!", skill] };
    assert_eq!(open.check(&text), []);
    assert_eq!(open.check(&text.to_uppercase()), []);
    let formal = Gate { voice: Voice::DeDu, audience: Audience::Candidates, verbatim: &["Können Sie das?"] };
    assert_eq!(formal.check("Die Frage war: „Können Sie das?“ Und du hast geantwortet."), []);
    let mut document = Document::new(Voice::DeSie, "Bericht");
    document.push(Block::quote("I really like the work, and you know that.", "Gespräch"));
    let own = gate(Voice::DeSie, Audience::Colleagues);
    assert_eq!(own.pass(&document, Texts::of(Voice::En)).unwrap().notices().count(), 0);
}

/// Property 3: one German form.
#[test]
fn german_texts_keep_one_form() {
    let du = |text: &str, expected: &[&str]| check(Voice::DeDu, Rule::Address, text, expected);
    let sie = |text: &str, expected: &[&str]| check(Voice::DeSie, Rule::Address, text, expected);
    du("Bewerben Sie sich, wir freuen uns auf Ihre Nachricht.", &["Sie", "Ihre"]);
    du("Sie haben Erfahrung mit BGP.", &["Sie"]);
    du("Ihre Aufgaben", &["Ihre"]);
    du("Das bieten wir: Ihnen steht ein Budget zu.", &["Ihnen"]);
    du("Du arbeitest mit Anna. Sie leitet das Team. Ihre Tür steht offen.", &[]);
    du("Sie leitet das Team, und alle schätzen sie und ihre Ruhe.", &[]);
    du("Ihr habt Fragen? Ihr seid willkommen.", &[]);
    du("Du planst mit Kolleginnen, die ihre Netze kennen.", &[]);
    sie("Wenn du magst, melde dich, dein Team freut sich auf euch.", &["du", "dich", "dein", "euch"]);
    sie("Bei uns gilt die Du-Kultur, wir sind per Du. Sie finden uns in Kiel.", &[]);
    sie("Wir melden uns bei Ihnen. Deutsch (du)", &[]);
    check(Voice::Sv, Rule::Address, "Du och dina kollegor", &[]);
}

/// Property 5: no emoji, and nothing that is text.
#[test]
fn emoji_are_refused_and_signs_are_not() {
    for voice in Voice::ALL {
        let check = |text: &str, expected: &[&str]| check(voice, Rule::Emoji, text, expected);
        check("Hej 🚀!", &["🚀"]);
        check("👩\u{200D}💻👍🏽 x", &["👩\u{200D}💻👍🏽"]);
        check("🇸🇪 🇩🇰", &["🇸🇪", "🇩🇰"]);
        check(
            "1\u{FE0F}\u{20E3} 2\u{20E3} #\u{FE0F}\u{20E3}",
            &["1\u{FE0F}\u{20E3}", "2\u{20E3}", "#\u{FE0F}\u{20E3}"],
        );
        check("©\u{FE0F} →\u{FE0F} ↔\u{FE0F} ▪\u{FE0F}", &["©\u{FE0F}", "↔\u{FE0F}", "▪\u{FE0F}"]);
        check("✅ ⭐ ☎ ✔ ❤ ⌚ ⏰ ⬛", &["✅", "⭐", "☎", "✔", "❤", "⌚", "⏰", "⬛"]);
        check("© ® ™ 1 2 # * → ← ↔ ⇒ ➜ • ◦ ▪ ▫ ■ □ ▶ ◆ █ ▓ ░ ─ │ ├ 漢字 かな 한글 ㊗ 〰 ☐ § € № ½ ² …", &[]);
    }
}

/// Property 6: no dash bullets.
#[test]
fn dash_bullets_are_refused() {
    for voice in Voice::ALL {
        let check = |text: &str, expected: &[&str]| check(voice, Rule::DashBullet, text, expected);
        check("- one\n  – two\r\n\t— three", &["- one", "– two", "— three"]);
        check("\u{2028}-\u{A0}x", &["-\u{A0}x"]);
        check("Kiel - Hamburg\n* a\n• b\n-x\n--- \n| --- | --- |\n---\nnet-work\n-", &[]);
    }
}

/// Property 7: banned words in all their forms, with a better word each.
#[test]
fn banned_words_are_refused_in_all_forms() {
    let check = |voice, text: &str, expected: &[&str]| check(voice, Rule::BannedWord, text, expected);
    check(
        Voice::En,
        "Rockstars wanted: a game-changer, gamechanger or GAME CHANGER",
        &["Rockstars", "game-changer", "gamechanger", "GAME CHANGER"],
    );
    check(
        Voice::En,
        "an exciting new opportunity in a fast-paced environment",
        &["exciting new opportunity", "fast-paced environment"],
    );
    check(
        Voice::En,
        "state-of-the-art, cutting\u{AD} edge and world\u{2011}class",
        &["state-of-the-art", "cutting\u{AD} edge", "world\u{2011}class"],
    );
    check(Voice::En, "a young, dynamic team of digital natives", &["young, dynamic team", "digital natives"]);
    check(Voice::En, "The predominant vendor pays a competitive base salary; the setup wizard helps.", &[]);
    check(Voice::En, "We look for competitive people", &["competitive"]);
    check(Voice::Sv, "Spännande möjligheter och karriärmöjligheter", &["Spännande möjligheter"]);
    check(
        Voice::Sv,
        "en fantastisk karriärmöjlighet i ett ungt och drivet team",
        &["fantastisk karriärmöjlighet", "ungt och drivet team"],
    );
    check(Voice::Sv, "konkurrenskraftig lön och ett nytt team", &[]);
    check(
        Voice::Sv,
        "nyexaminerade rockstjärnor med egen bil",
        &["nyexaminerade", "rockstjärnor", "egen bil"],
    );
    check(
        Voice::Da,
        "en spændende og unik mulighed for nyuddannede",
        &["spændende og unik mulighed", "nyuddannede"],
    );
    check(Voice::Da, "konkurrencedygtig løn, mulighed for bonus", &[]);
    check(
        Voice::No,
        "spennende muligheter i et dynamisk arbeidsmiljø, morsmålsnivå",
        &["spennende muligheter", "dynamisk arbeidsmiljø", "morsmålsnivå"],
    );
    check(Voice::No, "Vi møtes i forkant av pågående prosjekter, konkurransedyktige betingelser", &[]);
    check(
        Voice::DeSie,
        "mit spannenden Möglichkeiten und einer spannenden Entwicklungsmöglichkeit",
        &["spannenden Möglichkeiten", "spannenden Entwicklungsmöglichkeit"],
    );
    check(
        Voice::DeDu,
        "ein junges, dynamisches Team sucht Rockstars und Muttersprachlerinnen",
        &["junges, dynamisches Team", "Rockstars", "Muttersprachlerinnen"],
    );
    check(Voice::DeSie, "wettbewerbsfähiges Gehalt, Entwicklungsmöglichkeiten", &[]);
}

/// Property 7: the concepts of the specification, in every language.
#[test]
fn every_concept_is_covered_in_every_language() {
    let concepts: BTreeMap<String, Vec<String>> =
        from_yaml("concepts.yaml", include_str!("concepts.yaml")).unwrap();
    for voice in [Voice::En, Voice::Sv, Voice::Da, Voice::No, Voice::DeSie] {
        let terms = &concepts[voice.name()];
        assert!(terms.len() >= 44, "{voice:?}");
        for term in terms {
            let findings = gate(voice, Audience::Candidates).check(term);
            let hit = findings.iter().find(|finding| finding.rule == Rule::BannedWord);
            assert!(hit.is_some_and(|hit| hit.suggestion.is_some()), "{voice:?}: {term}");
            let colleagues = gate(voice, Audience::Colleagues).check(term);
            assert!(colleagues.iter().all(|finding| finding.rule != Rule::BannedWord), "{voice:?}: {term}");
        }
    }
    let headhunting: [(Voice, &[&str]); 5] = [
        (Voice::En, &["industry-leading", "market leading", "top-tier", "elite"]),
        (Voice::Sv, &["branschledande", "marknadsledande", "toppklass", "elit"]),
        (Voice::Da, &["brancheførende", "markedsledende", "topklasse", "elite"]),
        (Voice::No, &["bransjeledende", "markedsledende", "toppklasse", "elite"]),
        (Voice::DeDu, &["branchenführend", "marktführenden", "Spitzenklasse", "Elite"]),
    ];
    for (voice, terms) in headhunting {
        for term in terms {
            let banned =
                |gate: Gate<'_>| gate.check(term).iter().any(|finding| finding.rule == Rule::BannedWord);
            assert!(banned(gate(voice, Audience::Headhunting)), "{voice:?}: {term}");
            assert!(!banned(gate(voice, Audience::Candidates)), "{voice:?}: {term}");
            assert!(
                !banned(Gate { voice, audience: Audience::Headhunting, verbatim: &[term] }),
                "{voice:?}: {term}"
            );
        }
    }
}

/// Property 7: ordinary sentences contain no banned word, in any voice.
#[test]
fn ordinary_sentences_pass() {
    for language in Language::ALL {
        for voice in voices(language) {
            for sentence in sentences(language) {
                let findings: Vec<Finding> = gate(voice, Audience::Headhunting).check(sentence);
                let wrong = findings.iter().find(|finding| finding.rule != Rule::Address);
                assert!(wrong.is_none(), "{voice:?} {sentence}: {wrong:?}");
            }
        }
    }
}

/// Property 9: no module letters.
#[test]
fn module_letters_are_refused() {
    for voice in Voice::ALL {
        for letter in 'A'..='J' {
            for text in [
                format!("Module {letter}"),
                format!("MODULE {letter}"),
                format!("Modul-{letter}"),
                format!("modul: {letter}"),
                format!("Module{letter}"),
                format!("modulen {letter}."),
            ] {
                check(voice, Rule::ModuleLetter, &format!("x {text}"), &[text.trim_end_matches('.')]);
            }
        }
        check(voice, Rule::ModuleLetter, "Module K, Modul 1, the module. A new day, Module and moduler", &[]);
    }
    check(Voice::En, Rule::ModuleLetter, "module a", &["module a"]);
    check(Voice::En, Rule::ModuleLetter, "In this module a colleague helps.", &[]);
    check(Voice::Sv, Rule::ModuleLetter, "en modul i systemet och modul b", &["modul b"]);
}

/// Property 4: the company is written one way.
#[test]
fn the_company_is_written_one_way() {
    for voice in Voice::ALL {
        let check = |text: &str, expected: &[&str]| check(voice, Rule::CompanyName, text, expected);
        for wrong in [
            "Global Connect",
            "globalconnect",
            "Globalconnect",
            "GLOBALCONNECT",
            "Global-Connect",
            "GlobalConnect".to_lowercase().as_str(),
        ] {
            check(&format!("({wrong})"), &[wrong]);
        }
        check(
            "GlobalConnect, GlobalConnects nät, GlobalConnect's, anna@globalconnect.se, https://www.globalconnect.com/x, globalconnect.dk, #globalconnect, globally connected",
            &[],
        );
        let warning = gate(voice, Audience::Colleagues).check("Globalconnect");
        assert_eq!(
            (warning[0].level, warning[0].suggestion.as_deref()),
            (Level::Warning, Some("GlobalConnect"))
        );
    }
}

/// Property 31: nobody asks the recruiter's name, in no language and in no form.
#[test]
fn name_questions_are_refused() {
    let asked = [
        "What's your name?",
        "What is your full name?",
        "whats your name",
        "May I have your name?",
        "Could I please have your name?",
        "Who am I speaking with?",
        "Can I ask who I'm talking to?",
        "With whom am I speaking?",
        "What should I call you?",
        "Please tell me your name.",
        "Your name, please?",
        "Vad heter du?",
        "Vem talar jag med?",
        "Får jag fråga vad du heter?",
        "Får jag be om ditt namn?",
        "Kan du säga vad du heter? Säg gärna vad du heter.",
        "Vad är ditt namn?",
        "Hvad hedder du?",
        "Hvem taler jeg med?",
        "Må jeg spørge, hvad du hedder?",
        "Må jeg få dit navn?",
        "Hvad er dit navn?",
        "Hva heter du?",
        "Hvem snakker jeg med?",
        "Kan jeg få navnet ditt?",
        "Får jeg spørre hva du heter?",
        "Hva er navnet ditt?",
        "Wie heißen Sie?",
        "Wie heißt du?",
        "Mit wem spreche ich?",
        "Darf ich nach Ihrem Namen fragen?",
        "Darf ich fragen, wie du heißt?",
        "Wie ist Ihr Name?",
        "Verraten Sie mir Ihren Namen?",
        "Wie darf ich Sie ansprechen?",
    ];
    let fine = [
        "What is the candidate's name?",
        "Please name the position.",
        "What is the name of the position?",
        "Which name should the role have?",
        "Your team's name stays.",
        "Who are you? You like networks.",
        "Vad heter tjänsten?",
        "Kandidatens namn står i rapporten.",
        "Vem är du? Du tycker om nät.",
        "Hvad hedder stillingen?",
        "Kandidatens navn?",
        "Hva heter stillingen?",
        "Navnet på kandidaten?",
        "Wie heißt die Stelle?",
        "Wie ist der Name der Person, die sich bewirbt?",
        "Wer bist du?",
    ];
    for voice in Voice::ALL {
        for text in asked {
            assert!(!found(voice, Rule::NameQuestion, text).is_empty(), "{voice:?}: {text}");
            assert!(!found(voice, Rule::NameQuestion, &text.to_uppercase()).is_empty(), "{voice:?}: {text}");
        }
        for text in fine {
            check(voice, Rule::NameQuestion, text, &[]);
        }
    }
}

/// Property 39 for the gate: a refusal says what and how to go on, in the recruiter's language.
#[test]
fn a_refusal_names_the_place_and_the_way_out() {
    for voice in Voice::ALL {
        let texts = Texts::of(voice);
        let mut document = Document::new(Voice::En, "Job ad");
        document.paragraph("We want a Ninja at Globalconnect. 🚀").bullets(["A ninja"]);
        let refusal = gate(Voice::En, Audience::Candidates).pass(&document, texts).unwrap_err();
        let fields: Vec<&str> = refusal.problems.iter().map(|problem| problem.field.as_str()).collect();
        assert_eq!(fields, ["banned_word", "emoji"]);
        let problem = &refusal.problems[0];
        assert!(problem.message.contains("Ninja"), "{problem:?}");
        assert!(problem.hint.as_ref().unwrap().contains("specialist"), "{problem:?}");
        let mut document = Document::new(Voice::En, "Job ad");
        document.paragraph("We build networks at Globalconnect.");
        let cleared = gate(Voice::En, Audience::Candidates).pass(&document, texts).unwrap();
        let notices: Vec<_> = cleared.notices().collect();
        assert_eq!((notices.len(), notices[0].about.as_str()), (1, "company_name"));
        assert!(notices[0].message.contains("Globalconnect"));
    }
}

/// Property 3: a document in the wrong language is refused as a whole, although its pieces are short.
#[test]
fn a_document_of_short_pieces_is_judged_as_a_whole() {
    let mut document = Document::new(Voice::No, "Stillingen");
    document.bullets([
        "Du får ansvaret",
        "Vi jobber sammen",
        "Hva du gjør",
        "Noe mer om deg",
        "Etter intervjuet",
    ]);
    assert!(gate(Voice::No, Audience::Candidates).pass(&document, Texts::of(Voice::En)).is_ok());
    for voice in [Voice::En, Voice::Da, Voice::Sv, Voice::DeSie] {
        let refusal = gate(voice, Audience::Candidates).pass(&document, Texts::of(Voice::En)).unwrap_err();
        assert!(refusal.problems.iter().any(|problem| problem.field == "language"), "{voice:?}");
    }
}

/// Long texts pass in linear time, whatever they are made of.
#[test]
fn long_texts_are_checked_in_linear_time() {
    let time = |text: &str| {
        let begin = std::time::Instant::now();
        Gate { voice: Voice::DeDu, audience: Audience::Headhunting, verbatim: &["young global", "a"] }
            .check(text);
        begin.elapsed()
    };
    time("");
    let units = [
        "a",
        "🚀",
        "- \n",
        "Globalconnect/",
        "junges ",
        "module ",
        "Sie ",
        "wettbewerbsfähiges Gehalt ",
        "the ",
        "\u{200D}",
        "what is your ",
        "ä",
        "'",
        ". ",
        "spannende und ",
    ];
    for unit in units {
        let (short, long) =
            (time(&unit.repeat(10_000 / unit.len())), time(&unit.repeat(100_000 / unit.len())));
        // Ten times the text; a quadratic rule would need a hundred times as long.
        let most = short * 50 + std::time::Duration::from_secs(1);
        assert!(long < most, "{unit:?}: {short:?}, {long:?}");
    }
    let book = sentences(Language::De).join(" ").repeat(250);
    assert!(book.len() > 1_000_000);
    assert!(time(&book) < std::time::Duration::from_secs(50));
}

/// Properties 3 to 7, 9 and 31: the texts that documents are made of pass by themselves.
#[test]
fn our_own_texts_pass() {
    let mut wrong = Vec::new();
    for voice in Voice::ALL {
        let texts = Texts::of(voice);
        for key in texts.keys() {
            // Short phrases in lists are cues that code looks for, in both German forms; nobody reads them.
            let phrases =
                texts.list(key).iter().map(String::as_str).filter(|line| line.split(' ').count() > 3);
            let candidates =
                ["job_ad.", "headhunting.", "invite."].iter().any(|module| key.name().starts_with(module));
            let audience = if candidates { Audience::Headhunting } else { Audience::Colleagues };
            for line in phrases.chain([texts.get(key)]) {
                // What is put in may be anything; a name stands for it here.
                let whole = line.split('{').enumerate().fold(String::new(), |whole, (at, part)| {
                    whole + if at == 0 { part } else { part.split_once('}').map_or(part, |(_, rest)| rest) }
                });
                let findings = gate(voice, audience).check(&whole);
                wrong.extend(findings.iter().map(|found| {
                    let (voice, key) = (voice.name(), key.name());
                    format!("{voice} {key}: {:?} {:?} in {whole:?}", found.rule, found.excerpt)
                }));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

proptest! {
    /// Hostile strings: nothing panics, every finding names its characters, in order.
    #[test]
    fn any_text_is_checked(
        text in "(\\PC|[a-zäöåß .,\\n\\t-]|Sie |🚀|\\u{FE0F}|\\u{200D}|\\u{AD}|\\u{0}|\\u{202E}|Global Connect|ninja|module b|the ){0,60}",
        verbatim in "\\PC{0,12}",
        voice in proptest::sample::select(&Voice::ALL[..]),
    ) {
        let gate = Gate { voice, audience: Audience::Headhunting, verbatim: &[&verbatim, "ninja"] };
        let findings = gate.check(&text);
        let letters: Vec<char> = text.chars().collect();
        for finding in &findings {
            prop_assert!(finding.start < finding.end && finding.end <= letters.len());
            let place: String = letters[finding.start..finding.end].iter().collect();
            prop_assert!(place.starts_with(finding.excerpt.trim_end_matches('…')), "{finding:?}");
        }
        prop_assert!(findings.is_sorted_by_key(|finding| finding.start));
        prop_assert_eq!(findings, gate.check(&text));
        let mut document = Document::new(voice, text.clone());
        document.paragraph(text.clone()).push(Block::quote(&text, &verbatim));
        let _ = gate.pass(&document, Texts::of(voice));
    }

    /// Properties 5, 6, 7 and 9: what is put into a clean sentence is found, wherever it stands.
    #[test]
    fn what_is_put_in_is_found(
        at in 0_usize..62, language in proptest::sample::select(&Language::ALL[..]), place in 0_usize..8,
        (rule, planted) in proptest::sample::select(vec![
            (Rule::Emoji, "🎉"), (Rule::DashBullet, "\n- x"), (Rule::BannedWord, "ninja"), (Rule::ModuleLetter, "Module C"), (Rule::CompanyName, "Global Connect"), (Rule::NameQuestion, "what's your name"),
        ]),
    ) {
        let sentence = sentences(language)[at];
        let mut words: Vec<&str> = sentence.split(' ').collect();
        words.insert(place.min(words.len()), planted);
        for voice in voices(language) {
            prop_assert!(!found(voice, rule, &words.join(" ")).is_empty(), "{:?}", words.join(" "));
        }
    }
}
