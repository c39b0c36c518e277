//! What the demo begins with: a small payments company. Dates are relative to
//! the start; ids are the same at every start.

mod builder;
mod discussion;
mod hostile;
mod ledger;
mod ledger_first;
mod ledger_pulls;
mod operations;
mod people;
mod statements;
mod statements_pulls;

pub use people::USER;

use crate::clock;
use crate::history::History;
use crate::state::{Limits, Moved, Project, Repository, Store};

/// Ids of the repositories.
const LEDGER: u64 = 1;
const GATEWAY: u64 = 2;
const DEPLOY_TOOLS: u64 = 3;
const ACCOUNTS: u64 = 4;
const ARCHIVE_ME: u64 = 5;
const LEDGER_FORK: u64 = 6;
const STATEMENTS: u64 = 7;
const INCUBATOR: u64 = 8;
const HSM_KEYS: u64 = 9;

/// The whole state at the start.
pub(crate) fn store() -> Store {
    let now = clock::now();
    let mut store = Store {
        users: people::users(),
        projects: projects(),
        repositories: Vec::new(),
        pull_requests: Vec::new(),
        builds: Vec::new(),
        moved: [("accounts", ACCOUNTS, false), ("archive-me", ARCHIVE_ME, true)]
            .into_iter()
            .map(|(slug, repository, redirects)| Moved {
                project: "PAY".to_owned(),
                slug: slug.to_owned(),
                repository,
                redirects,
            })
            .collect(),
        now,
        last_id: 1_000_000,
        waiting: Vec::new(),
        stirred: false,
        overtaken: 0,
        follow_after: 0,
        limits: Limits::default(),
    };
    ledger::plant(&mut store, now);
    operations::plant(&mut store, now);
    statements::plant(&mut store, now);
    store
}

fn projects() -> Vec<Project> {
    let project =
        |id, key: &str, name: &str, description: Option<&str>, owner: Option<&str>| Project {
            id,
            key: key.to_owned(),
            name: name.to_owned(),
            description: description.map(str::to_owned),
            owner: owner.map(str::to_owned),
        };
    vec![
        project(
            1,
            "PAY",
            "Payments",
            Some("Everything that moves money: the ledger and the card gateway."),
            None,
        ),
        project(2, "OPS", "Platform Operations", Some("Tools that build, ship and watch."), None),
        project(3, "~YUSUF.DEMIR", "Yusuf Demir", None, Some(people::YUSUF)),
    ]
}

fn repository(
    id: u64,
    project: &str,
    slug: &str,
    description: Option<&str>,
    history: History,
) -> Repository {
    Repository {
        id,
        project: project.to_owned(),
        slug: slug.to_owned(),
        name: slug.to_owned(),
        description: description.map(str::to_owned),
        archived: false,
        origin: None,
        history,
        conditions: Vec::new(),
        requires_tasks: false,
        strategies: vec!["no-ff", "squash", "ff", "rebase-no-ff"],
        allows_auto_merge: true,
        labels: Vec::new(),
        default_reviewers: Vec::new(),
        readers: Vec::new(),
        last_pull_request: 0,
    }
}
