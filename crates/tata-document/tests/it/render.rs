//! One document, every form.

use proptest::prelude::*;
use tata_document::{Align, Block, Chart, Document, Evidence, Inks, Inline, Span, Stage, Table};
use unicode_width::UnicodeWidthStr;

fn evidence() -> Evidence {
    Evidence { source: "Notes".into(), start: 3, end: 9, quote: "say <b>\"hi\"</b>".into() }
}

fn document() -> Document {
    let mut document = Document::new("en", "Job ad: C# developer");
    document.heading(1, "Tasks").paragraph("Plain *words*.").bullets(["One", "Two_three"]).paragraph(" ");
    document.push(Block::table(["Stage", "Count"], [["Applied | seen", "12"]]));
    document.push(Block::notes("Notes"));
    document
}

/// Texts of a person may look like anything; documents of before the spans must come out as they did.
#[test]
fn one_document_two_forms() {
    let document = document();
    assert_eq!(
        document.markdown(),
        format!(
            "# Job ad: C# developer\n\n## Tasks\n\nPlain \\*words\\*.\n\n* One\n* Two\\_three\n\n\
             | Stage | Count |\n| --- | --- |\n| Applied \\| seen | 12 |\n\nNotes: {}\n",
            "\\_".repeat(40)
        )
    );
    assert_eq!(
        document.plain(),
        format!(
            "Job ad: C# developer\n====================\n\nTasks\n-----\n\nPlain *words*.\n\n• One\n• Two_three\n\n\
             Stage           Count\n==============  =====\nApplied | seen  12\n\nNotes: {}\n",
            "_".repeat(40)
        )
    );
    assert_eq!(document.texts().len(), 10);
}

#[test]
fn an_empty_table_is_a_table() {
    let mut document = Document::new("en", "");
    document.push(Block::table(["Candidate"], Vec::<Vec<String>>::new()));
    assert_eq!(document.markdown(), "| Candidate |\n| --- |\n");
    assert_eq!(document.plain(), "Candidate\n=========\n");
    assert!(document.html(1).contains("<tbody>\n</tbody>"));
    assert_eq!(document.terminal(80, &Inks::none()), "Candidate\n─────────\n");
}

#[test]
fn markdown_marks_spans_and_keeps_evidence_silent() {
    let check = |spans: Vec<Span>, markdown: &str, plain: &str| {
        let mut document = Document::new("en", "");
        document.paragraph(spans);
        assert_eq!(document.markdown().trim_end(), markdown);
        assert_eq!(document.plain().trim_end(), plain);
    };
    check(vec![Span::new("a "), Span::new(" b* ").strong(), Span::new("c")], "a  **b\\*** c", "a  b* c");
    check(vec![Span::new("a").evidence(evidence()), Span::new("b")], "ab", "ab");
    check(
        vec![Span::new("see "), Span::new("here").link("https://example.com/(x)")],
        "see [here](https://example.com/%28x%29)",
        "see here (https://example.com/(x))",
    );
    check(vec![Span::new("go").link("javascript:alert(1)")], "go", "go");
    check(vec![Span::new("Best pay").unproven()], "Best pay \\[?\\]", "Best pay [?]");
    check(vec![Span::new("# x\n + y").emphasis()], "\\*# x\\\n\\ + y*", "# x\n + y");
    check(vec![Span::new("  ").strong()], "", "");
}

