//! The parts of a Word file besides its text.

use super::{super::Options, escaped};

pub(super) const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";
pub(super) const MAIN: &str = "xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\" \
    xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"";
const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const WORD: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml";

/// Relations before the links: styles, numbering, settings, footer.
pub(super) const FOOTER: &str = "rId4";

pub(super) const RELATIONS: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n\
    <Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">\
    <Relationship Id=\"rId1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" Target=\"word/document.xml\"/>\
    <Relationship Id=\"rId2\" Type=\"http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties\" Target=\"docProps/core.xml\"/>\
    <Relationship Id=\"rId3\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/extended-properties\" Target=\"docProps/app.xml\"/>\
    </Relationships>";

pub(super) fn content_types(charts: usize) -> String {
    let part = |name: &str, kind: &str| format!("<Override PartName=\"/{name}\" ContentType=\"{kind}\"/>");
    let mut parts: String = [
        ("word/document.xml", "document.main"),
        ("word/styles.xml", "styles"),
        ("word/numbering.xml", "numbering"),
        ("word/settings.xml", "settings"),
        ("word/footer1.xml", "footer"),
    ]
    .map(|(name, kind)| part(name, &format!("{WORD}.{kind}+xml")))
    .concat();
    parts.push_str(&part("docProps/core.xml", "application/vnd.openxmlformats-package.core-properties+xml"));
    parts.push_str(&part(
        "docProps/app.xml",
        "application/vnd.openxmlformats-officedocument.extended-properties+xml",
    ));
    for at in 1..=charts {
        parts.push_str(&part(
            &format!("word/charts/chart{at}.xml"),
            "application/vnd.openxmlformats-officedocument.drawingml.chart+xml",
        ));
    }
    format!(
        "{HEAD}<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">\
         <Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>\
         <Default Extension=\"xml\" ContentType=\"application/xml\"/>{parts}</Types>"
    )
}

pub(super) fn app(options: &Options) -> String {
    let company = options
        .organization
        .as_deref()
        .map_or_else(String::new, |name| format!("<Company>{}</Company>", escaped(name)));
    format!(
        "{HEAD}<Properties xmlns=\"http://schemas.openxmlformats.org/officeDocument/2006/extended-properties\">\
         <Application>Tata</Application>{company}</Properties>"
    )
}

pub(super) fn document_relations(links: &[String], charts: usize) -> String {
    let mut out = format!(
        "{HEAD}<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">"
    );
    for (at, name) in ["styles", "numbering", "settings"].into_iter().enumerate() {
        out.push_str(&format!(
            "<Relationship Id=\"rId{}\" Type=\"{OFFICE}/{name}\" Target=\"{name}.xml\"/>",
            at + 1
        ));
    }
    out.push_str(&format!("<Relationship Id=\"{FOOTER}\" Type=\"{OFFICE}/footer\" Target=\"footer1.xml\"/>"));
    for (at, link) in links.iter().enumerate() {
        out.push_str(&format!(
            "<Relationship Id=\"link{}\" Type=\"{OFFICE}/hyperlink\" Target=\"{}\" TargetMode=\"External\"/>",
            at + 1,
            escaped(link)
        ));
    }
    for at in 1..=charts {
        out.push_str(&format!(
            "<Relationship Id=\"chart{at}\" Type=\"{OFFICE}/chart\" Target=\"charts/chart{at}.xml\"/>"
        ));
    }
    out + "</Relationships>"
}

pub(super) fn settings(language: &str) -> String {
    format!(
        "{HEAD}<w:settings {MAIN}><w:zoom w:percent=\"100\"/><w:defaultTabStop w:val=\"567\"/>\
         <w:characterSpacingControl w:val=\"doNotCompress\"/><w:compat><w:compatSetting w:name=\"compatibilityMode\" \
         w:uri=\"http://schemas.microsoft.com/office/word\" w:val=\"15\"/></w:compat>\
         <w:themeFontLang w:val=\"{language}\"/><w:decimalSymbol w:val=\".\"/><w:listSeparator w:val=\",\"/></w:settings>"
    )
}

/// The title, and which page of how many.
pub(super) fn footer(title: &str, language: &str) -> String {
    let field = |name: &str| {
        format!(
            "<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText xml:space=\"preserve\"> {name} </w:instrText></w:r>\
             <w:r><w:fldChar w:fldCharType=\"separate\"/></w:r><w:r><w:t>1</w:t></w:r><w:r><w:fldChar w:fldCharType=\"end\"/></w:r>"
        )
    };
    format!(
        "{HEAD}<w:ftr {MAIN}><w:p><w:pPr><w:pStyle w:val=\"Footer\"/></w:pPr><w:r><w:rPr><w:lang w:val=\"{language}\"/></w:rPr>\
         <w:t xml:space=\"preserve\">{}</w:t></w:r><w:r><w:tab/></w:r>{}<w:r><w:t xml:space=\"preserve\"> / </w:t></w:r>{}</w:p></w:ftr>",
        escaped(title),
        field("PAGE"),
        field("NUMPAGES"),
    )
}

