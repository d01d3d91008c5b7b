//! What is wanted, measured on sentences that nothing was trained on.

use std::{collections::BTreeMap, fs, path::PathBuf};

use tata_guided::wish::{Labelled, Wish, Wishes, fingerprint, in_order, labelled, train};
use tata_language::Language;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data/wishes")
}

fn read(folder: &str, language: Language) -> Vec<Labelled> {
    let file = self::folder().join(folder).join(language.code()).with_extension("txt");
    if !file.exists() {
        return Vec::new();
    }
    labelled(language, &fs::read_to_string(&file).unwrap()).unwrap()
}

fn training() -> Vec<Labelled> {
    let mut folders = vec![String::new()];
    for entry in fs::read_dir(folder()).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        if entry.path().is_dir() && name != "held-out" {
            folders.push(name);
        }
    }
    let all = Language::ALL.into_iter().flat_map(|language| folders.iter().map(move |f| (f, language)));
    in_order(all.flat_map(|(folder, language)| read(folder, language)).collect())
}

#[test]
fn the_weights_belong_to_the_sentences() {
    assert_eq!(
        Wishes::trained().fingerprint(),
        fingerprint(&training()),
        "the sentences changed: run `cargo run -p tata-guided --example train-wishes`"
    );
}

/// Guards the code of the training as the fingerprint guards its sentences.
#[test]
#[ignore = "trains for half a minute; run it after a change of `wish/`"]
fn training_gives_the_same_file_again() {
    let file = fs::read(folder().join("weights.bin")).unwrap();
    assert!(train(&training()).file == file, "run `cargo run -p tata-guided --example train-wishes`");
}

#[test]
fn sentences_are_sorted_many_and_have_one_label() {
    for language in Language::ALL {
        let sentences = read("", language);
        assert!(sentences.len() >= 1500, "{}: {} sentences", language.code(), sentences.len());
        let file = fs::read_to_string(folder().join(language.code()).with_extension("txt")).unwrap();
        let lines: Vec<&str> = file.lines().collect();
        let wrong = lines.windows(2).find(|pair| pair[0] >= pair[1]);
        assert_eq!(wrong, None, "not sorted, or twice");
    }
    let mut labels: BTreeMap<(Language, String), Wish> = BTreeMap::new();
    for one in training() {
        let key = (one.language, one.text.to_lowercase());
        let before = labels.insert(key, one.wish);
        assert!(before.is_none_or(|before| before == one.wish), "{:?} has two labels", one.text);
    }
}

#[test]
fn nothing_held_out_was_trained_on() {
    let trained = training();
    for language in Language::ALL {
        for held in ["held-out", "held-out/more"].into_iter().flat_map(|set| read(set, language)) {
            let same = |one: &Labelled| one.text.to_lowercase() == held.text.to_lowercase();
            let seen = trained.iter().any(|one| one.language == language && same(one));
            assert!(!seen, "{}: {:?} is in both", language.code(), held.text);
        }
    }
}

#[derive(Default)]
struct Figures {
    all: usize,
    certain: usize,
    first: usize,
    right: usize,
    wrong_acts: usize,
    idle: usize,
    idle_kept: usize,
}

fn measure(sentences: &[Labelled], show: bool) -> Figures {
    let wishes = Wishes::trained();
    let mut figures = Figures::default();
    for held in sentences {
        let reading = wishes.read(&held.text, held.language);
        figures.all += 1;
        let first: Vec<Wish> = reading.ranked.iter().take(3).map(|(wish, _)| *wish).collect();
        let offered = reading.offers().any(|wish| wish == held.wish)
            || held.wish == Wish::None && first.contains(&Wish::None);
        let right = match reading.certain {
            Some(wish) => wish == held.wish,
            None => offered,
        };
        figures.first += usize::from(first.first() == Some(&held.wish));
        let wrong_act = reading.certain.is_some_and(|wish| wish != held.wish && wish.acts());
        figures.certain += usize::from(reading.certain.is_some());
        figures.right += usize::from(right);
        figures.wrong_acts += usize::from(wrong_act);
        if !held.wish.acts() {
            figures.idle += 1;
            figures.idle_kept += usize::from(!reading.certain.is_some_and(Wish::acts));
        }
        if show && (wrong_act || !right) {
            println!(
                "  {} {:?} -> {:?} {:?}",
                held.wish.name(),
                held.text,
                reading.certain.map(Wish::name),
                first
            );
        }
    }
    figures
}

