//! Every check by its slug: one fixture and one entry in the reference each.

/// A check: its slug, what it finds, and what to do.
pub type Entry = (&'static str, &'static str, &'static str);

/// All checks, by slug.
pub const SLUGS: &[Entry] = &[
    (
        "action-not-for-views",
        "A kind's button would call a tool that views may not call.",
        "Give the tool `visibility: [model, app]`, or leave the action out.",
    ),
    (
        "answer-of-custom-tool",
        "A custom tool's answer picks from an operation, or a declared tool's answer names a type.",
        "Name types of spec/types.yaml in custom tools, and pick from operations in declared ones.",
    ),
    (
        "app-only-writes",
        "A tool that only views may call writes.",
        "Let the model call it too, or make it read only.",
    ),
    (
        "argument-unused",
        "A declared tool has an argument that no call sends.",
        "Send it, or remove it.",
    ),
    (
        "bad-example",
        "An example is not a call the tool would take.",
        "Give every required argument, with values of its type.",
    ),
    (
        "bad-name",
        "A name is not lower-case words joined by underscores, is longer than 24 characters, or is taken.",
        "Rename it.",
    ),
    (
        "bad-text",
        "A title, summary, doc or reason is not worded as the style asks.",
        "Begin with a capital; end summaries, docs and reasons with a full stop, titles without one.",
    ),
    (
        "call-unnamed",
        "A tool's second or later call has no name for its answer, or two share one.",
        "Add `as:` with a name of its own.",
    ),
    (
        "cap-without-total",
        "A list of a payload is cut and nothing counts the whole.",
        "Name the field that counts the whole under `total:`.",
    ),
    (
        "choices-misplaced",
        "`choices` stands where it means nothing, or is missing where it is needed.",
        "Give choices to arguments of type `choice`, and only to those.",
    ),
    (
        "default-misplaced",
        "A default does not fit the argument.",
        "Give a value of the argument's type, and only to optional arguments.",
    ),
    (
        "document-confirmation",
        "Under a scope nothing would say whose an answer is.",
        "Mark the GET of a repository with `x-confirms-repository: true`, or its schema with `x-repository`.",
    ),
    (
        "document-constraint",
        "The document constrains what the client must take as it comes.",
        "Remove the constraint; tolerance is the rule for answers.",
    ),
    (
        "document-enum",
        "An enumeration of the document is closed, or its values do not become words of ours.",
        "Make it a schema of its own with `x-open-enum: true`; give values whose lower case is no word one in `x-words`.",
    ),
    (
        "document-inline-object",
        "An object in the document has no name of its own.",
        "Move it to components/schemas and refer to it.",
    ),
    ("document-integer", "An integer of the document is not 64 bits wide.", "Say `format: int64`."),
    (
        "document-operation",
        "An operation lacks an id of its own.",
        "Give it an id of lower-case words joined by underscores that no other has.",
    ),
    (
        "document-page",
        "A page lacks what turning pages needs.",
        "Declare the query members `start` and `limit`, and in the page `values`, `isLastPage` and `nextPageStart`, all optional.",
    ),
    (
        "document-parameter",
        "A parameter is not declared as its path and place need it.",
        "Declare every placeholder as a required path parameter, anything else as an optional query member, each a text, an integer or (in the query) a flag.",
    ),
    (
        "document-reach",
        "An operation's reach is not known, contradicts its path, or lacks its reason.",
        "State `x-reach` and `x-reach-reason`, or leave both out where the path decides.",
    ),
    (
        "document-reference",
        "A reference leads nowhere, or not to what is needed there.",
        "Refer to a schema under components/schemas; an answer is an object.",
    ),
    (
        "document-repository",
        "`x-repository` does not lead to a repository.",
        "Name the way to an object with `slug` and `project.key`, or `.` for the value itself.",
    ),
    (
        "document-response",
        "An operation does not answer with exactly one success of one media type.",
        "Keep one 2xx response with one media type: errors are read in one place.",
    ),
    (
        "document-schema",
        "A schema is not one the client can be generated from.",
        "Write an object with a capitalised name and plain properties, or mark a type with `x-instant`, `x-links` or `x-open-enum`.",
    ),
    (
        "document-unmarked-repository",
        "A parameter seems to name a project or a repository and is not marked.",
        "Mark a query member with `x-names: project` or `x-names: repo`; call placeholders `project` and `repo`.",
    ),
    ("duplicate", "A name is given twice.", "Rename one of them."),
    (
        "file-unreadable",
        "A file or folder of the spec cannot be read.",
        "Check that it is there, may be read, and holds UTF-8 text.",
    ),
    (
        "fingerprint-unexplained",
        "A payload field says why it is no part of the content though it is one, or is none and does not say why.",
        "Give `why:` exactly with `fingerprint: false`.",
    ),
    (
        "kinds-differ",
        "A tool that draws kinds does not take exactly the kinds there are.",
        "List every kind under the choices of `kind`, in the order of their names.",
    ),
    (
        "kinds-not-here",
        "`calls: kinds` stands in a tool other than show and refresh_view.",
        "List the operations.",
    ),
    (
        "missing-member",
        "A member that every such mapping has is missing, or holds nothing.",
        "Add it.",
    ),
    (
        "missing-scope",
        "A tool has no scope rule.",
        "Add `scope:` with the rule its arguments allow: docs/scope-rules.md.",
    ),
    (
        "name-differs-from-file",
        "A tool stands in a file of another name.",
        "Rename the file or the tool.",
    ),
    (
        "never-asks-unexplained",
        "A writing tool that never asks does not say why.",
        "Add `asks_reason:`, or let it ask.",
    ),
    (
        "pages-misplaced",
        "`pages` stands on a call that has no pages, or on a second one.",
        "Put it on the one paged listing of a declared tool, or at the top of a custom one.",
    ),
    (
        "pick-not-found",
        "A pick names a member that the answer does not have.",
        "Name a member of the operation's response schema.",
    ),
    (
        "pick-of-object",
        "A pick takes a whole object or list.",
        "Pick its members, with `each:` for a list.",
    ),
    (
        "placeholder-unbound",
        "A placeholder of a declared tool's path gets no value.",
        "Name an argument like the placeholder, or set it under `path:`.",
    ),
    (
        "range-misplaced",
        "`min` or `max` stands where it means nothing.",
        "Give ranges to counts and texts only, the smaller bound as `min`.",
    ),
    (
        "reach-not-allowed",
        "A tool calls an operation that its scope rule cannot bound.",
        "Choose the rule that the operation's reach allows: docs/scope-rules.md.",
    ),
    ("read-only-asks", "A tool that writes nothing asks.", "Remove `asks`."),
    (
        "read-only-writes",
        "A tool that says it is read only calls an operation that writes.",
        "Say `read_only: false`, or call a GET.",
    ),
    (
        "reason-missing",
        "A rule that opens or withholds gives no reason, or one that does neither gives one.",
        "Give `scope_reason:` with every rule but `project_repo`.",
    ),
    (
        "refresh-flag",
        "`in_motion` or `settled` names something other than a flag of the payload.",
        "Name flags of the payload.",
    ),
    (
        "repository-free",
        "A query or body member that names a project or a repository is set from something no rule binds.",
        "Set it from `project` or `repo` only.",
    ),
    (
        "rule-needs-handler",
        "A declared tool has the rule `optional_project_repo`: nothing chooses between the repository and the caller's own work.",
        "Say `handler: custom` and write the choice.",
    ),
    (
        "rule-without-argument",
        "A scope rule does not find the arguments it bounds.",
        "Declare `project` and `repo` as the rule needs them: docs/scope-rules.md.",
    ),
    (
        "second-repository",
        "An argument names a second project or repository, which no rule binds.",
        "Name them `project` and `repo`; a second one needs a rule of its own.",
    ),
    (
        "source-of-wrong-type",
        "An argument or a constant does not have the type of the member it is sent as.",
        "Send texts as texts, counts and pull request ids as integers, flags as booleans.",
    ),
    (
        "string-computed",
        "A script of the page looks a word up by a computed key.",
        "Use a literal key, so that the words used can be held against those declared.",
    ),
    (
        "string-undeclared",
        "A script of the page uses a word that no kind declares.",
        "Declare it under `strings:`.",
    ),
    (
        "string-unused",
        "A kind declares a word that no script of the page uses.",
        "Remove it, or use it.",
    ),
    (
        "type-recursive",
        "A named type holds itself.",
        "Cut the circle; a tool's schema has no references.",
    ),
    ("unknown-member", "A mapping has a member nobody reads.", "Remove it, or correct its name."),
    (
        "unknown-operation",
        "An operation is not in spec/bitbucket/openapi.yaml.",
        "Write method and path exactly as there, or add it there.",
    ),
    (
        "unknown-query",
        "A call sets a query or path member that its operation does not have.",
        "Use a name the document has.",
    ),
    (
        "unknown-scope-rule",
        "A scope rule is none of the four.",
        "Choose project_repo, optional_project_repo, project_filter or unbounded.",
    ),
    (
        "unknown-source",
        "A source names an argument or an answer that is not there.",
        "Declare it, or write a constant as `=TEXT`.",
    ),
    ("unknown-tool", "A kind names a tool that is not there.", "Name a tool of spec/tools/."),
    (
        "unknown-type",
        "A type is not known.",
        "Use a type of the grammar, or name one in spec/types.yaml.",
    ),
    (
        "wrong-kind",
        "A member holds another kind of value than it must.",
        "Give the kind of value it must hold; quote a text that looks like another kind.",
    ),
    (
        "yaml-syntax",
        "A file is not the YAML this project reads.",
        "No anchors, aliases, merge keys or tabs; no key twice; quote texts with colons or commas in them.",
    ),
];
