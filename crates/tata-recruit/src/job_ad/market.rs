//! Compares the ad with ads that the recruiter pasted: what can be counted, and nothing more.

use super::{AdFacts, AdMarket, AdPart, cross_check::cues};
use crate::{Notice, Texts, figures::numbers};

/// The longest line that is read as a heading.
const HEADING: usize = 80;

/// The comparison, if there is anything to compare with.
pub(super) fn compare(own: &str, others: &[String]) -> Option<AdMarket> {
    let cues = AdPart::ALL.map(|part| (part, cues(group!("job_ad.cues").key(part.name()))));
    let others = others.iter().filter(|ad| !ad.trim().is_empty());
    let others: Vec<AdFacts> = others.map(|ad| facts(ad, &cues)).collect();
    (!others.is_empty()).then(|| AdMarket { own: facts(own, &cues), others })
}

/// What the recruiter reads about it.
pub(super) fn notice(market: Option<&AdMarket>, texts: &Texts) -> Notice {
    let Some(market) = market else {
        return Notice::say("market", texts, key!("job_ad.market.none"), &[]);
    };
    let mut lengths: Vec<usize> = market.others.iter().map(|ad| ad.words).collect();
    lengths.sort_unstable();
    let middle = lengths.get(lengths.len() / 2).copied().unwrap_or_default();
    let all = market.others.len();
    let (count, middle, own) = (all.to_string(), middle.to_string(), market.own.words.to_string());
    let mut said = vec![
        texts.say(key!("job_ad.market.words"), &[("count", &count), ("middle", &middle), ("own", &own)]),
    ];
    for part in AdPart::ALL {
        let others = market.others.iter().filter(|ad| ad.parts.contains(&part)).count().to_string();
        let [here, missing] = [key!("job_ad.market.here"), key!("job_ad.market.not_here")];
        let here = texts.get(if market.own.parts.contains(&part) { here } else { missing });
        let name = texts.get(group!("job_ad.market.kinds").key(part.name()));
        let values = [("what", name), ("others", &others), ("count", &count), ("own", here)];
        said.push(texts.say(key!("job_ad.market.line"), &values));
    }
    let bullets: Vec<String> = market.others.iter().map(|ad| ad.bullets.to_string()).collect();
    let own = market.own.bullets.to_string();
    said.push(texts.say(key!("job_ad.market.bullets"), &[("others", &bullets.join(", ")), ("own", &own)]));
    Notice::new("market", said.join(" "))
}

/// What an ad has. The cues are the words by which its parts are known, in all languages.
fn facts(ad: &str, cues: &[(AdPart, Vec<String>)]) -> AdFacts {
    let mut facts = AdFacts { words: ad.split_whitespace().count(), ..AdFacts::default() };
    for line in ad.lines().map(str::trim) {
        let point = is_point(line);
        facts.bullets += usize::from(point);
        let lower = line.to_lowercase();
        let heading = !point && line.chars().take(HEADING + 1).count() <= HEADING;
        for (part, cues) in cues {
            let possible = match part {
                AdPart::Tasks | AdPart::Requirements | AdPart::Offer | AdPart::Team | AdPart::Process => {
                    heading
                }
                AdPart::Pay => numbers(line).iter().any(|number| (3..=8).contains(&number.len())),
                AdPart::Contact | AdPart::Deadline => true,
            };
            let address = *part == AdPart::Contact && line.contains('@');
            if address || possible && cues.iter().any(|cue| lower.contains(cue.as_str())) {
                facts.parts.insert(*part);
            }
        }
    }
    facts
}

fn is_point(line: &str) -> bool {
    let mut letters = line.chars();
    let sign = letters.next().is_some_and(|sign| matches!(sign, '*' | '•' | '-' | '–' | '·' | '▪' | '◦'));
    let number = line.split_once(['.', ')']).is_some_and(|(number, rest)| {
        number.len() < 3
            && !number.is_empty()
            && number.bytes().all(|byte| byte.is_ascii_digit())
            && rest.starts_with(' ')
    });
    sign && letters.next().is_some_and(char::is_whitespace) || number
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Voice;

    #[test]
    fn points_are_counted() {
        let check = |line: &str, point: bool| assert_eq!(is_point(line), point, "{line:?}");
        check("* one", true);
        check("- one", true);
        check("1. one", true);
        check("12) one", true);
        check("-one", false);
        check("2026. one", false);
        check("", false);
    }

    #[test]
    fn the_cues_are_there_in_every_language() {
        for voice in Voice::ALL {
            let texts = Texts::of(voice);
            for part in AdPart::ALL {
                let cues = texts.list(group!("job_ad.cues").key(part.name()));
                assert!(!cues.is_empty(), "{voice:?} {part:?}");
            }
        }
    }
}
