use bb_contract::arguments::{ArgumentFacts, ArgumentType};
use bb_contract::{
    Asks, Callers, Calls, Operation, OperationFacts, RuleName, Tool, ToolFacts,
};
/// List a repository's branches, most recently changed first.
#[derive(Debug)]
pub struct ListBranches;
/// What a call of `list_branches` says.
#[derive(Debug, Clone, serde::Deserialize)]
pub struct Args {
    /// Project key.
    pub project: String,
    /// Repository slug.
    pub repo: String,
    /// Text the branch name must contain.
    pub filter: Option<String>,
    /// Most elements to answer.
    pub limit: i64,
    /// `next_cursor` of the previous answer.
    pub cursor: Option<String>,
}
impl bb_contract::scope::NamesRepository for Args {
    fn project(&self) -> &str {
        &self.project
    }
    fn repo(&self) -> &str {
        &self.repo
    }
}
impl Tool for ListBranches {
    const NAME: &'static str = "list_branches";
    const CALLS: &'static [&'static OperationFacts] = &[
        &<crate::op::ListBranches as Operation>::FACTS,
        &<crate::op::GetRepository as Operation>::FACTS,
    ];
    type Args = Args;
    type Scope = bb_contract::scope::ProjectRepo;
    type Reach = crate::handle::Repository<Self>;
}
impl Calls<crate::op::ListBranches> for ListBranches {}
/// What the spec says of `list_branches`.
pub static FACTS: ToolFacts = ToolFacts {
    name: "list_branches",
    title: "List branches",
    group: "branches",
    summary: "List a repository's branches, most recently changed first.",
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
            name: "filter",
            required: false,
            kind: ArgumentType::Text,
            default: None,
            min: None,
            max: Some(200),
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
    calls: <ListBranches as Tool>::CALLS,
    custom: false,
    example: "{\"project\":\"PAY\",\"repo\":\"ledger\"}",
    kinds: false,
    entry: "{\"name\":\"list_branches\",\"title\":\"List branches\",\"description\":\"List a repository's branches, most recently changed first.\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"project\":{\"type\":\"string\",\"description\":\"Project key.\"},\"repo\":{\"type\":\"string\",\"description\":\"Repository slug.\"},\"filter\":{\"type\":\"string\",\"maxLength\":200,\"description\":\"Text the branch name must contain.\"},\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":100,\"default\":25,\"description\":\"Most elements to answer.\"},\"cursor\":{\"type\":\"string\",\"maxLength\":200,\"description\":\"`next_cursor` of the previous answer.\"}},\"required\":[\"project\",\"repo\"],\"additionalProperties\":false},\"outputSchema\":{\"type\":\"object\",\"properties\":{\"branches\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\",\"description\":\"Name without refs/heads/.\"},\"commit\":{\"type\":\"string\"},\"default\":{\"type\":\"boolean\"}},\"required\":[\"name\"],\"additionalProperties\":false}},\"limit_reached\":{\"type\":\"boolean\"},\"next_cursor\":{\"type\":\"string\"}},\"required\":[\"branches\",\"limit_reached\"],\"additionalProperties\":false},\"annotations\":{\"readOnlyHint\":true,\"destructiveHint\":false,\"idempotentHint\":true,\"openWorldHint\":false}}",
};
/// One element or part of the answer.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct BranchesItem {
    /// Name without refs/heads/.
    pub name: String,
    /// `commit`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// `default`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<bool>,
}
/// What `list_branches` answers.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Answered {
    /// `branches`.
    pub branches: Vec<BranchesItem>,
    /// Whether there is more.
    pub limit_reached: bool,
    /// What to give as `cursor` to read on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}
/// Does the work of one admitted call, as the spec declares it.
///
/// # Errors
/// What the model is told when it cannot be done.
pub(crate) async fn answer(
    reach: &crate::handle::Repository<ListBranches>,
    call: &bb_contract::Admitted<ListBranches>,
) -> Result<bb_contract::Answer, bb_contract::ToolError> {
    let args = call.args();
    let answer_0 = bb_client::listed(
            call.digest(),
            args.limit,
            args.cursor.as_deref(),
            |start, limit| {
                reach
                    .list_branches(crate::query::ListBranches {
                        filter_text: args.filter.as_deref(),
                        order_by: Some("MODIFICATION"),
                        start: i64::try_from(start).ok(),
                        limit: i64::try_from(limit).ok(),
                    })
            },
        )
        .await?;
    bb_contract::Answer::data(
        &Answered {
            branches: answer_0
                .values
                .iter()
                .map(|item| BranchesItem {
                    name: item.display_id.clone(),
                    commit: item.latest_commit.as_ref().cloned(),
                    default: item.is_default.as_ref().copied(),
                })
                .collect(),
            limit_reached: answer_0.next.is_some(),
            next_cursor: answer_0
                .next
                .map(|next| bb_contract::cursor::seal(call.digest(), next)),
        },
    )
}
