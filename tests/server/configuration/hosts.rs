//! Named hosts: which one is meant, what is configured for it, and whose credential it is.

use super::{Machine, header};
use crate::harness::demo;

fn good(machine: &Machine) {
    machine.write("home/.config/bb/token", format!("{}\n", bb_demo::TOKEN));
}

#[test]
fn the_only_host_is_used_with_all_that_is_configured_for_it() {
    let demo = demo();
    let mut machine = Machine::new();
    good(&machine);
    machine.set("GATEWAY", "from a variable");
    machine.write("home/gateway", "from a file\n");
    machine.user(format!(
        "hosts:\n  work:\n    url: {}\n    token_file: ~/.config/bb/token\n    headers:\n      \
         X-A: as it stands\n      X-B: {{ env: GATEWAY }}\n      X-C: {{ file: ../../gateway }}\n",
        demo.url()
    ));
    machine.reads(&[]);
    assert_eq!(header(&demo, "x-a").as_deref(), Some("as it stands"));
    assert_eq!(header(&demo, "x-b").as_deref(), Some("from a variable"));
    assert_eq!(header(&demo, "x-c").as_deref(), Some("from a file"));
    assert_eq!(header(&demo, "authorization").as_deref(), Some("(Bearer)"));
}

#[test]
fn a_credential_that_names_no_server_is_not_sent_to_one_of_several() {
    let (home, work) = (demo(), demo());
    let mut machine = Machine::new();
    good(&machine);
    machine.set("BITBUCKET_TOKEN", bb_demo::TOKEN);
    let both = format!(
        "hosts:\n  home: {{ url: {}, token_file: token }}\n  work: {{ url: {} }}\n",
        home.url(),
        work.url()
    );
    machine.user(&both);
    for host in ["home", "work"] {
        let (code, errors) = machine.start(&["--host", host]);
        assert_eq!(code, Some(2), "{errors}");
        assert!(errors.contains("does not say which of the 2 configured hosts it is for"));
    }
    machine.set("BITBUCKET_URL", work.url());
    machine.reads(&[]);
    assert_eq!(home.requests(), []);
}

#[test]
fn the_address_of_a_page_means_its_configured_host_and_is_told() {
    let demo = demo();
    let machine = Machine::new();
    good(&machine);
    machine.user(format!(
        "hosts:\n  work: {{ url: {}, token_file: token, headers: {{ X-A: work }} }}\n",
        demo.url()
    ));
    let page = format!("{}/projects/PAY/repos/ledger?x=1", demo.url());
    machine.reads(&["--host", &page]);
    assert_eq!(header(&demo, "x-a").as_deref(), Some("work"));
    let (code, errors) = machine.start(&["--host", &page]);
    assert_eq!(code, Some(0));
    assert!(errors.contains("without the page that was named behind it"), "{errors}");
}

#[test]
fn a_host_is_chosen_by_its_name_or_its_url_and_never_silently() {
    let (home, work) = (demo(), demo());
    let machine = Machine::new();
    good(&machine);
    machine.user(format!(
        "hosts:\n  home: {{ url: {}, token_file: token, headers: {{ X-A: home }} }}\n  \
         work: {{ url: {}, token_file: token, headers: {{ X-A: work }} }}\n",
        home.url(),
        work.url()
    ));
    let (code, errors) = machine.start(&[]);
    assert_eq!(code, Some(2), "{errors}");
    assert!(errors.contains("several hosts are configured (home, work) and none is chosen"));
    machine.reads(&["--host", "work"]);
    assert_eq!(header(&work, "x-a").as_deref(), Some("work"));
    machine.reads(&["--host", &format!("{}/", home.url())]);
    assert_eq!(header(&home, "x-a").as_deref(), Some("home"));
    let (code, errors) = machine.start(&["--host", "wrok"]);
    assert_eq!(code, Some(2), "{errors}");
    assert!(
        errors.contains(
            "no configured host is called `wrok`; is `work` meant? configured are home, work"
        ),
        "{errors}"
    );
    let mut machine = machine;
    machine.set("BITBUCKET_URL", home.url());
    home.clear_requests();
    machine.reads(&[]);
    assert_eq!(header(&home, "x-a").as_deref(), Some("home"));
    assert_eq!(work.requests().len(), 1, "only what --host asked for");
}