/// One definition for bullets, one for numbers, and a list of numbers of its own for every numbered block.
pub(super) fn numbering(lists: usize) -> String {
    let level = |format: &str, text: &str| {
        format!(
            "<w:multiLevelType w:val=\"singleLevel\"/><w:lvl w:ilvl=\"0\"><w:start w:val=\"1\"/><w:numFmt w:val=\"{format}\"/>\
             <w:lvlText w:val=\"{text}\"/><w:lvlJc w:val=\"left\"/><w:pPr><w:ind w:left=\"454\" w:hanging=\"340\"/></w:pPr></w:lvl>"
        )
    };
    let mut out = format!(
        "{HEAD}<w:numbering {MAIN}><w:abstractNum w:abstractNumId=\"0\">{}</w:abstractNum>\
         <w:abstractNum w:abstractNumId=\"1\">{}</w:abstractNum><w:num w:numId=\"1\"><w:abstractNumId w:val=\"0\"/></w:num>",
        level("bullet", "•"),
        level("decimal", "%1."),
    );
    for at in 1..=lists {
        out.push_str(&format!(
            "<w:num w:numId=\"{}\"><w:abstractNumId w:val=\"1\"/><w:lvlOverride w:ilvl=\"0\"><w:startOverride w:val=\"1\"/>\
             </w:lvlOverride></w:num>",
            at + 1
        ));
    }
    out + "</w:numbering>"
}

/// A style of paragraphs: its id, its name, what it is based on, and how it looks.
fn paragraph_style(id: &str, name: &str, paragraph: &str, run: &str) -> String {
    format!(
        "<w:style w:type=\"paragraph\" w:styleId=\"{id}\"><w:name w:val=\"{name}\"/><w:basedOn w:val=\"Normal\"/>\
         <w:next w:val=\"Normal\"/><w:qFormat/><w:pPr>{paragraph}</w:pPr><w:rPr>{run}</w:rPr></w:style>"
    )
}

