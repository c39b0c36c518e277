// The pull request card: what it is, what needs the person, and the rest in one quiet line.
// Inline it grows by a press; in full screen everything it holds is there. The overview's activity and the
// tabs to other kinds belong between the details and the footer.

// How many a part shows before the person asks for more; the card must stay within one screen.
const FIRST_FACES = 7;
const FIRST_ROWS = 6;

/** @type {Record<string, { label: string, tone: string }>} */
const STATES = {
  open: { label: text("open"), tone: "info" },
  merged: { label: text("merged"), tone: "success" },
  declined: { label: text("declined"), tone: "danger" },
  draft: { label: text("draft"), tone: "neutral" },
};

/** @type {Record<string, { label: string, icon: string }>} */
const VERDICTS = {
  approved: { label: text("approved"), icon: "approved" },
  needs_work: { label: text("changes_requested"), icon: "needs_work" },
  unapproved: { label: text("reviewing"), icon: "" },
};

/** @type {Record<string, { label: string, icon: string }>} */
const BUILD_STATES = {
  successful: { label: text("build_successful"), icon: "build_successful" },
  failed: { label: text("build_failed"), icon: "build_failed" },
  in_progress: { label: text("build_in_progress"), icon: "build_in_progress" },
  cancelled: { label: text("build_cancelled"), icon: "build_cancelled" },
  unknown: { label: text("build_unknown"), icon: "build_unknown" },
};

KINDS.pull_request = {
  named({ project, repo, id }) {
    return project && repo && id ? `${project}/${repo} #${id}` : null;
  },
  callArguments({ project, repo, id }) {
    return { kind: "pull_request", project, repo, id };
  },
  // The fields that the kind's `refresh` names.
  inMotion: (payload) => payload.builds_in_progress || payload.auto_merge,
  settled: (payload) => payload.closed,
  draw: drawPullRequest,
  facts: pullRequestFacts,
};

/**
 * @param {PullRequestPayload} payload
 * @param {Stage} stage
 */
function drawPullRequest(payload, stage) {
  const pictures = picturesOf(payload.avatars);
  const grown = stage.whole || stage.opened.details > 0;
  const label = `${text("pull_request")} ${payload.project}/${payload.repo} #${payload.id}`;
  return el(
    "section",
    { class: "card", "aria-label": label },
    drawIdentity(payload, stage),
    el("h1", { class: "title foreign", dir: "auto", title: payload.title, text: payload.title }),
    drawByline(payload, pictures),
    drawAttention(payload),
    drawQuietLine(payload, pictures),
    grown ? drawDetails(payload, pictures, stage) : null,
    stage.footer([openButton(payload, stage), stage.whole ? null : detailsButton(grown, stage)]),
  );
}

/**
 * @param {PullRequestPayload} payload
 * @param {Stage} stage
 */
function drawIdentity({ project, repo, id, state, draft }, stage) {
  const shown = own(STATES, draft && state === "open" ? "draft" : state) ?? { label: state, tone: "neutral" };
  return el(
    "header",
    { class: "identity" },
    icon("pull_request"),
    el("span", { class: "target" }, foreign(`${project}/${repo}`, "repository"), " ", el("span", { class: "number", text: `#${id}` })),
    lozenge(shown.label, shown.tone),
    stage.modeButton(),
  );
}

/**
 * @param {PullRequestPayload} payload
 * @param {Pictures} pictures
 */
function drawByline({ author, source, target }, pictures) {
  const branches = text("branches", { source: branchName(source), target: branchName(target) });
  return el(
    "div",
    { class: "byline" },
    el("span", { class: "author" }, avatar(author, pictures), foreign(personName(author), "author-name")),
    el(
      "span",
      { class: "branches", role: "group", "aria-label": branches },
      branchChip(source, "branch-source"),
      icon("arrow"),
      branchChip(target, "branch-target"),
    ),
  );
}

/** @param {BranchEnd} branch */
function branchName(branch) {
  const fork = branch.project && branch.repo ? text("fork", { project: branch.project, repo: branch.repo }) : null;
  return fork ? `${fork}:${branch.name}` : branch.name;
}

/**
 * @param {BranchEnd} branch
 * @param {string} className
 */
function branchChip(branch, className) {
  const name = branchName(branch);
  const words = el("span", { class: "foreign branch-name", dir: "auto", text: name });
  return el("span", { class: `branch ${className}`, title: name }, icon("branch"), words);
}

