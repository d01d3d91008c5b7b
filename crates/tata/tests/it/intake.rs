//! What a person may hand over: one limit and the same words at every door, and no door at which the program waits for ever.

use std::{
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Command, Stdio},
};

use tata_core::MOST_MESSAGE_BYTES;

use crate::program::{Said, World};

/// Every command that takes a file.
const DOORS: [&[&str]; 5] = [
    &["ask", "--agent", "tata", "--model", "guided", "--file"],
    &["di"],
    &["review"],
    &["run", "set_project", "--input"],
    &["eval", "di", "--lang", "en"],
];

fn refused(said: &Said, words: &[&str]) {
    assert_eq!(said.code, 2, "{said:?}");
    assert!(words.iter().all(|word| said.err.contains(word)), "{words:?}: {}", said.err);
}

#[test]
fn every_door_has_the_same_limit() {
    let long = "x".repeat(MOST_MESSAGE_BYTES + 1);
    let world = World::new().file("long.txt", &long);
    for door in DOORS {
        refused(&world.run(&[door, &["long.txt"]].concat()), &["long.txt", "4 MiB", "in parts"]);
    }
    let piped: [&[&str]; 4] = [
        &["ask", "--agent", "tata", "--model", "guided"],
        &["di"],
        &["review"],
        &["run", "set_project", "--input", "-"],
    ];
    for door in piped {
        refused(&world.run_with_input(door, &long), &["standard input", "4 MiB", "in parts"]);
    }
    let halves = World::new().file("half.txt", &long[..=MOST_MESSAGE_BYTES / 2]);
    let door = ["ask", "--agent", "tata", "--model", "guided", "--file", "half.txt", "--file", "half.txt"];
    refused(&halves.run(&door), &["the question", "4 MiB"]);
    assert!(!world.folder.join("home/tata.db").exists(), "nothing was stored");
}

#[test]
fn a_piped_line_that_is_too_long_is_refused_and_the_next_is_answered() {
    let world = World::new();
    let lines = format!("{}\nWhat can you do?\n", "x".repeat(MOST_MESSAGE_BYTES + 1));
    let said = world.run_with_input(&["chat", "--model", "guided"], &lines);
    refused(&said, &["a line of standard input", "4 MiB", "in parts"]);
    assert!(said.out.contains("Requirement Profile"), "{}", said.out);
}

#[test]
fn text_in_another_encoding_is_named() {
    let world = World::new();
    std::fs::write(world.folder.join("latin.txt"), b"R\xE4ksm\xF6rg\xE5s").unwrap();
    std::fs::write(world.folder.join("wide.txt"), b"\xFF\xFEa\0b\0").unwrap();
    for door in DOORS {
        for file in ["latin.txt", "wide.txt"] {
            refused(&world.run(&[door, &[file]].concat()), &[file, "UTF-8"]);
        }
    }
}

/// A pipe that nobody writes to made the program wait for ever.
#[cfg(unix)]
#[test]
fn only_files_are_read_by_name() {
    let world = World::new();
    std::fs::create_dir(world.folder.join("ads")).unwrap();
    assert!(Command::new("mkfifo").arg(world.folder.join("pipe")).status().unwrap().success());
    for door in DOORS {
        refused(&world.run(&[door, &["ads"]].concat()), &["ads is a folder"]);
        refused(&world.run(&[door, &["pipe"]].concat()), &["pipe is a pipe or a device"]);
        refused(&world.run(&[door, &["/dev/zero"]].concat()), &["/dev/zero is a pipe or a device"]);
    }
}

/// The commands that read any format, and files of settings: the same refusal, before anything is read.
#[cfg(unix)]
#[test]
fn only_files_are_attached_and_imported() {
    let world = World::new();
    std::fs::create_dir(world.folder.join("ads")).unwrap();
    assert!(Command::new("mkfifo").arg(world.folder.join("pipe")).status().unwrap().success());
    std::os::unix::fs::symlink("/dev/zero", world.folder.join("cv.pdf")).unwrap();
    std::fs::File::create(world.folder.join("hole.txt")).unwrap().set_len(4 << 30).unwrap();
    for (name, why) in [
        ("ads", "is a folder"),
        ("pipe", "a pipe or a device"),
        ("cv.pdf", "a pipe or a device"),
        ("hole.txt", "is the most"),
    ] {
        for door in [&["import"][..], &["funnel", "--title", "t"]] {
            refused(&world.run(&[door, &[name]].concat()), &[name, why]);
        }
        let said = world.run(&["--models-file", name, "models"]);
        assert!(said.code == 3 && said.err.contains(why), "{name}: {said:?}");
        let said = world.run_with_input(&["chat", "--model", "guided"], &format!("/attach {name}\n"));
        assert!(said.code == 2 && said.err.contains(why), "{name}: {said:?}");
        let world = World::new().set("OPENAI_API_KEY_FILE", &world.folder.join(name).display().to_string());
        if name != "pipe" {
            let said = world.run(&["ask", "--model", "gpt-6.1-sol", "hi"]);
            assert!(said.code != 0 && said.err.contains(why), "{name}: {said:?}");
        }
    }
}

/// What a shell writes for `<(command)`, and the other names of standard input.
#[cfg(unix)]
#[test]
fn pipes_of_the_shell_are_read() {
    let world = World::new();
    let ad = "We look for a young engineer who is a native speaker of English and likes to work with us.";
    for place in ["/dev/fd/3", "/dev/stdin", "-"] {
        let program = world.command(&[]);
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", "exec \"$0\" di \"$1\" 3<&0"]).arg(program.get_program()).arg(place);
        shell.current_dir(&world.folder).env_clear().env("TATA_HOME", world.folder.join("home"));
        shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = shell.spawn().unwrap();
        child.stdin.take().unwrap().write_all(ad.as_bytes()).unwrap();
        let said = Said::from(child.wait_with_output().unwrap());
        assert_eq!(said.code, 0, "{place}: {said:?}");
        assert!(said.out.contains("young"), "{place}: {}", said.out);
    }
}

/// Whoever forgot to close the pipe could not leave with Ctrl-C.
#[cfg(unix)]
#[test]
fn ctrl_c_is_heard_while_standard_input_is_read() {
    for door in [&["di"][..], &["run", "set_project"], &["ask", "--model", "guided"]] {
        let world = World::new();
        let mut command = world.command(door);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let _open = child.stdin.take();
        let mut told = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        told.read_line(&mut line).unwrap();
        assert!(line.contains("Reading standard input"), "{door:?}: {line}");
        let stopped = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(stopped.success());
        assert_eq!(child.wait().unwrap().code(), Some(130), "{door:?}");
    }
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let said = World::new().run(&["di", "nowhere.md"]);
    assert!(said.code == 1 && said.err.contains("nowhere.md cannot be used"), "{said:?}");
    assert!(Path::new("nowhere.md").metadata().is_err());
}

/// A choice that does not exist is told with those that do, a field that does not exist with the nearest (A6.3).
#[test]
fn a_bad_choice_names_the_good_ones() {
    let world = World::new();
    let input = r#"{"interview_type":"casee","interview_typ":"case"}"#;
    let refused = world.run_with_input(&["run", "create_calendar_invite"], input);
    assert_ne!(refused.code, 0, "{}", refused.err);
    for told in ["interview_type", "\"casee\"", "\"case\"", "did you mean \"interview_type\"?"] {
        assert!(refused.err.contains(told), "{told}: {}", refused.err);
    }
    assert!(!refused.err.contains("anyOf"), "{}", refused.err);
}
