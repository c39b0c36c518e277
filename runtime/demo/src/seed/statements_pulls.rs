//! The pull requests of `PAY/statements`: one with a change of every kind, one
//! with a long file, one with many files, and one in many scripts.

use super::STATEMENTS;
use super::builder::{DAY, Edit, Grow, HOUR, Pull, side};
use super::discussion::{place, say};
use super::people::{ANA, GONE, JONAS, LUIS, MEI, NOUR, OLHA, PRIYA, ROBOT};
use super::statements::{RATES, rates};
use crate::state::{PullRequest, Verdict};

const KINDS: &str = "chore/every-kind-of-change";
const LONG: &str = "feature/STM-88-new-rates";
const MANY: &str = "chore/regenerate-fixtures";
const SCRIPTS: &str = "функция/выписки-明細書";

pub(super) fn pull_requests(grow: &mut Grow) -> Vec<PullRequest> {
    // What is moved and removed has to be there before.
    old_fixtures(grow);
    vec![kinds(grow), long(grow), many(grow), scripts(grow)]
}

fn open(grow: &Grow, id: u64, author: &str, age: i64, title: &str, branch: &str) -> Pull {
    let (from, to) = (grow.tip(branch), grow.tip("main"));
    let sides = (side(STATEMENTS, branch, &from), side(STATEMENTS, "main", &to));
    Pull::new(grow.now, id, author, age, title, sides.0, sides.1)
}

fn kinds(grow: &mut Grow) -> PullRequest {
    const SCHEMA: &str = "db/V7__statements.sql";
    let schema = include_str!("files/statements/statements.sql");
    grow.branch(KINDS, "main");
    grow.commit(
        KINDS,
        OLHA,
        2 * DAY,
        "STM-71: Tidy the templates",
        &[
            Edit::Put(
                "db/V8__archive.sql",
                &schema.replace("create table statement ", "create table statement_archive "),
            ),
            Edit::Append(SCHEMA, "\ncomment on table statement is 'as the customer saw it';\n"),
            Edit::Mode("tools/reconcile.py", true),
            Edit::Bytes("assets/font.bin", b"\0\x01\x02font", false),
            Edit::Bytes("assets/stamp.png", &crate::picture::avatar("stamp", "Stamp", 16), false),
            Edit::Replace(
                "templates/windows.txt",
                "your balance\r\n",
                "the balance of {month}\r\n",
            ),
            Edit::Replace("templates/no-end.txt", "no end", "still no end"),
            Edit::Append("templates/100% #1+2.txt", "Now with a second line.\n"),
            Edit::Append("templates/выписка/明細書.txt", "合計: {total}"),
            Edit::Move("templates/with space.txt", "templates/letters/with two spaces.txt"),
            Edit::Move("web/statement.ts", "web/src/statement.ts"),
            Edit::Replace("web/src/statement.ts", "newest first", "the newest first"),
            Edit::Remove("templates/empty.txt"),
            Edit::Remove("templates/latin-1.txt"),
        ],
    );
    let (main, tip) = (grow.tip("main"), grow.tip(KINDS));
    let at = |path: &str, text: &str| place(&grow.history, &main, &tip, path, Some(text));
    open(grow, 1, OLHA, 2 * DAY - HOUR, "STM-71: Tidy the templates", KINDS)
        .describe("Every kind of change in one place: moved, copied, made executable, binary.")
        .reviewer(MEI, Verdict::Approved, Some(20 * HOUR))
        .reviewer(ROBOT, Verdict::Unapproved, None)
        .participant(GONE)
        .thread(
            say(MEI, 30 * HOUR, "Does the archive need its own index?")
                .at(at("db/V8__archive.sql", "primary key"))
                .reply(say(OLHA, 29 * HOUR, "Only by month, it is read once a year.")),
        )
        .thread(
            say(GONE, 40 * HOUR, "Why did we keep the carriage returns?")
                .at(at("templates/windows.txt", "the balance of")),
        )
        .done()
}