// Nothing in here is ever behind a press: builds always, the rest while the pull request can still change.
/** @param {PullRequestPayload} payload */
function drawAttention(payload) {
  const { build_counts: builds, reviewers, closed } = payload;
  const items = [];
  if (!closed) {
    if (payload.reviewer_counts.needs_work > 0) {
      const words = changesRequestedWords(reviewers, payload.reviewer_counts.needs_work);
      items.push(attentionItem("warning", "needs_work", words));
    }
    if (payload.mergeability.conflicted) {
      items.push(attentionItem("danger", "conflict", text("conflict"), text("conflict_help")));
    }
  }
  for (const [count, tone, name, words] of buildConcerns(builds)) {
    if (count > 0) items.push(attentionItem(tone, name, words));
  }
  if (!closed) {
    const { vetoes, veto_count: failedChecks } = payload.mergeability;
    if (payload.discussion_known && payload.open_tasks > 0) {
      const words = plural(payload.open_tasks, text("open_tasks_one"), text("open_tasks_other"));
      items.push(attentionItem("warning", "task", words));
    }
    if (failedChecks > 0) {
      const words = plural(failedChecks, text("merge_checks_one"), text("merge_checks_other"));
      items.push(attentionItem("neutral", "merge_check", words, vetoes.join("\n")));
    }
  }
  if (items.length === 0) return null;
  return el("ul", { class: "attention", "aria-label": text("needs_attention") }, ...items);
}

/**
 * @param {BuildCounts} counts
 * @returns {[number, string, string, string][]} count, tone, icon, words
 */
function buildConcerns(counts) {
  const { failed, in_progress: running, cancelled, unknown } = counts;
  return [
    [failed, "danger", "build_failed", plural(failed, text("builds_failed_one"), text("builds_failed_other"))],
    [running, "info", "build_in_progress", plural(running, text("builds_in_progress_one"), text("builds_in_progress_other"))],
    [cancelled, "neutral", "build_cancelled", plural(cancelled, text("builds_cancelled_one"), text("builds_cancelled_other"))],
    [unknown, "neutral", "build_unknown", plural(unknown, text("builds_unknown_one"), text("builds_unknown_other"))],
  ];
}

/**
 * Names up to two of those who asked for changes; the count is of all, listed or not.
 * @param {CardReviewer[]} reviewers
 * @param {number} count
 */
function changesRequestedWords(reviewers, count) {
  const names = reviewers.filter(({ verdict }) => verdict === "needs_work").map((reviewer) => reviewer.display_name);
  const [first, second] = names;
  if (first === undefined) return text("changes_requested");
  if (second === undefined) return text("changes_requested_by", { names: first });
  if (count === 2) return text("changes_requested_by_two", { first, second });
  const more = count - 2;
  const words = plural(more, text("changes_requested_by_more_one"), text("changes_requested_by_more_other"));
  return words.replace(/\{(first|second)\}/g, (_, which) => (which === "first" ? first : second));
}

/**
 * @param {PullRequestPayload} payload
 * @param {Pictures} pictures
 */
function drawQuietLine(payload, pictures) {
  // The faces stand before the approvals, so those need no icon of their own; a tick where nothing passed would lie.
  const buildIcon = payload.build_counts.successful > 0 ? "build_successful" : "build_none";
  const items = [quietItem(null, approvalWords(payload)), quietItem(buildIcon, buildWords(payload))];
  if (payload.discussion_known) {
    const { comment_count: count } = payload;
    const words = count === 0 ? text("no_comments") : plural(count, text("comments_one"), text("comments_other"));
    items.push(quietItem("comment", words));
  }
  if (payload.auto_merge) items.push(quietItem("auto_merge", text("auto_merge_on")));
  return el("div", { class: "summary" }, drawFaces(payload, pictures), el("ul", { class: "quiet" }, ...items));
}

/** @param {PullRequestPayload} payload */
function approvalWords({ reviewer_counts: counts }) {
  if (counts.total === 0) return text("no_reviewers");
  return text("approved_of", { count: formatNumber(counts.approved), total: formatNumber(counts.total) });
}

