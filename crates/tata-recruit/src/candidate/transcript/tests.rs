use tata_document::Utterance;

use super::read as read_talk;

/// Each utterance as speaker, time and words.
fn read(text: &str, known: &[&str]) -> Vec<String> {
    let transcript = read_talk(text, known);
    let shown = |utterance: &Utterance| {
        let speaker = utterance.speaker.map_or("?", |at| transcript.speakers[at].as_str());
        let time = utterance.at_ms.map_or("-".to_owned(), |time| time.to_string());
        let said: String = text.chars().skip(utterance.start).take(utterance.end - utterance.start).collect();
        format!("{speaker}|{time}|{said}")
    };
    transcript.utterances.iter().map(shown).collect()
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(read(text, &["Anna Berg"]), expected, "{text:?}");
}

#[test]
fn teams_cues_padded_and_not() {
    check(
        "WEBVTT\n\n1f3c0f6e-1111-2222-3333-0123456789ab/12-0\n00:00:03.120 --> 00:00:05.000\n<v Eva Lind>Hej Anna.</v>\n",
        &["Eva Lind|3120|Hej Anna."],
    );
    check("WEBVTT\n\n0:0:6.90 --> 0:0:6.500\n<v Anna Berg>Ja å.</v>", &["Anna Berg|6090|Ja å."]);
    check(
        "\u{FEFF}WEBVTT\r\n\r\n0:0:1.0 --> 0:0:2.0\r\n<v Anna Berg>One\r\ntwo\r\n\r\n0:0:2.0 --> 0:0:3.0\r\n<v Eva>Three</v>",
        &["Anna Berg|1000|One", "Anna Berg|1000|two", "Eva|2000|Three"],
    );
    // Two voices in a cue, a class, tags inside, an empty line in an open voice, no empty line between cues.
    check(
        "WEBVTT\n\n00:01.000 --> 00:02.000\n<v.loud Anna Berg>I <i>led</i> it</v><v Eva>Mm\n\nyes\n\n00:02.000 --> 00:03.000\n1f3c0f6e-1111-2222-3333-0123456789ab\n<v Anna Berg>So</v>",
        &[
            "Anna Berg|1000|I",
            "Anna Berg|1000|led",
            "Anna Berg|1000|it",
            "Eva|1000|Mm",
            "Eva|1000|yes",
            "Anna Berg|2000|So",
        ],
    );
}

#[test]
fn cues_without_voices_have_no_speakers() {
    check(
        "WEBVTT\n\nNOTE duration:\"00:01:10\"\n\nNOTE language:en-us\n\nNOTE Confidence: 0.88\n\n1f3c0f6e-1111-2222-3333-0123456789ab\n00:00:00.000 --> 00:00:02.000\nhello and welcome\nto this\n",
        &["?|0|hello and welcome", "?|0|to this"],
    );
    check("WEBVTT\n\n00:00.000 --> 00:01.000\n<v>Hello</v>", &["?|0|<v>Hello</v>"]);
}

#[test]
fn the_older_document_names_the_speaker_on_a_line() {
    check(
        "0:0:0.0 --> 0:0:1.510\nEva Lind\nHej och välkommen.\n\n0:0:1.60 --> 0:0:3.0\nAnna Berg\nTack.\nKul att vara här.\n",
        &["Eva Lind|0|Hej och välkommen.", "Anna Berg|1060|Tack.", "Anna Berg|1060|Kul att vara här."],
    );
    check(
        "00:00:00.000 --> 00:00:01.000\nEva Lind: Hej\n\n00:00:01.000 --> 00:00:02.000\nAnna Berg: Hej hej",
        &["Eva Lind|0|Hej", "Anna Berg|1000|Hej hej"],
    );
}

#[test]
fn the_current_document_has_headers() {
    check(
        "Intervju-20260324_090512-Meeting Transcript\nMarch 24, 2026, 8:05AM\n27m 42s\n\nEva Lind started transcription\n\nEva Lind   0:03\nHej Anna.\n\nAnna Berg   0:05\nHej! Vi ses klockan 9:15\nsa vi väl.\n\nEva Lind   0:05\nJust det.\n\nAnna Berg   1:02:11\nTack.\nEva Lind stopped transcription",
        &[
            "Eva Lind|3000|Hej Anna.",
            "Anna Berg|5000|Hej! Vi ses klockan 9:15",
            "Anna Berg|5000|sa vi väl.",
            "Eva Lind|5000|Just det.",
            "Anna Berg|3731000|Tack.",
        ],
    );
    // Pasting shrank the blanks; the speech has a clock time.
    check(
        "Eva Lind 0:03\nHej.\nAnna Berg 0:05\nJag började klockan\nMonday 9:15\noch gick hem.\nEva Lind 0:09\nOk.",
        &[
            "Eva Lind|3000|Hej.",
            "Anna Berg|5000|Jag började klockan",
            "Anna Berg|5000|Monday 9:15",
            "Anna Berg|5000|och gick hem.",
            "Eva Lind|9000|Ok.",
        ],
    );
    check(
        "Berg, Anna (Extern)\t12:41\nJa.\nEva Lind startade transkribering\nefteråt",
        &["Berg, Anna (Extern)|761000|Ja."],
    );
}

#[test]
fn names_and_colons() {
    check(
        "Eva: Hej.\nAnna Berg: Hej!\nResultat: vi sänkte kostnaden.\nEva: Kl. 10:30 då?",
        &[
            "Eva|-|Hej.",
            "Anna Berg|-|Hej!",
            "Anna Berg|-|Resultat: vi sänkte kostnaden.",
            "Eva|-|Kl. 10:30 då?",
        ],
    );
    check(
        "[00:00:03] Eva Lind: Hej\n[00:00:05] Anna Berg: Så här:\nListan: ett\nListan: två",
        &[
            "Eva Lind|3000|Hej",
            "Anna Berg|5000|Så här:",
            "Anna Berg|5000|Listan: ett",
            "Anna Berg|5000|Listan: två",
        ],
    );
    check("Eva Lind (0:03): Hej\nAnna Berg (0:05): Ja", &["Eva Lind|3000|Hej", "Anna Berg|5000|Ja"]);
    check("Interviewer: Why?\nCandidate: Because.", &["Interviewer|-|Why?", "Candidate|-|Because."]);
}

#[test]
fn text_without_speakers_has_none() {
    check("hello\n\nthere https://x.y: no", &["?|-|hello", "?|-|there https://x.y: no"]);
    check("", &[]);
    check("WEBVTT", &["?|-|WEBVTT"]);
    check("-->", &["?|-|-->"]);
    check("WEBVTT\n\n00:99:00.000 --> x\n<v A>", &["?|-|WEBVTT", "?|-|00:99:00.000 --> x", "?|-|<v A>"]);
}
