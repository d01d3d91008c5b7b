//! What a turn of the guided model costs: reading the words once, and understanding a sentence.

use std::sync::Arc;

use tata_core::{Clock, Message, ModelRequest};
use tata_recruit::Guided;

use crate::measure::cpu_seconds;

/// What recruiters type, short and long, in five languages.
const SENTENCES: [&str; 6] = [
    "Can you send Anna Lindqvist an invite to the hiring manager interview, Teams, Thursday at 2pm, 45 minutes?",
    "Skapa en kravprofil för en nätverksingenjör i Stockholm med BGP, Linux, Python och svenska",
    "Lav en funnel rapport: 1240 visninger, 86 klik på ansøg, 34 ansøgninger hvoraf 11 var kvalificerede",
    "Kan du lage intervjumalen til ansettende leder på svensk?",
    "Anforderungsprofil bitte, Bauleiter Tiefbau, ohne Führerschein Klasse B und VOB-Kenntnisse gehts nicht",
    "qwrt zzz plugh",
];
const ROUNDS: usize = 200;

/// Measures and prints.
pub(crate) fn report() {
    let model = Guided::new(Clock::System);
    let ask = |text: &str| {
        let messages = vec![Message::user(text)];
        model.reply(&ModelRequest { messages, tools: Arc::from([]), ..ModelRequest::default() })
    };
    let start = cpu_seconds();
    ask("Hello");
    println!("first answer, words of five languages read: {:.2} ms CPU", (cpu_seconds() - start) * 1e3);
    for text in SENTENCES {
        let start = cpu_seconds();
        for _ in 0..ROUNDS {
            ask(text);
        }
        let each = (cpu_seconds() - start) / ROUNDS as f64;
        println!("{:>7.3} ms CPU  {text}", each * 1e3);
    }
    let pasted = format!("Here are my notes:\n\n{}", "* Five years of BGP and Linux\n".repeat(200));
    let start = cpu_seconds();
    for _ in 0..ROUNDS {
        ask(&pasted);
    }
    println!(
        "{:>7.3} ms CPU  notes of {} characters",
        (cpu_seconds() - start) / ROUNDS as f64 * 1e3,
        pasted.len()
    );
}
