use bb_contract::arguments::{ArgumentFacts, ArgumentType};
use bb_contract::{
    Asks, Callers, Calls, Operation, OperationFacts, RuleName, Tool, ToolFacts,
};
/// Find repositories by name, across projects or in one.
#[derive(Debug)]
pub struct SearchRepositories;
/// What a call of `search_repositories` says.
#[derive(Debug, Clone, serde::Deserialize)]
pub struct Args {
    /// Beginning of the repository name.
    pub name: Option<String>,
    /// Only repositories of this project.
    pub project: Option<String>,
    /// Most elements to answer.
    pub limit: i64,
    /// `next_cursor` of the previous answer.
    pub cursor: Option<String>,
}
impl bb_contract::scope::MayNameProject for Args {
    fn project(&self) -> Option<&str> {
        self.project.as_deref()
    }
}
impl Tool for SearchRepositories {
    const NAME: &'static str = "search_repositories";
    const CALLS: &'static [&'static OperationFacts] = &[
        &<crate::op::ListRepositories as Operation>::FACTS,
    ];
    type Args = Args;
    type Scope = bb_contract::scope::ProjectFilter;
    type Reach = crate::handle::Filtered<Self>;
}
impl Calls<crate::op::ListRepositories> for SearchRepositories {}
/// What the spec says of `search_repositories`.
pub static FACTS: ToolFacts = ToolFacts {
    name: "search_repositories",
    title: "Search repositories",
    group: "repositories",
    summary: "Find repositories by name, across projects or in one.",
    read_only: true,
    asks: Asks::Never,
    callers: Callers::Model,
    rule: RuleName::ProjectFilter,
    reason: "The project only narrows a listing over all projects.",
    arguments: &[
        ArgumentFacts {
            name: "name",
            required: false,
            kind: ArgumentType::Text,
            default: None,
            min: None,
            max: None,
        },
        ArgumentFacts {
            name: "project",
            required: false,
            kind: ArgumentType::ProjectKey,
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
    calls: <SearchRepositories as Tool>::CALLS,
    custom: false,
    example: "{\"name\":\"led\"}",
    kinds: false,
    entry: "{\"name\":\"search_repositories\",\"title\":\"Search repositories\",\"description\":\"Find repositories by name, across projects or in one.\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\",\"description\":\"Beginning of the repository name.\"},\"project\":{\"type\":\"string\",\"description\":\"Only repositories of this project.\"},\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":100,\"default\":25,\"description\":\"Most elements to answer.\"},\"cursor\":{\"type\":\"string\",\"maxLength\":200,\"description\":\"`next_cursor` of the previous answer.\"}},\"additionalProperties\":false},\"outputSchema\":{\"type\":\"object\",\"properties\":{\"repositories\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{\"project\":{\"type\":\"string\"},\"repo\":{\"type\":\"string\"},\"public\":{\"type\":\"boolean\"},\"url\":{\"type\":\"string\"}},\"additionalProperties\":false}},\"limit_reached\":{\"type\":\"boolean\"},\"next_cursor\":{\"type\":\"string\"}},\"required\":[\"repositories\",\"limit_reached\"],\"additionalProperties\":false},\"annotations\":{\"readOnlyHint\":true,\"destructiveHint\":false,\"idempotentHint\":true,\"openWorldHint\":false}}",
};
/// One element or part of the answer.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct RepositoriesItem {
    /// `project`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// `repo`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repo: Option<String>,
    /// `public`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub public: Option<bool>,
    /// `url`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}
/// What `search_repositories` answers.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Answered {
    /// `repositories`.
    pub repositories: Vec<RepositoriesItem>,
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
    reach: &crate::handle::Filtered<SearchRepositories>,
    call: &bb_contract::Admitted<SearchRepositories>,
) -> Result<bb_contract::Answer, bb_contract::ToolError> {
    let args = call.args();
    let answer_0 = bb_client::listed(
            call.digest(),
            args.limit,
            args.cursor.as_deref(),
            |start, limit| {
                reach
                    .list_repositories(crate::query::ListRepositories {
                        name: args.name.as_deref(),
                        start: i64::try_from(start).ok(),
                        limit: i64::try_from(limit).ok(),
                    })
            },
        )
        .await?;
    bb_contract::Answer::data(
        &Answered {
            repositories: answer_0
                .values
                .iter()
                .map(|item| RepositoriesItem {
                    project: item
                        .project
                        .as_ref()
                        .and_then(|value| value.key.as_ref())
                        .cloned(),
                    repo: item.slug.as_ref().cloned(),
                    public: item.public.as_ref().copied(),
                    url: item
                        .links
                        .as_ref()
                        .and_then(|value| value.self_.as_ref())
                        .and_then(bb_client::Links::first),
                })
                .collect(),
            limit_reached: answer_0.next.is_some(),
            next_cursor: answer_0
                .next
                .map(|next| bb_contract::cursor::seal(call.digest(), next)),
        },
    )
}
