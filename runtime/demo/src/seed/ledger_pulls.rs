//! `PAY/ledger` #2 to #6: conflicted, draft, merged, declined, from a fork.

use super::builder::{DAY, Edit, Grow, HOUR, MINUTE, Pull, side};
use super::discussion::{place, say};
use super::ledger::SOURCE;
use super::people::{AMARA, ANA, JONAS, MEI, NOUR, OLHA, PRIYA, YUSUF};
use super::{LEDGER, LEDGER_FORK};
use crate::history::History;
use crate::state::{Action, AutoMerge, Build, PullRequest, Verdict};

const LIMITS: &str = "feature/PAY-428-verified-limits";
const EXPORT: &str = "spike/PAY-420-parquet-export";
const SNAPSHOTS: &str = "feature/PAY-377-balance-snapshots";
const CACHE: &str = "feature/PAY-390-balance-cache";
const TYPO: &str = "fix-readme";

pub(super) fn branches(grow: &mut Grow) {
    grow.branch(LIMITS, "main");
    grow.commit(
        LIMITS,
        AMARA,
        32 * HOUR,
        "PAY-428: Raise the daily limit of verified merchants",
        &[Edit::Replace(
            "config/limits.yaml",
            "  verified:\n    daily_limit: 5000000",
            "  verified:\n    daily_limit: 7500000",
        )],
    );
    grow.branch(EXPORT, "main");
    grow.commit(
        EXPORT,
        PRIYA,
        8 * HOUR,
        "PAY-420: Try writing the journal as Parquet",
        &[Edit::Put(
            &format!("{SOURCE}/export/ParquetExport.kt"),
            "package ledger.export\n\n/** A sketch: one row group per account. */\nclass ParquetExport\n",
        )],
    );
    let earlier = grow
        .history
        .log(&grow.tip("main"), None)
        .get(10)
        .map(|commit| commit.id.clone())
        .unwrap_or_default();
    grow.branch(CACHE, &earlier);
    grow.commit(
        CACHE,
        AMARA,
        9 * DAY,
        "PAY-390: Keep balances in memory",
        &[Edit::Replace(
            &format!("{SOURCE}/PostingService.kt"),
            "        return journal\n",
            "        cache[account]?.let { return it }\n        return journal\n",
        )],
    );
}

/// The commits of a pull request that was merged: source, target before, merge.
pub(super) struct MergedAt {
    from: String,
    to: String,
    commit: String,
}

pub(super) fn merged(grow: &mut Grow) -> MergedAt {
    grow.branch(SNAPSHOTS, "main");
    grow.commit(
        SNAPSHOTS,
        MEI,
        34 * HOUR,
        "PAY-377: Keep a snapshot per account and month",
        &[Edit::Put(
            &format!("{SOURCE}/Snapshots.kt"),
            "package ledger\n\n/** The balance of an account at the end of a month. */\ndata class Snapshot(val account: AccountId, val month: YearMonth, val balance: Amount)\n",
        )],
    );
    let (from, to) = (grow.tip(SNAPSHOTS), grow.tip("main"));
    let commit = grow.merge(
        "main",
        SNAPSHOTS,
        ANA,
        29 * HOUR,
        "Pull request #4: PAY-377: Snapshots for faster balances\n\nMerge in PAY/ledger from feature/PAY-377-balance-snapshots to main",
    );
    grow.history.branches.remove(SNAPSHOTS);
    MergedAt { from, to, commit }
}

/// The fork's own history. Its commits are also known to the target, as they
/// are once a pull request is open.
pub(super) fn fork(grow: &mut Grow) -> History {
    let mut fork = Grow { history: grow.history.clone(), now: grow.now };
    fork.history.branches.retain(|name, _| name == "main");
    fork.history.tags.clear();
    fork.branch(TYPO, "main");
    fork.commit(
        TYPO,
        YUSUF,
        3 * HOUR,
        "Say in the README how to start the ledger",
        &[Edit::Append("README.md", "\n## Start\n\n```sh\n./gradlew run\n```\n")],
    );
    if let Some(commit) = fork.history.commit(&fork.tip(TYPO)) {
        grow.history.commits.insert(commit.id.clone(), commit.clone());
    }
    fork.history
}

