//! A full disk, a read-only one, a link that leads nowhere: what is there can be read, and writing says why not (R9).

use std::{fs, path::PathBuf, process::Command};

use crate::program::{CHANGE, PROFILE, World};

/// A disk of its own in the place of the home folder.
struct Disk(PathBuf);

impl Disk {
    #[expect(clippy::print_stderr, reason = "a test that is left out says so")]
    fn at_home(world: &World) -> Option<Self> {
        let home = world.folder.join("home");
        fs::create_dir_all(&home).unwrap();
        let made =
            Command::new("mount").args(["-t", "tmpfs", "-o", "size=8m", "tata-test"]).arg(&home).output();
        if made.is_ok_and(|made| made.status.success()) {
            return Some(Self(home));
        }
        eprintln!(
            "SKIPPED: a small disk cannot be mounted here; run as root to test a full and a read-only one"
        );
        None
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        drop(Command::new("umount").arg("-l").arg(&self.0).status());
    }
}

fn check_reading(world: &World) {
    for (arguments, expected) in [
        (&["session", "list"][..], "network engineer"),
        (&["session", "show", "last"], "network engineer"),
        (&["session", "export", "last"], "network engineer"),
        (&["session", "export", "last", "-o", "out.md"], ""),
        (&["session", "salvage", "last"], "network engineer"),
        (&["artifact", "list"], "requirement_profile"),
        (&["artifact", "show", "profile"], "Ansible"),
        (&["artifact", "diff", "profile"], "Ansible"),
        (&["audit", "list"], "artifact.approved"),
        (&["audit", "verify"], "Whole."),
    ] {
        let said = world.run(arguments);
        assert_eq!(said.code, 0, "{arguments:?}: {}", said.err);
        assert!(said.out.contains(expected), "{arguments:?}: {}", said.out);
    }
    let doctor = world.run(&["doctor"]);
    assert!(doctor.code == 1 && doctor.out.contains("not written"), "{}", doctor.out);
    for arguments in [
        &["session", "delete", "last", "--yes"][..],
        &["session", "rename", "last", "x"],
        &["artifact", "approve", "profile"],
        &["ask", "--agent", "tata", "--model", "guided", "hello"],
    ] {
        let said = world.run(arguments);
        assert_eq!(said.code, 1, "{arguments:?}: {said:?}");
        assert!(said.err.contains("The database cannot be written"), "{arguments:?}: {}", said.err);
    }
}

fn prepared(world: &World) {
    let said = world.run_with_input(&["chat"], &[PROFILE, CHANGE].concat());
    assert_eq!(said.code, 0, "{}", said.err);
    assert_eq!(world.run(&["artifact", "approve", "profile"]).code, 0);
}

#[test]
fn a_read_only_home_can_be_read() {
    let world = World::new();
    let Some(disk) = Disk::at_home(&world) else { return };
    prepared(&world);
    assert!(Command::new("mount").args(["-o", "remount,ro"]).arg(&disk.0).status().unwrap().success());
    check_reading(&world);
}

#[test]
fn a_full_disk_can_be_read() {
    let world = World::new();
    let Some(disk) = Disk::at_home(&world) else { return };
    prepared(&world);
    drop(fs::write(disk.0.join("filler"), vec![1; 16 << 20]));
    check_reading(&world);
    fs::remove_file(disk.0.join("filler")).unwrap();
    assert_eq!(world.run(&["session", "delete", "last", "--yes"]).code, 0, "there is room again");
}

#[test]
fn a_dangling_database_link_is_named() {
    let world = World::new();
    fs::create_dir_all(world.folder.join("home")).unwrap();
    std::os::unix::fs::symlink("/nowhere/tata.db", world.folder.join("home/tata.db")).unwrap();
    for arguments in [&["session", "list"][..], &["audit", "verify"], &["doctor"]] {
        let said = world.run(arguments);
        assert_eq!(said.code, 1, "{arguments:?}");
        let text = said.out + &said.err;
        assert!(text.contains("is a link to /nowhere/tata.db, which is not there"), "{arguments:?}: {text}");
    }
}
