//! Charts as pictures: bars with their names and numbers, readable in print and without colour.

use unicode_width::UnicodeWidthStr;

use super::html::escaped;
use crate::{Block, Chart, Document};

/// The width of the picture.
const WIDTH: f64 = 800.0;
/// The height of a stage, and of its bar.
const STAGE: f64 = 40.0;
const BAR: f64 = 26.0;
const MARGIN: f64 = 20.0;
const SIZE: f64 = 15.0;
/// The width of a usual letter at that size; names longer than their room are cut.
const LETTER: f64 = 8.2;
const TITLE: f64 = 34.0;

/// All charts of a document below one another, if it has any.
pub(crate) fn pictures(document: &Document) -> Option<String> {
    let charts: Vec<&Chart> = document
        .blocks
        .iter()
        .filter_map(|block| if let Block::Chart(chart) = block { Some(chart) } else { None })
        .filter(|chart| !chart.stages.is_empty())
        .collect();
    if charts.is_empty() {
        return None;
    }
    let mut body = String::new();
    let mut top = MARGIN;
    for chart in &charts {
        top = draw(chart, true, top, &mut body);
    }
    let described: Vec<String> = charts.iter().map(|chart| described(chart)).collect();
    let size = format!(" width=\"{WIDTH}\" height=\"{top:.0}\"");
    Some(framed(&body, top, &size, [&document.title, &described.join("; "), document.language.as_str()]))
}

/// One chart as part of a page: as wide as its place, and without the title, which stands above it.
pub(super) fn inline_picture(chart: &Chart, language: &str) -> String {
    let mut body = String::new();
    let high = draw(chart, false, MARGIN, &mut body);
    framed(&body, high, "", [&chart.title, &described(chart), language])
}

fn framed(body: &str, high: f64, size: &str, [title, described, language]: [&str; 3]) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {high:.0}\"{size} role=\"img\" lang=\"{language}\" \
         xml:lang=\"{language}\" font-family=\"'Noto Sans', Calibri, Arial, sans-serif\" font-size=\"{SIZE}\">\n\
         <title>{}</title>\n<desc>{}</desc>\n<rect width=\"{WIDTH}\" height=\"{high:.0}\" fill=\"#ffffff\"></rect>\n\
         {body}</svg>\n",
        escaped(title),
        escaped(described),
    )
}

/// A chart in words, for those who do not see it.
pub(crate) fn described(chart: &Chart) -> String {
    let stages: Vec<String> =
        chart.stages.iter().map(|stage| format!("{} {}", stage.label, stage.shown)).collect();
    let start = if chart.title.is_empty() { String::new() } else { format!("{}: ", chart.title) };
    format!("{start}{}", stages.join(", "))
}

fn draw(chart: &Chart, titled: bool, mut top: f64, out: &mut String) -> f64 {
    if titled && !chart.title.is_empty() {
        out.push_str(&format!(
            "<text x=\"{MARGIN}\" y=\"{:.1}\" font-weight=\"bold\" fill=\"#1b3a57\">{}</text>\n",
            top + SIZE,
            escaped(&fitted(&chart.title, WIDTH - 2.0 * MARGIN))
        ));
        top += TITLE;
    }
    let widest = |texts: &mut dyn Iterator<Item = &str>| texts.map(wide).fold(0.0, f64::max);
    let labels = widest(&mut chart.stages.iter().map(|stage| stage.label.as_str())).clamp(60.0, 260.0);
    let counts = widest(&mut chart.stages.iter().map(|stage| stage.shown.as_str())).clamp(20.0, 120.0);
    let left = MARGIN + labels + 14.0;
    let room = WIDTH - MARGIN - counts - 10.0 - left;
    for stage in &chart.stages {
        let share = f64::from(u16::try_from(stage.length.min(1000)).unwrap_or(1000)) / 1000.0;
        let least = if stage.count > 0 { 2.0 } else { 0.0 };
        let bar = (room * share).max(least);
        let baseline = top + STAGE / 2.0 + SIZE * 0.36;
        out.push_str(&format!(
            "<text x=\"{:.1}\" y=\"{baseline:.1}\" text-anchor=\"end\" fill=\"#1a1a1a\">{}</text>\n",
            left - 14.0,
            escaped(&fitted(stage.label.as_str(), labels))
        ));
        out.push_str(&format!(
            "<rect x=\"{left:.1}\" y=\"{:.1}\" width=\"{bar:.1}\" height=\"{BAR}\" fill=\"#2f6f9f\" stroke=\"#1b3a57\" \
             stroke-width=\"0.75\"></rect>\n",
            top + (STAGE - BAR) / 2.0
        ));
        out.push_str(&format!(
            "<text x=\"{:.1}\" y=\"{baseline:.1}\" font-weight=\"bold\" fill=\"#1a1a1a\">{}</text>\n",
            left + bar + 8.0,
            escaped(&fitted(stage.shown.as_str(), counts))
        ));
        top += STAGE;
    }
    top + MARGIN
}

fn wide(text: &str) -> f64 {
    f64::from(u16::try_from(text.width()).unwrap_or(u16::MAX)) * LETTER
}

/// The text on one line, cut to its room.
fn fitted(text: &str, room: f64) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if wide(&line) <= room + LETTER {
        return line;
    }
    let mut cut = String::new();
    for letter in line.chars() {
        if wide(&cut) + 2.0 * LETTER > room {
            break;
        }
        cut.push(letter);
    }
    format!("{}…", cut.trim_end())
}
