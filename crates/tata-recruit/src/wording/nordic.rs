//! Swedish, Danish and Norwegian tasks: "Styrer leverandører" in the notes is "Styre leverandører" in a list of what somebody
//! will do.

use crate::Language;

/// Danish verbs; their present adds an r.
const DANISH: &str = "afdække afholde afklare afstemme analysere arbejde arkivere behandle beregne bestille besvare besøge \
    betjene bidrage bistå bogføre booke budgettere bygge coache deltage designe dokumentere drifte drive eskalere estimere \
    etablere evaluere facilitere fakturere fejlsøge forbedre forberede forhandle formidle forvalte følge gennemføre give godkende \
    grave hjælpe holde håndtere identificere implementere indberette indkøbe indsamle informere installere integrere kommunikere \
    kontrollere koordinere kvalitetssikre køre lave lede levere lytte løse migrere montere motivere måle onboarde opbygge opdatere \
    oplære optimere opsøge overvåge pakke planlægge plukke prioritere programmere præsentere rapportere registrere rekruttere \
    reparere rådgive samarbejde samle servicere sikre skabe skifte skrive sparre styre støtte stå svare svejse sælge sørge tage \
    tegne teste trække udarbejde udføre udvikle undersøge understøtte undervise vedligeholde vurdere bytte";
/// Norwegian verbs; their present adds an r.
const NORWEGIAN: &str = "analysere arbeide arkivere avdekke avklare avstemme behandle beregne bestille besvare besøke betjene bidra \
    bistå bokføre booke budsjettere bygge bytte delta designe dokumentere drifte drive eskalere estimere etablere evaluere fakturere \
    fasilitere feilsøke forbedre forberede forhandle formidle forvalte følge gi gjennomføre godkjenne grave hjelpe holde håndtere \
    identifisere implementere informere installere integrere jobbe kommunisere kontrollere koordinere kvalitetssikre kjøre lage lede \
    levere lytte løse migrere montere motivere måle onboarde oppdatere oppsøke optimalisere overvåke pakke planlegge plukke \
    presentere prioritere programmere rapportere registrere rekruttere reparere rådgi samarbeide samle sikre skape skifte skrive \
    styre støtte stå svare sveise selge sørge ta tegne teste trekke undersøke undervise utarbeide utføre utvikle utrede vedlikeholde \
    videreutvikle vurdere";
/// Swedish verbs whose present adds an r.
const SWEDISH: &str = "analysera ansvara arbeta arkivera besvara bidra boka bokföra budgetera delta designa dokumentera effektivisera \
    eskalera estimera etablera fakturera förhandla förbättra förmedla förvalta granska hantera handla identifiera implementera \
    informera installera integrera jobba kalkylera kartlägga koda kommunicera kontrollera koordinera kvalitetssäkra leverera lyssna \
    migrera montera motivera optimera organisera packa planera plocka presentera prioritera programmera projektera rapportera \
    registrera rekrytera reparera rita samarbeta samla samordna skapa skicka starta stötta svara svetsa säkra testa träffa uppdatera \
    upprätta utbilda utveckla utvärdera vidareutveckla övervaka ta ge se stå";
/// Swedish verbs whose present ends in -er in place of -a.
const SWEDISH_ER: &str = "besöka bygga driva felsöka följa förbereda genomföra hjälpa hålla kartlägga köpa leda lägga lösa mäta ringa \
    sammanställa skriva sköta ställa säkerställa sälja söka underhålla undersöka uppsöka utföra utreda bokföra";
/// Verbs whose forms are their own: present, infinitive.
const OWN: &[(&str, &str, Language)] = &[
    ("er", "være", Language::Da),
    ("har", "have", Language::Da),
    ("gør", "gøre", Language::Da),
    ("er", "være", Language::No),
    ("har", "ha", Language::No),
    ("gjør", "gjøre", Language::No),
    ("är", "vara", Language::Sv),
    ("har", "ha", Language::Sv),
    ("gör", "göra", Language::Sv),
];
/// Presents that are nouns just as often: "Leder" is a leader, "Lager" a store.
const BOTH: &str = "leder tester driver måler koder tegner selger sælger pakker skaber lager støtter er har";
/// After one of these words the one before was a verb.
const AFTER_A_VERB: &str = "den det de dem en ett et ei vores våra våre vår vårt alle alla sine sina";

