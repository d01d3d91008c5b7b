//! Who of the speakers is the candidate. When that is not clear, the recruiter is asked; nothing is guessed.

use tata_document::Talk;

use super::{
    CandidateInput,
    compose::quoted,
    lexicon::{is_any, is_unnamed, lists},
    names::{Fit, NameParts},
};
use crate::{Key, Refusal, Texts};

/// Whoever listed more speakers than this would not be read.
const MOST_LISTED: usize = 12;

/// The candidate among the speakers.
pub(super) struct Candidate {
    /// All speakers that are the candidate.
    pub(super) speakers: Vec<usize>,
    /// Speakers without a name whose words do not count.
    pub(super) unnamed: Vec<String>,
}

impl CandidateInput {
    /// Finds the candidate among the speakers, or asks.
    pub(super) fn find_candidate(&self, transcript: &Talk, texts: &Texts) -> Result<Candidate, Refusal> {
        let refused = |field: &str, key: Key, speakers: &str| {
            Refusal::saying(field, texts, key, &[("speakers", speakers)])
        };
        if transcript.utterances.is_empty() {
            return Err(refused("transcript", key!("candidate.transcript_empty.message"), ""));
        }
        if transcript.speakers.is_empty() {
            return Err(refused("transcript", key!("candidate.no_speakers.message"), ""));
        }
        let wish = self.candidate_speaker.as_deref();
        let speakers = match wish.map(str::trim).filter(|speaker| !speaker.is_empty()) {
            Some(wanted) => self.named(wanted, transcript),
            None => self.by_name(transcript).or_else(|| self.by_elimination(transcript)),
        };
        let speakers = speakers.ok_or_else(|| {
            let known = transcript.speakers.iter().take(MOST_LISTED).map(|name| quoted(name, texts));
            let known = known.collect::<Vec<_>>().join(", ");
            let key = if wish.is_some() {
                key!("candidate.speaker_unknown.message")
            } else {
                key!("candidate.speaker_unclear.message")
            };
            refused("candidate_speaker", key, &known)
        })?;
        let others = transcript.speakers.iter().enumerate().filter(|(at, _)| !speakers.contains(at));
        let unnamed = others.map(|(_, name)| name).filter(|name| is_unnamed(name) && !self.interviews(name));
        let unnamed = unnamed.take(MOST_LISTED).cloned().collect();
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
        let forms = std::iter::once(&self.candidate_name).chain(&self.also_known_as);
        let forms: Vec<NameParts> = forms.map(|name| NameParts::of(name)).collect();
        self.best(&forms, transcript).or_else(|| {
            let speakers = transcript.speakers.iter().enumerate();
            let mut roles = speakers.filter(|(_, name)| is_any(lists::ROLE_CANDIDATE, name));
            let (only, _) = roles.next()?;
            roles.next().is_none().then(|| vec![only])
        })
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
        let (best, _, first) = fits.iter().min_by_key(|(fit, ..)| *fit)?;
        let fitting = fits.iter().filter(|(fit, ..)| fit == best);
        // "Anna Berg" and "Anna Berg (Extern)" are one person who joined twice.
        let one = fitting.clone().all(|(.., parts)| parts == first);
        one.then(|| fitting.map(|(_, at, _)| *at).collect())
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
        let fits = |known: &String| !is_unnamed(name) && NameParts::of(known).fits(&parts).is_some();
        is_any(lists::ROLE_INTERVIEWER, name)
            || self.interviewers.iter().any(|known| exact(known) || fits(known))
    }
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
        let input = CandidateInput {
            candidate_name: candidate.to_owned(),
            candidate_speaker: speaker.map(str::to_owned),
            interviewers: interviewers.iter().map(|name| (*name).to_owned()).collect(),
            ..CandidateInput::default()
        };
        let found = input.find_candidate(&transcript, Texts::of(Voice::En)).ok()?;
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
