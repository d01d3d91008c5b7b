//! Pages: what is fetched and what is not.

use std::time::Duration;

use tata_knowledge::{Engine, FetchRules, Fetcher, IngestOptions, Source, ingest};
use tata_testkit::{Exchange, Upstream};

use crate::world::{embedded, knowledge};

fn allowed() -> FetchRules {
    FetchRules { allow_private: true, time: Duration::from_secs(5), ..FetchRules::default() }
}

fn page(text: &str) -> Exchange {
    Exchange::status(200)
        .header("content-type", "text/html; charset=utf-8")
        .bytes(format!("<html><head><title>Page</title></head><body><p>{text}</p></body></html>"))
}

#[tokio::test]
async fn private_addresses_are_refused_by_name_and_by_number() {
    let fetcher = Fetcher::new(FetchRules::default()).unwrap();
    for address in [
        "http://127.0.0.1/x",
        "http://localhost/x",
        "http://169.254.169.254/latest/meta-data",
        "http://[::1]/",
        "http://[::ffff:10.0.0.1]/",
        "http://2130706433/",
        "http://0x7f.1/",
        "file:///etc/passwd",
        "ftp://example.com/x",
        "http://user:secret@example.com/",
        "nonsense",
    ] {
        let error = fetcher.fetch(address).await.unwrap_err();
        assert_eq!(error.kind(), "forbidden", "{address}: {error}");
    }
}

#[tokio::test]
async fn redirects_are_followed_a_few_times_and_checked_each_time() {
    let to = |place: &str| Exchange::status(302).header("location", place);
    let upstream = Upstream::start([to("/b"), page("Here.")]).await;
    let fetched = Fetcher::new(allowed()).unwrap().fetch(&format!("{}/a", upstream.origin())).await.unwrap();
    assert!(fetched.url.ends_with("/b"));
    let upstream = Upstream::start([to("file:///etc/passwd")]).await;
    let error = Fetcher::new(allowed()).unwrap().fetch(&upstream.origin()).await.unwrap_err();
    assert_eq!(error.kind(), "forbidden", "{error}");
    let upstream = Upstream::start(vec![to("/again"); 10]).await;
    let error = Fetcher::new(allowed()).unwrap().fetch(&upstream.origin()).await.unwrap_err();
    assert!(error.to_string().contains("redirects"), "{error}");
}

#[tokio::test]
async fn long_and_slow_pages_end_in_a_message() {
    let rules = FetchRules { most_bytes: 1000, time: Duration::from_millis(300), ..allowed() };
    let upstream = Upstream::start([Exchange::status(200).bytes(vec![b'a'; 5000])]).await;
    let error = Fetcher::new(rules).unwrap().fetch(&upstream.origin()).await.unwrap_err();
    assert!(error.to_string().contains("1000 bytes"), "{error}");
    let upstream = Upstream::start([Exchange::status(200).bytes("a").hang()]).await;
    let error = Fetcher::new(rules).unwrap().fetch(&upstream.origin()).await.unwrap_err();
    assert!(error.to_string().contains("no whole answer"), "{error}");
}

/// A sitemap that names itself and deeper ones without end, and pages of other hosts.
#[tokio::test]
async fn a_recursive_sitemap_ends() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    let own = origin.clone();
    // Every sitemap names itself, two more, and one elsewhere.
    let server = tokio::spawn(async move {
        let mut count = 0;
        while let Ok((mut socket, _)) = listener.accept().await {
            let _ = tokio::io::AsyncReadExt::read(&mut socket, &mut [0; 4096]).await;
            count += 1;
            let places = [
                format!("{own}/sitemap.xml"),
                format!("{own}/m{count}.xml"),
                format!("{own}/n{count}.xml"),
                "https://elsewhere.example/s.xml".to_owned(),
            ];
            let places: String =
                places.iter().map(|place| format!("<sitemap><loc>{place}</loc></sitemap>")).collect();
            let body = format!("<sitemapindex>{places}</sitemapindex>");
            let answer = format!(
                "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
                body.len()
            );
            let _ = tokio::io::AsyncWriteExt::write_all(&mut socket, answer.as_bytes()).await;
        }
    });
    let rules = FetchRules { sitemap_depth: 3, ..allowed() };
    let (pages, notes) =
        Fetcher::new(rules).unwrap().sitemap(&format!("{origin}/sitemap.xml")).await.unwrap();
    server.abort();
    assert_eq!(pages.len(), 0);
    assert!(notes.iter().any(|note| note.contains("another host")), "{notes:?}");
    assert!(notes.iter().any(|note| note.contains("nested too deeply")), "{notes:?}");
}

/// B9: a page becomes a document with its address and title.
#[tokio::test]
async fn a_page_is_ingested() {
    let upstream =
        Upstream::start([page("The office in Bergen opens at seven in the morning every working day.")])
            .await;
    let (_folder, engine) = embedded();
    let knowledge = knowledge(engine.clone());
    let options = IngestOptions { fetch: allowed(), ..IngestOptions::default() };
    let url = format!("{}/office", upstream.origin());
    let summary = ingest(&knowledge, &[Source::parse(&url)], &options, &|_| {}).await.unwrap();
    assert_eq!((summary.stored, summary.failures.len()), (1, 0), "{summary:?}");
    let entry = engine.document(&url).await.unwrap().unwrap();
    assert_eq!(entry.title, "Page");
    let strict =
        ingest(&knowledge, &[Source::parse(&url)], &IngestOptions::default(), &|_| {}).await.unwrap();
    assert!(strict.failures[0].reason.contains("private network"), "{:?}", strict.failures);
}
