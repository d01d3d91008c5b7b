//! A review on the screen: every finding in its line, underlined, with reason and better words beneath.

use std::io::{self, Write};
use tata_language::book::{Category, Severity};

use tata_recruit::{DiReview, JobAdReview, Language, Texts};
use tata_recruit::{group, key};

use super::marks::{Mark, Places, Reviewed, Spot};
use crate::terminal::{BAD, BOLD, DIM, GOOD, Ink, NOTE, Terminal};

/// The most characters of a line that are shown; more would wrap and lose the underlining.
const WIDEST: usize = 100;
/// What stays before a finding when its line is cut.
const LEAD: usize = 40;
const INSTEAD: Ink = GOOD;

/// Shows a review.
pub(super) fn show(reviewed: &Reviewed, many: bool, terminal: &Terminal) -> io::Result<()> {
    let texts = reviewed.texts;
    let mut out = terminal.out();
    if many {
        writeln!(out, "{BOLD}{}{BOLD:#}\n", reviewed.path.display())?;
    }
    let places = Places::of(reviewed.text());
    for mark in reviewed.marks() {
        show_mark(&mark, &places, texts, &mut out)?;
    }
    if let Some(review) = reviewed.di() {
        sum_up_di(&review, texts, &mut out)?;
    }
    if let Some(review) = reviewed.ad() {
        sum_up_ad(&review, texts, &mut out)?;
    }
    if many {
        writeln!(out)?;
    }
    Ok(())
}

fn color(severity: Severity) -> Ink {
    match severity {
        Severity::Low => DIM,
        Severity::Medium => NOTE,
        Severity::High | Severity::Critical => BAD,
    }
}

fn show_mark(mark: &Mark, places: &Places<'_>, texts: &Texts, out: &mut impl Write) -> io::Result<()> {
    let color = color(mark.severity);
    let severity = texts.severity(mark.severity);
    let place = mark.bytes.map(|bytes| places.spot(bytes));
    let at = place.as_ref().map(|spot| format!("{}:{} ", spot.line, spot.before + 1)).unwrap_or_default();
    let category = mark.category.map(|category| texts.category(category)).unwrap_or_default();
    let line = format!(
        "{BOLD}{:>3}{BOLD:#} {DIM}{at}{DIM:#}{color}{severity}{color:#} {DIM}{category}{DIM:#}",
        mark.number
    );
    writeln!(out, "{}", line.trim_end())?;
    if let Some(spot) = place {
        let (line, before, length) = clipped(&spot);
        let (head, rest) = split(&line, before);
        let (found, tail) = split(&rest, length);
        let underlined = color.underline();
        writeln!(out, "    {}{underlined}{}{underlined:#}{}", &head, &found, &tail)?;
        writeln!(out, "    {}{color}{}{color:#}", " ".repeat(before), "^".repeat(length))?;
    }
    writeln!(out, "    {}", &mark.message)?;
    if mark.offered.is_empty() && mark.category.is_some() {
        writeln!(out, "    {}", texts.get(key!("review.di.anew")))?;
    } else if !mark.offered.is_empty() {
        let quoted = |(number, text): &(usize, String)| {
            format!("{number} {}", texts.say(key!("review.ad.place"), &[("text", text)]))
        };
        let alternatives: Vec<String> = mark.offered.iter().map(quoted).collect();
        let line = texts.say(key!("review.di.instead"), &[("alternatives", &alternatives.join("  "))]);
        writeln!(out, "    {INSTEAD}{}{INSTEAD:#}", &line)?;
    }
    if let Some(law) = &mark.ground {
        writeln!(out, "    {DIM}{law}{DIM:#}")?;
    }
    writeln!(out)
}

/// A line that fits, and where the finding is in it. Tabs become blanks, or the underlining would slip. Of a longer line
/// only what is near the finding is looked at: it may be a whole text, and have many findings.
fn clipped(spot: &Spot<'_>) -> (String, usize, usize) {
    let blank = |letter: char| if letter == '\t' { ' ' } else { letter };
    if spot.width <= WIDEST {
        return (spot.text.chars().map(blank).collect(), spot.before, spot.length);
    }
    let (head, rest) = spot.text.split_at_checked(spot.at).unwrap_or((spot.text, ""));
    let from = head.char_indices().rev().take(LEAD).last().map_or(head.len(), |(at, _)| at);
    let lead: String = head.get(from..).unwrap_or_default().chars().map(blank).collect();
    let before = lead.chars().count();
    let mut after = rest.chars();
    let cut: String = after.by_ref().take(WIDEST - before).map(blank).collect();
    let start = if from > 0 { "…" } else { "" };
    let end = if after.next().is_some() { "…" } else { "" };
    let before = before + start.chars().count();
    (format!("{start}{lead}{cut}{end}"), before, spot.length.min(WIDEST.saturating_sub(before)))
}

fn split(line: &str, at: usize) -> (String, String) {
    (line.chars().take(at).collect(), line.chars().skip(at).collect())
}

fn score_color(score: u32) -> Ink {
    match score {
        90.. => GOOD,
        70..90 => NOTE,
        0..70 => BAD,
    }
}

fn sum_up_di(review: &DiReview, texts: &Texts, out: &mut impl Write) -> io::Result<()> {
    let color = score_color(review.overall_score);
    writeln!(out, "{color}{}{color:#}", review.score_line(texts))?;
    let counted = |category: &Category| *category != Category::GermanTitle || review.language == Language::De;
    for category in Category::ALL.into_iter().filter(counted) {
        let score = review.category_scores.get(&category).copied().unwrap_or(100);
        let style = if score == 100 { DIM } else { score_color(score) };
        let name = texts.category(category);
        let issues = review.category_issues.get(&category).copied().unwrap_or(0);
        let issues = if issues == 0 { String::new() } else { format!("  ({issues})") };
        writeln!(out, "  {style}{score:>3}{style:#}  {name}{issues}")?;
    }
    writeln!(
        out,
        "{}: {}",
        texts.get(key!("review.di.balance")),
        texts.get(group!("review.coding").key(review.balance.verdict.name()))
    )?;
    for note in review.missing_lines(texts) {
        writeln!(out, "  {note}")?;
    }
    Ok(())
}

fn sum_up_ad(review: &JobAdReview, texts: &Texts, out: &mut impl Write) -> io::Result<()> {
    let color = score_color(review.overall_score);
    let values = [
        ("score", review.overall_score.to_string()),
        ("structure", review.structure_score.to_string()),
        ("content", review.content_score.to_string()),
        ("compliance", review.compliance_score.to_string()),
    ];
    let values = values.each_ref().map(|(name, value)| (*name, value.as_str()));
    writeln!(out, "{color}{}{color:#}", texts.say(key!("review.ad.score"), &values))?;
    for part in &review.sections {
        let name = texts.get(group!("review.sections").key(part.section.name()));
        if part.found {
            let style = score_color(part.quality_score);
            let words = texts.get(key!("review.ad.words_after"));
            writeln!(
                out,
                "  {style}{:>3}{style:#}  {name} {DIM}({} {words}){DIM:#}",
                part.quality_score, part.word_count
            )?;
        } else if review.lacks(part.section) {
            writeln!(out, "  {DIM}  -  {name}{DIM:#}")?;
        }
    }
    // What to do first stands above, finding by finding: here only what all of it comes to.
    writeln!(out, "{}", texts.get(group!("review.ad.bands").key(review.score_band.name())))
}
