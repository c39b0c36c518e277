"""The official Python client calls every tool of the real binary, in both eras of the protocol.

usage: every_tool.py PATH_TO_BB
"""

import asyncio
import sys

import jsonschema
import mcp.types
from mcp import Client, StdioServerParameters

# What the demo lets the server in with; nobody may be told.
TOKEN = "demo-token"
LEDGER = {"project": "PAY", "repo": "ledger"}


def calls(commit):
    """A call of every tool, by name."""
    return {
        "get_build_status": {"commit": commit},
        "get_pr_diff": {**LEDGER, "id": 1},
        "get_pull_request": {**LEDGER, "id": 1},
        "list_branches": LEDGER,
        "list_commits": {**LEDGER, "until": "main", "limit": 5},
        "list_pull_requests": {"state": "all"},
        "list_tags": LEDGER,
        "search_repositories": {"name": "led"},
        # This client draws no views, so it is told that nothing was shown.
        "show": {"kind": "pull_request", **LEDGER, "id": 1},
    }


async def check(command, mode, expected_version):
    """Calls everything in one mode and counts what was checked."""
    server = StdioServerParameters(command=command, args=["ai", "mcp", "serve", "--demo"])
    checked = 0
    async with Client(server, **mode) as client:
        assert client.protocol_version == expected_version, client.protocol_version
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        first = await client.call_tool("get_pull_request", {**LEDGER, "id": 1})
        commit = first.structured_content["pull_request"]["source_commit"]
        table = calls(commit)
        assert table.keys() == tools.keys(), table.keys() ^ tools.keys()
        for name, arguments in table.items():
            jsonschema.validate(arguments, tools[name].input_schema)
            result = await client.call_tool(name, arguments)
            assert TOKEN not in repr(result), name
            assert not result.is_error, (name, result)
            assert isinstance(result.content[0], mcp.types.TextContent) and result.content[0].text, name
            if tools[name].output_schema is None:
                assert result.structured_content is None, name
            else:
                jsonschema.validate(result.structured_content, tools[name].output_schema)
            checked += 1
        wrong = await client.call_tool("list_branches", {"project": "PAY"})
        assert wrong.is_error and "/repo: missing" in wrong.content[0].text, wrong
        try:
            await client.call_tool("no_such_tool", {})
            raise AssertionError("an unknown tool was called")
        except mcp.MCPError as error:
            assert "no_such_tool" in str(error), error
    return checked


async def main():
    command = sys.argv[1]
    modes = [({"mode": "legacy"}, "2025-11-25"), ({}, "2026-07-28")]
    passed = 0
    for mode, version in modes:
        checked = await check(command, mode, version)
        print(f"{version}: {checked} tools answered as they publish")
        passed += checked
    print(f"{passed} passed, 0 failed")


asyncio.run(main())
