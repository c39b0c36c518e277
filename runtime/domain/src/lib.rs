//! Pure functions over Bitbucket's answers: what a review comes to.
//!
//! It makes no request and knows no protocol; of generated code it uses the types alone.

pub mod review;
