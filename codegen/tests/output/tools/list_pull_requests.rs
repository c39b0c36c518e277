use bb_contract::arguments::{ArgumentFacts, ArgumentType};
use bb_contract::{
    Asks, Callers, Calls, Operation, OperationFacts, RuleName, Tool, ToolFacts,
};
/// List your own pull requests across repositories, or those of one repository.
#[derive(Debug)]
pub struct ListPullRequests;
/// What a call of `list_pull_requests` says.
#[derive(Debug, Clone, serde::Deserialize)]
pub struct Args {
    /// Project key.
    pub project: Option<String>,
    /// Repository slug; needs project.
    pub repo: Option<String>,
    /// Which pull requests.
    pub state: Option<State>,
    /// Most elements to answer.
    pub limit: i64,
    /// `next_cursor` of the previous answer.
    pub cursor: Option<String>,
}
/// Which pull requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
pub enum State {
    /// `open`.
    #[serde(rename = "open")]
    Open,
    /// `merged`.
    #[serde(rename = "merged")]
    Merged,
    /// `declined`.
    #[serde(rename = "declined")]
    Declined,
}
impl State {
    /// The value as Bitbucket takes it.
    #[must_use]
    pub fn wire(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Merged => "merged",
            Self::Declined => "declined",
        }
    }
}
impl bb_contract::scope::MayNameRepository for Args {
    fn project(&self) -> Option<&str> {
        self.project.as_deref()
    }
    fn repo(&self) -> Option<&str> {
        self.repo.as_deref()
    }
}
impl Tool for ListPullRequests {
    const NAME: &'static str = "list_pull_requests";
    const CALLS: &'static [&'static OperationFacts] = &[
        &<crate::op::ListPullRequests as Operation>::FACTS,
        &<crate::op::ListOwnPullRequests as Operation>::FACTS,
        &<crate::op::GetApplicationProperties as Operation>::FACTS,
    ];
    type Args = Args;
    type Scope = bb_contract::scope::OptionalProjectRepo;
    type Reach = crate::handle::OwnOrRepository<Self>;
}
impl Calls<crate::op::ListPullRequests> for ListPullRequests {}
impl Calls<crate::op::ListOwnPullRequests> for ListPullRequests {}
impl Calls<crate::op::GetApplicationProperties> for ListPullRequests {}
/// What the spec says of `list_pull_requests`.
pub static FACTS: ToolFacts = ToolFacts {
    name: "list_pull_requests",
    title: "List pull requests",
    group: "pull_requests",
    summary: "List your own pull requests across repositories, or those of one repository.",
    read_only: true,
    asks: Asks::Never,
    callers: Callers::ModelAndApp,
    rule: RuleName::OptionalProjectRepo,
    reason: "Without a repository it lists the caller's own work.",
    arguments: &[
        ArgumentFacts {
            name: "project",
            required: false,
            kind: ArgumentType::ProjectKey,
            default: None,
            min: None,
            max: None,
        },
        ArgumentFacts {
            name: "repo",
            required: false,
            kind: ArgumentType::RepoSlug,
            default: None,
            min: None,
            max: None,
        },
        ArgumentFacts {
            name: "state",
            required: false,
            kind: ArgumentType::Choice(&["open", "merged", "declined"]),
            default: None,
            min: None,
            max: None,
        },
        ArgumentFacts {
            name: "limit",
            required: false,
            kind: ArgumentType::Count,
            default: Some("25"),
            min: Some(1),
            max: Some(100),
        },
        ArgumentFacts {
            name: "cursor",
            required: false,
            kind: ArgumentType::Text,
            default: None,
            min: None,
            max: Some(200),
        },
    ],
    calls: <ListPullRequests as Tool>::CALLS,
    custom: true,
    example: "{\"state\":\"open\"}",
    kinds: false,
    entry: "{\"name\":\"list_pull_requests\",\"title\":\"List pull requests\",\"description\":\"List your own pull requests across repositories, or those of one repository.\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"project\":{\"type\":\"string\",\"description\":\"Project key.\"},\"repo\":{\"type\":\"string\",\"description\":\"Repository slug; needs project.\"},\"state\":{\"type\":\"string\",\"enum\":[\"open\",\"merged\",\"declined\"],\"description\":\"Which pull requests.\"},\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":100,\"default\":25,\"description\":\"Most elements to answer.\"},\"cursor\":{\"type\":\"string\",\"maxLength\":200,\"description\":\"`next_cursor` of the previous answer.\"}},\"additionalProperties\":false},\"outputSchema\":{\"type\":\"object\",\"properties\":{\"pull_requests\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{\"id\":{\"type\":\"integer\",\"description\":\"Number of the pull request.\"},\"title\":{\"type\":\"string\"},\"state\":{\"type\":\"string\",\"description\":\"State. One of open, merged, declined.\"},\"draft\":{\"type\":\"boolean\"},\"author\":{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"},\"display_name\":{\"type\":\"string\"}},\"required\":[\"name\"],\"additionalProperties\":false},\"updated\":{\"type\":\"string\"},\"vetoes\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{\"summary\":{\"type\":\"string\"},\"detail\":{\"type\":\"string\"}},\"required\":[\"summary\"],\"additionalProperties\":false}}},\"required\":[\"id\",\"title\",\"state\",\"vetoes\"],\"additionalProperties\":false}},\"limit_reached\":{\"type\":\"boolean\"},\"next_cursor\":{\"type\":\"string\"}},\"required\":[\"pull_requests\",\"limit_reached\"],\"additionalProperties\":false},\"annotations\":{\"readOnlyHint\":true,\"destructiveHint\":false,\"idempotentHint\":true,\"openWorldHint\":false},\"_meta\":{\"ui\":{\"visibility\":[\"model\",\"app\"]}}}",
};
/// What `list_pull_requests` answers.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Answered {
    /// `pull_requests`.
    pub pull_requests: Vec<crate::answers::PullRequestRow>,
    /// Whether there is more.
    pub limit_reached: bool,
    /// What to give as `cursor` to read on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}
