//! What a person sees: the page that draws every view, and the payloads it draws.
//!
//! It makes no request, sees no credential, and of generated code uses the types alone.

pub mod avatar;
pub mod kinds;
pub mod page;
pub mod preview;
