"""Judges our documents by programs of others, and theirs by ours."""

import csv
import datetime
import json
import pathlib
import re
import subprocess
import sys
import xml.dom.minidom
import zoneinfo

import docx
import icalendar
import openpyxl

out = pathlib.Path(sys.argv[1])
readings = sys.argv[2]
ours, theirs, seen = out / "ours", out / "theirs", out / "seen"
failures = []
checks = 0


def check(truth, what):
    global checks
    checks += 1
    if not truth:
        failures.append(what)


def letters(text):
    return re.sub(r"[\W_]+", "", text)


def office(target, folder, files):
    """LibreOffice's conversion; every file must come out, and nothing may be warned about."""
    profile = (out / "profile").resolve().as_uri()
    command = ["soffice", f"-env:UserInstallation={profile}", "--headless", "--convert-to", target, "--outdir", str(folder)]
    done = subprocess.run([*command, *map(str, files)], capture_output=True, text=True, timeout=300)
    said = "\n".join(line for line in (done.stdout + done.stderr).splitlines() if "javaldx" not in line)
    check(done.returncode == 0 and not re.search(r"warn|error|fail", said, re.I), f"LibreOffice, {target}: {said}")
    ending = target.split(":")[0]
    for file in files:
        check((folder / f"{file.stem}.{ending}").exists(), f"LibreOffice made no {ending} of {file.name}")


def text_of(pdf):
    return subprocess.run(["pdftotext", "-layout", str(pdf), "-"], capture_output=True, text=True, check=True).stdout


def words(inline):
    return inline if isinstance(inline, str) else "".join(span["text"] for span in inline)


def texts(document):
    """Every text of a document, as its JSON has it."""
    for block in document["blocks"]:
        ((kind, value),) = block.items()
        if kind in ("heading",):
            yield words(value["text"])
        elif kind in ("paragraph", "notes"):
            yield words(value)
        elif kind in ("bullets", "numbered"):
            yield from map(words, value)
        elif kind == "table":
            yield from (words(cell) for row in [value["header"], *value["rows"]] for cell in row)
        elif kind == "quote":
            yield words(value["text"])
            yield words(value["source"])
        elif kind == "chart":
            yield from (words(stage["label"]) for stage in value["stages"])


LANGUAGES = {"en": "en-GB", "sv": "sv-SE", "da": "da-DK", "no": "nb-NO", "de": "de-DE"}
documents = {file.stem: json.loads(file.read_text()) for file in sorted(ours.glob("*.json"))}
honest = {name: document for name, document in documents.items() if name != "hostile"}

# Word files and workbooks through LibreOffice: the text survives.
office("pdf", seen, sorted(ours.glob("*.docx")))
office("csv", seen, sorted(ours.glob("*.xlsx")))
for name, document in honest.items():
    for source, pdf in (("docx", seen / f"{name}.pdf"), ("pdf", ours / f"{name}.pdf")):
        found = letters(text_of(pdf))
        for text in texts(document):
            for word in map(letters, text.split()):
                check(word in found, f"{name}.{source}: {word!r} of {text!r} is lost")

# PDF: tagged, with its language and title.
for name, document in honest.items():
    info = subprocess.run(["pdfinfo", str(ours / f"{name}.pdf")], capture_output=True, text=True, check=True).stdout
    check(re.search(r"Tagged:\s+yes", info), f"{name}.pdf is not tagged")
    check(document["title"] in info, f"{name}.pdf has no title: {info}")
    raw = (ours / f"{name}.pdf").read_bytes()
    check(f"/Lang({LANGUAGES[document['language']]})".encode() in raw.replace(b"/Lang (", b"/Lang("), f"{name}.pdf has no language")
    # It prints some titles as they are stored, in UTF-16.
    tree = subprocess.run(["pdfinfo", "-struct", str(ours / f"{name}.pdf")], capture_output=True, check=True).stdout
    tree = tree.decode(errors="replace")
    check("H1" in tree and ("P" in tree), f"{name}.pdf has no structure: {tree[:200]}")

