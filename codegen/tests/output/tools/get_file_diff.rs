use bb_contract::arguments::{ArgumentFacts, ArgumentType};
use bb_contract::{
    Asks, Callers, Calls, Operation, OperationFacts, RuleName, Tool, ToolFacts,
};
/// Read one file's changes in a pull request as a unified diff.
#[derive(Debug)]
pub struct GetFileDiff;
/// What a call of `get_file_diff` says.
#[derive(Debug, Clone, serde::Deserialize)]
pub struct Args {
    /// Project key.
    pub project: String,
    /// Repository slug.
    pub repo: String,
    /// Number of the pull request.
    pub id: i64,
    /// The changed file.
    pub path: String,
    /// Unchanged lines to show around a change.
    pub context_lines: Option<i64>,
}
impl bb_contract::scope::NamesRepository for Args {
    fn project(&self) -> &str {
        &self.project
    }
    fn repo(&self) -> &str {
        &self.repo
    }
}
impl Tool for GetFileDiff {
    const NAME: &'static str = "get_file_diff";
    const CALLS: &'static [&'static OperationFacts] = &[
        &<crate::op::GetFileDiff as Operation>::FACTS,
        &<crate::op::GetRepository as Operation>::FACTS,
    ];
    type Args = Args;
    type Scope = bb_contract::scope::ProjectRepo;
    type Reach = crate::handle::Repository<Self>;
}
impl Calls<crate::op::GetFileDiff> for GetFileDiff {}
/// What the spec says of `get_file_diff`.
pub static FACTS: ToolFacts = ToolFacts {
    name: "get_file_diff",
    title: "Get file diff",
    group: "pull_requests",
    summary: "Read one file's changes in a pull request as a unified diff.",
    read_only: true,
    asks: Asks::Never,
    callers: Callers::Model,
    rule: RuleName::ProjectRepo,
    reason: "",
    arguments: &[
        ArgumentFacts {
            name: "project",
            required: true,
            kind: ArgumentType::ProjectKey,
            default: None,
            min: None,
            max: None,
        },
        ArgumentFacts {
            name: "repo",
            required: true,
            kind: ArgumentType::RepoSlug,
            default: None,
            min: None,
            max: None,
        },
        ArgumentFacts {
            name: "id",
            required: true,
            kind: ArgumentType::PullRequestId,
            default: None,
            min: None,
            max: None,
        },
        ArgumentFacts {
            name: "path",
            required: true,
            kind: ArgumentType::Path,
            default: None,
            min: None,
            max: None,
        },
        ArgumentFacts {
            name: "context_lines",
            required: false,
            kind: ArgumentType::Count,
            default: None,
            min: Some(0),
            max: Some(1000),
        },
    ],
    calls: <GetFileDiff as Tool>::CALLS,
    custom: true,
    example: "{\"project\":\"PAY\",\"repo\":\"ledger\",\"id\":1,\"path\":\"src/main.rs\"}",
    kinds: false,
    entry: "{\"name\":\"get_file_diff\",\"title\":\"Get file diff\",\"description\":\"Read one file's changes in a pull request as a unified diff.\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"project\":{\"type\":\"string\",\"description\":\"Project key.\"},\"repo\":{\"type\":\"string\",\"description\":\"Repository slug.\"},\"id\":{\"type\":\"integer\",\"minimum\":1,\"description\":\"Number of the pull request.\"},\"path\":{\"type\":\"string\",\"description\":\"The changed file.\"},\"context_lines\":{\"type\":\"integer\",\"minimum\":0,\"maximum\":1000,\"description\":\"Unchanged lines to show around a change.\"}},\"required\":[\"project\",\"repo\",\"id\",\"path\"],\"additionalProperties\":false},\"annotations\":{\"readOnlyHint\":true,\"destructiveHint\":false,\"idempotentHint\":true,\"openWorldHint\":false}}",
};
