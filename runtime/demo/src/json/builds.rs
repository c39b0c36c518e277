//! Builds in their two forms and their counts.

use serde_json::{Value, json};

use super::{Shapes, put};
use crate::state::{Build, PullRequest};

impl Shapes<'_> {
    /// The deprecated form, which knows no parent.
    pub(crate) fn commit_build(&self, build: &Build) -> Value {
        let mut object = self.build_core(build);
        put(&mut object, "dateAdded", Some(json!(build.updated)));
        object
    }

    /// The form of a repository's own listing.
    pub(crate) fn repository_build(&self, build: &Build, with_repository: bool) -> Value {
        let mut object = self.page_build(build);
        let repository = build
            .repository
            .filter(|_| with_repository)
            .and_then(|id| self.store.repository(id))
            .map(|repository| self.repository(repository));
        put(&mut object, "repository", repository);
        object
    }

    /// The form of the pull request page.
    pub(crate) fn page_build(&self, build: &Build) -> Value {
        let mut object = self.build_core(build);
        put(&mut object, "createdDate", Some(json!(build.created)));
        put(&mut object, "updatedDate", Some(json!(build.updated)));
        let parent = build.parent.as_ref().map(|parent| json!(parent));
        put(&mut object, "parent", parent);
        object
    }

    fn build_core(&self, build: &Build) -> Value {
        let mut object = json!({
            "state": build.state,
            "key": build.key,
            "name": build.name,
            "url": build.url,
        });
        let description = build.description.as_ref().map(|text| json!(text));
        put(&mut object, "description", description);
        let branch = build.branch.as_ref().map(|branch| json!(format!("refs/heads/{branch}")));
        put(&mut object, "ref", branch);
        put(&mut object, "buildNumber", build.number.as_ref().map(|number| json!(number)));
        put(&mut object, "duration", build.duration.map(|duration| json!(duration)));
        let tests = build.tests.map(|(successful, failed, skipped)| {
            json!({ "successful": successful, "failed": failed, "skipped": skipped })
        });
        put(&mut object, "testResults", tests);
        object
    }

    pub(crate) fn build_counts(&self, builds: &[&Build]) -> Value {
        let count = |state: &str| builds.iter().filter(|build| build.state == state).count();
        json!({
            "successful": count("SUCCESSFUL"),
            "failed": count("FAILED"),
            "inProgress": count("INPROGRESS"),
            "cancelled": count("CANCELLED"),
            "unknown": count("UNKNOWN"),
        })
    }

    /// The sides of a pull request as the builds listing repeats them.
    pub(crate) fn sides(&self, pull_request: &PullRequest) -> Value {
        json!({
            "fromRef": self.reference(&pull_request.from),
            "toRef": self.reference(&pull_request.to),
        })
    }
}
