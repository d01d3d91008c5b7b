//! The five shapes of transcripts, two samples or more of each.

use proptest::prelude::*;
use tata_document::{
    Format, Hint, Limits, ReadError, Transcript, TranscriptShape,
    in_process::{read, read_transcript},
};

use crate::files::docx;

fn transcript(name: &str, bytes: impl Into<Vec<u8>>) -> Transcript {
    read_transcript(bytes.into(), &Hint::named(name), &Limits::default()).unwrap()
}

fn turns(transcript: &Transcript) -> Vec<(Option<&str>, Option<u64>, &str)> {
    let turn = |turn: &tata_document::Turn| {
        let speaker = transcript.speakers.iter().find(|name| Some(*name) == turn.speaker.as_ref());
        (speaker.map(String::as_str), turn.start_ms, turn.text.clone().leak() as &str)
    };
    transcript.turns.iter().map(turn).collect()
}

#[test]
fn padded_voices() {
    let text = "WEBVTT\n\n2f3a1b04-9c11-4d7e-8f00-0a1b2c3d4e5f/12-0\n00:00:03.120 --> 00:00:06.090\n\
                <v Åsa Öberg>Hej och välkommen.</v>\n\n2f3a1b04-9c11-4d7e-8f00-0a1b2c3d4e5f/13-0\n\
                00:01:05.500 --> 00:01:09.000\n<v Bo Ek>Tack, jag har\narbetat &amp; lärt mig &lt;mycket&gt;.</v>\n";
    let found = transcript("x.vtt", text);
    assert_eq!((found.format, found.shape), (Format::Vtt, TranscriptShape::Voices));
    assert_eq!(
        turns(&found),
        [
            (Some("Åsa Öberg"), Some(3_120), "Hej och välkommen."),
            (Some("Bo Ek"), Some(65_500), "Tack, jag har arbetat & lärt mig <mycket>."),
        ]
    );
    assert!(!found.asks_who_is_who() && found.notes.is_empty(), "{found:?}");
    assert_eq!(
        found.text(),
        "Åsa Öberg   0:03\nHej och välkommen.\n\nBo Ek   1:05\nTack, jag har arbetat & lärt mig <mycket>.\n"
    );
    // What it says about itself counts, not what it is called.
    let reading = read(text.as_bytes().to_vec(), &Hint::named("x"), &Limits::default()).unwrap();
    assert_eq!(reading.blocks.first().unwrap().text, "Åsa Öberg: Hej och välkommen.");
}

#[test]
fn unpadded_voices_have_whole_milliseconds_and_may_not_be_closed() {
    let text = "\u{feff}WEBVTT\r\n\r\n0:0:0.0 --> 0:0:5.320\r\n<v Kari Nordmann>Hei.\r\n\r\n0:0:6.90 --> 0:0:6.500\r\n\
                <v Speaker 1>Ja</v><v Kari Nordmann>Fint.</v>\r\n";
    let found = transcript("møte.vtt", text);
    assert_eq!(
        turns(&found),
        [
            (Some("Kari Nordmann"), Some(0), "Hei."),
            (Some("Speaker 1"), Some(6_090), "Ja"),
            (Some("Kari Nordmann"), Some(6_090), "Fint."),
        ]
    );
    assert!(found.asks_who_is_who());
    assert!(found.notes.iter().any(|note| note.contains("number")), "{:?}", found.notes);
}

#[test]
fn classic_stream_has_no_speakers() {
    let text = "WEBVTT\n\nNOTE duration:\"00:20:11.1230000\"\n\nNOTE language:en-us\n\nNOTE Confidence: 0.88\n\n\
                a1b2c3d4-1111-2222-3333-444455556666\n00:00:01.000 --> 00:00:04.000\nWelcome to the interview.\n\n\
                NOTE Confidence: 0.71\n\na1b2c3d4-1111-2222-3333-444455556667\n00:00:04.500 --> 00:00:07.000\n\
                Thank you\nfor having me.\n";
    let found = transcript("stream.vtt", text);
    assert_eq!(found.shape, TranscriptShape::Stream);
    assert_eq!(
        turns(&found),
        [(None, Some(1_000), "Welcome to the interview."), (None, Some(4_500), "Thank you for having me.")]
    );
    assert!(found.asks_who_is_who() && found.notes.iter().any(|note| note.contains("who is who")));
    let short = transcript("s.vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\n<c.loud>Hi</c> there\n");
    assert_eq!(turns(&short), [(None, Some(1_000), "Hi there")]);
}

fn lines(lines: &[&str]) -> String {
    format!(
        "<w:p><w:r>{}</w:r></w:p>",
        lines
            .iter()
            .map(|line| format!("<w:t xml:space=\"preserve\">{line}</w:t>"))
            .collect::<Vec<_>>()
            .join("<w:br/>")
    )
}

#[test]
fn an_older_word_file_has_a_paragraph_per_cue() {
    let body = lines(&["0:0:0.0 --&gt; 0:0:1.510", "Anna Berg", "Okay."])
        + &lines(&["0:0:3.90 --&gt; 0:0:6.500", "Jens Friis", "Jeg har arbejdet", "med net i ti år."]);
    let found = transcript("old.docx", docx(&body));
    assert_eq!((found.format, found.shape), (Format::Docx, TranscriptShape::OlderWord));
    assert_eq!(
        turns(&found),
        [
            (Some("Anna Berg"), Some(0), "Okay."),
            (Some("Jens Friis"), Some(3_090), "Jeg har arbejdet med net i ti år."),
        ]
    );
    let again = lines(&["0:0:0.0 --&gt; 0:0:1.510", "Speaker 1", "Hallo?"]);
    assert!(transcript("old.docx", docx(&again)).asks_who_is_who());
}

