//! The documents that answers rest on: over the API, and each company's own.

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use super::Serving;
use crate::program::World;

/// B10, S1: what a company reads in is found by its own people, by whatever way they ask, and by nobody else's.
#[test]
fn companies_have_documents_of_their_own() {
    let world = World::new().file("leave.md", "# Parental leave\n\nParents get 28 weeks of paid leave.\n");
    let mut keys = Vec::new();
    for (name, company) in [("anna", "acme"), ("bo", "acme"), ("carl", "other"), ("dora", "main")] {
        let add = ["account", "add", name, "--tenant", company, "--role", "admin"];
        assert_eq!(world.run_with_input(&add, "correct horse battery\n").code, 0);
        let key = world.run(&["account", "key", name]);
        keys.push(format!("Authorization: Bearer {}\r\n", key.out.trim()));
    }
    assert_eq!(world.run(&["ingest", "leave.md"]).code, 0);
    let serving = Serving::with(&world, &["--accounts"]);
    let file = "# Pensions\n\nThe pension is 6 percent of the salary.\n";
    let bytes = format!("{}Content-Type: application/octet-stream\r\n", keys[0]);
    assert_eq!(serving.raw("POST", "/api/v1/documents?name=pensions.md", &bytes, file).0, 202);
    let list = |key: &str| serving.ask_with("GET", "/api/v1/documents", None, key).1;
    let begun = Instant::now();
    while list(&keys[0])["documents"][0].is_null() {
        assert!(begun.elapsed() < Duration::from_mins(1), "{}", list(&keys[0]));
        std::thread::sleep(Duration::from_millis(50));
    }
    let answer = |key: &str, question: &str| {
        let (status, session) =
            serving.ask_with("POST", "/api/v1/sessions", Some(&json!({"agent": "docs"})), key);
        assert_eq!(status, 201, "{session}");
        let path = format!("/api/v1/sessions/{}/turns", session["session_id"].as_str().unwrap());
        let (status, report) =
            serving.ask_with("POST", &path, Some(&json!({"message": question, "wait": true})), key);
        assert_eq!(status, 200, "{report}");
        report
    };
    let search = |key: &str, words: &str| {
        let path = format!("/api/v1/documents/search?q={words}");
        serving.ask_with("GET", &path, None, key).1.to_string()
    };
    // Acme's own, a colleague's, another company's, and that of whoever reads in on this machine.
    for (at, pensions, leave) in [(0, true, false), (1, true, false), (2, false, false), (3, false, true)] {
        let key = &keys[at];
        assert_eq!(search(key, "pension+percent").contains("6 percent"), pensions, "{at}");
        assert_eq!(search(key, "paid+parental+leave").contains("28 weeks"), leave, "{at}");
        let said = answer(key, "How much is the pension?").to_string();
        assert_eq!(said.contains("pensions.md"), pensions, "{at}: {said}");
        assert_eq!(list(key)["documents"].as_array().unwrap().len(), usize::from(pensions || leave), "{at}");
        if !pensions {
            assert_eq!(list(key)["taking"], json!([]), "{at}: what is on its way is told to others");
        }
    }
    let report = answer(&keys[0], "How long is parental leave?");
    let session = report["session_id"].as_str().unwrap();
    assert_eq!(serving.stop().0, 0);
    let found = world.run(&["search", "--company", "acme", "pension percent"]);
    assert!(found.out.contains("6 percent"), "{}{}", found.out, found.err);
    // Whoever goes on with acme's conversation in the terminal is answered from acme's documents.
    for (words, pension) in [("How much is the pension?", true), ("How long is paid parental leave?", false)]
    {
        let asked = world.run(&["ask", "--session", session, words]);
        assert_eq!(asked.out.contains("6 percent"), pension, "{}{}", asked.out, asked.err);
        assert!(!asked.out.contains("28 weeks"), "the documents of another company: {}", asked.out);
    }
    for (words, pension) in [("pension percent", true), ("paid parental leave", false)] {
        let query = json!({ "query": words }).to_string();
        let searched =
            world.run_with_input(&["run", "search_docs", "--session", session, "--input", "-"], &query);
        assert_eq!(searched.out.contains("6 percent"), pension, "{}{}", searched.out, searched.err);
        assert!(!searched.out.contains("28 weeks"), "the documents of another company: {}", searched.out);
    }
    let listed = world.run(&["session", "list"]).out;
    assert!(listed.contains("COMPANY") && listed.contains("acme"), "{listed}");
}

