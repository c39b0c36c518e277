"""Walks the demo with atlassian-python-api: the address, then the token."""

import sys

from atlassian import Bitbucket

url, token = sys.argv[1:]
client = Bitbucket(url=url, token=token, cloud=False)

assert [project["key"] for project in client.project_list()] == ["PAY", "OPS"]
assert len(list(client.get_branches("PAY", "ledger", limit=30, details=False))) > 60
assert len(list(client.get_pull_requests("PAY", "ledger", state="ALL"))) == 7
assert len(list(client.get_pull_requests_changes("PAY", "ledger", 1))) == 5

activities = list(client.get_pull_requests_activities("PAY", "ledger", 1))
comment = client.add_pull_request_comment("PAY", "ledger", 1, "from Python")
newest = next(iter(client.get_pull_requests_activities("PAY", "ledger", 1)))
assert newest["comment"]["id"] == comment["id"], newest
assert len(list(client.get_pull_requests_activities("PAY", "ledger", 1))) == len(activities) + 1

held = client.change_reviewed_status("PAY", "ledger", 1, "APPROVED", "amara.okafor")
assert held["approved"], held

found = client.get_pull_request("PAY", "statements", 2)
assert client.is_pull_request_can_be_merged("PAY", "statements", 2)["canMerge"]
merged = client.merge_pull_request(
    "PAY", "statements", 2, merge_message="from Python", pr_version=found["version"]
)
assert merged["state"] == "MERGED", merged

found = client.get_pull_request("PAY", "statements", 3)
declined = client.decline_pull_request("PAY", "statements", 3, found["version"])
assert declined["state"] == "DECLINED", declined
reopened = client.reopen_pull_request("PAY", "statements", 3, declined["version"])
assert reopened["state"] == "OPEN", reopened

client.create_branch("PAY", "statements", "python/branch", "main")
client.delete_branch("PAY", "statements", "python/branch")
client.set_tag("PAY", "statements", "python-tag", "main", "made by a test")
client.delete_tag("PAY", "statements", "python-tag")
assert client.get_content_of_file("PAY", "statements", "README.md").startswith(b"# statements")
