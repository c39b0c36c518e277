//! Every check by its slug: one fixture and one entry in the reference each.

/// A check: its slug, what it finds, and what to do.
pub type Entry = (&'static str, &'static str, &'static str);

/// All checks, by slug.
pub const SLUGS: &[Entry] = &[
    (
        "answer-of-custom-tool",
        "A custom tool's answer picks from an operation, or a declared tool's answer names a type.",
        "Name types of spec/types.yaml in custom tools, and pick from operations in declared ones.",
    ),
    (
        "argument-unused",
        "A declared tool has an argument that no call sends.",
        "Send it, or remove it.",
    ),
    (
        "app-only-writes",
        "A tool that only views may call writes.",
        "Let the model call it too, or make it read only.",
    ),
    (
        "bad-example",
        "An example is not a call the tool would take.",
        "Give every required argument, with values of its type.",
    ),
    (
        "bad-name",
        "A name is not lower-case words joined by underscores, or is longer than 24 characters.",
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
        "document-constraint",
        "The document constrains what the client must take as it comes.",
        "Remove the constraint; tolerance is the rule for answers.",
    ),
    (
        "document-enum",
        "An enumeration of the document is closed.",
        "Make it a schema of its own with `x-open-enum: true`.",
    ),
    (
        "document-inline-object",
        "An object in the document has no name of its own.",
        "Move it to components/schemas and refer to it.",
    ),
    ("document-integer", "An integer of the document is not 64 bits wide.", "Say `format: int64`."),
    (
        "document-operation",
        "An operation lacks an id, or shares it with another.",
        "Give it an id of lower-case words joined by underscores.",
    ),
    (
        "document-parameter",
        "A parameter is not declared as its path and place need it.",
        "Declare every placeholder as a required path parameter, and nothing else in the path.",
    ),
    (
        "document-reach",
        "An operation's reach is not known, contradicts its path, or lacks its reason.",
        "State `x-reach` and `x-reach-reason`, or leave both out where the path decides.",
    ),
    (
        "document-reference",
        "A reference leads nowhere.",
        "Refer to a schema under components/schemas.",
    ),
    (
        "document-response",
        "An operation does not answer with exactly one success of one media type.",
        "Keep one 2xx response with one media type; errors are read in one place.",
    ),
    (
        "document-unmarked-repository",
        "A query member seems to name a project or a repository and is not marked.",
        "Mark it with `x-names: project` or `x-names: repo`, so that it is bound and never free.",
    ),
    ("duplicate", "A name is given twice.", "Rename one of them."),
    (
        "file-unreadable",
        "A file or folder of the spec cannot be read.",
        "Check that it is there and holds UTF-8 text.",
    ),
    (
        "kinds-not-here",
        "`calls: kinds` stands in a tool other than show and refresh_view.",
        "List the operations.",
    ),
    ("missing-member", "A member that every such mapping has is missing.", "Add it."),
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
        "Put it on the one paged listing.",
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
        "Give ranges to counts and texts only.",
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
        "repository-free",
        "A query or body member that names a project or a repository is set from something no rule binds.",
        "Set it from `project` or `repo` only.",
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
    (
        "unknown-type",
        "A type is not known.",
        "Use a type of the grammar, or name one in spec/types.yaml.",
    ),
    (
        "wrong-kind",
        "A member holds another kind of value than it must.",
        "Give what the message says.",
    ),
    (
        "yaml-syntax",
        "A file is not the YAML this project reads.",
        "No anchors, aliases, merge keys or tabs; no key twice; quote texts with colons or commas in them.",
    ),
];
