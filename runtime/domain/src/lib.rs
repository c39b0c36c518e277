//! Pure functions over Bitbucket's answers: what a review and a set of builds come to.
//!
//! It makes no request and knows no protocol; of generated code it uses the types alone.

pub mod builds;
pub mod review;
