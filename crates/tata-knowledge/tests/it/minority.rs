//! A company whose documents are nearly all in another language than the question and the one document that answers it.

use tata_knowledge::{Knowledge, Lang, Prepared, SearchRequest};

use crate::world::{document, embedded, knowledge, manifest};

/// What one document says in a language, and questions that it answers.
struct Policy {
    lang: &'static str,
    text: &'static str,
    questions: [&'static str; 4],
}

const POLICIES: [Policy; 5] = [
    Policy {
        lang: "en",
        text: "# Working hours\n\nThe notice period during probation is two weeks. Overtime is paid from the second hour \
               on. Every employee gets a wellness allowance of 300 euros a year. Parking in the garage costs 40 euros a \
               month.\n\n## Parents\n\nFathers may take ten weeks of paid leave after the birth of a child.",
        questions: [
            "How long is the notice period during probation?",
            "What is the wellness allowance of an employee?",
            "What does parking in the garage cost a month?",
            "Weeks of paid leave for fathers after the birth of a child",
        ],
    },
    Policy {
        lang: "sv",
        text: "# Arbetstid\n\nUppsägningstiden under provanställningen är två veckor. Övertid ersätts från och med den andra \
               timmen. Alla anställda får ett friskvårdsbidrag på 3 000 kronor per år. Parkering i garaget kostar 400 \
               kronor i månaden.\n\n## Föräldrar\n\nPappor kan vara lediga med lön i tio veckor efter barnets födelse.",
        questions: [
            "Hur lång är uppsägningstiden under provanställningen?",
            "Hur mycket är friskvårdsbidraget?",
            "Vad kostar parkeringen?",
            "Hur många veckor kan pappor vara lediga?",
        ],
    },
    Policy {
        lang: "da",
        text: "# Arbejdstid\n\nOpsigelsesvarslet i prøvetiden er to uger. Overarbejde betales fra og med den anden time. Alle \
               medarbejdere får et sundhedstilskud på 2.000 kroner om året. Parkering i kælderen koster 300 kroner om \
               måneden.\n\n## Forældre\n\nFædre kan holde ti ugers orlov med løn efter barnets fødsel.",
        questions: [
            "Hvor langt er opsigelsesvarslet i prøvetiden?",
            "Hvor meget er sundhedstilskuddet?",
            "Hvad koster parkeringen?",
            "Hvor mange ugers orlov kan fædre holde?",
        ],
    },
    Policy {
        lang: "no",
        text: "# Arbeidstid\n\nOppsigelsestiden i prøvetiden er to uker. Overtid betales fra og med den andre timen. Alle \
               ansatte får et treningstilskudd på 2 000 kroner i året. Parkering i kjelleren koster 300 kroner i \
               måneden.\n\n## Foreldre\n\nFedre kan ta ti uker permisjon med lønn etter barnets fødsel.",
        questions: [
            "Hvor lang er oppsigelsestiden i prøvetiden?",
            "Treningstilskudd for ansatte i året",
            "Hva koster parkeringen?",
            "Hvor mange uker permisjon kan fedre ta?",
        ],
    },
    Policy {
        lang: "de",
        text: "# Arbeitszeit\n\nDie Kündigungsfrist in der Probezeit beträgt zwei Wochen. Überstunden werden ab der zweiten \
               Stunde bezahlt. Alle Beschäftigten bekommen einen Gesundheitszuschuss von 300 Euro im Jahr. Ein \
               Parkplatz in der Garage kostet 40 Euro im Monat.\n\n## Eltern\n\nVäter können nach der Geburt eines \
               Kindes zehn Wochen bezahlt freinehmen.",
        questions: [
            "Wie lang ist die Kündigungsfrist in der Probezeit?",
            "Was ist der Gesundheitszuschuss im Jahr?",
            "Was kostet ein Parkplatz?",
            "Wie viele Wochen können Väter freinehmen?",
        ],
    },
];

const ENGLISH: [&str; 8] = [
    "The network is monitored around the clock, and alarms go to the team that is on call.",
    "Customers are told of planned work at least ten days before it begins.",
    "A backup is made every night and kept in another building.",
    "Access to the data centre is given by the site manager and ends after a year.",
    "Invoices are paid within thirty days if the order number is on them.",
    "Fibre is measured from both ends, and the result is stored with the order.",
    "Passwords are never sent by mail, and nobody from support asks for them.",
    "Every change is reviewed by a second engineer before it is rolled out.",
];
const GERMAN: [&str; 8] = [
    "Das Netz wird rund um die Uhr überwacht, und Alarme gehen an das Team, das Bereitschaft hat.",
    "Kunden erfahren von geplanten Arbeiten mindestens zehn Tage, bevor sie beginnen.",
    "Jede Nacht wird eine Sicherung gemacht und in einem anderen Gebäude aufbewahrt.",
    "Den Zugang zum Rechenzentrum vergibt die Standortleitung, und er endet nach einem Jahr.",
    "Rechnungen werden innerhalb von dreißig Tagen bezahlt, wenn die Bestellnummer darauf steht.",
    "Glasfaser wird von beiden Enden gemessen, und das Ergebnis liegt beim Auftrag.",
    "Passwörter werden nie per Mail verschickt, und niemand vom Support fragt danach.",
    "Jede Änderung wird von einer zweiten Person geprüft, bevor sie ausgerollt wird.",
];

/// Nineteen documents in other words for each one that answers.
fn others(sentences: &[&str; 8]) -> Vec<Prepared> {
    let other = |at: usize| {
        let pick = |step: usize| sentences[(at * step + step) % sentences.len()];
        let text = format!("# Guide {at}\n\n{} {}\n\n## More\n\n{}", pick(1), pick(3), pick(5));
        document(&format!("https://example.com/guide/{at}"), &format!("Guide {at}"), &text)
    };
    (0..38).map(other).collect()
}

async fn mixture(policy: &Policy) -> (tempfile::TempDir, Knowledge) {
    let (folder, engine) = embedded();
    let mut documents = others(if policy.lang == "en" { &GERMAN } else { &ENGLISH });
    let mut answers = document("https://example.com/policy", "Policy", policy.text);
    answers.entry.lang = Some(policy.lang.to_owned());
    documents.push(answers);
    let knowledge = knowledge(engine);
    knowledge.engine().replace(documents, &manifest(None)).await.unwrap();
    (folder, knowledge)
}

/// The one document of its language is found by questions in its language, above the threshold, and before all others.
#[tokio::test]
async fn a_question_finds_the_few_documents_of_its_language() {
    for policy in &POLICIES {
        let (_folder, knowledge) = mixture(policy).await;
        let languages = knowledge.engine().languages().await.unwrap();
        let own = languages.iter().find(|(lang, _)| *lang == Lang::find(policy.lang)).unwrap().1;
        let all: u64 = languages.iter().map(|(_, count)| count).sum();
        assert!(own * 20 < all, "{}: {own} of {all} is no small share", policy.lang);
        for question in policy.questions {
            let request = SearchRequest { query: question.to_owned(), ..SearchRequest::default() };
            let found = knowledge.search(&request).await;
            let first = found.results.first().map(|result| result.url.as_str());
            assert_eq!(first, Some("https://example.com/policy"), "{}: {question}: {found:?}", policy.lang);
        }
    }
}

/// What none of the documents says is not found for all that.
#[tokio::test]
async fn what_stands_nowhere_is_not_found_in_a_small_share_either() {
    let questions = [
        "Who won the football cup in Brazil last summer?",
        "Vem vann fotbollscupen i Brasilien förra sommaren?",
        "Hvem vandt fodboldturneringen i Brasilien sidste sommer?",
        "Hvem vant fotballcupen i Brasil i fjor sommer?",
        "Wer hat im letzten Sommer den Fußballpokal in Brasilien gewonnen?",
    ];
    for (policy, question) in POLICIES.iter().zip(questions) {
        let (_folder, knowledge) = mixture(policy).await;
        let request = SearchRequest { query: question.to_owned(), ..SearchRequest::default() };
        let found = knowledge.search(&request).await;
        assert!(found.results.is_empty(), "{}: {question}: {found:?}", policy.lang);
    }
}
