//! `PAY/ledger`: its history, branches, tags and required builds.

use super::builder::{DAY, Edit, Grow, HOUR};
use super::people::{AMARA, ANA, HEIKE, JONAS, LUIS, MEI, NOUR, OLHA, PRIYA, ROBOT, YUSUF};
use super::{LEDGER, LEDGER_FORK, hostile, ledger_first, ledger_pulls, repository};
use crate::history::Author;
use crate::state::{Condition, Matcher, PullRequest, Store, Time};

pub(super) const SOURCE: &str = "src/main/kotlin/ledger";

pub(super) fn plant(store: &mut Store, now: Time) {
    let mut grow = Grow::new(now);
    first_commit(&mut grow);
    main_line(&mut grow);
    other_branches(&mut grow);
    tags(&mut grow);

    // Branches first, what follows on main next, pull requests last: each step
    // reads the tips the step before left.
    let first = ledger_first::branch(&mut grow);
    ledger_pulls::branches(&mut grow);
    hostile::branch(&mut grow);
    let merged = ledger_pulls::merged(&mut grow);
    latest_on_main(&mut grow);
    let fork = ledger_pulls::fork(&mut grow);

    let mut pulls: Vec<PullRequest> = vec![ledger_first::pull_request(&grow, &first)];
    pulls.extend(ledger_pulls::pull_requests(&grow, &merged));
    pulls.push(hostile::pull_request(&grow));
    store.builds.extend(ledger_first::builds(now, &first));
    store.builds.extend(ledger_pulls::builds(&grow));
    store.builds.extend(hostile::builds(&grow));
    store.pull_requests.extend(pulls);

    let mut ledger = repository(
        LEDGER,
        "PAY",
        "ledger",
        Some("Double-entry bookkeeping for every product."),
        grow.history,
    );
    ledger.conditions = conditions();
    ledger.requires_tasks = true;
    store.repositories.push(ledger);
    let mut forked = repository(LEDGER_FORK, "~YUSUF.DEMIR", "ledger", None, fork);
    forked.origin = Some(LEDGER);
    store.repositories.push(forked);
}

fn first_commit(grow: &mut Grow) {
    let path = |name: &str| format!("{SOURCE}/{name}");
    grow.commit(
        "main",
        HEIKE,
        130 * DAY,
        "Move the ledger out of the monolith",
        &[
            Edit::Put("README.md", "# ledger\n\nDouble-entry bookkeeping. Start with `docs/`.\n"),
            Edit::Put("CHANGELOG.md", "# Changelog\n\n"),
            Edit::Put(".gitignore", "build/\n.gradle/\n"),
            Edit::Put("config/limits.yaml", include_str!("files/limits.yaml")),
            Edit::Put("docs/release notes.md", include_str!("files/release_notes.md")),
            Edit::Put(&path("PostingService.kt"), include_str!("files/PostingService.kt")),
            Edit::Put(&path("LegacyRounding.kt"), include_str!("files/LegacyRounding.kt")),
            Edit::Put(&path("Amounts.kt"), include_str!("files/Amounts.kt")),
        ],
    );
}

const VERBS: [&str; 6] = ["Speed up", "Document", "Simplify", "Test", "Fix", "Log"];
const SUBJECTS: [&str; 9] = [
    "balance snapshots",
    "the month-end close",
    "currency conversion",
    "account look-ups",
    "statement rendering",
    "journal partitions",
    "the reconciliation report",
    "chargeback entries",
    "fee schedules",
];
const AUTHORS: [&str; 7] = [JONAS, MEI, ANA, PRIYA, HEIKE, LUIS, OLHA];

/// More than 120 commits over four months, the last a day and a half ago.
fn main_line(grow: &mut Grow) {
    const COUNT: usize = 118;
    let step = (128 * DAY - 36 * HOUR) / COUNT as i64;
    for index in 0..COUNT {
        // Uneven, so that the list does not look like a metronome.
        let age = 128 * DAY - index as i64 * step - (index as i64 * 37) % 200;
        let title = format!(
            "{} {}",
            VERBS[(index * 5 + index / 7) % VERBS.len()],
            SUBJECTS[(index * 4 + index / 9) % SUBJECTS.len()]
        );
        let message = format!("PAY-{}: {title}", 180 + index * 2);
        let author = AUTHORS[(index * 3 + index / 5) % AUTHORS.len()];
        let line = format!("- {title} (PAY-{})\n", 180 + index * 2);
        match index % 12 {
            // A short-lived branch whose ref is gone, as after most merges.
            7 => {
                let note = format!("docs/notes/{index}.md");
                grow.branch("passing", "main");
                grow.commit(
                    "passing",
                    author,
                    age + 90,
                    &message,
                    &[Edit::Put(&note, &format!("# {title}\n"))],
                );
                let merge = format!("Merge branch 'feature/PAY-{}' into main", 180 + index * 2);
                grow.merge("main", "passing", author, age, &merge);
                grow.history.branches.remove("passing");
            }
            11 => {
                let stranger = Author::Stranger {
                    name: "Contract Developer".to_owned(),
                    email: "dev@contractor.example".to_owned(),
                };
                grow.commit_by(
                    "main",
                    stranger,
                    age,
                    &message,
                    &[Edit::Append("CHANGELOG.md", &line)],
                );
            }
            _ => {
                let body = format!(
                    "{message}\n\nFound while closing the books; see the runbook for how to check."
                );
                let text = if index % 3 == 0 { &body } else { &message };
                grow.commit("main", author, age, text, &[Edit::Append("CHANGELOG.md", &line)]);
            }
        }
    }
}

