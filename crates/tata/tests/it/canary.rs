//! What reaches a terminal: sequences that steer one, put wherever somebody else can write, through every command that
//! prints.

use serde_json::json;
use tata_testkit::{Exchange, Upstream, script, script::Turn};

use crate::{program::World, pty};

/// Sequences that steer a terminal, each with a word that tells it apart.
pub(crate) const CANARIES: [&str; 48] = [
    "\u{1b}]0;title-canary\u{7}",
    "\u{1b}]2;title-canary\u{1b}\\",
    "\u{1b}]52;c;Y2FuYXJ5\u{7}",
    "\u{1b}]8;;http://canary.example\u{7}link\u{1b}]8;;\u{7}",
    "\u{1b}]4;1;rgb:ff/00/00\u{7}",
    "\u{1b}]10;#ff0000\u{7}",
    "\u{1b}]11;?\u{7}",
    "\u{1b}]1337;File=inline=1:AAAA\u{7}",
    "\u{1b}]777;notify;canary;x\u{7}",
    "\u{1b}]9;canary\u{7}",
    "\u{1b}]133;A\u{7}",
    "\u{1b}[2J",
    "\u{1b}[3J",
    "\u{1b}[H",
    "\u{1b}[1;1H",
    "\u{1b}[1K",
    "\u{1b}[1A",
    "\u{1b}[5B",
    "\u{1b}[100C",
    "\u{1b}[100D",
    "\u{1b}[s",
    "\u{1b}[u",
    "\u{1b}[?1049h",
    "\u{1b}[?25l",
    "\u{1b}[?1000h",
    "\u{1b}[?1003h",
    "\u{1b}[5n",
    "\u{1b}[c",
    "\u{1b}[>c",
    "\u{1b}[31;7m",
    "\u{1b}[8m",
    "\u{1b}[21t",
    "\u{1b}[1;5r",
    "\u{1b}c",
    "\u{1b}7",
    "\u{1b}8",
    "\u{1b}(0",
    "\u{1b}P+q544e\u{1b}\\",
    "\u{1b}_Gcanary\u{1b}\\",
    "\u{1b}^canary\u{1b}\\",
    "\u{9b}31m\u{9d}0;canary\u{9c}",
    "\u{90}canary\u{9c}\u{85}",
    "\u{7f}\u{8}\u{8}\u{b}\u{c}",
    "\u{202e}canary\u{202c}\u{2066}x\u{2069}\u{200f}",
    "\u{200b}",
    "\u{3164}",
    "\u{e0041}\u{e0042}",
    "\u{2066}\u{2028}\u{2060}\u{feff}",
];

/// All of them, around words: what must not arrive as it is.
pub(crate) fn poison() -> String {
    let words = CANARIES.iter().enumerate().map(|(at, canary)| format!("w{at}{canary}"));
    words.collect::<Vec<_>>().join(" ")
}

/// No canary is on the screen.
fn check_canaries(command: &[&str], screen: &[u8]) -> String {
    let text = String::from_utf8_lossy(screen).into_owned();
    for (at, canary) in CANARIES.iter().enumerate() {
        assert!(!text.contains(canary), "{command:?} lets canary {at} through: {text:?}");
    }
    text
}

/// Nothing is on the screen but words, line breaks and our own colours.
fn check(command: &[&str], screen: &[u8]) {
    let text = check_canaries(command, screen);
    let mut rest = text.as_str();
    while let Some(at) = rest.find('\u{1b}') {
        rest = &rest[at + 1..];
        let ours = [
            "[0m", "[1m", "[1;4m", "[2m", "[32m", "[33m", "[1;31m", "[2;4m", "[33;4m", "[1;31;4m", "[32;4m",
            "[2K", "[?2004h", "[?2004l", "[?2026h", "[?2026l", "[K", "[J", "[6n",
        ];
        assert!(ours.iter().any(|known| rest.starts_with(known)), "{command:?} prints ESC {rest:.40?}");
    }
    let harmful = |c: char| matches!(c, '\u{7}' | '\u{8}') || is_hidden(c);
    assert!(!text.contains(harmful), "{command:?}: {text:?}");
}

