use super::*;

/// What a stream gives, cut into pieces of `size` bytes: `event|data`, `~` marks an event cut by the end.
fn frames(bytes: &[u8], size: usize) -> Vec<String> {
    let mut framer = Framer::new(1 << 20);
    let mut out = Vec::new();
    let mut sink = |frame: Frame<'_>| {
        let mark = if frame.at_end { "~" } else { "" };
        out.push(format!("{mark}{}|{}", frame.name().as_deref().unwrap_or("-"), frame.data));
    };
    for piece in bytes.chunks(size) {
        framer.push(piece, &mut sink).unwrap();
    }
    framer.finish(&mut sink);
    out
}

fn check(bytes: &[u8], expected: &[&str]) {
    for size in 1..=bytes.len().max(1) {
        assert_eq!(
            frames(bytes, size),
            expected,
            "in pieces of {size}: {:?}",
            String::from_utf8_lossy(bytes)
        );
    }
}

#[test]
fn all_line_ends_in_any_pieces() {
    check(b"event: a\ndata: 1\n\ndata: 2\n\n", &["a|1", "-|2"]);
    check(b"event: a\r\ndata: 1\r\n\r\ndata: 2\r\n\r\n", &["a|1", "-|2"]);
    check(b"event: a\rdata: 1\r\rdata: 2\r\r", &["a|1", "-|2"]);
    check(b"data: 1\r\n\ndata: 2\n\r\n", &["-|1", "-|2"]);
}

#[test]
fn fields_as_the_standard_says() {
    check(b"data:no space\n\n", &["-|no space"]);
    check(b"data:  two spaces\n\n", &["-| two spaces"]);
    check(b"data: a\ndata: b\ndata\n\n", &["-|a\nb\n"]);
    check(b": comment\n\nid: 1\nretry: 5\nother: x\ndata: 1\n\n", &["-|1"]);
    check(b"event: lonely\n\ndata: 1\n\n", &["-|1"]);
    check(b"database: x\n\n", &[]);
    check(b"data:\n\n", &[]);
}

#[test]
fn one_byte_order_mark_is_removed() {
    check(b"\xEF\xBB\xBFdata: 1\n\n", &["-|1"]);
    check(b"data: 1\n\n\xEF\xBB\xBFdata: 2\n\n", &["-|1"]);
}

#[test]
fn a_pending_event_is_used_at_the_end() {
    check(b"data: 1\n\ndata: 2", &["-|1", "~-|2"]);
    check(b"event: x\ndata: 2\n", &["~x|2"]);
}

#[test]
fn characters_split_between_pieces_survive_and_bad_bytes_cost_one_line() {
    check("data: Zażółć 👩‍👩‍👧‍👦\n\n".as_bytes(), &["-|Zażółć 👩‍👩‍👧‍👦"]);
    check(b"data: a\xFFb\n\ndata: c\n\n", &["-|a\u{FFFD}b", "-|c"]);
}

#[test]
fn a_bare_error_line_is_an_event() {
    check(b"data: 1\n\n{\"error\":\"boom\"}\n", &["-|1", "-|{\"error\":\"boom\"}"]);
}

#[test]
fn an_event_over_the_limit_is_refused_before_it_is_whole() {
    for step in [1, 7, 64] {
        let mut framer = Framer::new(100);
        let bytes = [b"data: ".to_vec(), vec![b'x'; 1000]].concat();
        let mut pushed = 0;
        let refused = bytes.chunks(step).any(|piece| {
            pushed += piece.len();
            framer.push(piece, &mut |_| {}).is_err()
        });
        assert!(refused && pushed <= 100 + 64, "{pushed}");
    }
    let mut framer = Framer::new(100);
    let many: Vec<u8> = b"data: xxxxxxxx\n".repeat(20);
    assert_eq!(framer.push(&many, &mut |_| {}), Err(TooLarge { limit: 100 }), "also over many lines");
}

mod peer {
    //! The same frames as `sse-stream` on every stream that both accept.

    use bytes::Bytes;
    use futures_util::{StreamExt, stream};
    use proptest::{
        collection::vec,
        prelude::{Just, ProptestConfig, Strategy, prop_assert_eq, prop_oneof, proptest},
    };

    use super::frames;

    fn line() -> impl Strategy<Value = String> {
        prop_oneof![
            3 => "data: ?[a-zæ{}\":, 👍]{0,12}",
            1 => "event: ?[a-z.]{1,8}",
            1 => ":[a-z ]{0,8}",
            1 => "(id|retry|other): ?[0-9]{0,3}",
            3 => Just(String::new()),
            1 => Just("data".to_owned()),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

        #[test]
        fn frames_equal_those_of_sse_stream(
            lines in vec(line(), 0..30),
            end in prop_oneof![Just("\n"), Just("\r\n"), Just("\r")],
            bom in prop_oneof![Just("\u{feff}"), Just("")],
            size in 1..50_usize,
        ) {
            // Ended by a blank line: what follows the last one is where we differ on purpose.
            let text = format!("{bom}{}{end}{end}", lines.join(end));
            let pieces: Vec<Result<Bytes, std::io::Error>> =
                text.as_bytes().chunks(size).map(|piece| Ok(Bytes::copy_from_slice(piece))).collect();
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            let theirs: Vec<String> = runtime.block_on(
                sse_stream::SseByteStream::new(stream::iter(pieces))
                    .filter_map(async |event| {
                        let event = event.unwrap();
                        let data = event.data.filter(|data| !data.is_empty())?;
                        Some(format!("{}|{data}", event.event.as_deref().unwrap_or("-")))
                    })
                    .collect(),
            );
            prop_assert_eq!(frames(text.as_bytes(), size), theirs, "{:?}", text);
        }
    }
}
