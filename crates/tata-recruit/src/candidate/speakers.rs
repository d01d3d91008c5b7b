//! Who of the speakers is the candidate. When that is not clear, the recruiter is asked; nothing is guessed.

use tata_document::Talk;

use super::{
    compose::quoted,
    lexicon::Cue,
    names::{Fit, NameParts},
};
use crate::{Refusal, Texts};

/// Whoever listed more speakers than this would not be read.
const MOST_LISTED: usize = 12;

/// What is known of the people in the interview.
pub(super) struct People<'a> {
    /// The candidate's name.
    pub(super) candidate: &'a str,
    /// What else the candidate is called.
    pub(super) also: &'a [String],
    /// How the transcript calls the candidate, if somebody said.
    pub(super) speaker: Option<&'a str>,
    /// Who asked the questions.
    pub(super) interviewers: &'a [String],
}

/// The candidate among the speakers.
pub(super) struct Candidate {
    /// All speakers that are the candidate.
    pub(super) speakers: Vec<usize>,
    /// Speakers without a name whose words do not count.
    pub(super) unnamed: Vec<String>,
}

impl People<'_> {
    /// Finds the candidate, or asks.
    pub(super) fn find(&self, transcript: &Talk, texts: &Texts) -> Result<Candidate, Refusal> {
        if transcript.utterances.is_empty() {
            return Err(Refusal::saying("transcript", texts, "candidate.transcript_empty.message", &[]));
        }
        if transcript.speakers.is_empty() {
            return Err(Refusal::saying("transcript", texts, "candidate.no_speakers.message", &[]));
        }
        let speakers = match self.speaker.map(str::trim).filter(|speaker| !speaker.is_empty()) {
            Some(wanted) => self.named(wanted, transcript),
            None => self.by_name(transcript).or_else(|| self.by_elimination(transcript)),
        };
        let Some(speakers) = speakers else {
            let known: Vec<String> =
                transcript.speakers.iter().take(MOST_LISTED).map(|name| quoted(name, texts)).collect();
            let key = if self.speaker.is_some() { "unknown" } else { "unclear" };
            let key = format!("candidate.speaker_{key}.message");
            return Err(Refusal::saying(
                "candidate_speaker",
                texts,
                &key,
                &[("speakers", &known.join(", "))],
            ));
        };
        let unnamed = transcript.speakers.iter().enumerate();
        let unnamed = unnamed
            .filter(|(at, name)| !speakers.contains(at) && is_unnamed(name) && !self.interviews(name))
            .map(|(_, name)| name.clone())
            .take(MOST_LISTED)
            .collect();
        Ok(Candidate { speakers, unnamed })
    }

    /// The speaker somebody named: exactly so, else by a name that fits one speaker only.
    fn named(&self, wanted: &str, transcript: &Talk) -> Option<Vec<usize>> {
        let same = |name: &String| name.to_lowercase() == wanted.to_lowercase();
        match transcript.speakers.iter().position(same) {
            Some(exact) => Some(vec![exact]),
            None => self.best(&[NameParts::of(wanted)], transcript),
        }
    }

    fn by_name(&self, transcript: &Talk) -> Option<Vec<usize>> {
        let forms: Vec<NameParts> = std::iter::once(self.candidate)
            .chain(self.also.iter().map(String::as_str))
            .map(NameParts::of)
            .collect();
        let found = self.best(&forms, transcript);
        if found.is_some() {
            return found;
        }
        let role = |name: &&String| Cue::RoleCandidate.is(name);
        let mut roles = transcript.speakers.iter().enumerate().filter(|(_, name)| role(name));
        match (roles.next(), roles.next()) {
            (Some((at, _)), None) => Some(vec![at]),
            _ => None,
        }
    }

    /// The speakers that fit best; none when two different people do.
    fn best(&self, forms: &[NameParts], transcript: &Talk) -> Option<Vec<usize>> {
        let mut fits: Vec<(Fit, usize, NameParts)> = Vec::new();
        for (at, name) in transcript.speakers.iter().enumerate() {
            let parts = NameParts::of(name);
            let fit = forms.iter().filter_map(|form| form.fits(&parts)).min();
            if let Some(fit) = fit.filter(|_| !self.interviews(name)) {
                fits.push((fit, at, parts));
            }
        }
        let best = fits.iter().map(|(fit, ..)| *fit).min()?;
        fits.retain(|(fit, ..)| *fit == best);
        let first = fits.first().map(|(_, _, parts)| parts.clone())?;
        // "Anna Berg" and "Anna Berg (Extern)" are one person who joined twice.
        let one = fits.iter().all(|(.., parts)| *parts == first);
        one.then(|| fits.into_iter().map(|(_, at, _)| at).collect())
    }

    /// The only speaker left, when everybody else is known to be an interviewer.
    fn by_elimination(&self, transcript: &Talk) -> Option<Vec<usize>> {
        let mut left = transcript.speakers.iter().enumerate().filter(|(_, name)| !self.interviews(name));
        let (at, name) = left.next()?;
        let alone = left.next().is_none() && transcript.speakers.len() > 1;
        (alone && is_unnamed(name)).then(|| vec![at])
    }

    /// Whether a speaker is an interviewer: by name, or by role.
    fn interviews(&self, name: &str) -> bool {
        let exact = |known: &String| known.trim().to_lowercase() == name.to_lowercase();
        let parts = NameParts::of(name);
        let fits = |known: &String| {
            let known = NameParts::of(known);
            !known.is_empty() && !is_unnamed(name) && known.fits(&parts).is_some()
        };
        Cue::RoleInterviewer.is(name) || self.interviewers.iter().any(|known| exact(known) || fits(known))
    }
}