#[test]
fn html_is_safe_wherever_it_stands() {
    let hostile = "<script>alert('x')</script> \" onload=\"x\u{202e}\u{0}&amp;";
    let mut document = Document::new("de-DE\" x=\"", hostile);
    document.heading(1, hostile).paragraph(vec![
        Span::new(hostile).strong().evidence(evidence()),
        Span::new("bad").link("javascript:alert(1)"),
        Span::new("good").link("https://example.com/?a=1&b=2"),
    ]);
    document.push(Block::quote(hostile, hostile)).push(Block::notes(hostile)).bullets([hostile]);
    document.push(Block::table([hostile], [[hostile]]));
    let html = document.html(2);
    assert!(
        !html.contains("<script") && !html.contains("onload=\"") && !html.contains("javascript:"),
        "{html}"
    );
    assert!(!html.contains('\u{202e}') && !html.contains('\0'));
    assert!(html.starts_with("<article class=\"document\" lang=\"und\">\n<h2>"), "{html}");
    assert!(
        html.contains("<a href=\"https://example.com/?a=1&amp;b=2\" rel=\"noopener noreferrer\">good</a>")
    );
    assert!(
        html.contains(
            "<span class=\"evidence\" data-sources=\"1\" title=\"Notes: say &lt;b&gt;&quot;hi&quot;&lt;/b&gt;\"><strong>"
        ),
        "{html}"
    );
    assert_eq!(document.sources(), [&evidence()]);
    // Every element that is opened is closed, in order.
    let mut open = Vec::new();
    for tag in html.split('<').skip(1) {
        let name = tag.split([' ', '>']).next().unwrap();
        match name.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name), "{html}"),
            None if name == "br" => {}
            None => open.push(name),
        }
    }
    assert!(open.is_empty());
}

#[test]
fn a_terminal_gets_wrapped_words_and_hanging_points() {
    let mut document = Document::new("sv", "Kravprofil");
    document.heading(1, "Uppgifter").paragraph("Du ansvarar för driften av nätet i hela Norden.");
    document.push(Block::numbered(["Fyra års erfarenhet av nät", "Körkort"]));
    document.push(Block::quote("Jag kan börja direkt", "Intervju, 3:12"));
    assert_eq!(
        document.terminal(24, &Inks::none()),
        "Kravprofil\n==========\n\nUppgifter\n---------\n\nDu ansvarar för driften\nav nätet i hela Norden.\n\n\
         1. Fyra års erfarenhet\n   av nät\n2. Körkort\n\n  │ ”Jag kan börja\n  │ direkt” (Intervju,\n  │ 3:12)\n"
    );
    let colored = document.terminal(80, &Inks::ansi());
    assert!(
        colored.starts_with("\u{1b}[1mKravprofil\u{1b}[0m\n\n\u{1b}[1mUppgifter\u{1b}[0m\n"),
        "{colored:?}"
    );
    assert!(
        colored.contains("” \u{1b}[2m(Intervju, 3:12)\u{1b}[0m") || colored.contains("\u{1b}[2m (Intervju")
    );
}

#[test]
fn a_table_fits_the_terminal() {
    let long = "A sentence that is far too long for the narrow column it has to stand in";
    let mut document = Document::new("en", "");
    let table = Table::new(["Stage", "Notes", "Count"], [["Applied", long, "12"], ["Hired", "", "1"]])
        .aligned([Align::Start, Align::Start, Align::End]);
    document.push(Block::Table(table));
    let shown = document.terminal(50, &Inks::none());
    assert_eq!(
        shown,
        "Stage    Notes                               Count\n───────  ──────────────────────────────────  ─────\n\
         Applied  A sentence that is far too long        12\n         for the narrow column it has to\n         \
         stand in\n\nHired                                            1\n"
    );
    // Too many columns: one value a line.
    let mut document = Document::new("en", "");
    document.push(Block::table(vec![long; 6], [vec![long; 6]]));
    let shown = document.terminal(40, &Inks::none());
    assert!(
        shown.starts_with("A sentence that is far too long for the\nnarrow column it has to stand in: A\n"),
        "{shown}"
    );
}