fn long(grow: &mut Grow) -> PullRequest {
    grow.branch(LONG, "main");
    grow.commit(
        LONG,
        NOUR,
        26 * HOUR,
        "STM-88: Rates with the new spread",
        &[Edit::Put(RATES, &rates(Some(97)))],
    );
    open(grow, 2, NOUR, 25 * HOUR, "STM-88: Rates with the new spread", LONG)
        .describe("One line in ninety-seven of four thousand.")
        .reviewer(PRIYA, Verdict::Unapproved, None)
        .done()
}

/// How many of the files are new, changed, moved and removed: 600 together.
const NEW: usize = 560;
const CHANGED: usize = 25;
const MOVED: usize = 5;
const REMOVED: usize = 10;

fn old_fixtures(grow: &mut Grow) {
    let files: Vec<(String, String)> = (0..CHANGED + MOVED + REMOVED)
        .map(|number| {
            let lines: String =
                (0..40).map(|line| format!("{number};{line};{}\n", number * line)).collect();
            (format!("fixtures/old/{number:03}.csv"), lines)
        })
        .collect();
    let edits: Vec<Edit<'_>> = files.iter().map(|(path, text)| Edit::Put(path, text)).collect();
    grow.commit("main", LUIS, 4 * DAY, "Fixtures of the old renderer", &edits);
}

fn many(grow: &mut Grow) -> PullRequest {
    let name = |number: usize| format!("fixtures/old/{number:03}.csv");
    let new: Vec<(String, String)> = (0..NEW)
        .map(|number| {
            let text = format!(
                "{{\n  \"account\": \"A-{number:04}\",\n  \"month\": \"2026-{:02}\",\n  \"lines\": []\n}}\n",
                number % 12 + 1
            );
            (format!("fixtures/statement-{number:04}.json"), text)
        })
        .collect();
    let kept: Vec<String> = (0..CHANGED).map(name).collect();
    let moved: Vec<(String, String)> = (CHANGED..CHANGED + MOVED)
        .map(|number| (name(number), format!("fixtures/kept/{number:03}.csv")))
        .collect();
    let removed: Vec<String> = (CHANGED + MOVED..CHANGED + MOVED + REMOVED).map(name).collect();
    let edits: Vec<Edit<'_>> = new
        .iter()
        .map(|(path, text)| Edit::Put(path, text))
        .chain(kept.iter().map(|path| Edit::Append(path, "total;0\n")))
        .chain(moved.iter().map(|(from, to)| Edit::Move(from, to)))
        .chain(removed.iter().map(|path| Edit::Remove(path)))
        .collect();
    grow.branch(MANY, "main");
    grow.commit(MANY, ROBOT, 3 * DAY, "Generate all fixtures anew", &edits);
    open(grow, 3, ROBOT, 3 * DAY - HOUR, "Generate all fixtures anew", MANY)
        .reviewer(LUIS, Verdict::Unapproved, None)
        .done()
}

fn scripts(grow: &mut Grow) -> PullRequest {
    grow.branch(SCRIPTS, "main");
    grow.commit(
        SCRIPTS,
        ANA,
        11 * HOUR,
        "כותרות בעברית ובערבית\n\nعناوين بالعربية وباليابانية",
        &[Edit::Put(
            "templates/titles.txt",
            "he=דף חשבון\nar=كشف حساب\nja=取引明細書\nzh=对账单\nko=거래 명세서\nhi=खाता विवरण\n",
        )],
    );
    let (main, tip) = (grow.tip("main"), grow.tip(SCRIPTS));
    let anchor = place(&grow.history, &main, &tip, "templates/titles.txt", Some("ar="));
    open(
        grow,
        4,
        ANA,
        10 * HOUR,
        "כותרות לדפי חשבון: titles in seven languages 取引明細書",
        SCRIPTS,
    )
    .describe("الترجمات من الفريق المحلي. **Bitte prüfen!** 🙂")
    .reviewer(NOUR, Verdict::NeedsWork, Some(8 * HOUR))
    .reviewer(JONAS, Verdict::Unapproved, None)
    .thread(say(NOUR, 8 * HOUR + 5, "الأصح: «كشف الحساب» بالتعريف.").task().at(anchor))
    .done()
}
