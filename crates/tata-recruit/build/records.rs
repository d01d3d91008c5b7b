//! Lists whose entries have fields of their own, as Rust: the offices, the laws and the limits of the funnel.

use std::{fmt::Write as _, path::Path};

use tata_phrases::build::{self, List, Section, variant};

/// The offices as the text of a static, by the key of their city.
pub(crate) fn offices(path: &Path) -> Result<String, String> {
    let mut text = "static OFFICES: &[(&str, Office)] = &[\n".to_owned();
    List::read(path)?.each(|mut section| {
        let names = section.values("names");
        let [address, map, zone] = ["address", "map", "zone"].map(|key| section.value(key));
        let _ = writeln!(
            text,
            "({:?}, Office {{ names: &{names:?}, address: {:?}, map: {:?}, zone: {:?} }}),",
            section.name, address?, map?, zone?,
        );
        section.end()
    })?;
    text.push_str("];\n");
    Ok(text)
}

/// The laws as the text of a static: of each country its sections, and their citations by category.
pub(crate) fn laws(folder: &Path) -> Result<String, String> {
    let mut text = "static LAWS: &[(&str, Sections)] = &[\n".to_owned();
    for path in build::files(folder)? {
        let country = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let sections = List::read(&path)?.each(|section| Ok((section.name.clone(), section.pairs()?)))?;
        let sections = sections.iter().map(|(name, pairs)| format!("({name:?}, &{pairs:?})"));
        let _ = writeln!(text, "({country:?}, &[{}]),", sections.collect::<Vec<_>>().join(", "));
    }
    text.push_str("];\n");
    Ok(text)
}

/// The limits of the funnel as the text of a static.
pub(crate) fn limits(path: &Path) -> Result<String, String> {
    let mut list = List::read(path)?;
    let mut text = "static BUILT_IN: BuiltIn = BuiltIn {\n".to_owned();
    for name in ["flat", "days"] {
        let mut section = list.section(name)?;
        let _ = writeln!(text, "{name}: {},", pair(&mut section, "General")?);
        section.end()?;
    }
    let mut fill = list.section("time_to_fill")?;
    let days = tenths(&fill.value("days")?, &fill)?;
    let _ = writeln!(
        text,
        "time_to_fill: TimeToFill {{ days: {days}, source: {:?} }},\nstages: &[",
        fill.value("source")?
    );
    fill.end()?;
    list.each(|mut section| {
        let from: Vec<String> = section.values("from").iter().map(|name| stage(name)).collect();
        let mut published = String::new();
        for range in section.values("published") {
            let parts =
                range.split_once(", ").and_then(|(range, source)| Some((range.split_once(" to ")?, source)));
            let ((low, high), source) =
                parts.ok_or_else(|| section.problem("a range is `1 to 2, source`"))?;
            let (low, high) = (tenths(low, &section)?, tenths(high, &section)?);
            let _ = write!(published, "Published {{ low: {low}, high: {high}, source: {source:?} }}, ");
        }
        let _ = writeln!(
            text,
            "({}, OfStage {{ limits: {}, from: &[{}], published: &[{published}] }}),",
            stage(&section.name),
            pair(&mut section, "Stage")?,
            from.join(", "),
        );
        section.end()
    })?;
    text.push_str("],\n};\n");
    Ok(text)
}

fn pair(section: &mut Section, rule: &str) -> Result<String, String> {
    let [high, medium] = ["high", "medium"].map(|key| section.value(key));
    let (high, medium) = (tenths(&high?, section)?, tenths(&medium?, section)?);
    Ok(format!("Limits {{ high: {high}, medium: {medium}, rule: LimitRule::{rule} }}"))
}

fn tenths(number: &str, section: &Section) -> Result<String, String> {
    let whole: u64 =
        number.parse().map_err(|_| section.problem(&format!("{number:?} is no whole number")))?;
    Ok(format!("Tenths({})", whole * 10))
}

/// A stage as Rust names it.
fn stage(name: &str) -> String {
    format!("FunnelStage::{}", variant(name))
}
