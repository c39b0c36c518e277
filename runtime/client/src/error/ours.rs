//! Failures that are not Bitbucket's words: the network's, and this server's own.

use super::refused::refused;
use super::{BitbucketError, ErrorKind};
use crate::Fault;
use crate::fault::About;

/// Turns whatever progenitor failed with into our error.
pub async fn read_error(error: progenitor_client::Error<()>) -> BitbucketError {
    use progenitor_client::Error;
    match error {
        Error::UnexpectedResponse(response) => {
            if let Some(fault) = response.extensions().get::<Fault>() {
                return stopped(fault.clone());
            }
            let about = response.extensions().get::<About>().copied().unwrap_or_default();
            let (status, headers) = (response.status().as_u16(), response.headers().clone());
            // The body has been read within its cap, so this does not wait.
            let body = response.bytes().await.unwrap_or_default();
            refused(status, &headers, &body, about)
        }
        Error::InvalidResponsePayload(_, error) => BitbucketError {
            // serde's own words quote what it found, which is Bitbucket's data; the log gets them.
            detail: Some(format!("the answer does not decode: {error}")),
            ..BitbucketError::ours(
                ErrorKind::NotBitbucket,
                "Bitbucket's answer is not of the shape its API has",
            )
        },
        Error::InvalidRequest(message) => BitbucketError::ours(ErrorKind::Validation, message),
        Error::CommunicationError(error)
        | Error::ResponseBodyError(error)
        | Error::InvalidUpgrade(error) => {
            let detail = Some(error.without_url().to_string());
            BitbucketError {
                detail,
                ..BitbucketError::ours(ErrorKind::Unavailable, "Bitbucket's answer broke off")
            }
        }
        Error::ErrorResponse(_) | Error::Custom(_) => {
            BitbucketError::ours(ErrorKind::Internal, "this server failed inside")
        }
    }
}

/// The error for a fault of ours or of the network.
pub(crate) fn stopped(fault: Fault) -> BitbucketError {
    let detail = Some(fault.detail());
    let error = match fault {
        Fault::Undeclared(_) | Fault::Misshapen(_) => BitbucketError::ours(
            ErrorKind::Internal,
            "this server stopped a request that its own rules do not allow; nothing was sent",
        ),
        Fault::OutOfScope(_) => BitbucketError::ours(
            ErrorKind::OutsideScope,
            "refused: what was asked for lies outside the scope this server is confined to",
        ),
        Fault::Moved(_) => BitbucketError::ours(
            ErrorKind::OutsideScope,
            "refused: the repository has been moved or renamed; a server confined to a scope reads it under its present name only",
        ),
        Fault::TooLarge(cap) => BitbucketError::ours(
            ErrorKind::Validation,
            format!(
                "the answer is larger than the {} MiB this server reads; ask for less",
                cap >> 20
            ),
        ),
        Fault::Redirected(place) => BitbucketError::ours(
            ErrorKind::NotBitbucket,
            format!("the answer is a redirect to {place} instead of Bitbucket's API"),
        ),
        Fault::Deadline => timed_out(),
        Fault::NotJson { status, what } => BitbucketError {
            status: Some(status),
            ..BitbucketError::ours(
                ErrorKind::NotBitbucket,
                format!("the answer is not from Bitbucket's API: {what}"),
            )
        },
        Fault::Network(network) => BitbucketError::ours(network.failure.kind(), network.message),
        Fault::Unknown(fault) => {
            let why = stopped(*fault);
            BitbucketError {
                kind: ErrorKind::UnknownOutcome,
                ..BitbucketError::ours(
                    ErrorKind::UnknownOutcome,
                    format!("Bitbucket was told to do it, but {}", why.messages.join("; ")),
                )
            }
        }
    };
    BitbucketError { detail, ..error }
}

pub(crate) fn timed_out() -> BitbucketError {
    BitbucketError {
        detail: Some(Fault::Deadline.detail()),
        ..BitbucketError::ours(ErrorKind::Timeout, "Bitbucket took too long to answer")
    }
}

/// The error for a credential that Bitbucket takes for nobody's.
pub(crate) fn unknown_to_bitbucket() -> BitbucketError {
    BitbucketError {
        detail: Some("no X-AUSERNAME in the answer: BITBUCKET_TOKEN is wrong or has ended, or something on the way takes it off".to_owned()),
        ..BitbucketError::ours(
            ErrorKind::Authentication,
            "Bitbucket takes this server for nobody it knows",
        )
    }
}
