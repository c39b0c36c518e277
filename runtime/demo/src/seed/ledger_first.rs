//! `PAY/ledger` #1, the pull request every example uses.

use super::LEDGER;
use super::builder::{Edit, Grow, HOUR, MINUTE, Pull, side};
use super::discussion::{place, say};
use super::ledger::SOURCE;
use super::people::{AMARA, JONAS, LUIS, MEI, PRIYA, ROBOT};
use crate::state::{Action, Build, PullRequest, Time, Verdict};

const BRANCH: &str = "feature/PAY-412-idempotent-retries";

/// The tips before and after the last push.
pub(super) struct Tips {
    previous: String,
    last: String,
}

pub(super) fn branch(grow: &mut Grow) -> Tips {
    grow.branch(BRANCH, "main");
    let service = format!("{SOURCE}/PostingService.kt");
    let policy = format!("{SOURCE}/RetryPolicy.kt");
    let amounts = format!("{SOURCE}/Amounts.kt");
    let amount = format!("{SOURCE}/money/Amount.kt");
    grow.commit(
        BRANCH,
        JONAS,
        30 * HOUR,
        "PAY-412: Give amounts a package of their own\n\nThey carry minor units now, so the \
         mainframe's rounding can go.",
        &[
            Edit::Move(&amounts, &amount),
            Edit::Replace(&amount, "package ledger\n", "package ledger.money\n"),
            Edit::Replace(
                &amount,
                "    operator fun unaryMinus",
                "    operator fun minus(other: Amount): Amount = this + -other\n\n    operator fun unaryMinus",
            ),
            Edit::Remove(&format!("{SOURCE}/LegacyRounding.kt")),
        ],
    );
    let previous = grow.commit(
        BRANCH,
        JONAS,
        28 * HOUR,
        "PAY-412: Retry postings the journal failed to take",
        &[
            Edit::Put(&policy, include_str!("files/RetryPolicy.kt")),
            Edit::Replace(&policy, "val attempts: Int = 4", "val attempts: Int = 12"),
            Edit::Replace(
                &service,
                "    private val clock: Clock,\n",
                "    private val clock: Clock,\n    private val retries: RetryPolicy = RetryPolicy(),\n",
            ),
            Edit::Replace(
                &service,
                "import java.time.Clock\n",
                "import ledger.money.Amount\nimport java.time.Clock\n",
            ),
            Edit::Replace(
                &service,
                "            lines = request.lines.map { it.copy(amount = LegacyRounding.round(it.amount)) },\n            postedAt = Instant.now(),\n        )\n        journal.append(posting)\n        return posting\n",
                "            lines = request.lines,\n            postedAt = clock.instant(),\n        )\n        repeat(retries.attempts) { attempt ->\n            if (journal.tryAppend(posting)) return posting\n            Thread.sleep(retries.delayBefore(attempt + 1).toMillis())\n        }\n        throw JournalUnavailable(posting.id)\n",
            ),
        ],
    );
    let last = grow.commit(
        BRANCH,
        JONAS,
        2 * HOUR,
        "PAY-412: Key every posting so that a retry cannot book twice",
        &[
            Edit::Replace(&policy, "val attempts: Int = 12", "val attempts: Int = 4"),
            Edit::Replace(
                &service,
                "        val debit =",
                "        journal.findByKey(request.idempotencyKey)?.let { return it }\n\n        val debit =",
            ),
            Edit::Replace(
                &service,
                "            reference = request.reference,\n",
                "            key = request.idempotencyKey,\n            reference = request.reference,\n",
            ),
            Edit::Replace(
                &service,
                "                reference = \"reversal of ${original.reference}: $reason\",\n",
                "                idempotencyKey = \"reversal-$id\",\n                reference = \"reversal of ${original.reference}: $reason\",\n",
            ),
            Edit::Replace(
                "docs/release notes.md",
                "# Release notes\n",
                "# Release notes\n\n## 2.4\n\n- Postings take an idempotency key: sending one twice books it once.\n- Amounts keep minor units; nothing is rounded any more.\n",
            ),
        ],
    );
    Tips { previous, last }
}

