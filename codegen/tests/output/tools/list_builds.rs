use bb_contract::arguments::{ArgumentFacts, ArgumentType};
use bb_contract::{
    Asks, Callers, Calls, Operation, OperationFacts, RuleName, Tool, ToolFacts,
};
/// List a commit's builds, and how many there are in each state.
#[derive(Debug)]
pub struct ListBuilds;
/// What a call of `list_builds` says.
#[derive(Debug, Clone, serde::Deserialize)]
pub struct Args {
    /// Full commit hash.
    pub hash: String,
    /// Which builds come first.
    pub order: Order,
    /// Most elements to answer.
    pub limit: i64,
    /// `next_cursor` of the previous answer.
    pub cursor: Option<String>,
}
/// Which builds come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
pub enum Order {
    /// `newest`.
    #[serde(rename = "newest")]
    Newest,
    /// `oldest`.
    #[serde(rename = "oldest")]
    Oldest,
}
impl Order {
    /// The value as Bitbucket takes it.
    #[must_use]
    pub fn wire(self) -> &'static str {
        match self {
            Self::Newest => "NEWEST",
            Self::Oldest => "OLDEST",
        }
    }
}
impl Tool for ListBuilds {
    const NAME: &'static str = "list_builds";
    const CALLS: &'static [&'static OperationFacts] = &[
        &<crate::op::ListCommitBuilds as Operation>::FACTS,
        &<crate::op::GetCommitBuildCounts as Operation>::FACTS,
    ];
    type Args = Args;
    type Scope = bb_contract::scope::Unbounded;
    type Reach = crate::handle::Anywhere<Self>;
}
impl Calls<crate::op::ListCommitBuilds> for ListBuilds {}
impl Calls<crate::op::GetCommitBuildCounts> for ListBuilds {}
/// What the spec says of `list_builds`.
pub static FACTS: ToolFacts = ToolFacts {
    name: "list_builds",
    title: "List builds",
    group: "builds",
    summary: "List a commit's builds, and how many there are in each state.",
    read_only: true,
    asks: Asks::Never,
    callers: Callers::Model,
    rule: RuleName::Unbounded,
    reason: "Bitbucket keys builds by commit and does not scope a commit to a project.",
    arguments: &[
        ArgumentFacts {
            name: "hash",
            required: true,
            kind: ArgumentType::Commit,
            default: None,
            min: None,
            max: None,
        },
        ArgumentFacts {
            name: "order",
            required: false,
            kind: ArgumentType::Choice(&["newest", "oldest"]),
            default: Some("\"newest\""),
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
    calls: <ListBuilds as Tool>::CALLS,
    custom: false,
    example: "{\"hash\":\"0123456789abcdef0123456789abcdef01234567\"}",
    kinds: false,
    entry: "{\"name\":\"list_builds\",\"title\":\"List builds\",\"description\":\"List a commit's builds, and how many there are in each state.\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"hash\":{\"type\":\"string\",\"description\":\"Full commit hash.\"},\"order\":{\"type\":\"string\",\"enum\":[\"newest\",\"oldest\"],\"default\":\"newest\",\"description\":\"Which builds come first.\"},\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":100,\"default\":25,\"description\":\"Most elements to answer.\"},\"cursor\":{\"type\":\"string\",\"maxLength\":200,\"description\":\"`next_cursor` of the previous answer.\"}},\"required\":[\"hash\"],\"additionalProperties\":false},\"outputSchema\":{\"type\":\"object\",\"properties\":{\"builds\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{\"key\":{\"type\":\"string\"},\"state\":{\"type\":\"string\"},\"added\":{\"type\":\"string\"},\"by\":{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"},\"display_name\":{\"type\":\"string\"}},\"required\":[\"name\"],\"additionalProperties\":false},\"revisions\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},\"parents\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{\"revision\":{\"type\":\"string\"},\"duration\":{\"type\":\"number\"}},\"required\":[\"revision\"],\"additionalProperties\":false}}},\"required\":[\"key\",\"revisions\",\"parents\"],\"additionalProperties\":false}},\"counts\":{\"type\":\"object\",\"properties\":{\"successful\":{\"type\":\"integer\"},\"failed\":{\"type\":\"integer\"}},\"additionalProperties\":false},\"limit_reached\":{\"type\":\"boolean\"},\"next_cursor\":{\"type\":\"string\"}},\"required\":[\"builds\",\"counts\",\"limit_reached\"],\"additionalProperties\":false},\"annotations\":{\"readOnlyHint\":true,\"destructiveHint\":false,\"idempotentHint\":true,\"openWorldHint\":false}}",
};
/// One element or part of the answer.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct BuildsParentsItem {
    /// `revision`.
    pub revision: String,
    /// `duration`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration: Option<f64>,
}
/// One element or part of the answer.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct BuildsItem {
    /// `key`.
    pub key: String,
    /// `state`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// `added`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub added: Option<String>,
    /// `by`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<crate::answers::Person>,
    /// `revisions`.
    pub revisions: Vec<String>,
    /// `parents`.
    pub parents: Vec<BuildsParentsItem>,
}
/// One element or part of the answer.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct CountsItem {
    /// `successful`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub successful: Option<i64>,
    /// `failed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed: Option<i64>,
}
/// What `list_builds` answers.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Answered {
    /// `builds`.
    pub builds: Vec<BuildsItem>,
    /// `counts`.
    pub counts: CountsItem,
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
    reach: &crate::handle::Anywhere<ListBuilds>,
    call: &bb_contract::Admitted<ListBuilds>,
) -> Result<bb_contract::Answer, bb_contract::ToolError> {
    let args = call.args();
    let (answer_0, answer_1) = bb_client::try_join(
            bb_client::listed(
                call.digest(),
                args.limit,
                args.cursor.as_deref(),
                |start, limit| {
                    reach
                        .list_commit_builds(
                            args.hash.as_str(),
                            crate::query::ListCommitBuilds {
                                order_by: Some(args.order.wire()),
                                start: i64::try_from(start).ok(),
                                limit: i64::try_from(limit).ok(),
                            },
                        )
                },
            ),
            bb_client::answered(reach.get_commit_build_counts(args.hash.as_str())),
        )
        .await?;
    bb_contract::Answer::data(
        &Answered {
            builds: answer_0
                .values
                .iter()
                .map(|item| BuildsItem {
                    key: item.key.clone(),
                    state: item.state.as_ref().map(crate::open::BuildState::word),
                    added: item.date_added.as_ref().and_then(bb_client::Instant::text),
                    by: item.by.as_ref().map(crate::answers::Person::from),
                    revisions: item
                        .parents
                        .iter()
                        .map(|item| item.ref_.clone())
                        .collect(),
                    parents: item
                        .parents
                        .iter()
                        .map(|item| BuildsParentsItem {
                            revision: item.ref_.clone(),
                            duration: item.duration.as_ref().copied(),
                        })
                        .collect(),
                })
                .collect(),
            counts: CountsItem {
                successful: answer_1.successful.as_ref().copied(),
                failed: answer_1.failed.as_ref().copied(),
            },
            limit_reached: answer_0.next.is_some(),
            next_cursor: answer_0
                .next
                .map(|next| bb_contract::cursor::seal(call.digest(), next)),
        },
    )
}
