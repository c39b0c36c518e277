//! Files and folders that cannot be read are faults of the spec like any other.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod fixture;

use bb_codegen::load;
use std::fs;
use std::path::Path;

fn places(folder: &Path) -> Vec<(String, &'static str)> {
    let faults = load(folder).err().unwrap_or_default();
    faults.iter().map(|fault| (fault.path().to_owned(), fault.slug)).collect()
}

#[test]
fn a_spec_folder_that_is_not_there_is_a_fault_of_each_file() {
    let folder = fixture::scratch("nowhere").join("nothing");
    let expected = ["bitbucket/openapi.yaml", "server.yaml", "tools", "types.yaml"];
    let expected: Vec<_> =
        expected.iter().map(|path| (format!("spec/{path}"), "file-unreadable")).collect();
    assert_eq!(places(&folder), expected);
}

#[test]
fn an_empty_spec_folder_is_a_fault_of_each_file() {
    assert_eq!(places(&fixture::scratch("empty")).len(), 4);
}

#[test]
fn a_tools_folder_without_a_tool_is_a_fault() {
    let folder = fixture::base("no-tools");
    fs::remove_dir_all(folder.join("tools")).unwrap();
    fs::create_dir(folder.join("tools")).unwrap();
    assert_eq!(places(&folder), [("spec/tools".to_owned(), "file-unreadable")]);
}

#[test]
fn each_missing_file_is_a_fault_in_its_place() {
    for name in ["server.yaml", "types.yaml", "bitbucket/openapi.yaml"] {
        let folder = fixture::base("one-missing");
        fs::remove_file(folder.join(name)).unwrap();
        let path = format!("spec/{name}");
        assert!(places(&folder).contains(&(path, "file-unreadable")), "{name}");
    }
}

#[test]
fn a_folder_where_a_file_is_expected_and_the_reverse_are_faults() {
    let folder = fixture::base("swapped");
    fs::remove_file(folder.join("server.yaml")).unwrap();
    fs::create_dir(folder.join("server.yaml")).unwrap();
    fs::create_dir(folder.join("tools/list_tags.yaml")).unwrap();
    let expected = ["spec/server.yaml", "spec/tools/list_tags.yaml"];
    let expected: Vec<_> =
        expected.iter().map(|path| ((*path).to_owned(), "file-unreadable")).collect();
    assert_eq!(places(&folder), expected);
    fs::remove_dir_all(folder.join("tools")).unwrap();
    fs::write(folder.join("tools"), "").unwrap();
    assert!(places(&folder).contains(&("spec/tools".to_owned(), "file-unreadable")));
}

#[test]
fn bytes_that_are_not_utf8_are_a_fault() {
    let folder = fixture::base("bytes");
    fs::write(folder.join("types.yaml"), b"\xff\xfe").unwrap();
    assert!(places(&folder).contains(&("spec/types.yaml".to_owned(), "file-unreadable")));
}

#[cfg(unix)]
#[test]
fn what_may_not_be_read_is_a_fault() {
    use std::os::unix::fs::PermissionsExt;
    let folder = fixture::base("locked");
    let lock = |path: &Path, mode: u32| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    let (file, tools) = (folder.join("types.yaml"), folder.join("tools"));
    lock(&file, 0o000);
    lock(&tools, 0o000);
    // Root reads everything, so there is nothing to see.
    let all_powerful = fs::read(&file).is_ok();
    let found = places(&folder);
    lock(&file, 0o644);
    lock(&tools, 0o755);
    if !all_powerful {
        assert!(found.contains(&("spec/tools".to_owned(), "file-unreadable")), "{found:?}");
        assert!(found.contains(&("spec/types.yaml".to_owned(), "file-unreadable")), "{found:?}");
    }
}

#[test]
fn what_editors_leave_behind_is_not_read() {
    let folder = fixture::base("editors");
    for name in [".list_tags.yaml.swp", "list_branches.yaml~", ".DS_Store"] {
        fs::write(folder.join("tools").join(name), "").unwrap();
    }
    assert_eq!(places(&folder), []);
}
