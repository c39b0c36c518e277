//! Every fault.
