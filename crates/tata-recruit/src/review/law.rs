//! The law about a category in the country of a job.

use tata_language::book::Category;

use crate::{Country, Language};

/// The citations of a country by the names of its sections.
type Sections = &'static [(&'static str, &'static [(&'static str, &'static str)])];

include!(concat!(env!("OUT_DIR"), "/laws.rs"));

/// The law about an ad: what it says on the ground of a category, for a reason. The laws of the EU are named in the language
/// of the reader.
pub(crate) fn about_ad(
    country: Country,
    (category, reason): (Category, &str),
    reader: Language,
) -> Option<String> {
    let name = category.name();
    let of_reason = citation(country, "ad", &format!("{name}.{reason}"), reader);
    let found = of_reason.or_else(|| citation(country, "ad", name, reader))?;
    Some(joined([found], country))
}

/// The law about a wish for or against people on some grounds, each statute once. Nothing if no law names any of them.
pub(crate) fn about_wish(country: Country, grounds: &[Category], reader: Language) -> Option<String> {
    let found = grounds.iter().filter_map(|category| citation(country, "wish", category.name(), reader));
    Some(joined(found, country)).filter(|law| !law.is_empty())
}

/// A citation as the file has it. A wish is judged as an ad is where the file does not tell them apart.
fn citation(country: Country, about: &str, key: &str, reader: Language) -> Option<&'static str> {
    let (_, sections) = LAWS.iter().find(|(name, _)| *name == country.name())?;
    let section = |name: &str| sections.iter().find(|(known, _)| *known == name).map(|(_, pairs)| *pairs);
    let pairs = section(about).or_else(|| section("ad")).or_else(|| section(reader.code()))?;
    pairs.iter().find(|(known, _)| *known == key).map(|(_, citation)| *citation)
}

/// Citations as one, as lawyers of the country write it: each statute once, with its paragraphs in order.
fn joined<'a>(citations: impl IntoIterator<Item = &'a str>, country: Country) -> String {
    let mut statutes: Vec<(&str, Vec<&str>)> = Vec::new();
    for statute in citations.into_iter().flat_map(|citation| citation.split("; ")) {
        let (name, paragraphs) = statute.split_once(": ").unwrap_or((statute, ""));
        let at = statutes.iter().position(|(known, _)| *known == name).unwrap_or_else(|| {
            statutes.push((name, Vec::new()));
            statutes.len() - 1
        });
        if let Some((_, known)) = statutes.get_mut(at) {
            known.extend(paragraphs.split(", "));
        }
    }
    let statutes = statutes.into_iter().map(|(name, mut paragraphs)| {
        paragraphs.sort_by_key(|paragraph| numbers(paragraph));
        paragraphs.dedup();
        let paragraphs = listed(&paragraphs);
        match country {
            Country::Sweden | Country::Germany => format!("{paragraphs} {name}"),
            Country::Denmark | Country::Norway => format!("{name} {paragraphs}"),
            Country::Elsewhere => format!("{name}, {paragraphs}"),
        }
    });
    statutes.collect::<Vec<_>>().join("; ")
}

/// The numbers of a paragraph, by which paragraphs are in order.
fn numbers(paragraph: &str) -> Vec<u32> {
    let parts = paragraph.split(|letter: char| !letter.is_ascii_digit());
    parts.filter_map(|part| part.parse().ok()).collect()
}