# python-docx finds styles, headings, tables, properties.
for name, document in honest.items():
    found = docx.Document(ours / f"{name}.docx")
    styles = [paragraph.style.name for paragraph in found.paragraphs]
    blocks = [next(iter(block)) for block in document["blocks"]]
    check(styles[0] == "Title" and found.paragraphs[0].text == document["title"], f"{name}: {styles[:1]}")
    headings = [words(block["heading"]["text"]) for block in document["blocks"] if "heading" in block]
    theirs_headings = [p.text for p in found.paragraphs if p.style.name.lower().startswith("heading")]
    check(theirs_headings[: len(headings)] == headings, f"{name}: {theirs_headings}")
    check(len(found.tables) == blocks.count("table") + blocks.count("notes"), f"{name}: {len(found.tables)} tables")
    check(len(found.inline_shapes) == blocks.count("chart"), f"{name}: {len(found.inline_shapes)} charts")
    points = sum(len(block.get("bullets", [])) for block in document["blocks"])
    check(styles.count("List Bullet") == points, f"{name}: {styles.count('List Bullet')} points")
    check(found.core_properties.title == document["title"], f"{name}: {found.core_properties.title}")
    check(found.core_properties.author == "Talent Acquisition", f"{name}: {found.core_properties.author}")
    check(found.core_properties.language == LANGUAGES[document["language"]], f"{name}: {found.core_properties.language}")
    headed = [table for table in found.tables if "w:tblHeader" in table._tbl.xml]
    check(len(headed) == blocks.count("table"), f"{name}: {len(headed)} header rows")

# openpyxl: values, no formulas, and the same cells as the document.
for file in sorted(ours.glob("*.xlsx")):
    book = openpyxl.load_workbook(file)
    for sheet in book:
        for row in sheet.iter_rows():
            check(all(cell.data_type != "f" for cell in row), f"{file.name}: a formula in {sheet.title}")
    check(len(book.sheetnames) == len(set(name.lower() for name in book.sheetnames)), f"{file.name}: {book.sheetnames}")
book = openpyxl.load_workbook(ours / "funnel-en.xlsx")
check([cell.value for cell in book["Process"]["B"]] == ["Count", 1204, 310, 96, 40, 17, 14], "funnel-en.xlsx: counts")
check(book["Figures"].freeze_panes == "A2", "funnel-en.xlsx: the header does not stay")

# CSV: nothing that a spreadsheet would run.
for file in sorted(ours.glob("*.csv")):
    text = file.read_bytes().decode("utf-8-sig")
    delimiter = "," if file.stem.endswith("en") or file.stem == "hostile" else ";"
    for row in csv.reader(text.splitlines(keepends=True), delimiter=delimiter):
        for cell in row:
            number = re.fullmatch(r"-[0-9.,]+", cell)
            check(number or not re.match(r"\s*[=+\-@]", cell), f"{file.name}: {cell!r}")

# SVG is XML, has its numbers, and is drawn by a browser's rules (no script, no style).
for file in sorted(ours.glob("*.svg")):
    tree = xml.dom.minidom.parse(str(file))
    shown = " ".join(node.firstChild.data for node in tree.getElementsByTagName("text") if node.firstChild)
    check(not tree.getElementsByTagName("script"), f"{file.name}: a script")
    if file.stem == "funnel-en":
        check(all(number in shown for number in ("1 204", "310", "96", "40", "17", "14")), f"{file.name}: {shown}")

# Calendar entries: the fields are what was meant, the clock is right.
for name, method, status, sequence in (
    ("request", "REQUEST", "CONFIRMED", 1),
    ("publish", "PUBLISH", "CONFIRMED", 1),
    ("cancel", "CANCEL", "CANCELLED", 2),
):
    raw = (ours / f"{name}.ics").read_bytes()
    check(all(len(line) <= 75 for line in raw.split(b"\r\n")) and b"\n" not in raw.replace(b"\r\n", b""), f"{name}: lines")
    calendar = icalendar.Calendar.from_ical(raw)
    (event,) = calendar.walk("VEVENT")
    check(calendar["METHOD"] == method and event["STATUS"] == status, f"{name}: {calendar['METHOD']} {event['STATUS']}")
    check(event["SEQUENCE"] == sequence and event["UID"] == "interview-17@tata.example", f"{name}: version")
    check(str(event["SUMMARY"]) == "Intervju: Nätverksingenjör; Åsa, \\ Öberg", f"{name}: {event['SUMMARY']}")
    check(str(event["DESCRIPTION"]).startswith("Hej Åsa,\n\nvi ses"), f"{name}: {event['DESCRIPTION']}")
    check(str(event["LOCATION"]) == "Solnavägen 3H, 113 63 Stockholm", f"{name}: {event['LOCATION']}")
    start = datetime.datetime(2026, 12, 1, 13, 0, tzinfo=zoneinfo.ZoneInfo("Europe/Stockholm"))
    check(event["DTSTART"].dt == start, f"{name}: {event['DTSTART'].dt}")
    check(not event.errors and not calendar.errors, f"{name}: {event.errors} {calendar.errors}")
    if name == "publish":
        check("ATTENDEE" not in event and "ORGANIZER" not in event, "publish: people")
    else:
        people = event["ATTENDEE"]
        check([str(one) for one in people] == ["mailto:asa@example.com", "mailto:bo@example.com"], f"{name}: {people}")
        check(people[0].params["CN"] == "Åsa Öberg" and people[0].params["RSVP"] == "TRUE", f"{name}: {people[0].params}")
        check(event["ORGANIZER"].params["CN"] == 'Talent "TA" Team', f"{name}: {event['ORGANIZER'].params['CN']}")
