//! Compares the ad with ads that the recruiter pasted: what can be counted, and nothing more.

use super::{AdFacts, AdMarket};
use crate::{Notice, Texts, Voice};

/// The longest line that is read as a heading.
const HEADING: usize = 80;

/// The comparison, if there is anything to compare with.
pub(super) fn compare(own: &str, others: &[String]) -> Option<AdMarket> {
    let cues = Cues::read();
    let others: Vec<AdFacts> =
        others.iter().filter(|ad| !ad.trim().is_empty()).map(|ad| cues.facts(ad)).collect();
    (!others.is_empty()).then(|| AdMarket { own: cues.facts(own), others })
}

/// What the recruiter reads about it.
pub(super) fn notice(market: Option<&AdMarket>, texts: &Texts) -> Notice {
    let Some(market) = market else {
        return Notice::new("market", texts.get("job_ad.market.none"));
    };
    let mut words: Vec<usize> = market.others.iter().map(|ad| ad.words).collect();
    words.sort_unstable();
    let middle = words.get(words.len() / 2).copied().unwrap_or_default();
    let all = market.others.len();
    let (count, middle, own) = (all.to_string(), middle.to_string(), market.own.words.to_string());
    let mut said =
        vec![texts.say("job_ad.market.words", &[("count", &count), ("middle", &middle), ("own", &own)])];
    let kinds: [(&str, fn(&AdFacts) -> bool); 8] = [
        ("tasks", |ad| ad.tasks),
        ("requirements", |ad| ad.requirements),
        ("offer", |ad| ad.offer),
        ("team", |ad| ad.team),
        ("process", |ad| ad.process),
        ("pay", |ad| ad.pay),
        ("contact", |ad| ad.contact),
        ("deadline", |ad| ad.deadline),
    ];
    for (kind, has) in kinds {
        let others = market.others.iter().filter(|ad| has(ad)).count().to_string();
        let here = if has(&market.own) { "job_ad.market.here" } else { "job_ad.market.not_here" };
        let name = texts.get(&format!("job_ad.market.kinds.{kind}"));
        let values = [("what", name), ("others", &others), ("count", &count), ("own", texts.get(here))];
        said.push(texts.say("job_ad.market.line", &values));
    }
    let bullets: Vec<String> = market.others.iter().map(|ad| ad.bullets.to_string()).collect();
    let own = market.own.bullets.to_string();
    said.push(texts.say("job_ad.market.bullets", &[("others", &bullets.join(", ")), ("own", &own)]));
    Notice::new("market", said.join(" "))
}

/// Words by which the parts of an ad are known, in all languages.
struct Cues {
    tasks: Vec<String>,
    requirements: Vec<String>,
    offer: Vec<String>,
    team: Vec<String>,
    process: Vec<String>,
    pay: Vec<String>,
    contact: Vec<String>,
    deadline: Vec<String>,
}

impl Cues {
    fn read() -> Self {
        let read = |kind: &str| {
            let key = format!("job_ad.cues.{kind}");
            let texts = Voice::ALL.map(Texts::of);
            texts.iter().flat_map(|texts| texts.list(&key)).map(|cue| cue.to_lowercase()).collect()
        };
        Self {
            tasks: read("tasks"),
            requirements: read("requirements"),
            offer: read("offer"),
            team: read("team"),
            process: read("process"),
            pay: read("pay"),
            contact: read("contact"),
            deadline: read("deadline"),
        }
    }

    fn facts(&self, ad: &str) -> AdFacts {
        let mut facts = AdFacts { words: ad.split_whitespace().count(), ..AdFacts::default() };
        for line in ad.lines() {
            let line = line.trim();
            let lower = line.to_lowercase();
            let has = |cues: &[String]| cues.iter().any(|cue| lower.contains(cue.as_str()));
            facts.bullets += usize::from(is_point(line));
            if line.chars().take(HEADING + 1).count() <= HEADING && !is_point(line) {
                facts.tasks |= has(&self.tasks);
                facts.requirements |= has(&self.requirements);
                facts.offer |= has(&self.offer);
                facts.team |= has(&self.team);
                facts.process |= has(&self.process);
            }
            let amount =
                super::words::numbers(line).iter().any(|number| (3..=8).contains(&number.whole.len()));
            facts.pay |= amount && has(&self.pay);
            facts.contact |= line.contains('@') || has(&self.contact);
            facts.deadline |= has(&self.deadline);
        }
        facts
    }
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
            for kind in ["tasks", "requirements", "offer", "team", "process", "pay", "contact", "deadline"] {
                assert!(!texts.list(&format!("job_ad.cues.{kind}")).is_empty(), "{voice:?} {kind}");
            }
        }
    }
}
