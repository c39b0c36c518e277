//! `PAY/statements`: several languages, and a file of every kind.

use super::builder::{DAY, Edit, Grow, HOUR};
use super::people::{ANA, GONE, JONAS, LUIS, MEI, NOUR, OLHA, PRIYA};
use super::{HSM_KEYS, INCUBATOR, STATEMENTS, repository, statements_pulls};
use crate::history::History;
use crate::picture;
use crate::state::{DefaultReviewers, Matcher, Store, Time};

pub(super) const RATES: &str = "data/rates.csv";
/// The rate of how many days the file holds.
const DAYS: usize = 4000;

pub(super) fn plant(store: &mut Store, now: Time) {
    let mut grow = Grow::new(now);
    first(&mut grow);
    kinds(&mut grow);
    store.pull_requests.extend(statements_pulls::pull_requests(&mut grow));
    let mut place = repository(
        STATEMENTS,
        "PAY",
        "statements",
        Some("Monthly statements as customers see them."),
        grow.history,
    );
    place.labels = vec!["customer-facing".to_owned(), "java".to_owned()];
    place.default_reviewers = vec![DefaultReviewers {
        id: 1,
        source: any(),
        target: Matcher {
            id: "refs/heads/main".to_owned(),
            display_id: "main".to_owned(),
            kind: "BRANCH".to_owned(),
        },
        people: vec![MEI.to_owned(), PRIYA.to_owned()],
        approvals: 1,
    }];
    store.repositories.push(place);
    // Nobody has pushed to this one yet.
    let empty = History { default_branch: "main".to_owned(), ..History::default() };
    store.repositories.push(repository(INCUBATOR, "OPS", "incubator", None, empty.clone()));
    // One that hardly anybody sees: lists leave a gap where it stands.
    let mut keys = repository(HSM_KEYS, "OPS", "hsm-keys", None, empty);
    keys.readers = vec![LUIS.to_owned()];
    store.repositories.push(keys);
}

fn any() -> Matcher {
    Matcher {
        id: "ANY_REF_MATCHER_ID".to_owned(),
        display_id: "ANY_REF_MATCHER_ID".to_owned(),
        kind: "ANY_REF".to_owned(),
    }
}

fn first(grow: &mut Grow) {
    grow.commit(
        "main",
        LUIS,
        80 * DAY,
        "Take statements out of the core bank",
        &[
            Edit::Put("README.md", "# statements\n\nOne document per account and month.\n"),
            Edit::Put("Dockerfile", include_str!("files/statements/Dockerfile")),
            Edit::Put("CODEOWNERS", "# who is asked\n*.sql @olha.petrenko\nweb/ @mei.tanaka\n"),
            Edit::Put(
                "src/main/java/com/example/statements/StatementService.java",
                include_str!("files/statements/StatementService.java"),
            ),
            Edit::Put("rates/src/table.rs", include_str!("files/statements/table.rs")),
            Edit::Put("db/V7__statements.sql", include_str!("files/statements/statements.sql")),
        ],
    );
    grow.commit(
        "main",
        MEI,
        61 * DAY,
        "Show a running balance on the web",
        &[
            Edit::Put("web/statement.ts", include_str!("files/statements/statement.ts")),
            Edit::Put("deploy/statements.yaml", include_str!("files/statements/statements.yaml")),
        ],
    );
    grow.commit(
        "main",
        GONE,
        44 * DAY,
        "Compare with the bank's file every night",
        &[Edit::Bytes(
            "tools/reconcile.py",
            include_str!("files/statements/reconcile.py").as_bytes(),
            false,
        )],
    );
    grow.commit(
        "main",
        NOUR,
        40 * DAY,
        "Keep the rates in one file",
        &[Edit::Put(RATES, &rates(None))],
    );
}

/// A file of every kind a client has to get right.
fn kinds(grow: &mut Grow) {
    let wide: Vec<u8> = [0xFEFF]
        .into_iter()
        .chain("Kontoauszug – Vorlage\r\nSaldo: {saldo}\r\n".encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    let noise: Vec<u8> =
        (0..600u32).flat_map(|at| at.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
    grow.commit(
        "main",
        OLHA,
        30 * DAY,
        "Templates and test data from the old system, as they were",
        &[
            Edit::Bytes("assets/logo.png", &picture::avatar("logo", "Statements", 16), false),
            Edit::Bytes("assets/font.bin", &noise, false),
            Edit::Bytes("templates/kontoauszug.txt", &wide, false),
            Edit::Bytes("templates/latin-1.txt", b"Gr\xFC\xDFe aus K\xF6ln\n", false),
            Edit::Bytes(
                "templates/windows.txt",
                b"Dear {name},\r\nyour balance\r\nis {balance}.\r\n",
                false,
            ),
            // git-lfs is off: what is kept elsewhere answers as its pointer.
            Edit::Put(".gitattributes", "*.mp4 filter=lfs diff=lfs merge=lfs -text\n"),
            Edit::Put(
                "assets/how-to-read.mp4",
                "version https://git-lfs.github.com/spec/v1\n\
                 oid sha256:7c9a41f0d3b25e86ab1f4e0c92d37f58a6e4b1d0935c8e2f7a6b4c1d0e9f8a72\n\
                 size 73400320\n",
            ),
            Edit::Put("templates/with space.txt", "A name with a blank.\n"),
            Edit::Put("templates/100% #1+2.txt", "Percent, hash and plus.\n"),
            Edit::Put("templates/выписка/明細書.txt", "Баланс: 残高\n"),
            Edit::Put("templates/no-end.txt", "The last line has no end"),
            Edit::Put("templates/empty.txt", ""),
        ],
    );
    grow.branch("release/1.4", "main");
    grow.tag("v1.4.2", &grow.tip("main"), true);
    grow.commit(
        "main",
        JONAS,
        6 * DAY + 5 * HOUR,
        "Say who owns what",
        &[Edit::Append(
            "README.md",
            "\nAsk @mei.tanaka about the web, Ольга about the database.\n",
        )],
    );
    grow.commit(
        "main",
        ANA,
        5 * DAY,
        "Note the on-call rota",
        &[Edit::Put("docs/rota.md", "# Rota\n\nWeeks change on Tuesday.\n")],
    );
}

/// The rates of every day; a change lowers one in so many.
pub(super) fn rates(change: Option<usize>) -> String {
    let mut text = String::with_capacity(DAYS * 26);
    for day in 0..DAYS {
        let lowered = change.is_some_and(|every| day % every == every - 1);
        let rate = 10_000 + day * 37 % 1900 - usize::from(lowered);
        text.push_str(&format!("{},EUR,USD,1.{rate}\n", 20_150_101 + day));
    }
    text
}