/// "Speaker 1".
fn is_unnamed(name: &str) -> bool {
    Cue::Unnamed.is(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Voice;

    fn find(
        candidate: &str,
        speaker: Option<&str>,
        interviewers: &[&str],
        said: &[&str],
    ) -> Option<Vec<String>> {
        let cue = |name: &&str| format!("00:01.000 --> 00:02.000\n<v {name}>Hello there</v>\n\n");
        let cues: Vec<String> = said.iter().map(cue).collect();
        let text = format!("WEBVTT\n\n{}", cues.concat());
        let transcript = crate::candidate::transcript::read(&text, &[]);
        let interviewers: Vec<String> = interviewers.iter().map(|name| (*name).to_owned()).collect();
        let people = People { candidate, also: &[], speaker, interviewers: &interviewers };
        let found = people.find(&transcript, Texts::of(Voice::En)).ok()?;
        Some(found.speakers.iter().map(|at| transcript.speakers[*at].clone()).collect())
    }

    #[test]
    fn the_candidate_is_found_or_asked_for() {
        let check = |candidate: &str,
                     speaker: Option<&str>,
                     interviewers: &[&str],
                     said: &[&str],
                     expected: &[&str]| {
            let found = find(candidate, speaker, interviewers, said).unwrap_or_default();
            assert_eq!(found, expected, "{candidate:?} among {said:?}");
        };
        check("Anna Berg", None, &[], &["Eva Lind", "Anna Berg"], &["Anna Berg"]);
        check("Anna Berg", None, &[], &["Eva Lind", "Berg, Anna (Extern)"], &["Berg, Anna (Extern)"]);
        check(
            "Anna Berg",
            None,
            &[],
            &["Eva Lind", "Anna Berg", "Anna Berg (Extern)"],
            &["Anna Berg", "Anna Berg (Extern)"],
        );
        check("Anna Berg", None, &[], &["Anna Lind", "Anna B"], &["Anna B"]);
        check("Anna", None, &[], &["Anna Lind", "Anna Berg"], &[]);
        check("Anna", None, &["Anna Lind"], &["Anna Lind", "Anna Berg"], &["Anna Berg"]);
        check("Anna Berg", None, &[], &["Eva Lind", "Speaker 1"], &[]);
        check("Anna Berg", None, &["Eva Lind"], &["Eva Lind", "Speaker 1"], &["Speaker 1"]);
        check("Anna Berg", None, &["Eva Lind"], &["Eva Lind", "Speaker 1", "Speaker 2"], &[]);
        check("Anna Berg", None, &["Eva Lind"], &["Eva Lind", "Ove Holm"], &[]);
        check("Anna Berg", None, &[], &["Speaker 1"], &[]);
        check("Anna Berg", Some("speaker 2"), &[], &["Speaker 1", "Speaker 2"], &["Speaker 2"]);
        check("Anna Berg", Some("Ove"), &[], &["Eva Lind", "Ove Holm"], &["Ove Holm"]);
        check("Anna Berg", Some("Nils"), &[], &["Eva Lind", "Ove Holm"], &[]);
        check("Anna Berg", None, &[], &["Interviewer", "Candidate"], &["Candidate"]);
    }
}
