//! Faults that people have reported of other servers, by the numbers under which we keep them.
//! Reports 3 and 4 are about writes and are held in `runtime/client/tests/sending.rs`; 33 and 34 in
//! part by `tls.rs` and `proxies.rs` beside this file.