/// Paragraphs behind one another; several that are plain numbers under one sign: "§§ 1, 7".
fn listed(paragraphs: &[&str]) -> String {
    let plain: Option<Vec<&str>> = paragraphs
        .iter()
        .map(|paragraph| paragraph.strip_prefix("§ ").filter(|number| number.parse::<u32>().is_ok()))
        .collect();
    match plain {
        Some(plain) if plain.len() > 1 => format!("§§ {}", plain.join(", ")),
        Some(_) | None => paragraphs.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::withheld::GROUNDS;
    use Category::{Age, Family, Gender, GermanTitle, Religion};
    use Country::{Denmark, Elsewhere, Germany, Norway, Sweden};

    const ALL: [Country; 5] = Country::ALL;

    #[test]
    fn every_country_names_a_law_for_what_the_law_protects() {
        for country in ALL {
            for language in Language::ALL {
                for category in GROUNDS.iter().map(|name| Category::find(name).unwrap()) {
                    let context = format!("{country:?} {language:?} {category:?}");
                    assert!(about_ad(country, (category, ""), language).is_some(), "{context}");
                    assert!(about_wish(country, &[category], language).is_some(), "{context}");
                }
            }
        }
        for (country, sections) in LAWS {
            assert!(Country::find(country).is_some(), "{country}");
            for (section, pairs) in *sections {
                let is_known = matches!(*section, "ad" | "wish") || Language::wished(section).is_some();
                assert!(is_known, "{country} {section}");
                for (key, citation) in *pairs {
                    let (category, reason) = key.split_once('.').unwrap_or((key, ""));
                    assert!(Category::find(category).is_some(), "{country} {key}");
                    let reason = format!("{category}.{reason}");
                    assert!(
                        reason.ends_with('.') || group!("review.reasons").find(reason).is_some(),
                        "{country} {key}"
                    );
                    let named = citation.split("; ").all(|statute| statute.contains(": "));
                    assert!(named, "{country} {key}: {citation}");
                }
            }
        }
    }

    /// What an employment lawyer found: paragraphs about ads cited for wishes, age in the wrong Norwegian law, religion where
    /// the Swedish law defines nothing, and sex in the wrong sentence of the German one.
    #[test]
    fn each_country_is_cited_as_its_lawyers_cite_it() {
        let ad = |country, category, reason: &str, expected: &str| {
            let found = about_ad(country, (category, reason), Language::En);
            assert_eq!(found.as_deref(), Some(expected), "{country:?} {category:?} {reason}");
        };
        let wish = |country, grounds: &[Category], expected: &str| {
            let found = about_wish(country, grounds, Language::En);
            assert_eq!(found.as_deref(), Some(expected), "{country:?} {grounds:?}");
        };
        ad(Denmark, Gender, "", "ligebehandlingsloven §§ 2, 6");
        wish(Denmark, &[Gender], "ligebehandlingsloven § 2");
        ad(Denmark, Age, "youth", "forskelsbehandlingsloven § 2 stk. 1, § 5");
        wish(
            Denmark,
            &[Age, Gender, Family],
            "forskelsbehandlingsloven § 2 stk. 1; ligebehandlingsloven § 1 stk. 2, § 2",
        );
        ad(Sweden, Gender, "", "1 kap. 4 §, 2 kap. 1 § diskrimineringslagen");
        ad(Sweden, Religion, "", "1 kap. 1 §, 1 kap. 4 §, 2 kap. 1 § diskrimineringslagen");
        wish(
            Sweden,
            &[Family, Age],
            "16 § föräldraledighetslagen; 1 kap. 4 §, 2 kap. 1 § diskrimineringslagen",
        );
        wish(Norway, &[Age], "arbeidsmiljøloven kap. 13");
        wish(
            Norway,
            &[Gender, Family, Age],
            "likestillings- og diskrimineringsloven §§ 6, 29, 30; arbeidsmiljøloven kap. 13",
        );
        ad(Germany, GermanTitle, "", "§§ 1, 11 AGG; § 22 Abs. 3 PStG");
        ad(Germany, Family, "pregnancy", "§ 1, § 3 Abs. 1 Satz 2, § 7, § 11 AGG");
        ad(Germany, Family, "availability", "§ 1, § 3 Abs. 2, § 7, § 11 AGG");
        wish(Germany, &[Age, Gender, Family], "§§ 1, 3, 7 AGG");
        ad(Elsewhere, Gender, "", "Directive 2006/54/EC, Article 14");
        let danish = about_wish(Elsewhere, &[Age, Religion], Language::Da);
        assert_eq!(danish.as_deref(), Some("direktiv 2000/78/EF, artikel 1, artikel 3"));
    }
}
