//! Documents as the modules make them, in five languages, and one that nobody means well.

use tata_document::{
    Align, Attendee, Block, Chart, Document, Evidence, Inline, Invitation, Options, Span, Stage, Table,
};

/// All of them, with a name.
pub(crate) fn documents() -> Vec<(&'static str, Document)> {
    vec![
        ("funnel-en", funnel()),
        ("profile-sv", profile()),
        ("screening-da", screening()),
        ("report-de", report()),
        ("messages-no", messages()),
        ("hostile", hostile()),
    ]
}

/// What goes with them.
pub(crate) fn options() -> Options {
    Options {
        notice: Some(
            "Drafted with AI from the sources named here; a person must check it before it is used.".into(),
        ),
        sources: Some("Sources".into()),
        author: Some("Talent Acquisition".into()),
        organization: Some("GlobalConnect".into()),
        created: Some("2026-11-17T09:30:00Z".parse().unwrap()),
    }
}

fn stage(label: &str, count: u64, shown: &str, length: u64) -> Stage {
    Stage { label: label.into(), count, shown: shown.into(), length }
}

fn funnel() -> Document {
    let mut document = Document::new("en", "Funnel report: Network Engineer");
    document.heading(1, "Summary");
    document.push(Block::table(
        ["Fact", "Value"],
        [
            ["Role", "Network Engineer"],
            ["Hiring manager", "Åsa Öberg"],
            ["Overall conversion", "1.2 % (Applications 1 204 → Offers accepted 14)"],
        ],
    ));
    document.heading(1, "Funnel").heading(2, "Process");
    let columns = ["Stage", "Share", "Count"].map(Inline::from);
    let stages = vec![
        stage("Applications", 1204, "1 204", 1000),
        stage("Qualified", 310, "310", 257),
        stage("TA screening", 96, "96", 80),
        stage("Hiring manager interview", 40, "40", 33),
        stage("Offers made", 17, "17", 14),
        stage("Offers accepted", 14, "14", 12),
    ];
    document.push(Block::Chart(Chart { title: "Process".into(), columns, stages }));
    document.heading(1, "Figures");
    let rows: Vec<[String; 4]> = (1..=60)
        .map(|at| {
            let note = if at % 7 == 0 {
                "The base is small, so the share says little about the stage itself."
            } else {
                ""
            };
            [format!("Week {at}"), (at * 13).to_string(), format!("{}.5 %", at % 90), note.to_owned()]
        })
        .collect();
    let align = [Align::Start, Align::End, Align::End];
    document.push(Block::Table(Table::new(["Stage", "Count", "Conversion", "Notes"], rows).aligned(align)));
    document.heading(1, "Bottlenecks").paragraph(vec![
        Span::new("Qualified"),
        Span::new(" is the largest drop").strong(),
        Span::new(", see "),
        Span::new("the benchmark").link("https://example.com/benchmark?a=1&b=2"),
        Span::new("."),
    ]);
    document
}

fn profile() -> Document {
    let mut document = Document::new("sv", "Kravprofil: Nätverksingenjör");
    document.paragraph("Version 2, utkast.");
    document.heading(1, "Måste ha");
    let item = |text: &str, start: usize| {
        let quote = text.to_lowercase();
        let evidence =
            Evidence { source: "Startmöte".into(), start, end: start + quote.chars().count(), quote };
        Inline::from(format!("{text} (startmöte)")).marking(text, |span| span.evidence(evidence.clone()))
    };
    document.push(Block::numbered([
        item("Fyra års erfarenhet av drift av IP-nät", 10),
        item("MPLS och BGP", 70),
        item("B-körkort", 90),
        item("Svenska och engelska i tal och skrift", 110),
    ]));
    document.heading(1, "Ansvar").bullets([
        "Övervaka och förbättra stamnätet i Norden, från Malmö till Tromsø, tillsammans med teamet i Köpenhamn",
        "Leda felsökning när något går sönder",
        "Dokumentera ändringar",
    ]);
    document.heading(1, "Obevisat").paragraph(vec![Span::new("Branschens bästa löner.").unproven()]);
    document
}

fn screening() -> Document {
    let mut document = Document::new("da", "Interviewguide: Netværksingeniør");
    document.paragraph("Stil de samme spørgsmål til alle, og skriv ned, hvad der bliver sagt.");
    document.heading(1, "Motivation");
    for at in 1..=4 {
        document.paragraph(format!(
            "{at}. Hvad fik dig til at søge stillingen hos os, og hvad håber du at lære?"
        ));
        document.push(Block::notes("Noter"));
    }
    document.push(Block::table(
        ["Score", "Hvad svaret viser"],
        [
            ["1", "Ingen eksempler"],
            ["3", "Et eksempel med eget bidrag"],
            ["5", "Flere eksempler med resultat og læring"],
        ],
    ));
    document
}

