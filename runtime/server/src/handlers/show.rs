//! `show`: reads what a kind draws and puts it beside a short text for the model.

use super::Handlers;
use crate::clock;
use crate::kinds::{envelope, pull_request};
use bb_contract::{Admitted, Answer, Handle, ToolError};
use bb_generated::handle::{OwnOrRepository, Repository};
use bb_generated::tool::show::{Kind, Show};
use bb_view::kinds::pull_request as card;

impl Handle<Show> for Handlers {
    async fn handle(
        &self,
        reach: &OwnOrRepository<Show>,
        call: &Admitted<Show>,
    ) -> Result<Answer, ToolError> {
        let args = call.args();
        match args.kind {
            Kind::PullRequest => {
                self.offers.check("pull_request")?;
                let (repo, id) = target(reach, args.project.is_some(), args.id)?;
                let gathered = pull_request::gather(repo, id, Some(&self.avatars)).await?;
                let payload = card::payload(&gathered, &clock::now());
                let words = card::words(&payload);
                let target = format!("{}/{}#{}", payload.project, payload.repo, payload.id);
                let fingerprint = payload.fingerprint()?;
                let value = serde_json::to_value(&payload)
                    .map_err(|error| ToolError::internal(error.to_string()))?;
                let whole = envelope::whole(&self.offers, "pull_request", &fingerprint, value)?;
                let text = format!(
                    "Showed the person {target} as an interactive card: {words}. If the person sees no view, answer in words."
                );
                envelope::answer(text, envelope::addresses(), whole)
            }
        }
    }
}

/// The repository and the number a kind needs, or everything it misses by name.
pub(super) fn target<T: bb_contract::Tool>(
    reach: &OwnOrRepository<T>,
    has_project: bool,
    id: Option<i64>,
) -> Result<(&Repository<T>, i64), ToolError> {
    match (reach, id) {
        (OwnOrRepository::Repository(repo), Some(id)) => Ok((repo, id)),
        (OwnOrRepository::Repository(_), None) => Err(misses(&["id"])),
        (OwnOrRepository::Own(_), id) => {
            let mut missing = if has_project { vec!["repo"] } else { vec!["project", "repo"] };
            if id.is_none() {
                missing.push("id");
            }
            Err(misses(&missing))
        }
    }
}

fn misses(names: &[&str]) -> ToolError {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    ToolError::new(format!(
        "a view of a pull request also needs {}; nothing was read",
        names.join(" and ")
    ))
}