#[test]
fn two_hosts_of_one_url_have_to_be_told_apart_by_name() {
    let demo = demo();
    let machine = Machine::new();
    good(&machine);
    machine.user(format!(
        "hosts:\n  a: {{ url: {url}, token_file: token }}\n  b: {{ url: {url}/, token_file: token }}\n",
        url = demo.url()
    ));
    let (code, errors) = machine.start(&["--host", &demo.url()]);
    assert_eq!(code, Some(2), "{errors}");
    assert!(errors.contains("--host means several configured hosts (a, b)"), "{errors}");
    machine.reads(&["--host", "b"]);
}

#[test]
fn a_hosts_credential_is_for_its_own_url() {
    let (known, other) = (demo(), demo());
    let machine = Machine::new();
    good(&machine);
    machine.user(format!("hosts: {{ known: {{ url: {}, token_file: token }} }}\n", known.url()));
    let (code, errors) = machine.start(&["--host", &other.url()]);
    assert_eq!(code, Some(2), "{errors}");
    assert!(errors.contains(&format!("no token is set for {}", other.url())), "{errors}");
    assert!(other.requests().is_empty());
}

#[test]
fn what_the_environment_gives_for_one_server_is_not_sent_to_another() {
    let (given, other) = (demo(), demo());
    let ways: [&[(&str, &str)]; 3] = [
        &[("BITBUCKET_TOKEN", bb_demo::TOKEN)],
        &[("BITBUCKET_TOKEN_FILE", "~/token")],
        &[("BITBUCKET_USERNAME", "ada"), ("BITBUCKET_PASSWORD", "hunter")],
    ];
    for way in ways {
        let mut machine = Machine::new();
        machine.write("home/token", bb_demo::TOKEN);
        machine.user(format!("hosts: {{ other: {{ url: {} }} }}\n", other.url()));
        machine.set("BITBUCKET_URL", given.url());
        for (name, value) in way {
            machine.set(name, *value);
        }
        for host in ["other", &other.url()] {
            let (code, errors) = machine.start(&["--host", host]);
            assert_eq!(code, Some(2), "{errors}");
            let (name, _) = way.last().expect("a variable");
            let expected = format!("{name} is given for {} (BITBUCKET_URL)", given.url());
            assert!(errors.contains(&expected), "{errors}");
            assert!(errors.contains(&format!("sent to {}", other.url())), "{errors}");
        }
        // The same server by another path is no other.
        let (code, errors) = machine.start(&["--host", &format!("{}/stash", given.url())]);
        assert_eq!(code, Some(0), "{errors}");
    }
    assert!(given.requests().is_empty() && other.requests().is_empty());
}

#[test]
fn both_files_speak_of_one_host() {
    let demo = demo();
    let machine = Machine::new();
    good(&machine);
    machine.system(format!(
        "hosts: {{ work: {{ url: {}, headers: {{ X-A: system, X-B: system }} }} }}\n",
        demo.url()
    ));
    machine.user("hosts: { work: { token_file: token, headers: { x-a: user } } }\n");
    machine.reads(&[]);
    assert_eq!(header(&demo, "x-a").as_deref(), Some("user"));
    assert_eq!(header(&demo, "x-b").as_deref(), Some("system"));
}

#[test]
fn another_file_is_named_by_a_variable_and_has_to_be_there() {
    let demo = demo();
    let mut machine = Machine::new();
    let token = machine.write("token", bb_demo::TOKEN);
    let file = machine.write(
        "mine.yaml",
        format!("hosts: {{ work: {{ url: {}, token_file: token }} }}\n", demo.url()),
    );
    assert!(token.is_file());
    machine.user("this: is not looked at\n");
    machine.set("BB_CONFIG", file.display().to_string());
    machine.reads(&[]);
    std::fs::remove_file(&file).expect("removed");
    let (code, errors) = machine.start(&["--demo"]);
    assert_eq!(code, Some(2), "{errors}");
    assert!(errors.contains("there is no such file, which BB_CONFIG names"), "{errors}");
}

#[test]
#[cfg(not(windows))]
fn the_folder_of_configurations_may_be_another() {
    let demo = demo();
    let mut machine = Machine::new();
    machine.write("xdg/bb/token", bb_demo::TOKEN);
    machine.write(
        "xdg/bb/config.yaml",
        format!("hosts: {{ work: {{ url: {}, token_file: token }} }}\n", demo.url()),
    );
    machine.set("XDG_CONFIG_HOME", machine.folder.join("xdg").display().to_string());
    machine.reads(&[]);
    // One that is relative does not count, by the specification it comes from.
    machine.set("XDG_CONFIG_HOME", "xdg");
    assert_eq!(machine.start(&[]).0, Some(2));
}
