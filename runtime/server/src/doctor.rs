//! `bb ai mcp doctor`: the way to Bitbucket, step by step, for who has to mend it.

use crate::cli::{DoctorArguments, Failure};
use crate::configuration::{Configuration, Line};
use crate::environment::Environment;
use crate::{clock, log, output, serve, settings};
use bb_client::{Connection, Ended, Step, given_up, probe};
use bb_contract::Scope;
use serde_json::{Value, json};
use std::time::Duration;

/// What was found out.
#[derive(Debug, Default)]
struct Findings {
    settings: Vec<Line>,
    steps: Vec<Step>,
    /// How the program has to end, where the steps do not say it.
    code: Option<u8>,
}

/// Looks, prints what was found, and ends with a code that says it.
pub(crate) fn run(arguments: &DoctorArguments) -> Result<(), Failure> {
    let findings = look(arguments)?;
    let text = if arguments.json { as_json(&findings) } else { as_text(&findings) };
    output::write(&text)?;
    let failed = findings.steps.iter().filter(|step| step.ended == Ended::Failed);
    let names: Vec<&str> = failed.clone().map(|step| step.name).collect();
    if names.is_empty() {
        return Ok(());
    }
    let code = findings
        .code
        .unwrap_or_else(|| if failed.clone().any(|step| step.is_authentication) { 3 } else { 1 });
    Err(Failure { message: format!("failed: {}", names.join(", ")), code })
}

fn look(arguments: &DoctorArguments) -> Result<Findings, Failure> {
    // It takes what `serve` takes, so that one word is changed to try its settings.
    let flags = &arguments.server.connection;
    let mut findings = Findings::default();
    let settled = settings::scope(flags.project.as_deref(), flags.repo.as_deref())
        .and_then(|scope| Ok((scope, Configuration::read(flags, &Environment::read(), false)?)));
    let (scope, configuration) = match settled {
        Ok(settled) => settled,
        Err(failure) => return Ok(findings.stopped("configuration", failure)),
    };
    log::start(configuration.log_level.value);
    findings.settings = configuration.report();
    let served = configuration.policy.may_serve();
    let target = configuration.target.map(|target| target.settings);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::internal(format!("no runtime: {error}")))?;
    let (connection, _demo) = match runtime.block_on(serve::connection(target)) {
        Ok(connected) => connected,
        Err(failure) => return Ok(findings.stopped("configuration", failure)),
    };
    let found = format!("{} settings", findings.settings.len());
    findings.steps.push(step("configuration", Ended::Passed, found));
    for warning in configuration.warnings {
        findings.steps.push(step("configuration", Ended::Doubtful, warning));
    }
    if let Err(failure) = served {
        findings = findings.stopped("policy", failure);
    }
    let patience = configuration.request_timeout.value;
    runtime.block_on(way(&connection, scope.as_ref(), patience, &mut findings.steps));
    // A name that is still being looked up must not hold the process.
    runtime.shutdown_background();
    let redaction = connection.redaction();
    for step in &mut findings.steps {
        step.found = one_line(&redaction.text(&step.found));
        step.remedy = step.remedy.take().map(|remedy| one_line(&redaction.text(&remedy)));
    }
    Ok(findings)
}

/// What others have said may not look like a step.
fn one_line(text: &str) -> String {
    text.replace(['\n', '\r', '\t'], " ")
}

async fn way(
    connection: &Connection,
    scope: Option<&Scope>,
    patience: Duration,
    steps: &mut Vec<Step>,
) {
    let scope = scope.map(|scope| (scope.project(), scope.repo()));
    let looking = probe(connection, scope, clock::system(), steps);
    if tokio::time::timeout(patience, looking).await.is_err() {
        given_up(steps, patience);
    }
}

impl Findings {
    /// With a step that failed, whose code is the program's.
    fn stopped(mut self, name: &'static str, failure: Failure) -> Self {
        self.code = Some(failure.code);
        self.steps.push(step(name, Ended::Failed, failure.message));
        self
    }
}

fn step(name: &'static str, ended: Ended, found: impl Into<String>) -> Step {
    Step { name, ended, found: found.into(), remedy: None, is_authentication: false }
}

fn as_text(findings: &Findings) -> String {
    let mut text = String::new();
    let widest = |names: &mut dyn Iterator<Item = &str>| names.map(str::len).max().unwrap_or(0);
    let settings = &findings.settings;
    let name = widest(&mut settings.iter().map(|line| line.setting.as_str()));
    let value = widest(&mut settings.iter().map(|line| line.shown.as_str())).min(60);
    for line in settings {
        let Line { setting, shown, source } = line;
        text.push_str(&format!("  {setting:name$}  {shown:value$}  from {source}\n"));
    }
    if !settings.is_empty() {
        text.push('\n');
    }
    let name = widest(&mut findings.steps.iter().map(|step| step.name));
    for step in &findings.steps {
        let mark = match step.ended {
            Ended::Passed => "✓",
            Ended::Doubtful => "!",
            Ended::Failed => "✗",
            Ended::Skipped => "–",
        };
        text.push_str(&format!("{mark} {:name$}  {}\n", step.name, step.found));
        if let Some(remedy) = &step.remedy {
            text.push_str(&format!("  {:name$}  → {remedy}\n", ""));
        }
    }
    text
}

fn as_json(findings: &Findings) -> String {
    let steps: Vec<Value> = findings
        .steps
        .iter()
        .map(|step| {
            let ended = match step.ended {
                Ended::Passed => "passed",
                Ended::Doubtful => "doubtful",
                Ended::Failed => "failed",
                Ended::Skipped => "skipped",
            };
            json!({"step": step.name, "ended": ended, "found": step.found, "remedy": step.remedy})
        })
        .collect();
    let settings: Vec<Value> = findings
        .settings
        .iter()
        .map(|line| json!({"setting": line.setting, "value": line.shown, "source": line.source}))
        .collect();
    let ok = findings.steps.iter().all(|step| step.ended != Ended::Failed);
    format!("{:#}\n", json!({"ok": ok, "settings": settings, "steps": steps}))
}
