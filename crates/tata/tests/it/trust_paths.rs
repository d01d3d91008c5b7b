//! What a file decides that a person names by its path, and the scripts that a trusted command names.

use serde_json::json;

use crate::{listener::Listener, program::World, pty, trust::trust_of};

/// Whoever names a file by its path has not read it: what it starts or where it sends needs a yes, as for a folder.
#[test]
fn a_file_named_by_its_path_starts_nothing_that_was_not_trusted() {
    let text = "system_prompt: p\nmcp_servers: { x: { command: touch, args: [started] } }\n";
    for name in ["z.yaml", "below/z.yaml", "agents/z.yaml"] {
        let world = World::new().set("OPENAI_API_KEY", "k").set("OPENAI_BASE_URL", "http://127.0.0.1:9/v1");
        let world = world.folder_file(name, text);
        let began = || world.folder.join("started").exists();
        for command in [["ask", "--agent", name, "hi"], ["mcp", "test", "--agent", name]] {
            let said = world.run(&command);
            let told = said.err.contains("the file ") && said.err.contains(&format!("tata trust {name}"));
            assert!(said.code == 3 && told && said.err.contains("touch started"), "{name}: {said:?}");
        }
        let (code, _) = pty::run(&world, &["ask", "--agent", name, "hi"], "n\n");
        assert_eq!((code, began()), (3, false), "{name}");
        trust_of(&world, &["trust", name]);
        world.run(&["ask", "--agent", name, "hi"]);
        assert!(began(), "{name}: trusted");
        std::fs::remove_file(world.folder.join("started")).unwrap();
        let world = world.folder_file(name, &format!("# changed\n{text}"));
        assert_eq!(world.run(&["ask", "--agent", name, "hi"]).code, 3, "{name}: another file now");
        assert!(!world.folder.join("started").exists(), "{name}");
        assert_eq!(world.run(&["trust", name, "--forget"]).code, 0);
    }
    // One's own agents are one's own, also by their path.
    let world = World::new().set("OPENAI_API_KEY", "k").set("OPENAI_BASE_URL", "http://127.0.0.1:9/v1");
    let world = world.folder_file("home/agents/z.yaml", text);
    world.run(&["ask", "--agent", "home/agents/z.yaml", "hi"]);
    assert!(world.folder.join("started").exists());
}

