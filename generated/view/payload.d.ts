// Written by `cargo bless` from spec/views/ and spec/types.yaml: what the page's type check knows
// of what the server sends.

/** A person. */
interface Person {
  name: string;
  display_name?: string;
}

/** `avatar` of spec/types.yaml. */
interface Avatar {
  name: string;
  image: string;
}

/** `branch_end` of spec/types.yaml. */
interface BranchEnd {
  name: string;
  commit: string;
  project?: string;
  repo?: string;
}

/** `build_counts` of spec/types.yaml. */
interface BuildCounts {
  total: number;
  successful: number;
  failed: number;
  in_progress: number;
  cancelled: number;
  unknown: number;
}

/** `card_build` of spec/types.yaml. */
interface CardBuild {
  key: string;
  name?: string;
  state: string;
  url?: string;
}

/** `card_mergeability` of spec/types.yaml. */
interface CardMergeability {
  known: boolean;
  conflicted: boolean;
  vetoes: string[];
  veto_count: number;
}

/** `card_reviewer` of spec/types.yaml. */
interface CardReviewer {
  name: string;
  display_name: string;
  verdict: string;
}

/** `reviewer_counts` of spec/types.yaml. */
interface ReviewerCounts {
  total: number;
  approved: number;
  needs_work: number;
}

/** What a view of kind `pull_request` draws. */
interface PullRequestPayload {
  project: string;
  repo: string;
  id: number;
  title: string;
  state: string;
  draft: boolean;
  author: Person;
  source: BranchEnd;
  target: BranchEnd;
  url: string;
  reviewers: CardReviewer[];
  reviewer_counts: ReviewerCounts;
  mergeability: CardMergeability;
  builds_known: boolean;
  builds: CardBuild[];
  build_counts: BuildCounts;
  builds_in_progress: boolean;
  discussion_known: boolean;
  open_tasks: number;
  resolved_tasks: number;
  comment_count: number;
  auto_merge: boolean;
  created: string;
  updated: string;
  closed: boolean;
  generated_at: string;
  avatars: Avatar[];
}

/** What this server exposes to a view. */
interface Offers {
  kinds: string[];
  actions: string[];
  refresh: boolean;
}

/** What stands under `bb/view` in the result of `show`, and of `refresh_view` when there is something new. */
interface ViewEnvelope {
  version: number;
  kind: string;
  view: string;
  fingerprint: string;
  offers: Offers;
  payload: any;
}

/** What stands there when nothing has changed. */
interface UnchangedEnvelope {
  version: number;
  unchanged: true;
  fingerprint: string;
  read_at: string;
}
