//! The name of a session until somebody gives it a better one.

use crate::Message;

/// The most characters of a title.
const LONGEST: usize = 60;

/// The labels of the subject line in the head of a mail, in the languages of the product.
const SUBJECTS: [&str; 4] = ["subject", "betreff", "ämne", "emne"];

/// The first words of a message, or the subject of the mail that it is.
pub(super) fn title(message: &Message) -> Option<String> {
    let text = message.joined_text();
    let line =
        subject_of_mail(&text).or_else(|| text.lines().map(str::trim).find(|line| !line.is_empty()))?;
    let mut clean = String::with_capacity(line.len());
    clean.extend(line.chars().filter(|c| !c.is_control()));
    if clean.chars().count() <= LONGEST {
        return Some(clean);
    }
    let cut: String = clean.chars().take(LONGEST).collect();
    let whole_words = cut.rsplit_once(' ').map_or(cut.as_str(), |(words, _)| words);
    Some(format!("{}…", whole_words.trim_end_matches([',', '.', ';', ':'])))
}

/// The subject in the head of a pasted mail: its first lines say who wrote to whom, and name nothing that a list of projects
/// is searched for.
fn subject_of_mail(text: &str) -> Option<&str> {
    let head = text.lines().map(str::trim).skip_while(|line| line.is_empty());
    for line in head.take_while(|line| !line.is_empty()) {
        let (label, value) = line.split_once(':')?;
        let value = value.trim();
        if SUBJECTS.contains(&label.trim().to_lowercase().as_str()) && !value.is_empty() {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(title(&Message::user(text)).as_deref(), Some(expected), "{text}");
    }

    /// A pasted mail was called by its sender.
    #[test]
    fn a_mail_is_called_by_its_subject() {
        check("From: Jo <jo@a.example>\nSent: Monday\nSubject: Incident manager\n\nHi,", "Incident manager");
        check("\nFra: Bo\nTil: Ida\nEmne: Vaktleder til drift\n\nHei!", "Vaktleder til drift");
        check("Von: Jo\nBetreff: Servicetechniker\nHallo", "Servicetechniker");
        check("Hello\nSubject: x", "Hello");
        check("From: Jo\nSubject:\n\nHi", "From: Jo");
        check("Position: Payroll Specialist\n\nMust have:", "Position: Payroll Specialist");
    }
}