#[test]
fn a_current_word_file_has_blocks_under_name_and_time() {
    let body = lines(&["Interview-20261103_140210-Meeting Transcript"])
        + &lines(&["3. November 2026, 02:02PM"])
        + &lines(&["27m 42s"])
        + &lines(&["Petra Schulz hat die Transkription gestartet"])
        + &lines(&["Petra Schulz   0:03", "Guten Tag.", "Schön, dass Sie da sind."])
        + &lines(&["Max Müller   0:03", "Guten Tag, um 14:05 hatte ich noch einen Termin."])
        + &lines(&["Max Müller   1:02:41", "Ja."])
        + &lines(&["Petra Schulz hat die Transkription beendet"]);
    let found = transcript("neu.docx", docx(&body));
    assert_eq!(found.shape, TranscriptShape::CurrentWord);
    assert_eq!(
        turns(&found),
        [
            (Some("Petra Schulz"), Some(3_000), "Guten Tag."),
            (Some("Petra Schulz"), Some(3_000), "Schön, dass Sie da sind."),
            (Some("Max Müller"), Some(3_000), "Guten Tag, um 14:05 hatte ich noch einen Termin."),
            (Some("Max Müller"), Some(3_761_000), "Ja."),
        ]
    );
    assert!(found.notes.iter().any(|note| note.contains("beendet")), "{:?}", found.notes);
    // Its text reads as the same transcript.
    let again = transcript("x.txt", found.text());
    assert_eq!(again.turns, found.turns);
    let tabbed = transcript("x.txt", "Title\n\nEva Lind\t0:05\nHej.\nOla Dahl\t0:09\nHej, hej.\n");
    assert_eq!(
        turns(&tabbed),
        [(Some("Eva Lind"), Some(5_000), "Hej."), (Some("Ola Dahl"), Some(9_000), "Hej, hej.")]
    );
}

#[test]
fn words_without_speakers_ask_who_is_who() {
    let found = transcript("x.txt", "Welcome to the interview.\nThank you.\n");
    assert_eq!(found.shape, TranscriptShape::Unattributed);
    assert_eq!(turns(&found), [(None, None, "Welcome to the interview."), (None, None, "Thank you.")]);
    assert!(found.asks_who_is_who());
    let named =
        Hint { name: None, media_type: Some("application/vnd.microsoft.graph.transcript+text".into()) };
    let found = read_transcript(b"Hej.\n\nHej igen.".to_vec(), &named, &Limits::default()).unwrap();
    assert!(found.asks_who_is_who() && found.turns.len() == 2);
}

#[test]
fn a_hostile_transcript_is_refused_or_read_in_time() {
    let cue = "00:00:01.000 --> 00:00:02.000\n<v A>x</v>\n\n";
    let long = format!("WEBVTT\n\n{}", cue.repeat(100_001));
    // Their number is what is looked at here; without optimisation the time might be over before.
    let patient = Limits { time: std::time::Duration::from_mins(1), ..Limits::default() };
    match read_transcript(long.into_bytes(), &Hint::named("x.vtt"), &patient) {
        Err(error @ ReadError::TooMuch { .. }) => assert!(error.to_string().contains("smaller parts")),
        other => panic!("{:?}", other.map(|found| found.turns.len())),
    }
    let started = std::time::Instant::now();
    let tags = format!("WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n{}", "<v B>".repeat(200_000));
    assert!(matches!(
        read_transcript(tags.into_bytes(), &Hint::named("x.vtt"), &Limits::default()),
        Err(ReadError::Empty { .. })
    ));
    let open = format!("WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n{}", "<".repeat(200_000));
    let _ = read_transcript(open.into_bytes(), &Hint::named("x.vtt"), &Limits::default());
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}

proptest! {
    /// Whatever the bytes are, a transcript is read or refused; no turn is blank and no name endless.
    #[test]
    fn any_bytes_as_a_transcript(
        head in prop::sample::select(vec!["", "WEBVTT\n\n", "WEBVTT\n\n0:0:1.9 --> 0:0:2.1\n<v A", "PK\u{3}\u{4}", "A   0:01\n"]),
        middle in prop::collection::vec(prop::sample::select(vec![
            "00:00:01.000 --> 00:00:02.000\n", "<v Bo>", "</v>", "\n\n", "NOTE x\n", "A B   1:02\n", "ord ", "&amp;", "-->", "\u{0}", "\u{202e}",
        ]), 0..40),
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        name in prop::sample::select(vec!["a.vtt", "a.docx", "a.txt", ""]),
    ) {
        let all = [head.as_bytes(), middle.concat().as_bytes(), &bytes].concat();
        if let Ok(found) = read_transcript(all, &Hint::named(name), &Limits::default()) {
            prop_assert!(!found.turns.is_empty());
            prop_assert!(found.turns.iter().all(|turn| !turn.text.trim().is_empty()));
            prop_assert!(found.speakers.iter().all(|name| !name.is_empty() && name.chars().count() <= 120));
            prop_assert!(found.turns.iter().filter_map(|turn| turn.speaker.as_ref()).all(|name| found.speakers.contains(name)));
        }
    }
}
