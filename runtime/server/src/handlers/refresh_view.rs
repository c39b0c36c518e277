//! `refresh_view`: what a view asks while it is on screen, and when its first data got lost.

use super::Handlers;
use super::show::target;
use crate::clock;
use crate::kinds::{envelope, pull_request};
use bb_contract::{Admitted, Answer, Handle, JsonObject, ToolError};
use bb_generated::handle::OwnOrRepository;
use bb_generated::tool::refresh_view::{Kind, RefreshView};
use bb_view::kinds::pull_request as card;

impl Handle<RefreshView> for Handlers {
    async fn handle(
        &self,
        reach: &OwnOrRepository<RefreshView>,
        call: &Admitted<RefreshView>,
    ) -> Result<Answer, ToolError> {
        let args = call.args();
        if args.part.is_some() || args.cursor.is_some() {
            return Err(ToolError::new("this view has no part that its first data left out"));
        }
        match args.kind {
            Kind::PullRequest => {
                self.offers.check("pull_request")?;
                let (repo, id) = target(reach, args.project.is_some(), args.id)?;
                let mut gathered = pull_request::gather(repo, id, None).await?;
                let now = clock::now();
                let fingerprint = card::payload(&gathered, &now).fingerprint()?;
                if args.since.as_deref() == Some(fingerprint.as_str()) {
                    let envelope = envelope::unchanged(&fingerprint, &now);
                    let text = "Nothing has changed.".to_owned();
                    return envelope::answer(text, JsonObject::new(), envelope);
                }
                gathered.avatar =
                    pull_request::pictures(repo, &gathered.pull_request, Some(&self.avatars)).await;
                let payload = card::payload(&gathered, &now);
                let subject = format!("{}/{}#{}", payload.project, payload.repo, payload.id);
                let text = match args.since {
                    Some(_) => {
                        format!("The view of {subject} has changed: {}.", card::words(&payload))
                    }
                    None => format!("Read {subject} for a view: {}.", card::words(&payload)),
                };
                let value = serde_json::to_value(&payload)
                    .map_err(|error| ToolError::internal(error.to_string()))?;
                let whole = envelope::whole(&self.offers, "pull_request", &fingerprint, value)?;
                envelope::answer(text, JsonObject::new(), whole)
            }
        }
    }
}
