"""A tool that writes, added to the copy, and a server in Bitbucket's place that fails it.

No tool of the product writes yet; what the server promises of writes is held on this one.
"""

import json
import os
import signal
import socket
import subprocess
import threading
import time

TOOL = """\
tool: decline_at_once
title: Decline at once
group: pull_requests
summary: Decline a pull request.
read_only: false
destructive: true
idempotent: false
asks: never
asks_reason: It is a test's.
scope: project_repo
arguments:
  - name: project
    type: project_key
    required: true
    doc: Project key.
  - name: repo
    type: repo_slug
    required: true
    doc: Repository slug.
  - name: id
    type: pull_request_id
    required: true
    doc: Number of the pull request.
calls:
  - operation: POST /rest/api/latest/projects/{project}/repos/{repo}/pull-requests/{id}/decline
answer: { title: title }
example: { project: PAY, repo: ledger, id: 1 }
"""

OPERATION = """\
  /rest/api/latest/projects/{project}/repos/{repo}/pull-requests/{id}/decline:
    post:
      operationId: decline_pull_request
      summary: Declines a pull request.
      parameters:
        - { name: project, in: path, required: true, schema: { type: string } }
        - { name: repo, in: path, required: true, schema: { type: string } }
        - { name: id, in: path, required: true, schema: { type: integer, format: int64 } }
      responses:
        "200":
          description: The pull request.
          content: { application/json: { schema: { $ref: "#/components/schemas/PullRequest" } } }
"""

BODY = b'{"id":1,"title":"Declined","toRef":{"repository":{"slug":"ledger","project":{"key":"PAY"}}}}'
DONE = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(BODY), BODY)


def add(copy):
    """Puts the tool and its operation into a copy of the repository."""
    (copy / "spec/tools/decline_at_once.yaml").write_text(TOOL)
    path = copy / "spec/bitbucket/openapi.yaml"
    text = path.read_text()
    before = "  /rest/api/latest/projects/{project}/repos/{repo}/pull-requests/{id}.diff:\n"
    assert before in text
    path.write_text(text.replace(before, OPERATION + before, 1))


class Bitbucket:
    """Reads requests and does with each what it was told to."""

    def __init__(self, act):
        self.act = act
        self.requests = []
        self.arrived = threading.Event()
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.url = "http://127.0.0.1:%d" % self.socket.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            with connection:
                head = b""
                while b"\r\n\r\n" not in head:
                    piece = connection.recv(65536)
                    if not piece:
                        break
                    head += piece
                if head:
                    self.requests.append(head.split(b"\r\n", 1)[0].decode())
                    self.arrived.set()
                    self.act(connection)


class Server:
    """The program, greeted, with the call under way."""

    def __init__(self, program, bitbucket):
        environment = {**os.environ, "BITBUCKET_URL": bitbucket.url, "BITBUCKET_TOKEN": "a-token-of-a-test"}
        self.process = subprocess.Popen(
            [program, "ai", "mcp", "serve"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
        )
        for message in [
            {"jsonrpc": "2.0", "id": 1, "method": "initialize",
             "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "copy", "version": "1"}}},
            {"jsonrpc": "2.0", "method": "notifications/initialized"},
            {"jsonrpc": "2.0", "id": 2, "method": "tools/call",
             "params": {"name": "decline_at_once", "arguments": {"project": "PAY", "repo": "ledger", "id": 1}}},
        ]:
            self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()
        assert bitbucket.arrived.wait(20), "no request came"

    def end(self):
        """The last answer, if there was one, the code and the log."""
        out, errors = self.process.communicate(timeout=20)
        assert "a-token-of-a-test" not in out + errors
        answers = {message["id"]: message for message in map(json.loads, out.splitlines())}
        return answers.get(2, {}).get("result"), self.process.returncode, errors


def later(seconds):
    def act(connection):
        time.sleep(seconds)
        try:
            connection.sendall(DONE)
        except OSError:
            pass

    return act


def check(program):
    """A write whose answer is lost is of unknown outcome, is not repeated, and is waited for at the end."""
    bitbucket = Bitbucket(lambda connection: None)
    result, code, _ = Server(program, bitbucket).end()
    text = result["content"][0]["text"]
    assert result["isError"] and code == 0, result
    assert text.startswith("Bitbucket was told to do it, but ") and "it may have been done" in text, text
    assert len(bitbucket.requests) == 1 and bitbucket.requests[0].startswith("POST "), bitbucket.requests

    # Told to end while Bitbucket does it: the answer comes and is passed on.
    for end in [signal.SIGTERM, signal.SIGINT, None]:
        bitbucket = Bitbucket(later(0.3))
        server = Server(program, bitbucket)
        if end is not None:
            server.process.send_signal(end)
        result, code, errors = server.end()
        assert result and not result["isError"] and code == 0, (end, result, code, errors)

    # Bitbucket does not answer in time: the end comes, and the log says what is not known.
    bitbucket = Bitbucket(later(5))
    server = Server(program, bitbucket)
    server.process.send_signal(signal.SIGTERM)
    result, code, errors = server.end()
    assert result is None and code == 0, (result, code)
    assert "while Bitbucket was changing something" in errors, errors
    read_only(program)


def read_only(program):
    """A server that only reads neither lists the tool nor knows it, and sends nothing."""
    bitbucket = Bitbucket(lambda connection: None)
    environment = {**os.environ, "BITBUCKET_URL": bitbucket.url, "BITBUCKET_TOKEN": "a-token-of-a-test"}
    messages = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize",
         "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "copy", "version": "1"}}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
        {"jsonrpc": "2.0", "id": 3, "method": "tools/call",
         "params": {"name": "decline_at_once", "arguments": {"project": "PAY", "repo": "ledger", "id": 1}}},
    ]
    lines = "".join(json.dumps(message) + "\n" for message in messages)
    ended = subprocess.run(
        [program, "ai", "mcp", "serve", "--read-only"],
        input=lines, capture_output=True, text=True, env=environment, timeout=20, check=True,
    )
    answers = {message["id"]: message for message in map(json.loads, ended.stdout.splitlines())}
    names = [tool["name"] for tool in answers[2]["result"]["tools"]]
    assert names and "decline_at_once" not in names, names
    assert answers[3]["error"]["code"] == -32602 and not bitbucket.requests, answers[3]