/** @param {PullRequestPayload} payload */
function buildWords({ builds_known: known, build_counts: counts }) {
  if (!known) return text("builds_not_reported");
  if (counts.total === 0) return text("no_builds");
  if (counts.successful === counts.total) {
    return plural(counts.total, text("builds_passed_one"), text("builds_passed_other"));
  }
  return text("builds_passed_of", { count: formatNumber(counts.successful), total: formatNumber(counts.total) });
}

/**
 * @param {PullRequestPayload} payload
 * @param {Pictures} pictures
 */
function drawFaces({ reviewers, reviewer_counts: counts }, pictures) {
  if (reviewers.length === 0) return null;
  // One more face takes the room that "+1" would.
  const shown = counts.total <= FIRST_FACES + 1 ? reviewers : reviewers.slice(0, FIRST_FACES);
  const faces = shown.map((reviewer) => {
    const words = reviewerWords(reviewer);
    const face = avatar(reviewer, pictures, verdictBadge(reviewer));
    return el("li", { class: "face", role: "img", "aria-label": words, title: words }, face);
  });
  const rest = counts.total - shown.length;
  if (rest > 0) {
    const words = plural(rest, text("more_reviewers_one"), text("more_reviewers_other"));
    faces.push(el("li", { class: "face-rest", role: "img", "aria-label": words, title: words, text: `+${formatNumber(rest)}` }));
  }
  return el("ul", { class: "faces", "aria-label": text("reviewers") }, ...faces);
}

/** @param {CardReviewer} reviewer */
function reviewerWords({ display_name: name, verdict }) {
  return text("reviewer_verdict", { name, verdict: (own(VERDICTS, verdict) ?? VERDICTS.unapproved).label });
}

/** @param {CardReviewer} reviewer */
function verdictBadge({ verdict }) {
  const mark = own(VERDICTS, verdict)?.icon;
  return mark ? el("span", { class: "badge" }, icon(mark)) : undefined;
}

/**
 * @param {PullRequestPayload} payload
 * @param {Pictures} pictures
 * @param {Stage} stage
 */
function drawDetails(payload, pictures, stage) {
  return el(
    "div",
    { class: "details" },
    el("div", { class: "column" }, drawReviewers(payload, pictures, stage), drawMergeChecks(payload)),
    el("div", { class: "column" }, drawBuilds(payload, stage), drawFields(payload, stage)),
  );
}

/**
 * @param {PullRequestPayload} payload
 * @param {Pictures} pictures
 * @param {Stage} stage
 */
function drawReviewers({ reviewers, reviewer_counts: counts }, pictures, stage) {
  if (counts.total === 0) return group(text("reviewers"), null, el("p", { class: "note", text: text("no_reviewers") }));
  const rows = reviewers.map((reviewer) =>
    el(
      "li",
      { class: "row" },
      avatar(reviewer, pictures, verdictBadge(reviewer)),
      foreign(reviewer.display_name, "row-name"),
      el("span", { class: "row-note", text: (own(VERDICTS, reviewer.verdict) ?? VERDICTS.unapproved).label }),
    ),
  );
  return group(text("reviewers"), counts.total, ...stepped("more-reviewers", rows, counts.total, stage));
}

/**
 * @param {PullRequestPayload} payload
 * @param {Stage} stage
 */
function drawBuilds({ builds, builds_known: known, build_counts: counts }, stage) {
  if (!known || counts.total === 0) {
    const words = known ? text("no_builds") : text("builds_not_reported");
    return group(text("builds"), null, el("p", { class: "note", text: words }));
  }
  const rows = builds.map((build, index) => drawBuild(build, index, stage));
  return group(text("builds"), counts.total, ...stepped("more-builds", rows, counts.total, stage));
}

/**
 * @param {CardBuild} build
 * @param {number} index
 * @param {Stage} stage
 */
function drawBuild(build, index, stage) {
  const name = build.name || build.key;
  const { label, icon: mark } = own(BUILD_STATES, build.state) ?? BUILD_STATES.unknown;
  const address = stage.opensLinks ? webAddress(build.url) : null;
  const openLabel = text("open_build", { name });
  return el(
    "li",
    { class: "row" },
    icon(mark, label),
    foreign(name, "row-name"),
    address ? iconButton(`build-${index}`, openLabel, "external", () => stage.openLink(address)) : null,
  );
}

/**
 * @param {string} id
 * @param {HTMLElement[]} rows
 * @param {number} total
 * @param {Stage} stage
 */