for file in sorted(ours.glob("zone-*.ics")):
    calendar = icalendar.Calendar.from_ical(file.read_bytes())
    (event,), (zone,) = calendar.walk("VEVENT"), calendar.walk("VTIMEZONE")
    day = datetime.date.fromisoformat(file.stem[-10:])
    meant = datetime.datetime(day.year, day.month, day.day, 11, 0, tzinfo=datetime.timezone.utc)
    # By the database, and by the rules that the entry itself brings.
    check(event["DTSTART"].dt.astimezone(datetime.timezone.utc) == meant, f"{file.name}: {event['DTSTART'].dt}")
    local = event["DTSTART"].dt.replace(tzinfo=None)
    own = zone.to_tz(lookup_tzid=False)
    shown = own.localize(local) if hasattr(own, "localize") else local.replace(tzinfo=own)
    check(shown.astimezone(datetime.timezone.utc) == meant, f"{file.name}: by its own rules {shown}")

# What others write, we read.
paper = docx.Document()
paper.add_heading("Kravprofil", 0)
paper.add_heading("Måste ha", 1)
paper.add_paragraph("Fyra års erfarenhet", style="List Number")
table = paper.add_table(rows=2, cols=2)
for at, text in enumerate(["Steg", "Antal", "Ansökningar", "1 204"]):
    table.cell(at // 2, at % 2).text = text
paper.save(theirs / "python.docx")
book = openpyxl.Workbook()
book.active.title = "Kanal"
for row in [["Steg", "Antal", "Datum"], ["Ansökningar", 1204, datetime.date(2026, 3, 1)], ["Anställda", 2.5, None]]:
    book.active.append(row)
book.save(theirs / "python.xlsx")
office("docx:MS Word 2007 XML", theirs, [ours / "profile-sv.docx"])
(theirs / "profile-sv.docx").rename(theirs / "office.docx")
office("xlsx:Calc MS Excel 2007 XML", theirs, [ours / "funnel-en.xlsx"])
(theirs / "funnel-en.xlsx").rename(theirs / "office.xlsx")
office("txt:Text (encoded):UTF8", theirs, [ours / "report-de.docx"])
(theirs / "excel.csv").write_bytes("Steg;Antal;Andel\r\nAnsökningar;1204;\"25,7\"\r\n".encode("cp1252"))
subprocess.run([readings, str(theirs)], check=True)
expected = {
    "python.docx": ["Kravprofil", "Måste ha", "Fyra års erfarenhet", "Ansökningar | 1 204"],
    "python.xlsx": ["Kanal", "Steg: Ansökningar | Antal: 1204 | Datum: 2026-03-01", "Steg: Anställda | Antal: 2.5"],
    "office.docx": ["Kravprofil: Nätverksingenjör", "Fyra års erfarenhet av drift av IP-nät", "Branschens bästa löner."],
    "office.xlsx": ["Stage: Applications | Count: 1204", "Fact: Hiring manager | Value: Åsa Öberg"],
    "report-de.txt": ["Kündigungsfrist", "Segment Routing"],
    "excel.csv": ["Steg: Ansökningar | Antal: 1204 | Andel: 25,7"],
}
for name, lines in expected.items():
    said = (theirs / f"{name}.said").read_text()
    for line in lines:
        check(line in said, f"{name}: {line!r} is not in {said[:400]!r}")

for failure in failures[:40]:
    print("FAILED", failure)
print(f"{checks - len(failures)} of {checks} checks of documents hold")
sys.exit(bool(failures))