/// A task in the infinitive, if its verb is certain.
pub(super) fn task(text: &str, language: Language) -> Option<String> {
    let words: Vec<&str> = text.split(' ').collect();
    let addressed = usize::from(words.first().is_some_and(|word| word.eq_ignore_ascii_case("du")));
    let verb = |at: usize| {
        let word = words.get(at)?.trim_end_matches(',').to_lowercase();
        let next = words.get(at + 1).copied().unwrap_or_default().to_lowercase();
        let both = has(BOTH, &word) && !(at == addressed && addressed == 1) && !has(AFTER_A_VERB, &next);
        infinitive(&word, language).filter(|_| !both)
    };
    verb(addressed)?;
    let mut out: Vec<String> = Vec::with_capacity(words.len());
    for (at, word) in words.iter().enumerate().skip(addressed) {
        let before = at.checked_sub(1).and_then(|at| words.get(at)).copied().unwrap_or_default();
        // "Planlægger og gennemfører": joined to the first one.
        let joined = matches!(before, "og" | "och") || before.ends_with(',');
        let form = verb(at).filter(|_| at == addressed || joined);
        let comma = if word.ends_with(',') { "," } else { "" };
        out.push(form.map_or_else(|| (*word).to_owned(), |form| format!("{form}{comma}")));
    }
    let text_out = out.join(" ");
    let capital = text.starts_with(char::is_uppercase);
    Some(if capital { crate::document::capitalized(&text_out) } else { text_out })
}

fn infinitive(present: &str, language: Language) -> Option<String> {
    if let Some((_, form, _)) = OWN.iter().find(|(known, _, of)| *known == present && *of == language) {
        return Some((*form).to_owned());
    }
    let by_r = |verbs: &str| present.strip_suffix('r').filter(|form| has(verbs, form)).map(str::to_owned);
    match language {
        Language::Da => by_r(DANISH),
        Language::No => by_r(NORWEGIAN),
        Language::Sv => by_r(SWEDISH).or_else(|| {
            let form = format!("{}a", present.strip_suffix("er")?);
            has(SWEDISH_ER, &form).then_some(form)
        }),
        Language::En | Language::De => None,
    }
}

fn has(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|known| known == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_are_infinitives() {
        let check = |language: Language, text: &str, wanted: &str| {
            assert_eq!(task(text, language).as_deref(), Some(wanted), "{text:?}");
        };
        check(Language::Da, "Styrer leverandører", "Styre leverandører");
        check(Language::Da, "Du følger op på aftaler", "Følge op på aftaler");
        check(Language::Da, "Planlægger og gennemfører møder", "Planlægge og gennemføre møder");
        check(Language::Da, "leder det daglige arbejde", "lede det daglige arbejde");
        check(Language::No, "utfører service på telehytter", "utføre service på telehytter");
        check(Language::No, "Bytter batterier", "Bytte batterier");
        check(Language::No, "Du er kontaktperson for kunder", "Være kontaktperson for kunder");
        check(Language::Sv, "Ringer befintliga kunder", "Ringa befintliga kunder");
        check(Language::Sv, "Planerar, budgeterar och följer upp", "Planera, budgetera och följa upp");
        check(Language::Sv, "Du ansvarar för budgeten", "Ansvara för budgeten");
    }

    #[test]
    fn nouns_stay() {
        for (language, text) in [
            (Language::Da, "Leder af teamet"),
            (Language::Da, "Rapporter til ledelsen"),
            (Language::No, "Lager og logistikk"),
            (Language::No, "Selger i butikk"),
            (Language::Sv, "Avtal och upphandlingar"),
            (Language::Sv, "Styra leverantörer"),
            (Language::En, "Styrer"),
        ] {
            assert_eq!(task(text, language), None, "{text:?}");
        }
    }
}