#[test]
fn a_chart_has_its_numbers_in_every_form() {
    let stage = |label: &str, count: u64, length| Stage {
        label: label.into(),
        count,
        shown: count.to_string().into(),
        length,
    };
    let stages = vec![stage("Applied", 120, 1000), stage("Screened", 60, 500), stage("Hired", 1, 8)];
    let columns = ["Stage", "Share", "Count"].map(Inline::from);
    let mut document = Document::new("en", "");
    document.push(Block::Chart(Chart { title: "Process".into(), columns, stages }));
    let bar = "█".repeat(30);
    let half = "█".repeat(15);
    assert_eq!(
        document.markdown(),
        format!(
            "| Stage | Share | Count |\n| --- | --- | --- |\n| Applied | {bar} | 120 |\n| Screened | {half} | 60 |\n\
             | Hired | ▏ | 1 |\n"
        )
    );
    assert!(
        document.plain().contains(&format!("Screened  {half}                 60\n")),
        "{}",
        document.plain()
    );
    let html = document.html(1);
    assert!(html.contains("<desc>Process: Applied 120, Screened 60, Hired 1</desc>"), "{html}");
    for shown in [html, document.terminal(40, &Inks::none())] {
        assert!(["120", "60", "1"].iter().all(|count| shown.contains(count)), "{shown}");
    }
}

fn any_inline() -> impl Strategy<Value = Inline> {
    let span = (any::<String>(), any::<[bool; 3]>(), prop::option::of("[a-z:/.\"<(]{0,12}")).prop_map(
        |(text, [strong, emphasis, unproven], link)| {
            let mut span = Span::new(text);
            (span.marks.strong, span.marks.emphasis, span.marks.unproven) = (strong, emphasis, unproven);
            span.marks.link = link.map(|link| format!("https:{link}"));
            span.evidence(evidence())
        },
    );
    prop_oneof![
        any::<String>().prop_map(Inline::from),
        prop::collection::vec(span, 0..4).prop_map(Inline::from)
    ]
}

pub(crate) fn any_document() -> impl Strategy<Value = Document> {
    let inline = any_inline;
    let list = || prop::collection::vec(any_inline(), 0..4);
    let block = prop_oneof![
        (any::<u8>(), inline()).prop_map(|(level, text)| Block::Heading { level, text }),
        inline().prop_map(Block::Paragraph),
        list().prop_map(Block::Bullets),
        list().prop_map(Block::Numbered),
        (list(), prop::collection::vec(list(), 0..4), any::<bool>()).prop_map(|(header, rows, end)| {
            let align = if end { vec![Align::Start, Align::End] } else { Vec::new() };
            Block::Table(Table { header, rows, align })
        }),
        (inline(), inline()).prop_map(|(text, source)| Block::Quote { text, source }),
        inline().prop_map(Block::Notes),
        (inline(), any::<[u64; 2]>(), inline()).prop_map(|(label, [count, length], shown)| {
            let columns = [label.clone(), shown.clone(), label.clone()];
            Block::Chart(Chart {
                title: String::new(),
                columns,
                stages: vec![Stage { label, count, shown, length }],
            })
        }),
    ];
    (any::<String>(), prop::collection::vec(block, 0..6)).prop_map(|(title, blocks)| Document {
        title,
        language: "de".into(),
        blocks,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Whatever a document holds: no line is wider than the terminal, nothing steers it, and JSON gives it back.
    #[test]
    fn every_document_has_every_form(document in any_document(), columns in 20_usize..140) {
        let shown = document.terminal(columns, &Inks::none());
        for line in shown.lines() {
            prop_assert!(line.width() <= columns, "{} > {columns}: {line:?}", line.width());
        }
        let steers = |c: char| c.is_control() && c != '\n' || ('\u{202a}'..='\u{202e}').contains(&c);
        prop_assert!(!shown.contains(steers), "{shown:?}");
        let html = document.html(1);
        let steers = |c: char| c.is_control() && c != '\n' && c != '\t';
        prop_assert!(!html.contains(steers), "{html:?}");
        let _ = (document.markdown(), document.plain());
        let json = serde_json::to_string(&document).unwrap();
        prop_assert_eq!(serde_json::from_str::<Document>(&json).unwrap(), document);
    }
}
