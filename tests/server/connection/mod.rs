//! The way to Bitbucket as networks make it: certificates, proxies, gateways, and every fault with
//! the exact words it is told in.

mod doctor;
mod proxies;
mod reports;
mod table;
mod tls;

use crate::harness::{Server, command, runtime};
use bb_demo::proxy::{Proxy, ProxyOptions};
use bb_demo::tls::{Authority, Identity, Tls, Versions};
use bb_demo::{Demo, Options, TOKEN};
use serde_json::json;
use std::any::Any;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What one server is started with, and what has to live as long as it.
pub(crate) struct Setup {
    environment: Vec<(String, String)>,
    flags: Vec<String>,
    keep: Vec<Box<dyn Any>>,
    folder: PathBuf,
}

impl Setup {
    /// A server that would talk to this address.
    pub(crate) fn new(url: &str) -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("connection").join(name);
        std::fs::create_dir_all(&folder).expect("a folder");
        Self { environment: Vec::new(), flags: Vec::new(), keep: Vec::new(), folder }
            .with("BITBUCKET_URL", url)
            .with("BITBUCKET_TOKEN", TOKEN)
    }

    /// A server and a demo.
    pub(crate) fn demo(demo: Demo) -> Self {
        let url = demo.url();
        Self::new(&url).keeping(demo)
    }

    /// As [`Setup::demo`], with the demo prepared.
    pub(crate) fn failing(prepare: impl FnOnce(&Demo)) -> Self {
        let demo = crate::harness::demo();
        prepare(&demo);
        Self::demo(demo)
    }

    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.environment.retain(|(known, _)| known != name);
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.environment.retain(|(known, _)| known != name);
        self
    }

    pub(crate) fn flag(mut self, flag: &str) -> Self {
        self.flags.push(flag.to_owned());
        self
    }

    pub(crate) fn keeping(mut self, kept: impl Any) -> Self {
        self.keep.push(Box::new(kept));
        self
    }

    /// As [`Setup::with`], of a file that holds this.
    pub(crate) fn file(self, name: &str, content: &str) -> Self {
        let path = self.folder.join(format!("{}.pem", name.to_lowercase()));
        std::fs::write(&path, content).expect("a file");
        let path = path.to_str().expect("UTF-8").to_owned();
        self.with(name, &path)
    }

    /// With a client certificate.
    pub(crate) fn showing(self, identity: &Identity) -> Self {
        self.file("BB_CLIENT_CERT", &identity.certificate_pem)
            .file("BB_CLIENT_KEY", &identity.key_pem)
    }

    fn run(&self, verb: &str) -> std::process::Command {
        let mut command = command();
        command.args(["ai", "mcp", verb]).args(&self.flags);
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Starts the server and greets it.
    pub(crate) fn serve(&self) -> Server {
        let mut server = Server::spawn(self.run("serve"));
        server.handshake();
        server
    }

    /// What the model is told by a call, and what the log says of it.
    pub(crate) fn told(&self) -> (String, String) {
        let mut server = self.serve();
        let text = server.failure("list_branches", json!({"project": "PAY", "repo": "ledger"}));
        let (_, rest, log) = server.finish();
        assert_eq!(rest, "", "nothing but answers stands on standard output");
        (text, log)
    }

    /// Calls something that has to succeed.
    pub(crate) fn succeeds(&self) {
        let mut server = self.serve();
        server.data("list_branches", json!({"project": "PAY", "repo": "ledger", "limit": 1}));
    }

    /// What `doctor` says and how it ends.
    pub(crate) fn doctor(&self) -> (Option<i32>, serde_json::Value) {
        let mut command = self.run("doctor");
        command.arg("--json").stdin(Stdio::null());
        let secrets = crate::harness::secrets(&command);
        let output = command.output().expect("the binary runs");
        crate::harness::assert_tells_none(&output.stdout, &secrets);
        crate::harness::assert_tells_none(&output.stderr, &secrets);
        let value = serde_json::from_slice(&output.stdout).expect("JSON");
        (output.status.code(), value)
    }

    /// What is said by a server that does not start.
    pub(crate) fn refused(&self) -> (Option<i32>, String) {
        let mut command = self.run("serve");
        let secrets = crate::harness::secrets(&command);
        let output = command.stdin(Stdio::null()).output().expect("the binary runs");
        assert_eq!(output.stdout, b"");
        crate::harness::assert_tells_none(&output.stderr, &secrets);
        (output.status.code(), String::from_utf8(output.stderr).expect("UTF-8"))
    }
}

impl Drop for Setup {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// A private authority, as a company has one.
pub(crate) fn authority() -> Authority {
    Authority::new("Acme Root CA")
}

/// A demo behind TLS.
pub(crate) fn secured(identity: Identity, client_authority: Option<String>) -> Demo {
    let tls = Tls { identity, client_authority, versions: Versions::All };
    runtime().block_on(Demo::start_secured(Options::default(), tls)).expect("a demo")
}

/// A proxy on this machine.
pub(crate) fn proxy(options: ProxyOptions) -> Proxy {
    runtime().block_on(Proxy::start(options)).expect("a proxy")
}