/// B4 over HTTP: a file is taken in, found, cited by its address, and taken out again.
#[test]
fn documents_are_added_and_found_over_the_api() {
    let world = World::new();
    let serving = Serving::start(&world);
    let bytes = "Content-Type: application/octet-stream\r\n";
    let text = "# Parental leave\n\nParents get 28 weeks of paid leave.\n";
    assert_eq!(serving.raw("POST", "/api/v1/documents?name=leave.md", bytes, text).0, 202);
    let wrong = serving.raw("POST", "/api/v1/documents?name=leave.md", "Content-Type: text/plain\r\n", text);
    assert!(wrong.0 == 415 && wrong.2.contains("not_a_file"), "{wrong:?}");
    let begun = Instant::now();
    let address = loop {
        let (status, list) = serving.ask("GET", "/api/v1/documents", None);
        assert_eq!(status, 200, "{list}");
        assert_ne!(list["taking"][0]["status"], "failed", "{list}");
        if let Some(address) = list["documents"][0]["address"].as_str() {
            break address.to_owned();
        }
        assert!(begun.elapsed() < Duration::from_mins(1), "{list}");
        std::thread::sleep(Duration::from_millis(50));
    };
    let (status, found) = serving.ask("GET", "/api/v1/documents/search?q=paid+parental+leave", None);
    assert!(status == 200 && found["passages"][0]["text"].as_str().unwrap().contains("28 weeks"), "{found}");
    assert_eq!(found["passages"][0]["address"], address.as_str());
    let place = world.folder.display().to_string();
    assert!(address.contains("leave.md") && !address.contains("file:"), "{address}");
    assert!(!found.to_string().contains(&place), "it shows where it lies: {found}");
    let file = world.folder.join("home/uploads/leave.md");
    assert!(file.is_file());
    assert_eq!(serving.ask("GET", "/api/v1/documents/search?q=x", None).0, 422);
    let escaped: String = address.bytes().fold(String::new(), |text, byte| format!("{text}%{byte:02x}"));
    let path = format!("/api/v1/documents?address={escaped}");
    assert_eq!(serving.ask("DELETE", &path, None).0, 204);
    assert!(!file.exists(), "the file of a removed document stays");
    let (status, gone) = serving.ask("DELETE", &path, None);
    assert!(status == 404 && gone["code"] == "document_not_found", "{gone}");
    assert_eq!(serving.stop().0, 0);
}

/// Whatever way a document is removed, its file is gone; a file that was read from elsewhere is its owner's.
#[test]
fn a_removed_document_leaves_no_file() {
    let world = World::new().file("own.md", "# Own\n\nA file of the person.\n");
    let uploads = world.folder.join("home/uploads");
    let serving = Serving::start(&world);
    let bytes = "Content-Type: application/octet-stream\r\n";
    for name in ["page.md", "terminal.md", "old address.md"] {
        let path = format!("/api/v1/documents?name={}", name.replace(' ', "%20"));
        let text = format!("# {name}\n\nParents get 28 weeks.\n");
        assert_eq!(serving.raw("POST", &path, bytes, &text).0, 202);
    }
    let address = |name: &str| -> Option<String> {
        let (_, list) = serving.ask("GET", "/api/v1/documents", None);
        let mut all = list["documents"].as_array().unwrap().iter();
        let found = all.find(|one| one["address"].as_str().unwrap().ends_with(name))?;
        Some(found["address"].as_str().unwrap().to_owned())
    };
    let begun = Instant::now();
    while ["page.md", "terminal.md", "old address.md"].iter().any(|name| address(name).is_none()) {
        assert!(begun.elapsed() < Duration::from_mins(1));
        std::thread::sleep(Duration::from_millis(50));
    }
    let form = format!("address={}", escaped(&address("page.md").unwrap()));
    let head = "Content-Type: application/x-www-form-urlencoded\r\n";
    assert_eq!(serving.raw("POST", "/knowledge/remove", head, &form).0, 303);
    assert!(!uploads.join("page.md").exists(), "the page's button left the file");
    // Programs know documents by the addresses that older versions showed.
    let old = format!("file://{}/old%20address.md", uploads.display());
    let path = format!("/api/v1/documents?address={}", escaped(&old));
    assert_eq!(serving.ask("DELETE", &path, None).0, 204);
    assert!(!uploads.join("old address.md").exists(), "the old address left the file");
    let shown = address("terminal.md").unwrap();
    assert_eq!(serving.stop().0, 0);
    assert_eq!(world.run(&["ingest", "own.md"]).code, 0);
    let said = world.run(&["docs", "delete", &shown]);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(!uploads.join("terminal.md").exists(), "the terminal left the file");
    let own = format!("file://{}/own.md", world.folder.display());
    let said = world.run(&["docs", "delete", &own]);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(world.folder.join("own.md").is_file(), "a file of the person was removed");
}