/// Characters that no screen may get, whoever prints them.
pub(crate) fn is_hidden(c: char) -> bool {
    matches!(c, '\u{7f}'..='\u{9f}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
}

/// Every place that somebody else writes holds all canaries; every command that prints is looked at.
#[test]
fn no_command_lets_a_steering_sequence_through() {
    let poison = poison();
    // YAML takes no control characters as they are, but it takes their numbers.
    let number = |c: char| {
        if c.is_ascii_graphic() && c != '"' && c != '\\' {
            c.to_string()
        } else {
            format!("\\u{:04x}", u32::from(c))
        }
    };
    let quoted = format!("\"{}\"", poison.chars().map(number).collect::<String>());
    let name = "ad\u{1b}]0;x\u{7}\u{9b}31m\u{202e}.md".to_owned();
    let world = World::new()
        .file(&name, &format!("We want a young {poison} rockstar."))
        .file("other.md", "A young team.")
        .folder_file("agents/evil.yaml", &format!("description: {quoted}\nsystem_prompt: {quoted}\n"))
        .folder_file(&format!("agents/e{}.yaml", "\u{1b}]0;x\u{7}"), "tols: []\n")
        .file("models.yaml", &format!("providers: {{ evil: {{ label: {quoted}, base_url: 'http://127.0.0.1:9/v1' }} }}\nmodels: {{ \"m\\e[2Jx\": {{ provider: evil }} }}\n"))
        .file("review.json", &json!({ "job_ad_text": format!("A young team. {poison}") }).to_string())
        .file("wrong.json", &json!({ &poison: poison }).to_string())
        .file("bad.yaml", &format!("tools: [{quoted}]\n"));
    let notes = format!("Must have: BGP, Linux, Python, English\nLocation: Stockholm {poison}");
    let input = json!({ "position_title": format!("Engineer {poison}"), "startup_notes": notes });
    let run =
        world.run_with_input(&["run", "create_requirement_profile", "--input", "-"], &input.to_string());
    let title: String = poison.replace('\0', "").chars().take(200).collect();
    let titled = world.run(&["session", "rename", "last", &title]);
    assert_eq!(titled.code, 0, "{run:?} {titled:?}");
    assert_eq!(world.run(&["session", "feedback", "last", "good", "--comment", &poison]).code, 0);
    let commands: &[&[&str]] = &[
        &["session", "list"],
        &["session", "list", "--json"],
        &["session", "show", "last"],
        &["session", "show", "last", "--json"],
        &["session", "export", "last"],
        &["session", "export", "last", "--format", "json"],
        &["session", "export", "last", "--format", "jsonl"],
        &["artifact", "list"],
        &["artifact", "list", "--json"],
        &["artifact", "show", "profile"],
        &["artifact", "show", "profile", "--format", "md"],
        &["artifact", "show", "profile", "--format", "json"],
        &["agents"],
        &["agents", "--json"],
        &["agents", "check"],
        &["agents", "check", "bad.yaml"],
        &["models"],
        &["models", "--json"],
        &["doctor"],
        &["doctor", "--json"],
        &["trust", "--show"],
        &["trust", "--json"],
        &["di", &name],
        &["di", &name, "other.md"],
        &["di", &name, "--json"],
        &["di", &name, "--format", "md"],
        &["di", &name, "--format", "sarif"],
        &["review", &name, "other.md"],
        &["ask", "--agent", "evil", "hi"],
        &["ask", "--model", "\u{1b}[2Jmodel", "hi"],
        &["ask", "--agent", "tata", "--model", "guided", &poison],
        &["ask", "--agent", "tata", "--model", "guided", "--json", &poison],
        &["ask", "--agent", "tata", "--model", "guided", "--jsonl", &poison],
        &["run"],
        &["run", "\u{1b}[2Jtool"],
        &["run", "create_di_review", "--session", "last", "--input", "review.json"],
        &["run", "create_di_review", "--session", "last", "--input", "wrong.json"],
        &["audit", "list"],
        &["audit", "list", "--json"],
        &["audit", "verify"],
        &["session", "salvage", "last"],
        &["artifact", "diff", "profile"],
        &["artifact", "approve", "profile"],
        &["models", "check", "m\u{1b}[2Jx"],
        &["models", "list", "e\u{1b}[2J"],
        &["models", "example"],
        &["models", "catalog"],
        &["trust", "--keys"],
        &["claims", "--lang", "en", "--text", &name, "--source", "notes\u{1b}[2J=other.md"],
        &["claims", "--lang", "en", "--text", &name, "--source", "notes=other.md", "--json"],
        &["completions", "bash"],
        &["session", "show", "\u{1b}[2Jsession"],
        &["session", "export", "last", "-o", "e\u{1b}[2J.md"],
        // What clap says of arguments quotes them.
        &["\u{1b}]0;x\u{7}\u{202e}command"],
        &["ask", "--\u{1b}[2Joption\u{200b}"],
        &["ask", "--timeout", "\u{1b}]52;c;Y2FuYXJ5\u{7}\u{9b}31m\u{e0041}", "hi"],
        &["ask", "--color", "\u{1b}c\u{3164}", "hi"],
        &["--help"],
    ];
    for command in commands {
        // Whoever is asked to trust the folder says no.
        let (_, screen) = pty::run(&world, command, "n\n");
        check(command, &screen);
    }
    // The line editor moves the cursor itself.
    let (_, screen) = pty::run(&world, &["chat", "--session", "last"], "/quit\r");
    check_canaries(&["chat"], &screen);
}

/// What a model says, calls and is told by its server.
#[tokio::test(flavor = "multi_thread")]
async fn no_model_steers_a_terminal() {
    let poison = poison();
    let arguments = json!({ "title": poison, "x": poison }).to_string();
    let turn = Turn::text(&[&poison, "\r", "\n"]).call("c1", &poison, &["{}"]).call(
        "c2",
        "set_project",
        &[&arguments],
    );
    let refused = json!({ "error": { "message": poison, "type": poison, "code": poison } });
    let upstream = Upstream::start([
        Exchange::sse(script::responses(&turn)),
        Exchange::sse(script::responses(&Turn::text(&[&poison]))),
        Exchange::json(400, &refused),
        Exchange::sse(script::responses(&Turn::text(&[&poison]))),
    ])
    .await;
    let world = World::new().set("OPENAI_API_KEY", "k").set("OPENAI_BASE_URL", &upstream.base_url());
    tokio::task::spawn_blocking(move || {
        let commands: [&[&str]; 4] = [
            &["ask", "--agent", "tata", "hi"],
            &["ask", "--agent", "tata", "hi"],
            &["ask", "--json", "hi"],
            &["session", "show", "last"],
        ];
        for command in commands {
            let (_, screen) = pty::run(&world, command, "");
            assert!(!screen.is_empty());
            check(command, &screen);
        }
    })
    .await
    .unwrap();
}
