//! Nothing that was started stays, whatever happens: by the process table.

use std::{process::Command, time::Duration};

use crate::{
    fixture::{Scene, example},
    turns::call,
};

#[tokio::test]
async fn what_a_server_started_ends_with_it() {
    let scene = Scene::new();
    let client = scene.client("");
    client.connect().await.unwrap();
    call(&client, "rogue__breed", "{}").await.unwrap();
    assert_eq!(scene.in_process_table().len(), 2);
    client.close().await;
    scene.nothing_is_left().await;
}

#[tokio::test]
async fn a_dropped_client_ends_its_server() {
    let scene = Scene::new();
    let client = scene.client("stays");
    client.connect().await.unwrap();
    drop(client);
    scene.nothing_is_left().await;
}

#[tokio::test]
async fn a_server_that_ignores_goodbye_and_sigterm_is_killed() {
    let scene = Scene::new();
    let program =
        format!("trap '' TERM; exec {} {} stays", example("rogue").display(), scene.folder.display());
    let server = scene.command("/bin/sh", vec!["-c".to_owned(), program]);
    let client = tata_mcp::McpClient::new(server, crate::fixture::options());
    client.connect().await.unwrap();
    call(&client, "rogue__breed", "{}").await.unwrap();
    client.close().await;
    let server = &scene.lines("pids")[0];
    assert!(!scene.in_process_table().contains(server), "close waits for the end");
    scene.nothing_is_left().await;
}

#[tokio::test]
async fn a_dead_server_does_not_stay_in_the_process_table() {
    let scene = Scene::new();
    let client = scene.client("");
    client.connect().await.unwrap();
    Command::new("kill").args(["-KILL", &scene.lines("pids")[0]]).status().unwrap();
    scene.nothing_is_left().await;
    client.close().await;
}

/// The program that holds a server is killed and cannot clean up: its servers end all the same, also those that do not
/// mind the end of their input.
#[tokio::test]
async fn nothing_outlives_a_crash() {
    for signal in ["-KILL", "-TERM", "-ABRT"] {
        let scene = Scene::new();
        let mut holder = Command::new(example("sample"))
            .arg("hold")
            .args([
                example("rogue").display().to_string(),
                scene.folder.display().to_string(),
                "stays".to_owned(),
            ])
            .spawn()
            .unwrap();
        let ready = async {
            while !scene.folder.join("ready").exists() {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(30), ready).await.unwrap();
        assert_eq!(scene.in_process_table().len(), 2, "a server and its child");
        Command::new("kill").args([signal, &holder.id().to_string()]).status().unwrap();
        holder.wait().unwrap();
        scene.nothing_is_left().await;
    }
}