/// Two sets: by writers who had not seen the program (`held-out/`), and by the writer of many training sentences, in other
/// registers (`held-out/more/`). The first says more about strangers; both together are held to the aim.
#[test]
fn unseen_wishes_are_understood_or_asked_about() {
    let show = option_env!("TATA_SHOW").is_some();
    let mut missed = Vec::new();
    for language in Language::ALL {
        let sets = ["held-out", "held-out/more"].map(|set| (set, read(set, language)));
        let all: Vec<Labelled> = sets.iter().flat_map(|(_, sentences)| sentences.clone()).collect();
        for (set, sentences) in &sets {
            print(language, set, &measure(sentences, show));
        }
        let figures = measure(&all, false);
        print(language, "both", &figures);
        let right = percent(figures.right, figures.all);
        if right < 92.0 || percent(figures.wrong_acts, figures.all) > 2.0 {
            missed.push(language.code());
        }
    }
    assert!(missed.is_empty(), "below 92 % right or offered, or above 2 % wrong acts: {missed:?}");
}

fn percent(part: usize, all: usize) -> f64 {
    let number = |count: usize| f64::from(u32::try_from(count).unwrap());
    100.0 * number(part) / number(all.max(1))
}

fn print(language: Language, set: &str, figures: &Figures) {
    println!(
        "{} {set}: {} sentences, certain {:.1} %, first {:.1} %, right or offered {:.1} %, wrong act {:.1} %, \
         nothing changed by {:.1} % of {} that must not",
        language.code(),
        figures.all,
        percent(figures.certain, figures.all),
        percent(figures.first, figures.all),
        percent(figures.right, figures.all),
        percent(figures.wrong_acts, figures.all),
        percent(figures.idle_kept, figures.idle),
        figures.idle,
    );
}

/// Sentences that once confirmed a draft or destroyed part of one. None of them may be followed as a confirmation.
#[test]
fn doubts_questions_and_exceptions_never_confirm() {
    let said = [
        (Language::En, "not sure"),
        (Language::En, "is that right?"),
        (Language::En, "swap 1 and 2"),
        (Language::En, "1 and 2 are too strict"),
        (Language::En, "yes except number 2"),
        (Language::En, "yes but not the salary"),
        (Language::En, "start date 1 February"),
        (Language::En, "1"),
        (Language::Sv, "stämmer det?"),
        (Language::Sv, "ja förutom nummer 2"),
        (Language::Sv, "ja men inte lönen"),
        (Language::Da, "passer det?"),
        (Language::Da, "ja, på nær lønnen"),
        (Language::No, "stemmer det?"),
        (Language::No, "ja, bortsett fra lønna"),
        (Language::De, "bin mir nicht sicher"),
        (Language::De, "stimmt das?"),
        (Language::De, "ja, außer Nummer 2"),
        (Language::De, "passt, aber das Gehalt ist falsch"),
    ];
    for (language, text) in said {
        let certain = Wishes::trained().read(text, language).certain;
        assert_ne!(certain, Some(Wish::ConfirmProfile), "{text}");
    }
}

#[test]
fn nothing_in_a_message_is_too_much() {
    for text in ["", " ", "\u{0}", "?", "😀", &"ad ".repeat(500_000), &"å".repeat(1_000_000)] {
        let reading = Wishes::trained().read(text, Language::De);
        assert_eq!(reading.ranked.len(), Wish::COUNT);
        let sum: f32 = reading.ranked.iter().map(|(_, probability)| probability).sum();
        assert!((sum - 1.0).abs() < 1e-3, "{sum}");
        assert_eq!(reading.offers().count(), 3);
    }
}
