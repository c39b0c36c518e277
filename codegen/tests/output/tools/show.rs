use bb_contract::arguments::{ArgumentFacts, ArgumentType};
use bb_contract::{
    Asks, Callers, Calls, Operation, OperationFacts, RuleName, Tool, ToolFacts,
};
/// Show the person a view.
#[derive(Debug)]
pub struct Show;
/// What a call of `show` says.
#[derive(Debug, Clone, serde::Deserialize)]
pub struct Args {
    /// What to show.
    pub kind: Kind,
    /// Project key.
    pub project: Option<String>,
    /// Repository slug.
    pub repo: Option<String>,
}
/// What to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
pub enum Kind {
    /// `branches`.
    #[serde(rename = "branches")]
    Branches,
}
impl Kind {
    /// The value as Bitbucket takes it.
    #[must_use]
    pub fn wire(self) -> &'static str {
        match self {
            Self::Branches => "branches",
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
impl Tool for Show {
    const NAME: &'static str = "show";
    const CALLS: &'static [&'static OperationFacts] = &[
        &<crate::op::ListBranches as Operation>::FACTS,
        &<crate::op::GetRepository as Operation>::FACTS,
    ];
    type Args = Args;
    type Scope = bb_contract::scope::OptionalProjectRepo;
    type Reach = crate::handle::OwnOrRepository<Self>;
}
impl Calls<crate::op::ListBranches> for Show {}
/// What the spec says of `show`.
pub static FACTS: ToolFacts = ToolFacts {
    name: "show",
    title: "Show a view",
    group: "views",
    summary: "Show the person a view.",
    read_only: true,
    asks: Asks::Never,
    callers: Callers::Model,
    rule: RuleName::OptionalProjectRepo,
    reason: "A kind may show the caller's own work.",
    arguments: &[
        ArgumentFacts {
            name: "kind",
            required: true,
            kind: ArgumentType::Choice(&["branches"]),
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
            name: "repo",
            required: false,
            kind: ArgumentType::RepoSlug,
            default: None,
            min: None,
            max: None,
        },
    ],
    calls: <Show as Tool>::CALLS,
    custom: true,
    example: "{\"kind\":\"branches\",\"project\":\"PAY\",\"repo\":\"ledger\"}",
    kinds: true,
    entry: "{\"name\":\"show\",\"title\":\"Show a view\",\"description\":\"Show the person a view.\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"kind\":{\"type\":\"string\",\"enum\":[\"branches\"],\"description\":\"What to show.\"},\"project\":{\"type\":\"string\",\"description\":\"Project key.\"},\"repo\":{\"type\":\"string\",\"description\":\"Repository slug.\"}},\"required\":[\"kind\"],\"additionalProperties\":false},\"annotations\":{\"readOnlyHint\":true,\"destructiveHint\":false,\"idempotentHint\":true,\"openWorldHint\":false},\"_meta\":{\"ui\":{\"resourceUri\":\"ui://bb/view\"},\"ui/resourceUri\":\"ui://bb/view\"}}",
};