fn report() -> Document {
    let mut document = Document::new("de", "Kandidatenbericht: M. K., Netzwerkingenieur (m/w/d)");
    document.paragraph("Entwurf: Bewertungen gelten erst, wenn eine Person sie bestätigt hat.");
    document.heading(1, "Eignung").heading(2, "MPLS und BGP").paragraph("Bewertung: 4/5 (erfüllt gut)");
    let quote = "Ich habe bei der letzten Firma das gesamte Backbone auf Segment Routing umgestellt, über drei Standorte.";
    let evidence =
        Evidence { source: "Gespräch, 12:41".into(), start: 1203, end: 1310, quote: quote.into() };
    document.push(Block::quote(Span::new(quote).evidence(evidence), "Gespräch, 12:41"));
    document.push(Block::quote("„Schöne Grüße“ aus Gießen: äöüß ÄÖÜ é ł ž", ""));
    document.heading(1, "Rahmenbedingungen");
    document.push(Block::table(
        ["Thema", "Aussage", "Fundstelle"],
        [
            ["Kündigungsfrist", "3 Monate", "Gespräch, 31:02"],
            ["Gehaltswunsch", "72 000 € im Jahr", "Gespräch, 32:10"],
        ],
    ));
    document
}

fn messages() -> Document {
    let mut document = Document::new("no", "Meldinger: Nettverksingeniør");
    document
        .heading(1, "Norsk")
        .paragraph("Hei! Jeg så at du har bygget fiber på Sørlandet.\nHar du tid til en prat?");
    document
        .heading(1, "Tysk")
        .paragraph(Span::new("Guten Tag, darf ich Ihnen eine Stelle vorstellen?").language("de"));
    document
}

fn hostile() -> Document {
    let nasty = "</w:t><script>alert(1)</script> ]]> &amp; \u{202e}evil\u{0}\u{b}\u{fffe} =cmd|' /C calc'!A0";
    let mut document = Document::new("en", nasty);
    document.heading(9, nasty).paragraph(nasty).bullets([nasty, "", "\n\n"]);
    document.paragraph(vec![
        Span::new(nasty).strong().emphasis().unproven().link("javascript:alert(1)"),
        Span::new("x").link("https://example.com/?q=<&>"),
    ]);
    document.push(Block::table([nasty, "=1+1"], [vec!["+1", "@x", "-2", nasty], vec![], vec!["\t=1"]]));
    document.push(Block::Table(Table::default())).push(Block::numbered(Vec::<String>::new()));
    document.push(Block::quote(nasty, nasty)).push(Block::notes(nasty));
    document.paragraph("W".repeat(5000)).paragraph("字 🙂 עברית العربية".repeat(20));
    let columns = [nasty; 3].map(Inline::from);
    let stages = vec![stage(nasty, u64::MAX, nasty, u64::MAX), stage("", 0, "", 0)];
    document.push(Block::Chart(Chart { title: nasty.into(), columns, stages }));
    document
}

/// An invitation with people.
pub(crate) fn invitation() -> Invitation {
    let person = |name: &str, address: &str| Attendee { name: Some(name.into()), address: address.into() };
    Invitation {
        act: tata_document::Act::Invite,
        uid: "interview-17@tata.example".into(),
        sequence: 1,
        stamp: "2026-11-17T09:30:00Z".parse().unwrap(),
        start: "2026-12-01T12:00:00Z".parse().unwrap(),
        end: "2026-12-01T13:30:00Z".parse().unwrap(),
        zone: "Europe/Stockholm".into(),
        summary: "Intervju: Nätverksingenjör; Åsa, \\ Öberg".into(),
        description: "Hej Åsa,\n\nvi ses på Solnavägen 3H, 113 63 Stockholm. Ta gärna med dig legitimation, och hör av dig om du behöver något för att kunna delta.\n\nHälsningar".into(),
        location: Some("Solnavägen 3H, 113 63 Stockholm".into()),
        language: "sv".into(),
        organizer: Some(person("Talent \"TA\" Team", "ta@example.com")),
        attendees: vec![person("Åsa Öberg", "asa@example.com"), person("Bo: Ek", "bo@example.com")],
    }
}
