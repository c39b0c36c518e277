//! Configuration files, the environment and flags, and the system's policy, over the real binary.

mod documented;
mod faults;
mod hosts;
mod policy;
mod precedence;
mod secrets;

use crate::harness::{Server, command};
use bb_demo::Demo;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A machine with files of its own and an environment.
pub(super) struct Machine {
    pub(super) folder: PathBuf,
    variables: Vec<(String, String)>,
}

impl Machine {
    pub(super) fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("machine-{}-{count}", std::process::id()));
        std::fs::create_dir_all(folder.join("home/.config/bb")).expect("folders");
        Self { folder, variables: Vec::new() }
    }

    /// A machine whose environment names a demo and its token.
    pub(super) fn at(demo: &Demo) -> Self {
        let mut machine = Self::new();
        machine.set("BITBUCKET_URL", demo.url());
        machine.set("BITBUCKET_TOKEN", bb_demo::TOKEN);
        machine
    }

    pub(super) fn set(&mut self, name: &str, value: impl Into<String>) {
        self.variables.push((name.to_owned(), value.into()));
    }

    /// Writes a file below the machine's folder.
    pub(super) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.folder.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(&path, bytes).expect("written");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600))
                .expect("a mode");
        }
        path
    }

    /// Writes the user's file, where it is looked for.
    pub(super) fn user(&self, text: impl AsRef<[u8]>) -> PathBuf {
        self.write("home/.config/bb/config.yaml", text)
    }

    pub(super) fn system(&self, text: impl AsRef<[u8]>) -> PathBuf {
        self.write("system.yaml", text)
    }

    pub(super) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = command();
        let home = self.folder.join("home");
        // APPDATA is where Windows looks, and XDG_CONFIG_HOME is left out.
        command.env("HOME", &home).env("USERPROFILE", &home).env_remove("XDG_CONFIG_HOME");
        command.env("APPDATA", home.join(".config"));
        command.env("BB_TEST_SYSTEM_CONFIG", self.folder.join("system.yaml"));
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.args(arguments);
        command
    }

    /// Runs to the end, without input: a server that could start ends with 0.
    pub(super) fn run(&self, arguments: &[&str]) -> (Option<i32>, String, String) {
        let mut command = self.command(arguments);
        let secrets = crate::harness::secrets(&command);
        let output = command.stdin(Stdio::null()).output().expect("the binary runs");
        for said in [&output.stdout, &output.stderr] {
            crate::harness::assert_tells_none(said, &secrets);
        }
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        (output.status.code(), text(output.stdout), text(output.stderr))
    }

    /// Starts `serve` without input; its exit code and what it said.
    pub(super) fn start(&self, flags: &[&str]) -> (Option<i32>, String) {
        let arguments: Vec<&str> = ["ai", "mcp", "serve"].iter().chain(flags).copied().collect();
        let (code, out, errors) = self.run(&arguments);
        assert_eq!(out, "", "standard output is the protocol's");
        (code, errors)
    }

    /// A server that can be talked to.
    pub(super) fn serve(&self, flags: &[&str]) -> Server {
        let arguments: Vec<&str> = ["ai", "mcp", "serve"].iter().chain(flags).copied().collect();
        let mut server = Server::spawn(self.command(&arguments));
        server.handshake();
        server
    }

    /// Starts a server and has it read something.
    pub(super) fn reads(&self, flags: &[&str]) {
        let mut server = self.serve(flags);
        server.data("list_branches", json!({"project": "PAY", "repo": "ledger"}));
    }

    /// Starts a server and has it fail to read something.
    pub(super) fn fails(&self, flags: &[&str]) -> String {
        let mut server = self.serve(flags);
        server.failure("list_branches", json!({"project": "PAY", "repo": "ledger"}))
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// The value of a header of the last request a demo got.
pub(super) fn header(demo: &Demo, name: &str) -> Option<String> {
    let request = demo.requests().pop().expect("a request");
    request.headers.into_iter().find(|(key, _)| key == name).map(|(_, value)| value)
}