/// Nothing is on its way any more; what there is then.
pub(super) fn settled(serving: &Serving, key: &str) -> Value {
    let begun = Instant::now();
    loop {
        let (status, list) = serving.ask_with("GET", "/api/v1/documents", None, key);
        assert_eq!(status, 200, "{list}");
        if list["taking"].as_array().unwrap().iter().all(|one| one["status"] != "running") {
            return list;
        }
        assert!(begun.elapsed() < Duration::from_mins(2), "{list}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// The same once there are so many documents.
pub(super) fn with_documents(serving: &Serving, key: &str, count: usize) -> Value {
    let begun = Instant::now();
    loop {
        let list = settled(serving, key);
        if list["documents"].as_array().unwrap().len() == count {
            return list;
        }
        assert!(begun.elapsed() < Duration::from_mins(2), "{list}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Waits until no change of a collection is under way.
pub(super) fn changes_have_ended(uploads: &Path) {
    let begun = Instant::now();
    while files_in(uploads).iter().any(|name| name.starts_with(".change-")) {
        assert!(begun.elapsed() < Duration::from_mins(1), "{:?}", files_in(uploads));
        std::thread::sleep(Duration::from_millis(20));
    }
}

pub(super) fn escaped(text: &str) -> String {
    text.bytes().fold(String::new(), |text, byte| format!("{text}%{byte:02x}"))
}

pub(super) fn files_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().map(Result::unwrap);
    let files = entries.filter(|entry| entry.file_type().unwrap().is_file());
    let mut names: Vec<String> = files.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// A key of a new admin, as a line of a request's head.
fn key_of(world: &World, name: &str, company: &str) -> String {
    let add = ["account", "add", name, "--tenant", company, "--role", "admin"];
    assert_eq!(world.run_with_input(&add, "correct horse battery\n").code, 0);
    format!("Authorization: Bearer {}\r\n", world.run(&["account", "key", name]).out.trim())
}

pub(super) fn bring(serving: &Serving, key: &str, name: &str, text: &str) {
    let head = format!("{key}Content-Type: application/octet-stream\r\n");
    let path = format!("/api/v1/documents?name={name}");
    assert_eq!(serving.raw("POST", &path, &head, text).0, 202);
}

/// A server that was killed while it took files in left them in `uploads/`, where no list showed them.
#[test]
fn what_a_kill_leaves_of_an_intake_is_taken_in_or_removed() {
    let world = World::new();
    let uploads = world.folder.join("home/uploads");
    let serving = Serving::start(&world);
    bring(&serving, "", "handbook.md", "# Handbook\n\nThe bonus is 3 percent.\n");
    settled(&serving, "");
    let long = "Parents get paid leave, and so on. ".repeat(20_000);
    for number in 0..12 {
        bring(&serving, "", &format!("{number}.md"), &format!("# Leave {number}\n\n{long}\n"));
    }
    serving.kill();
    // What it leaves when it is killed at other moments.
    fs::write(uploads.join("left.md"), "# Pensions\n\nThe pension is 6 percent.\n").unwrap();
    fs::write(uploads.join("handbook.md"), "# Handbook\n\nThe bonus is 5 percent.\n").unwrap();
    fs::write(uploads.join("broken.pdf"), "%PDF-1.7 and nothing else").unwrap();
    fs::write(uploads.join(".half.md.4711.part"), "# Ha").unwrap();
    // Every file that was acknowledged is taken in, whether it was in its place or not.
    let mut whole: Vec<String> = (0..12).map(|number| format!("{number}.md")).collect();
    whole.extend(["handbook.md".to_owned(), "left.md".to_owned()]);
    whole.sort();
    let serving = Serving::start(&world);
    let list = with_documents(&serving, "", whole.len());
    changes_have_ended(&uploads);
    let addresses = list["documents"].to_string();
    assert_eq!(files_in(&uploads), whole, "what cannot be taken in is removed, and nothing else");
    for name in &whole {
        assert!(addresses.contains(&format!("/{name}\"")), "{name} is in no list: {addresses}");
    }
    let mut told = list["taking"].as_array().unwrap().iter();
    let broken = told.find(|one| one["name"] == "broken.pdf").unwrap();
    assert!(broken["status"] == "failed" && broken["problem"].is_string(), "{broken}");
    let found =
        |words: &str| serving.ask("GET", &format!("/api/v1/documents/search?q={words}"), None).1.to_string();
    assert!(found("pension").contains("6 percent"));
    let begun = Instant::now();
    while !found("bonus").contains("5 percent") {
        assert!(begun.elapsed() < Duration::from_mins(1), "a file that was replaced is not read again");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(serving.stop().0, 0);
}

/// The same of each company's files, as that company; an earlier version's folder counts as well.
#[test]
fn what_a_kill_leaves_is_the_companys_it_was_brought_for() {
    let world = World::new();
    let acme = key_of(&world, "anna", "acme");
    let (other, own) = (key_of(&world, "carl", "other"), key_of(&world, "dora", "main"));
    let uploads = world.folder.join("home/uploads");
    let folder = |company: &str| uploads.join(".companies").join(&tata_core::hash_secret(company)[..16]);
    let earlier = uploads.join(&tata_core::hash_secret("other")[..16]);
    for (folder, file) in
        [(folder("acme"), "acme.md"), (earlier.clone(), "other.md"), (uploads.clone(), "main.md")]
    {
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(file), format!("# Pay\n\nThe director of {file} earns a lot.\n")).unwrap();
    }
    let serving = Serving::with(&world, &["--accounts"]);
    for (key, file) in [(&acme, "acme.md"), (&other, "other.md"), (&own, "main.md")] {
        let list = with_documents(&serving, key, 1);
        assert!(list["documents"][0]["address"].as_str().unwrap().ends_with(file), "{list}");
        let (_, found) = serving.ask_with("GET", "/api/v1/documents/search?q=director", None, key);
        assert_eq!(found["passages"].as_array().unwrap().len(), 1, "{found}");
        assert!(found.to_string().contains(&format!("director of {file}")), "{found}");
    }
    bring(&serving, &other, "new.md", "# New\n\nWords.\n");
    with_documents(&serving, &other, 2);
    assert_eq!(files_in(&earlier), ["new.md", "other.md"]);
    assert_eq!(serving.stop().0, 0);
}

/// A file of main that was called like another company's folder kept that company from bringing any.
#[test]
fn a_file_of_one_company_is_in_no_other_companys_way() {
    let world = World::new();
    let (acme, own) = (key_of(&world, "anna", "acme"), key_of(&world, "dora", "main"));
    let serving = Serving::with(&world, &["--accounts"]);
    let seal = tata_core::hash_secret("acme")[..16].to_owned();
    for name in [seal.as_str(), ".companies"] {
        bring(&serving, &own, name, "# Pay\n\nWhat the director of main earns.\n");
    }
    with_documents(&serving, &own, 2);
    bring(&serving, &acme, "pensions.md", "# Pensions\n\nThe pension is 6 percent.\n");
    let list = with_documents(&serving, &acme, 1);
    assert_eq!(list["taking"][0]["status"], "done", "{list}");
    assert_eq!(serving.stop().0, 0);
}

/// Who added and who removed a document is in the audit of its company, by page, API and command line, and without the name
/// of the file, which may be somebody's.
#[test]
fn changes_of_the_documents_are_in_the_audit() {
    let world = World::new().file("Robin Berg 4.md", "# CV\n\nA file.\n");
    let (acme, other) = (key_of(&world, "anna", "acme"), key_of(&world, "carl", "other"));
    let serving = Serving::with(&world, &["--accounts"]);
    for number in 1..=3 {
        bring(&serving, &acme, &format!("Robin%20Berg%20{number}.md"), &format!("# CV {number}\n\nText.\n"));
    }
    let list = with_documents(&serving, &acme, 3);
    let addresses: Vec<&str> =
        list["documents"].as_array().unwrap().iter().map(|one| one["address"].as_str().unwrap()).collect();
    let escaped = |text: &str| text.bytes().fold(String::new(), |text, byte| format!("{text}%{byte:02x}"));
    let path = format!("/api/v1/documents?address={}", escaped(addresses[0]));
    assert_eq!(serving.ask_with("DELETE", &path, None, &acme).0, 204);
    assert_eq!(serving.ask_with("DELETE", &path, None, &acme).0, 404);
    let head = format!("{acme}Content-Type: application/x-www-form-urlencoded\r\n");
    let form = format!("address={}", escaped(addresses[1]));
    assert_eq!(serving.raw("POST", "/knowledge/remove", &head, &form).0, 303);
    let boundary = "XXXX";
    let head = format!("{acme}Content-Type: multipart/form-data; boundary={boundary}\r\n");
    let file = format!(
        "--{boundary}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"Robin Berg 5.md\"\r\n\r\n# CV 5\n\r\n--{boundary}--\r\n"
    );
    assert_eq!(serving.raw("POST", "/knowledge/add", &head, &file).0, 303);
    with_documents(&serving, &acme, 2);
    let said = world.run(&["docs", "delete", "--company", "acme", addresses[2]]);
    assert_eq!(said.code, 0, "{said:?}");
    assert_eq!(world.run(&["ingest", "--company", "acme", "Robin Berg 4.md"]).code, 0);
    assert_eq!(world.run(&["ingest", "--company", "acme", "Robin Berg 4.md"]).code, 0, "nothing changes");
    let trail = serving.ask_with("GET", "/api/v1/audit", None, &acme).1;
    let (_, accounts) = serving.ask_with("GET", "/api/v1/accounts", None, &acme);
    let mut told = Vec::new();
    for entry in trail["entries"].as_array().unwrap() {
        let action = entry["action"].as_str().unwrap();
        if !action.starts_with("document") {
            continue;
        }
        assert_eq!(entry["tenant"], "acme", "{entry}");
        let by_anna = entry["account"] == accounts[0]["id"] && entry["actor"] == "anna";
        assert!(by_anna || (entry["account"].is_null() && entry["actor"] == "command line"), "{entry}");
        told.push((action, by_anna));
        assert!(!entry.to_string().contains("Robin"), "{entry}");
        if action == "document.removed" {
            let subject = entry["subject"].as_str().unwrap();
            assert!(addresses.iter().any(|address| address.starts_with(&format!("{subject}/"))), "{entry}");
        }
    }
    told.reverse();
    let (added, removed) = ("document.added", "document.removed");
    let expected = [
        (added, true),
        (added, true),
        (added, true),
        (removed, true),
        (removed, true),
        (added, true),
        (removed, false),
        ("documents.ingested", false),
    ];
    assert_eq!(told, expected);
    let others = serving.ask_with("GET", "/api/v1/audit", None, &other).1;
    assert!(!others.to_string().contains("document"), "{others}");
    assert_eq!(serving.stop().0, 0);
}

/// Nobody else on the machine reads what people brought, nor the index of it: also what an earlier version made.
#[cfg(unix)]
#[test]
fn files_and_index_are_for_their_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;

    let world = World::new().file("leave.md", "# Parental leave\n\nParents get 28 weeks.\n");
    let home = world.folder.join("home");
    // A folder that was made before, as that of a container.
    fs::create_dir_all(home.join("uploads")).unwrap();
    fs::set_permissions(&home, fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(home.join("uploads/old.txt"), "from an earlier version").unwrap();
    fs::set_permissions(home.join("uploads/old.txt"), fs::Permissions::from_mode(0o644)).unwrap();
    assert_eq!(world.run(&["ingest", "leave.md"]).code, 0);
    let strangers = || {
        let (mut open, mut found) = (vec![home.join("uploads"), home.join("documents")], Vec::new());
        while let Some(path) = open.pop() {
            let about = fs::symlink_metadata(&path).unwrap();
            if about.permissions().mode() & 0o077 != 0 {
                found.push(path.clone());
            }
            if about.is_dir() {
                open.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            }
        }
        found
    };
    assert!(strangers().iter().all(|path| path.starts_with(home.join("uploads"))), "{:?}", strangers());
    let mut index = vec![home.join("documents")];
    while let Some(path) = index.pop() {
        let mode = if path.is_dir() { 0o755 } else { 0o644 };
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        if path.is_dir() {
            index.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        }
    }
    let serving = Serving::start(&world);
    assert_eq!(strangers(), Vec::<std::path::PathBuf>::new(), "right after the start");
    let bytes = "Content-Type: application/octet-stream\r\n";
    assert_eq!(serving.raw("POST", "/api/v1/documents?name=new.md", bytes, "# New\n\nWords.\n").0, 202);
    let begun = Instant::now();
    while serving.ask("GET", "/api/v1/documents", None).1["taking"][0]["status"] != "done" {
        assert!(begun.elapsed() < Duration::from_mins(1));
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(strangers(), Vec::<std::path::PathBuf>::new(), "after a document");
    assert_eq!(serving.stop().0, 0);
}