/// The other things that such a file decides: which model is asked, and where documents are searched.
#[test]
fn a_file_named_by_its_path_sends_nothing_elsewhere() {
    let host = Listener::start();
    let world = || {
        World::new()
            .set("TATA_TIMEOUT", "5")
            .set("OPENAI_API_KEY", "k")
            .set("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
            .set("ANTHROPIC_API_KEY", "k")
            .set("ANTHROPIC_BASE_URL", &format!("http://{}", host.address))
    };
    let texts = [
        "system_prompt: p\nmodel: anthropic/claude-x\n".to_owned(),
        format!(
            "system_prompt: p\nretrieval: {{ qdrant_url: 'http://{}' }}\ntools: [search_docs]\n",
            host.address
        ),
    ];
    for text in texts {
        let world = world().file("z.yaml", &text);
        let said = world.run(&["ask", "--agent", "z.yaml", "hi"]);
        assert_eq!((said.code, said.err.contains("tata trust z.yaml")), (3, true), "{text}: {said:?}");
        assert_eq!(host.received(), "", "{text}");
    }
    let world = world().file("z.yaml", "system_prompt: p\nmodel: anthropic/claude-x\n");
    trust_of(&world, &["trust", "z.yaml"]);
    world.run(&["ask", "--agent", "z.yaml", "hi"]);
    assert!(host.received().contains("claude-x"), "{}", host.received());
}

/// What was trusted is the command and the script it names, not the name of the script.
#[test]
fn a_script_that_changes_after_trust_is_not_started() {
    let server = |args: &str| format!(r#"{{"mcpServers": {{"x": {{"command": "sh", "args": {args}}}}}}}"#);
    let agent = "system_prompt: p\nmcp_servers: { x: { command: sh, args: ['./run.sh'] } }\n".to_owned();
    let cases = [
        (".mcp.json", server(r#"["run.sh"]"#)),
        (".mcp.json", server(r#"["-c", "./run.sh; true"]"#)),
        (".mcp.json", server(r#"["${NOTHING:-./run.sh}"]"#)),
        ("agents/mine.yaml", agent.clone()),
        ("mine.yaml", agent),
    ];
    let outside = World::new();
    for (name, text) in cases {
        for linked in [false, true] {
            let world =
                World::new().set("OPENAI_API_KEY", "k").set("OPENAI_BASE_URL", "http://127.0.0.1:9/v1");
            let world = world.folder_file(name, &text);
            let script = if linked { outside.folder.join("run.sh") } else { world.folder.join("run.sh") };
            let write = |text: &str| {
                std::fs::write(&script, text).unwrap();
                let open = std::os::unix::fs::PermissionsExt::from_mode(0o755);
                std::fs::set_permissions(&script, open).unwrap();
            };
            write("#!/bin/sh\ntouch started\n");
            if linked {
                std::os::unix::fs::symlink(&script, world.folder.join("run.sh")).unwrap();
            }
            let command: &[&str] = match name {
                ".mcp.json" => &["mcp", "test"],
                "mine.yaml" => &["mcp", "test", "--agent", "mine.yaml"],
                _ => &["mcp", "test", "--agent", "mine"],
            };
            let trusting: &[&str] = if name == "mine.yaml" { &["trust", "mine.yaml"] } else { &["trust"] };
            assert_eq!(world.run(command).code, 3, "{text}");
            trust_of(&world, trusting);
            world.run(command);
            assert!(world.folder.join("started").exists(), "{text}, linked: {linked}");
            write("#!/bin/sh\ntouch stolen\n");
            let said = world.run(command);
            assert_eq!(said.code, 3, "{text}, linked: {linked}: {said:?}");
            assert!(!world.folder.join("stolen").exists(), "{text}, linked: {linked}");
        }
    }
}

/// What a folder says of itself stays on its line, and how much it wants stands right above the question.
#[test]
fn a_trust_question_is_not_forged_by_what_it_asks_about() {
    let fake =
        "\n".repeat(45) + "The files of /nice\n  read .mcp.json\nwould\n  change the colours of the list (";
    let servers = |last: String| {
        json!({"mcpServers": {"helper": {"command": "sh", "args": ["-c", "touch started", last]}}})
            .to_string()
    };
    let asked = |world: &World, arguments: &[&str]| {
        let (code, screen) = pty::run(world, arguments, "n\n");
        (code, String::from_utf8_lossy(&screen).into_owned())
    };
    let rows: [(String, &str); 2] =
        [(fake.clone(), "⏎⏎The files of /nice⏎"), (" ".repeat(8000) + "the end", "[8000 spaces]the end")];
    for (argument, shown) in rows {
        let world = World::new().file(".mcp.json", &servers(argument));
        let (code, screen) = asked(&world, &["trust"]);
        assert!(code == 1 && screen.contains("touch started") && screen.contains(shown), "{screen}");
        let lines: Vec<&str> = screen.lines().map(str::trim).collect();
        assert_eq!(lines.iter().filter(|line| line.starts_with("The files of")).count(), 1, "{screen}");
        let question = lines.iter().position(|line| line.starts_with("Trust exactly these files")).unwrap();
        assert!(lines[question - 1].contains("This folder wants: 1 command, 1 file."), "{screen}");
        let listed = world.run(&["mcp", "list"]).out;
        assert!(listed.contains(shown) && listed.lines().count() == 2, "{listed}");
    }
    // The same in a file that is named by its path, where the question comes by itself.
    let agent = format!(
        "system_prompt: p\nmcp_servers: {{ x: {{ command: sh, args: [-c, 'touch started', {}] }} }}\n",
        json!(fake)
    );
    let world = World::new().set("OPENAI_API_KEY", "k").folder_file("z.yaml", &agent);
    let (code, screen) = asked(&world, &["ask", "--agent", "z.yaml", "hi"]);
    let counted = screen.contains("This file wants: 1 command, 1 file.");
    assert!(code == 3 && counted && !screen.lines().any(|line| line.trim() == "would change"), "{screen}");
    assert_eq!(screen.lines().filter(|line| line.starts_with("The files of")).count(), 1, "{screen}");
}

/// What cannot be shown whole cannot be trusted, and the way out is told.
#[test]
fn too_much_to_show_is_not_asked_about() {
    let long =
        json!({"mcpServers": {"x": {"command": "sh", "args": ["-c", format!("{}; rm", "x".repeat(2000))]}}});
    let filling = "x".repeat(100);
    let server = |at: usize| (format!("s{at}"), json!({"command": "sh", "args": [filling]}));
    let many: serde_json::Map<String, serde_json::Value> = (0..90).map(server).collect();
    for (servers, why) in [(long, "one entry has 20"), (json!({ "mcpServers": many }), "90 entries of ")] {
        let world = World::new().file(".mcp.json", &servers.to_string());
        let (code, screen) = pty::run(&world, &["trust"], "y\n");
        let screen = String::from_utf8_lossy(&screen);
        assert!(
            code == 2 && screen.contains(why) && screen.contains("tata trust --json"),
            "{code}: {screen}"
        );
        assert!(!screen.contains("Trust exactly"), "{screen}");
        assert!(world.run(&["trust", "--list"]).out.is_empty());
    }
}