function stepped(id, rows, total, stage) {
  const grow = () => {
    stage.opened[id] = (stage.opened[id] ?? 0) + 1;
    stage.redraw();
  };
  const visibleCount = stage.whole ? rows.length : FIRST_ROWS + GROWTH_STEP * (stage.opened[id] ?? 0);
  return steppedList({ id, rows, total, visibleCount, grow });
}

/** @param {PullRequestPayload} payload */
function drawMergeChecks({ mergeability: { vetoes, veto_count: failedChecks }, closed }) {
  if (closed || vetoes.length === 0) return null;
  const rows = vetoes.map((veto) => el("li", { class: "row row-wraps" }, icon("merge_check"), foreign(veto, "row-text")));
  return group(text("merge_checks"), failedChecks, el("ul", { class: "rows" }, ...rows));
}

/**
 * @param {PullRequestPayload} payload
 * @param {Stage} stage
 */
function drawFields(payload, stage) {
  const tasks = { open: formatNumber(payload.open_tasks), resolved: formatNumber(payload.resolved_tasks) };
  return group(
    text("details"),
    null,
    el(
      "dl",
      { class: "fields" },
      ...field(text("author"), foreign(personName(payload.author))),
      ...field(text("created"), timeElement(payload.created)),
      ...field(text("last_updated"), timeElement(payload.updated)),
      ...field(text("commit"), el("span", { class: "commit", title: payload.source.commit, text: payload.source.commit.slice(0, 11) })),
      ...(payload.discussion_known ? field(text("tasks"), text("tasks_counts", tasks)) : []),
      ...(payload.auto_merge ? field(text("auto_merge"), text("on")) : []),
      // Where the host opens nothing, the address can still be copied.
      ...(stage.opensLinks ? [] : field(text("pull_request"), el("span", { class: "address", text: payload.url }))),
    ),
  );
}

/**
 * @param {string} name
 * @param {Node | string} value
 */
function field(name, value) {
  return [el("dt", null, name), el("dd", null, value)];
}

/**
 * @param {PullRequestPayload} payload
 * @param {Stage} stage
 */
function openButton({ url }, stage) {
  const address = stage.opensLinks ? webAddress(url) : null;
  if (!address) return null;
  return button("open", text("open_in_bitbucket"), () => stage.openLink(address), { iconName: "external" });
}

/**
 * @param {boolean} grown
 * @param {Stage} stage
 */
function detailsButton(grown, stage) {
  const press = () => {
    stage.opened.details = grown ? 0 : 1;
    stage.redraw();
  };
  const words = grown ? text("hide_details") : text("show_details");
  return button("details", words, press, { iconName: "chevron", quiet: true, "aria-expanded": String(grown) });
}

/**
 * @param {PullRequestPayload} payload
 * @returns {Facts}
 */
function pullRequestFacts(payload) {
  const { build_counts: builds, reviewer_counts: reviewers, reviewers: listed } = payload;
  /** @type {Record<string, number>} */
  const counts = { reviewers: reviewers.total, approved: reviewers.approved, changes_requested: reviewers.needs_work };
  if (payload.builds_known) {
    Object.assign(counts, {
      builds: builds.total,
      builds_passed: builds.successful,
      builds_failed: builds.failed,
      builds_in_progress: builds.in_progress,
      builds_canceled: builds.cancelled,
      builds_unknown: builds.unknown,
    });
  }
  if (payload.discussion_known) Object.assign(counts, { open_tasks: payload.open_tasks, comments: payload.comment_count });
  if (!payload.closed && payload.mergeability.known) counts.merge_checks_failed = payload.mergeability.veto_count;
  const requesters = listed.filter(({ verdict }) => verdict === "needs_work").map((reviewer) => reviewer.display_name);
  /** @type {[string, string][]} */
  const quoted = [
    ["title", payload.title],
    ["author", personName(payload.author)],
    ["source", branchName(payload.source)],
    ["target", branchName(payload.target)],
  ];
  if (requesters.length > 0) quoted.push(["changes requested by", requesters.join(", ")]);
  const conflicted = !payload.closed && payload.mergeability.conflicted ? ", conflicted" : "";
  const state = `${payload.state}${payload.draft ? ", draft" : ""}${conflicted}`;
  return { target: `${payload.project}/${payload.repo}#${payload.id}`, state, counts, quoted };
}