pub(super) fn pull_request(grow: &Grow, tips: &Tips) -> PullRequest {
    let target = grow.tip("main");
    let history = &grow.history;
    let service = format!("{SOURCE}/PostingService.kt");
    let policy = format!("{SOURCE}/RetryPolicy.kt");
    let amount = format!("{SOURCE}/money/Amount.kt");
    let at = |path: &str, text: Option<&str>| place(history, &target, &tips.last, path, text);
    let outdated =
        place(history, &target, &tips.previous, &policy, Some("Int = 12")).map(|mut anchor| {
            anchor.orphaned = true;
            anchor
        });
    Pull::new(
        grow.now,
        1,
        JONAS,
        26 * HOUR,
        "PAY-412: Retry postings safely with idempotency keys",
        side(LEDGER, BRANCH, &tips.last),
        side(LEDGER, "main", &target),
    )
    .describe(
        "When the journal's primary fails over, postings are lost for a few seconds. \
         We saw 41 of them on Tuesday.\r\n\r\n\
         This retries them with back-off, and keys every posting so that a retry \
         **cannot book twice**.\r\n\r\n\
         - [x] Amounts keep minor units\r\n\
         - [x] Reversals are keyed by the posting they reverse\r\n\
         - [ ] Dashboard for retries (PAY-419)\r\n\r\n\
         How to test: `./gradlew failoverTest`",
    )
    .reviewer(MEI, Verdict::Approved, Some(90))
    .reviewer(PRIYA, Verdict::NeedsWork, Some(22 * HOUR))
    .reviewer(AMARA, Verdict::Unapproved, None)
    .participant(LUIS)
    // Mei saw the first two commits, then looked again; Priya has not yet.
    .event(MEI, 23 * HOUR + 30, Action::Approved)
    .event(MEI, 22 * HOUR + 20, Action::Unapproved)
    .with(|inner| {
        for reviewer in &mut inner.reviewers {
            if reviewer.user == PRIYA {
                reviewer.last_reviewed = Some(tips.previous.clone());
            }
        }
    })
    .event(
        JONAS,
        25 * HOUR,
        Action::Updated {
            added: vec![AMARA.to_owned()],
            removed: Vec::new(),
        },
    )
    .thread(
        say(LUIS, 24 * HOUR, "Tuesday's outage in one picture: every lost posting was lost between 09:14:02 and 09:14:07. Glad to see this.")
            .reply(
                say(JONAS, 24 * HOUR - 20, "Thank you! Do you have the request ids? I would like to replay them in staging.")
                    .reply(say(LUIS, 23 * HOUR, "Sent. Mind that four of them are reversals.")),
            ),
    )
    .thread(
        say(PRIYA, 23 * HOUR, "Twelve attempts would hold a request thread for minutes. Four is plenty for a fail-over of five seconds.")
            .at(outdated)
            .reply(say(JONAS, 2 * HOUR + 5, "Agreed, four it is.")),
    )
    .thread(
        say(PRIYA, 22 * HOUR + 10, "This sleeps on the request thread. Can the caller wait on a coroutine instead?")
            .at(at(&service, Some("Thread.sleep")))
            .reply(say(JONAS, 21 * HOUR, "The callers are still blocking; PAY-388 moves them. I would rather not do both at once."))
            .reply(say(MEI, 95, "I can live with it until PAY-388, but let us not forget.")),
    )
    .thread(
        say(PRIYA, 22 * HOUR + 5, "Add a test that fails over twice within one posting.")
            .task()
            .at(at(&service, Some("tryAppend"))),
    )
    .thread(
        say(MEI, 100, "Should `minus` refuse different currencies with its own message? As it is, the error talks about adding.")
            .at(at(&amount, Some("operator fun minus")))
            .resolved(MEI, 92)
            .reply(say(JONAS, 96, "`plus` names both currencies, which is what one needs to find the bug.")),
    )
    .thread(
        say(MEI, 99, "Nice and small. The class comment says exactly what I wanted to ask.")
            .at(at(&policy, None)),
    )
    .thread(
        say(MEI, 98, "Mention in the release notes that clients must send a key from 3.0 on.")
            .task()
            .resolved(JONAS, 70)
            .at(at("docs/release notes.md", Some("idempotency key"))),
    )
    .thread(say(AMARA, 45, "I will look at this after lunch.").reply(say(JONAS, 40, "👍")))
    .thread(say(JONAS, 65, "Open the follow-up for the retry dashboard (PAY-419).").task())
    .event(
        JONAS,
        2 * HOUR - 1,
        Action::Rescoped {
            from: tips.last.clone(),
            previous_from: tips.previous.clone(),
            to: target.clone(),
            previous_to: target.clone(),
        },
    )
    .done()
}

pub(super) fn builds(now: Time, tips: &Tips) -> Vec<Build> {
    let build = |key: &str, name: &str, state: &str, number: u64, began: i64, ended: i64| Build {
        commit: tips.last.clone(),
        key: format!("{key}-{number}"),
        parent: Some(key.to_owned()),
        name: name.to_owned(),
        state: state.to_owned(),
        url: format!("https://ci.example.com/job/{key}/{number}/"),
        description: None,
        number: Some(number.to_string()),
        duration: (state != "INPROGRESS").then_some((began - ended) * MINUTE),
        repository: Some(LEDGER),
        ends: (state == "INPROGRESS").then_some((now + 15 * MINUTE, "SUCCESSFUL")),
        created: now - began * MINUTE,
        updated: now - ended * MINUTE,
        branch: Some(BRANCH.to_owned()),
        tests: None,
    };
    let mut all = vec![
        build("ledger-build", "Build and unit tests", "SUCCESSFUL", 1288, 118, 111),
        build("ledger-integration", "Integration tests", "FAILED", 645, 110, 82),
        build("ledger-security", "Security scan", "INPROGRESS", 212, 9, 3),
        build("ledger-mutation", "Mutation tests", "CANCELLED", 98, 105, 60),
        // Another branch with the same commit: not on the pull request's page.
        build("ledger-nightly", "Nightly", "SUCCESSFUL", 733, 100, 50),
    ];
    all[0].tests = Some((1342, 0, 6));
    all[1].tests = Some((210, 3, 1));
    all[1].description = Some("3 of 214 tests failed: FailoverIT".to_owned());
    all[4].branch = Some("release/2.3".to_owned());
    let mut earlier =
        build("ledger-build", "Build and unit tests", "SUCCESSFUL", 1271, 27 * HOUR, 26 * HOUR);
    earlier.commit.clone_from(&tips.previous);
    all.push(earlier);
    let mut unplaced = build("licences", "Licence check", "SUCCESSFUL", 40, 117, 116);
    unplaced.branch = None;
    unplaced.description = Some(format!("asked for by {ROBOT}"));
    all.push(unplaced);
    all
}