pub(super) fn pull_requests(grow: &Grow, merged: &MergedAt) -> Vec<PullRequest> {
    let now = grow.now;
    let main = grow.tip("main");
    let to = || side(LEDGER, "main", &main);
    let from = |branch: &str| side(LEDGER, branch, &grow.tip(branch));
    let conflicted = Pull::new(
        now,
        2,
        AMARA,
        31 * HOUR,
        "PAY-428: Raise the daily limit of verified merchants",
        from(LIMITS),
        to(),
    )
    .describe("Risk agreed on 75 000 a day for verified merchants from next month on.")
    .reviewer(PRIYA, Verdict::Unapproved, None)
    .reviewer(NOUR, Verdict::Approved, Some(26 * HOUR))
    .thread(
        say(NOUR, 26 * HOUR + 5, "Matches what risk signed.")
            .at(place(
                &grow.history,
                &main,
                &grow.tip(LIMITS),
                "config/limits.yaml",
                Some("7500000"),
            ))
            .reply(say(AMARA, 19 * HOUR, "Now in conflict with PAY-431, I will rebase.")),
    )
    .done();
    let draft = Pull::new(
        now,
        3,
        PRIYA,
        7 * HOUR,
        "PAY-420: Export the journal as Parquet",
        from(EXPORT),
        to(),
    )
    .with(|inner| inner.draft = true)
    .reviewer(ANA, Verdict::Unapproved, None)
    .done();
    let done = Pull::new(
        now,
        4,
        MEI,
        33 * HOUR,
        "PAY-377: Snapshots for faster balances",
        side(LEDGER, SNAPSHOTS, &merged.from),
        side(LEDGER, "main", &merged.to),
    )
    .describe("Month-end balances are read from a snapshot instead of the whole journal.")
    .reviewer(AMARA, Verdict::Approved, Some(30 * HOUR))
    .reviewer(ANA, Verdict::Approved, Some(29 * HOUR + 10))
    .thread(
        say(
            AMARA,
            30 * HOUR + 4,
            "What happens to a posting that arrives after its month was closed?",
        )
        .resolved(AMARA, 30 * HOUR + 1)
        .reply(say(
            MEI,
            30 * HOUR + 2,
            "It is refused; see `ClosedAccount`. I added a line to the docs.",
        )),
    )
    .event(ANA, 29 * HOUR, Action::Merged(Some(merged.commit.clone())))
    .done();
    let declined =
        Pull::new(now, 5, AMARA, 8 * DAY, "PAY-390: Keep balances in memory", from(CACHE), to())
            .describe("A cache per node. Snapshots (PAY-377) may make it unnecessary.")
            .reviewer(MEI, Verdict::NeedsWork, Some(7 * DAY))
            .reviewer(OLHA, Verdict::Unapproved, None)
            .thread(say(
                MEI,
                7 * DAY + 5,
                "Two nodes would disagree for as long as the cache lives.",
            ))
            .event(MEI, 6 * DAY, Action::Declined)
            .event(AMARA, 5 * DAY, Action::Reopened)
            .event(AMARA, 30 * HOUR - 15, Action::Declined)
            .done();
    vec![conflicted, draft, done, declined, from_fork(grow, &main)]
}

fn from_fork(grow: &Grow, main: &str) -> PullRequest {
    // The only commit on top of main's tip is the fork's.
    let tip = grow
        .history
        .commits
        .values()
        .find(|commit| commit.parents == [main] && commit.message.contains("README"))
        .map(|commit| commit.id.clone())
        .unwrap_or_default();
    Pull::new(
        grow.now,
        6,
        YUSUF,
        170,
        "Say in the README how to start the ledger",
        side(LEDGER_FORK, TYPO, &tip),
        side(LEDGER, "main", main),
    )
    .reviewer(JONAS, Verdict::Approved, Some(50))
    .participant(AMARA)
    .thread(
        say(
            AMARA,
            120,
            "Lovely, I had to look this up twice. Could you also name the Java version?",
        )
        .reply(say(YUSUF, 110, "It is in `.sdkmanrc`, I would rather not write it twice.")),
    )
    .event(YUSUF, 48, Action::AutoMergeRequested)
    .with(|inner| {
        inner.auto_merge = Some(AutoMerge {
            requested: inner.created + 122 * MINUTE,
            message: "Say in the README how to start the ledger".to_owned(),
            strategy: "squash".to_owned(),
            user: YUSUF.to_owned(),
            from_hash: inner.from.commit.clone(),
            auto_subject: true,
        });
    })
    .done()
}

pub(super) fn builds(grow: &Grow) -> Vec<Build> {
    [(LIMITS, "SUCCESSFUL", 1265, 31 * HOUR), (EXPORT, "UNKNOWN", 1284, 7 * HOUR)]
        .into_iter()
        .map(|(branch, state, number, age)| Build {
            commit: grow.tip(branch),
            key: format!("ledger-build-{number}"),
            parent: Some("ledger-build".to_owned()),
            name: "Build and unit tests".to_owned(),
            state: state.to_owned(),
            url: format!("https://ci.example.com/job/ledger-build/{number}/"),
            description: None,
            number: Some(number.to_string()),
            duration: Some(7 * MINUTE),
            repository: Some(LEDGER),
            ends: None,
            created: grow.now - (age + 7) * MINUTE,
            updated: grow.now - age * MINUTE,
            branch: Some(branch.to_owned()),
            tests: None,
        })
        .collect()
}
