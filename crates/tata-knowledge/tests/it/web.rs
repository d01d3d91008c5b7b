//! Pages: what is fetched and what is not.

use std::time::Duration;

use tata_knowledge::{Engine, FetchRules, Fetcher, IngestOptions, Source, ingest};
use tata_testkit::{Exchange, Upstream};

use crate::world::{embedded, here, knowledge};

fn allowed() -> FetchRules {
    FetchRules { allow_private: true, time: Duration::from_secs(5), ..FetchRules::default() }
}

fn page(text: &str) -> Exchange {
    Exchange::status(200)
        .header("content-type", "text/html; charset=utf-8")
        .bytes(format!("<html><head><title>Page</title></head><body><p>{text}</p></body></html>"))
}

/// Ways into the own network, and to what is no page.
const FORBIDDEN: &[&str] = &[
    // The own machine, by name and number.
    "http://localhost/",
    "http://LOCALHOST:8080/",
    "http://localhost./",
    "http://127.0.0.1/",
    "https://127.0.0.1:8443/",
    "http://127.0.0.53/",
    "http://127.1/",
    "http://127.0.1/",
    "http://127.255.255.254/",
    "http://0.0.0.0/",
    "http://0/",
    "http://0.0.0.0:22/",
    // The same in other dresses.
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0x7f.1/",
    "http://0x7f.0x0.0x0.0x1/",
    "http://0177.0.0.1/",
    "http://0177.0000.0000.0001/",
    "http://017700000001/",
    "http://127.0.0.0x1/",
    "http://１２７.０.０.１/",
    "http://①②⑦.⓪.⓪.①/",
    "http://127。0。0。1/",
    "http://%31%32%37.0.0.1/",
    // Private networks, links, providers' data about a machine.
    "http://10.0.0.1/",
    "http://10.255.255.255/",
    "http://172.16.0.1/",
    "http://172.31.255.255/",
    "http://192.168.0.1/",
    "http://192.168.1.254:9200/",
    "http://169.254.169.254/latest/meta-data/",
    "http://169.254.170.2/v2/credentials",
    "http://2852039166/latest/meta-data/",
    "http://0xa9fea9fe/",
    "http://0251.0376.0251.0376/",
    "http://100.64.0.1/",
    "http://100.100.100.200/latest/meta-data/",
    "http://192.0.0.192/",
    "http://198.18.0.1/",
    "http://192.0.2.1/",
    "http://203.0.113.9/",
    "http://224.0.0.1/",
    "http://240.0.0.1/",
    "http://255.255.255.255/",
    // Version 6.
    "http://[::1]/",
    "http://[::]/",
    "http://[0:0:0:0:0:0:0:1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[::ffff:10.0.0.1]/",
    "http://[::127.0.0.1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[64:ff9b::10.0.0.1]/",
    "http://[2002:7f00:1::]/",
    "http://[2001::1]/",
    "http://[fc00::1]/",
    "http://[fd00:ec2::254]/latest/meta-data/",
    "http://[fe80::1]/",
    "http://[ff02::1]/",
    "http://[2001:db8::1]/",
    // No page, or with a password.
    "file:///etc/passwd",
    "file://localhost/etc/passwd",
    "ftp://example.com/x",
    "gopher://127.0.0.1:6379/_INFO",
    "dict://127.0.0.1:11211/stat",
    "data:text/html,hello",
    "javascript:alert(1)",
    "jar:http://127.0.0.1!/",
    "http://user:secret@example.com/",
    "http://user@127.0.0.1/",
    "http://example.com@127.0.0.1/",
];

#[tokio::test]
async fn private_addresses_are_refused_by_name_and_by_number() {
    let fetcher = Fetcher::new(FetchRules::default()).unwrap();
    assert!(FORBIDDEN.len() >= 60);
    for address in FORBIDDEN.iter().chain(&["nonsense", ""]) {
        let error = fetcher.fetch(address).await.unwrap_err();
        assert_eq!(error.kind(), "forbidden", "{address}: {error}");
    }
}

/// A page of the open network that sends its visitor to any of these.
#[tokio::test]
async fn no_redirect_leads_into_the_own_network() {
    for address in FORBIDDEN {
        let upstream = Upstream::start([Exchange::status(302).header("location", address)]).await;
        let at = upstream.origin().trim_start_matches("http://").parse().unwrap();
        let fetcher = Fetcher::with_hosts(FetchRules::default(), &[("open.example", at)]).unwrap();
        let error = fetcher.fetch("http://open.example/").await.unwrap_err();
        // A header cannot name what is not ASCII.
        let nowhere = !address.is_ascii() && error.to_string().contains("redirect to nowhere");
        assert!(error.kind() == "forbidden" || nowhere, "{address}: {error}");
        assert_eq!(upstream.requests().len(), 1, "{address}");
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
    let summary = ingest(&knowledge, &[Source::parse(&url)], &options, &here(), &|_| {}).await.unwrap();
    assert_eq!((summary.stored, summary.failures.len()), (1, 0), "{summary:?}");
    let entry = engine.document(&url).await.unwrap().unwrap();
    assert_eq!(entry.title, "Page");
    let strict = ingest(&knowledge, &[Source::parse(&url)], &IngestOptions::default(), &here(), &|_| {})
        .await
        .unwrap();
    assert!(strict.failures[0].reason.contains("private network"), "{:?}", strict.failures);
}
