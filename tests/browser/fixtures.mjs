// Payloads of the pull request card, for the stand-in server.

const PIXELS = {
  // One pixel each, as the smallest pictures that are pictures.
  teal: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgqHv+HwAEIgJ7pgs1kwAAAABJRU5ErkJggg==",
};

export const MINUTE = 60_000;

const ago = (milliseconds) => new Date(Date.now() - milliseconds).toISOString();

export function counts(builds) {
  const of = (state) => builds.filter((build) => build.state === state).length;
  return {
    total: builds.length,
    successful: of("successful"),
    failed: of("failed"),
    in_progress: of("in_progress"),
    cancelled: of("cancelled"),
    unknown: of("unknown"),
  };
}

const build = (key, name, state) => ({ key, name, state, url: `https://ci.example.com/job/${key}/118` });

/** PAY/ledger #1: one of everything that needs somebody. */
export function rich() {
  const builds = [
    build("ledger-integration", "Ledger » Integration tests", "failed"),
    build("ledger-performance", "Ledger » Performance", "in_progress"),
    build("ledger-unit", "Ledger » Unit tests", "successful"),
    build("ledger-lint", "Ledger » Lint", "successful"),
    build("ledger-image", "Ledger » Container image", "successful"),
    build("ledger-docs", "Ledger » Documentation", "successful"),
    build("ledger-licences", "Ledger » Licence check", "successful"),
    build("ledger-security", "Ledger » Dependency scan", "successful"),
  ];
  return {
    project: "PAY",
    repo: "ledger",
    id: 1,
    title: "Post refunds to the ledger in the currency of the original payment",
    state: "open",
    draft: false,
    author: { name: "mira", display_name: "Mira Okafor" },
    source: { name: "feature/PAY-218-refund-currency", commit: "9f2c1b7ad04e6c5b8f0c4c2a1d7e3b6f5a4c8d90" },
    target: { name: "main", commit: "1c0de5a7b3f24d6e8a9b0c1d2e3f405162738495" },
    url: "https://bitbucket.example.com/projects/PAY/repos/ledger/pull-requests/1/overview",
    reviewers: [
      { name: "jonas", display_name: "Jonas Lindqvist", verdict: "needs_work" },
      { name: "aiko", display_name: "Aiko Tanaka", verdict: "approved" },
      { name: "tomas", display_name: "Tomás Herrera", verdict: "approved" },
      { name: "priya", display_name: "Priya Raman", verdict: "unapproved" },
    ],
    reviewer_counts: { total: 4, approved: 2, needs_work: 1 },
    mergeability: {
      known: true,
      conflicted: true,
      veto_count: 2,
      vetoes: [
        "This pull request has unresolved tasks that must be completed before it can be merged.",
        "You need at least 3 approvals before this pull request can be merged.",
      ],
    },
    builds_known: true,
    builds,
    build_counts: counts(builds),
    builds_in_progress: true,
    discussion_known: true,
    open_tasks: 2,
    resolved_tasks: 3,
    comment_count: 7,
    auto_merge: false,
    created: ago(3 * 24 * 60 * MINUTE),
    updated: ago(47 * MINUTE),
    closed: false,
    generated_at: ago(0),
    avatars: [{ name: "aiko", image: `data:image/png;base64,${PIXELS.teal}` }],
  };
}

/** PAY/ledger #2: approved, green and quiet. */
export function calm() {
  const builds = rich().builds.map((each) => ({ ...each, state: "successful" }));
  return {
    ...rich(),
    id: 2,
    title: "Round half to even",
    source: { name: "rounding", commit: "0123456789abcdef0123456789abcdef01234567", project: "~MIRA", repo: "ledger" },
    reviewers: rich().reviewers.slice(1, 3),
    reviewer_counts: { total: 2, approved: 2, needs_work: 0 },
    mergeability: { known: true, conflicted: false, vetoes: [], veto_count: 0 },
    builds,
    build_counts: counts(builds),
    builds_in_progress: false,
    open_tasks: 0,
  };
}

/** PAY/ledger #3: merged, with nothing left to happen. */
export function merged() {
  return { ...calm(), id: 3, state: "merged", closed: true, updated: ago(26 * 60 * MINUTE) };
}

export const PULL_REQUESTS = { 1: rich, 2: calm, 3: merged };
