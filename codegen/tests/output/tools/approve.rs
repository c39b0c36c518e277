use bb_contract::arguments::{ArgumentFacts, ArgumentType};
use bb_contract::{
    Asks, Callers, Calls, Operation, OperationFacts, RuleName, Tool, ToolFacts,
};
/// Approve a pull request.
#[derive(Debug)]
pub struct Approve;
/// What a call of `approve` says.
#[derive(Debug, Clone, serde::Deserialize)]
pub struct Args {
    /// Project key.
    pub project: String,
    /// Repository slug.
    pub repo: String,
    /// Number of the pull request.
    pub id: i64,
}
impl bb_contract::scope::NamesRepository for Args {
    fn project(&self) -> &str {
        &self.project
    }
    fn repo(&self) -> &str {
        &self.repo
    }
}
impl Tool for Approve {
    const NAME: &'static str = "approve";
    const CALLS: &'static [&'static OperationFacts] = &[
        &<crate::op::ApprovePullRequest as Operation>::FACTS,
        &<crate::op::GetRepository as Operation>::FACTS,
    ];
    type Args = Args;
    type Scope = bb_contract::scope::ProjectRepo;
    type Reach = crate::handle::Repository<Self>;
}
impl Calls<crate::op::ApprovePullRequest> for Approve {}
/// What the spec says of `approve`.
pub static FACTS: ToolFacts = ToolFacts {
    name: "approve",
    title: "Approve",
    group: "pull_requests",
    summary: "Approve a pull request.",
    read_only: false,
    asks: Asks::Always,
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
    ],
    calls: <Approve as Tool>::CALLS,
    custom: false,
    example: "{\"project\":\"PAY\",\"repo\":\"ledger\",\"id\":1}",
    kinds: false,
    entry: "{\"name\":\"approve\",\"title\":\"Approve\",\"description\":\"Approve a pull request.\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"project\":{\"type\":\"string\",\"description\":\"Project key.\"},\"repo\":{\"type\":\"string\",\"description\":\"Repository slug.\"},\"id\":{\"type\":\"integer\",\"minimum\":1,\"description\":\"Number of the pull request.\"}},\"required\":[\"project\",\"repo\",\"id\"],\"additionalProperties\":false},\"outputSchema\":{\"type\":\"object\",\"properties\":{\"approved\":{\"type\":\"boolean\",\"description\":\"Whether the person approves.\"},\"reviewer\":{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"},\"display_name\":{\"type\":\"string\"}},\"required\":[\"name\"],\"additionalProperties\":false}},\"additionalProperties\":false},\"annotations\":{\"readOnlyHint\":false,\"destructiveHint\":false,\"idempotentHint\":true,\"openWorldHint\":false}}",
};
/// What `approve` answers.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Answered {
    /// Whether the person approves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approved: Option<bool>,
    /// `reviewer`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reviewer: Option<crate::answers::Person>,
}