pub(super) fn styles(language: &str) -> String {
    let heading = |level: u8, before: u16, size: u8| {
        let paragraph = format!(
            "<w:keepNext/><w:keepLines/><w:spacing w:before=\"{before}\" w:after=\"80\"/><w:outlineLvl w:val=\"{}\"/>",
            level - 1
        );
        let run = format!("<w:b/><w:color w:val=\"1B3A57\"/><w:sz w:val=\"{size}\"/>");
        paragraph_style(&format!("Heading{level}"), &format!("heading {level}"), &paragraph, &run)
    };
    let list = |id: &str, name: &str| {
        paragraph_style(id, name, "<w:spacing w:after=\"60\"/><w:contextualSpacing w:val=\"0\"/>", "")
    };
    let character = |id: &str, name: &str, run: &str| {
        format!(
            "<w:style w:type=\"character\" w:styleId=\"{id}\"><w:name w:val=\"{name}\"/><w:qFormat/><w:rPr>{run}</w:rPr></w:style>"
        )
    };
    let mut out = format!(
        "{HEAD}<w:styles {MAIN}><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii=\"Calibri\" w:hAnsi=\"Calibri\" \
         w:eastAsia=\"Calibri\" w:cs=\"Calibri\"/><w:sz w:val=\"22\"/><w:szCs w:val=\"22\"/><w:lang w:val=\"{language}\" \
         w:eastAsia=\"{language}\"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:after=\"120\" w:line=\"269\" \
         w:lineRule=\"auto\"/></w:pPr></w:pPrDefault></w:docDefaults>\
         <w:style w:type=\"paragraph\" w:default=\"1\" w:styleId=\"Normal\"><w:name w:val=\"Normal\"/><w:qFormat/></w:style>\
         <w:style w:type=\"character\" w:default=\"1\" w:styleId=\"DefaultParagraphFont\"><w:name w:val=\"Default Paragraph Font\"/></w:style>\
         <w:style w:type=\"table\" w:default=\"1\" w:styleId=\"TableNormal\"><w:name w:val=\"Normal Table\"/><w:tblPr><w:tblInd w:w=\"0\" w:type=\"dxa\"/>\
         <w:tblCellMar><w:top w:w=\"0\" w:type=\"dxa\"/><w:left w:w=\"108\" w:type=\"dxa\"/><w:bottom w:w=\"0\" w:type=\"dxa\"/>\
         <w:right w:w=\"108\" w:type=\"dxa\"/></w:tblCellMar></w:tblPr></w:style>"
    );
    out.push_str(&paragraph_style(
        "Title",
        "Title",
        "<w:keepNext/><w:pBdr><w:bottom w:val=\"single\" w:sz=\"12\" w:space=\"6\" w:color=\"1B3A57\"/></w:pBdr><w:spacing w:after=\"240\"/>",
        "<w:b/><w:color w:val=\"1B3A57\"/><w:sz w:val=\"40\"/>",
    ));
    for (level, before, size) in [(1, 320, 28), (2, 240, 24), (3, 200, 22)] {
        out.push_str(&heading(level, before, size));
    }
    out.push_str(&list("ListBullet", "List Bullet"));
    out.push_str(&list("ListNumber", "List Number"));
    let bar = "<w:pBdr><w:left w:val=\"single\" w:sz=\"18\" w:space=\"10\" w:color=\"2F6F9F\"/></w:pBdr>";
    out.push_str(&paragraph_style(
        "Quote",
        "Quote",
        &format!("<w:keepNext/><w:keepLines/>{bar}<w:spacing w:after=\"0\"/><w:ind w:left=\"284\"/>"),
        "<w:i/>",
    ));
    out.push_str(&paragraph_style(
        "QuoteSource",
        "Quote Source",
        &format!("{bar}<w:spacing w:after=\"160\"/><w:ind w:left=\"284\"/>"),
        "<w:color w:val=\"4D5863\"/><w:sz w:val=\"19\"/>",
    ));
    out.push_str(&paragraph_style(
        "TableText",
        "Table Text",
        "<w:spacing w:before=\"40\" w:after=\"40\" w:line=\"240\" w:lineRule=\"auto\"/>",
        "<w:sz w:val=\"20\"/>",
    ));
    out.push_str(&paragraph_style(
        "NotesLabel",
        "Notes Label",
        "<w:keepNext/><w:spacing w:after=\"0\"/>",
        "<w:color w:val=\"4D5863\"/><w:sz w:val=\"20\"/>",
    ));
    out.push_str(&paragraph_style(
        "Spacer",
        "Spacer",
        "<w:spacing w:after=\"0\" w:line=\"160\" w:lineRule=\"exact\"/>",
        "<w:sz w:val=\"8\"/>",
    ));
    out.push_str(&paragraph_style(
        "Footer",
        "footer",
        "<w:pBdr><w:top w:val=\"single\" w:sz=\"4\" w:space=\"4\" w:color=\"C5CCD3\"/></w:pBdr><w:tabs><w:tab w:val=\"right\" w:pos=\"9638\"/></w:tabs><w:spacing w:after=\"0\"/>",
        "<w:color w:val=\"4D5863\"/><w:sz w:val=\"17\"/>",
    ));
    out.push_str(&character("Hyperlink", "Hyperlink", "<w:color w:val=\"1B5E8F\"/><w:u w:val=\"single\"/>"));
    out.push_str(&character(
        "Unproven",
        "Unproven",
        "<w:shd w:val=\"clear\" w:color=\"auto\" w:fill=\"FFF1C2\"/>",
    ));
    out + &table_styles() + "</w:styles>"
}

/// The tables: figures between lines, and lines to write on.
fn table_styles() -> String {
    let border = |side: &str, size: u8, color: &str| {
        format!("<w:{side} w:val=\"single\" w:sz=\"{size}\" w:space=\"0\" w:color=\"{color}\"/>")
    };
    let figures = format!(
        "<w:style w:type=\"table\" w:styleId=\"Figures\"><w:name w:val=\"Figures\"/><w:basedOn w:val=\"TableNormal\"/><w:tblPr>\
         <w:tblBorders>{}{}{}</w:tblBorders></w:tblPr><w:tblStylePr w:type=\"firstRow\"><w:rPr><w:b/><w:color w:val=\"1B3A57\"/></w:rPr>\
         <w:tcPr><w:tcBorders>{}</w:tcBorders><w:shd w:val=\"clear\" w:color=\"auto\" w:fill=\"E8EEF4\"/></w:tcPr></w:tblStylePr></w:style>",
        border("top", 4, "C5CCD3"),
        border("bottom", 4, "C5CCD3"),
        border("insideH", 4, "C5CCD3"),
        border("bottom", 8, "1B3A57"),
    );
    let lines = format!(
        "<w:style w:type=\"table\" w:styleId=\"NotesLines\"><w:name w:val=\"Notes Lines\"/><w:basedOn w:val=\"TableNormal\"/><w:tblPr>\
         <w:tblBorders>{}{}</w:tblBorders></w:tblPr></w:style>",
        border("bottom", 4, "9AA5AF"),
        border("insideH", 4, "9AA5AF"),
    );
    figures + &lines
}
