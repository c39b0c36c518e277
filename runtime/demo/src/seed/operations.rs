//! The other repositories: `PAY/gateway`, `OPS/deploy-tools` and two that
//! moved from `PAY` to `OPS`.

use super::builder::{DAY, Edit, Grow, HOUR, MINUTE, Pull, side};
use super::discussion::{place, say};
use super::people::{AMARA, ANA, JONAS, LUIS, NOUR, OLHA, YUSUF};
use super::{ACCOUNTS, ARCHIVE_ME, DEPLOY_TOOLS, GATEWAY, repository};
use crate::state::{Build, Store, Time, Verdict};

pub(super) fn plant(store: &mut Store, now: Time) {
    gateway(store, now);
    deploy_tools(store, now);
    moved(store, now);
}

fn gateway(store: &mut Store, now: Time) {
    const BRANCH: &str = "bugfix/PAY-433-3ds-timeout";
    let mut grow = Grow::new(now);
    let timeouts = "timeouts:\n  authorise: 10s\n  capture: 30s\n  refund: 30s\n";
    grow.commit(
        "main",
        NOUR,
        60 * DAY,
        "Start the card gateway",
        &[
            Edit::Put("README.md", "# gateway\n\nTalks to card networks.\n"),
            Edit::Put("config/timeouts.yaml", timeouts),
            Edit::Put("static/logo.png", "\u{89}PNG\0one"),
        ],
    );
    grow.commit(
        "main",
        AMARA,
        20 * DAY,
        "PAY-402: Refund in the original currency",
        &[Edit::Put("docs/refunds.md", "# Refunds\n\nIn the currency of the payment.\n")],
    );
    grow.branch(BRANCH, "main");
    let tip = grow.commit(
        BRANCH,
        AMARA,
        100,
        "PAY-433: Wait longer for 3-D Secure",
        &[
            Edit::Replace(
                "config/timeouts.yaml",
                "authorise: 10s",
                "authorise: 10s\n  challenge: 5m",
            ),
            Edit::Put("static/logo.png", "\u{89}PNG\0two"),
        ],
    );
    let main = grow.tip("main");
    let anchor = place(&grow.history, &main, &tip, "config/timeouts.yaml", Some("challenge"));
    store.pull_requests.push(
        Pull::new(
            now,
            1,
            AMARA,
            95,
            "PAY-433: Wait longer for 3-D Secure challenges",
            side(GATEWAY, BRANCH, &tip),
            side(GATEWAY, "main", &main),
        )
        .describe("People need more than ten seconds to find their phone.")
        .reviewer(NOUR, Verdict::Approved, Some(30))
        .reviewer(JONAS, Verdict::Unapproved, None)
        .thread(say(NOUR, 31, "Five minutes is what the networks allow. Good.").at(anchor))
        .done(),
    );
    store.builds.push(Build {
        commit: tip,
        key: "gateway-build-310".to_owned(),
        parent: Some("gateway-build".to_owned()),
        name: "Gateway build".to_owned(),
        state: "SUCCESSFUL".to_owned(),
        url: "https://ci.example.com/job/gateway-build/310/".to_owned(),
        description: None,
        number: Some("310".to_owned()),
        duration: Some(6 * MINUTE),
        repository: Some(GATEWAY),
        ends: None,
        created: now - 90 * MINUTE,
        updated: now - 84 * MINUTE,
        branch: Some(BRANCH.to_owned()),
        tests: Some((402, 0, 0)),
    });
    store.repositories.push(repository(
        GATEWAY,
        "PAY",
        "gateway",
        Some("Card payments: authorise, capture, refund."),
        grow.history,
    ));
}

fn deploy_tools(store: &mut Store, now: Time) {
    let mut grow = Grow::new(now);
    grow.commit(
        "main",
        LUIS,
        90 * DAY,
        "Collect the roll-out scripts in one place",
        &[
            Edit::Put("README.md", "# deploy-tools\n\nShip with `bin/rollout.sh`.\n"),
            Edit::Put("bin/rollout.sh", include_str!("files/rollout.sh")),
        ],
    );
    grow.branch("canary", "main");
    let canary = grow.commit(
        "canary",
        YUSUF,
        50 * HOUR,
        "Roll out to one pod first",
        &[Edit::Replace(
            "bin/rollout.sh",
            "kubectl --context \"${environment}\" set image",
            "bin/canary.sh \"${environment}\" \"${version}\"\nkubectl --context \"${environment}\" set image",
        ), Edit::Put("bin/canary.sh", "#!/usr/bin/env bash\nset -euo pipefail\n\necho \"one pod of $2 in $1\"\n")],
    );
    grow.branch("docs/on-call", "main");
    let on_call = grow.commit(
        "docs/on-call",
        OLHA,
        12 * DAY,
        "Write down how to roll back",
        &[Edit::Put(
            "docs/rollback.md",
            "# Roll back\n\n1. Stay calm.\n2. `bin/rollout.sh production PREVIOUS`\n",
        )],
    );
    let main = grow.tip("main");
    let anchor = place(&grow.history, &main, &canary, "bin/canary.sh", Some("echo"));
    store.pull_requests.push(
        Pull::new(
            now,
            1,
            YUSUF,
            49 * HOUR,
            "Roll out to one pod first",
            side(DEPLOY_TOOLS, "canary", &canary),
            side(DEPLOY_TOOLS, "main", &main),
        )
        .reviewer(AMARA, Verdict::NeedsWork, Some(28 * HOUR))
        .reviewer(LUIS, Verdict::Unapproved, None)
        .thread(
            say(AMARA, 28 * HOUR + 2, "This prints, but starts nothing yet. Is the rest to come?")
                .at(anchor)
                .reply(say(YUSUF, 27 * HOUR, "Yes, waiting for the service account.")),
        )
        .done(),
    );
    store.pull_requests.push(
        Pull::new(
            now,
            2,
            OLHA,
            11 * DAY,
            "Як відкотити реліз: write down how to roll back",
            side(DEPLOY_TOOLS, "docs/on-call", &on_call),
            side(DEPLOY_TOOLS, "main", &main),
        )
        .describe("For whoever is on call at three in the morning.")
        .reviewer(ANA, Verdict::Approved, Some(10 * DAY))
        .done(),
    );
    store.repositories.push(repository(
        DEPLOY_TOOLS,
        "OPS",
        "deploy-tools",
        Some("Scripts that ship."),
        grow.history,
    ));
}

fn moved(store: &mut Store, now: Time) {
    for (id, slug, archived) in [(ACCOUNTS, "accounts", false), (ARCHIVE_ME, "archive-me", true)] {
        let mut grow = Grow::new(now);
        let title = format!("# {slug}\n");
        grow.commit(
            "main",
            ANA,
            40 * DAY,
            &format!("Begin {slug}"),
            &[Edit::Put("README.md", &title)],
        );
        grow.branch("feature/import", "main");
        let tip = grow.commit(
            "feature/import",
            NOUR,
            3 * DAY,
            "Import from a spreadsheet",
            &[Edit::Put("docs/import.md", "# Import\n\nOne row per account.\n")],
        );
        let main = grow.tip("main");
        if !archived {
            store.pull_requests.push(
                Pull::new(
                    now,
                    1,
                    NOUR,
                    3 * DAY - HOUR,
                    "Import accounts from a spreadsheet",
                    side(id, "feature/import", &tip),
                    side(id, "main", &main),
                )
                .reviewer(LUIS, Verdict::Unapproved, None)
                .done(),
            );
        }
        let mut place = repository(id, "OPS", slug, None, grow.history);
        place.archived = archived;
        store.repositories.push(place);
    }
}
