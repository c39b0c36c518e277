//! Where a new comment is to stand: the anchor a client wrote, held against
//! the diff.

use std::sync::Arc;

use serde_json::Value;

use super::{Place, Write};
use crate::diff;
use crate::errors::Failure;
use crate::placing::{Sides, kind_of};
use crate::state::{Anchor, LineType};

pub(super) fn anchor(call: &Write<'_>, place: Place, given: &Value) -> Result<Anchor, Failure> {
    let path = path(&given["path"])
        .ok_or_else(|| Failure::bad_parameter("anchor.path", "The path must be supplied."))?;
    let source_path = self::path(&given["srcPath"]);
    let (diff_type, sides) = sides(call, place, given)?;
    let change = diff::changes(&sides.before, &sides.after)
        .into_iter()
        .find(|change| change.path() == path)
        .ok_or_else(refused)?;
    let before = given["fileType"] == "FROM";
    let line = match given["line"].as_u64().and_then(|line| usize::try_from(line).ok()) {
        None => None,
        Some(line) => {
            let kind = given["lineType"]
                .as_str()
                .and_then(LineType::named)
                .ok_or_else(|| Failure::bad_parameter("anchor.lineType", "Not a line type."))?;
            // Without its earlier path a moved file is all new.
            let mut shown = change.clone();
            if shown.source_path().is_some() && source_path.is_none() {
                shown.before = None;
            }
            let on_source = before || kind == LineType::Removed;
            match kind_of(&shown, line, on_source) {
                Some(found) if found == kind => Some((line, kind)),
                _ => return Err(refused()),
            }
        }
    };
    let first = &given["multilineMarker"];
    let first = first["startLine"]
        .as_u64()
        .and_then(|line| usize::try_from(line).ok())
        .zip(first["startLineType"].as_str().and_then(LineType::named));
    if let (Some((first, _)), Some((last, _))) = (first, line)
        && first > last
    {
        return Err(refused());
    }
    Ok(Anchor {
        path,
        source_path,
        before: before && matches!(line, Some((_, LineType::Context))),
        first: first.filter(|_| line.is_some()),
        line,
        diff_type,
        orphaned: false,
        from_hash: sides.from_hash,
        to_hash: sides.to_hash,
    })
}

/// The product says little more when a line is outside the diff.
fn refused() -> Failure {
    Failure::with(
        400,
        Some("anchor"),
        "The comment's anchor is not part of the diff.",
        Some("ArgumentValidationException"),
    )
}

/// A plain string, or the object the product's document asks for.
fn path(given: &Value) -> Option<String> {
    if let Some(text) = given.as_str() {
        return Some(text.to_owned());
    }
    if let Some(text) = given["toString"].as_str() {
        return Some(text.to_owned());
    }
    let parts: Vec<&str> =
        given["components"].as_array()?.iter().filter_map(Value::as_str).collect();
    Some(parts.join("/"))
}

fn sides(call: &Write<'_>, place: Place, given: &Value) -> Result<(&'static str, Sides), Failure> {
    let found = call.found(place)?;
    let repository = call.store.repository(place.0).ok_or_else(Failure::no_route)?;
    let history = &repository.history;
    let kind = match given["diffType"].as_str().unwrap_or("EFFECTIVE") {
        "EFFECTIVE" => {
            return Sides::between(history, &found.from.commit, &found.to.commit)
                .map(|sides| ("EFFECTIVE", sides))
                .ok_or_else(refused);
        }
        "COMMIT" => "COMMIT",
        "RANGE" => "RANGE",
        _ => return Err(Failure::bad_parameter("anchor.diffType", "Not a diff type.")),
    };
    let (Some(from), Some(to)) = (given["fromHash"].as_str(), given["toHash"].as_str()) else {
        return Err(Failure::bad_parameter(
            "anchor",
            "fromHash and toHash must be supplied for this diff type.",
        ));
    };
    let commit =
        |id: &str| history.commit(id).ok_or_else(|| Failure::no_commit(id, &repository.slug));
    let (from, to) = (commit(from)?, commit(to)?);
    let sides = Sides {
        from_hash: from.id.clone(),
        before: Arc::clone(&from.tree),
        to_hash: to.id.clone(),
        after: Arc::clone(&to.tree),
    };
    Ok((kind, sides))
}