/// What happened on main after the open pull requests were begun.
fn latest_on_main(grow: &mut Grow) {
    grow.commit(
        "main",
        PRIYA,
        20 * HOUR,
        "PAY-431: Lower the daily limit of verified merchants until the audit",
        &[Edit::Replace(
            "config/limits.yaml",
            "  verified:\n    daily_limit: 5000000",
            "  verified:\n    daily_limit: 4000000",
        )],
    );
    grow.commit(
        "main",
        ROBOT,
        5 * HOUR,
        "Begin 2.4.0-SNAPSHOT",
        &[Edit::Put("VERSION", "2.4.0-SNAPSHOT\n")],
    );
}

fn other_branches(grow: &mut Grow) {
    let log = grow.history.log(&grow.tip("main"), None);
    for index in 0..62 {
        let kind = ["feature", "bugfix", "chore", "spike"][index % 4];
        let subject = SUBJECTS[(index * 7 + index / 9) % SUBJECTS.len()].trim_start_matches("the ");
        let number = 300 + index * 2;
        let name = format!("{kind}/PAY-{number}-{}", subject.replace(' ', "-"));
        let Some(from) = log.get(index + 2) else {
            continue;
        };
        grow.branch(&name, &from.id);
        let age = (grow.now - from.date) / 60_000 - 45;
        let author = [AMARA, JONAS, NOUR, YUSUF, MEI][index % 5];
        grow.commit(
            &name,
            author,
            age,
            &format!("PAY-{number}: Sketch {subject}"),
            &[Edit::Put(
                &format!("docs/sketches/{number}.md"),
                &format!("# {subject}\n\nNotes before the work starts.\n"),
            )],
        );
    }
    for (name, back) in [("release/2.2", 60), ("release/2.3", 12), ("stable", 12)] {
        if let Some(from) = log.get(back) {
            grow.branch(name, &from.id);
        }
    }
}

fn tags(grow: &mut Grow) {
    let log = grow.history.log(&grow.tip("main"), None);
    let names = [
        ("v2.3.1", 8),
        ("v2.3.0", 12),
        ("v2.2.2", 40),
        ("v2.2.1", 50),
        ("v2.2.0", 60),
        ("v2.1.0", 75),
        ("v2.0.1", 84),
        ("v2.0.0", 90),
        ("v1.9.0", 101),
        ("v1.8.0", 110),
        ("books/closed/2026-09", 35),
        // The same name as a branch, elsewhere.
        ("stable", 60),
        ("before-split", 115),
    ];
    for (name, back) in names {
        if let Some(commit) = log.get(back) {
            grow.tag(name, &commit.id, name.starts_with('v'));
        }
    }
}

fn conditions() -> Vec<Condition> {
    let matcher = |kind: &str, id: &str, display: &str| Matcher {
        id: id.to_owned(),
        display_id: display.to_owned(),
        kind: kind.to_owned(),
    };
    vec![
        Condition {
            id: 1,
            parents: vec!["ledger-build".to_owned(), "ledger-integration".to_owned()],
            matcher: matcher("BRANCH", "refs/heads/main", "main"),
            exempt: None,
            for_pull_request: true,
        },
        Condition {
            id: 2,
            parents: vec!["ledger-security".to_owned()],
            matcher: matcher("PATTERN", "release/*", "release/*"),
            exempt: Some(matcher("PATTERN", "hotfix/*", "hotfix/*")),
            for_pull_request: true,
        },
        Condition {
            id: 3,
            parents: vec!["ledger-load-test".to_owned()],
            matcher: matcher("ANY_REF", "ANY_REF_MATCHER_ID", "ANY_REF_MATCHER_ID"),
            exempt: None,
            for_pull_request: false,
        },
    ]
}
