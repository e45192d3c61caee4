"""Receives what Gangway pushes (B5), and prints a line for each action:

    WEBHOOK_SECRET=whsec_... python3 receiver.py [PORT [FILE]]

It checks the signature, drops repeats, keeps the order of a booking's actions, and answers once the push
is stored. It needs Python 3.9 and its standard library.
"""
import base64
import hashlib
import hmac
import json
import os
import re
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE = 5 * 60  # seconds; so that nobody can send again later what they have overheard
LONGEST = 16 << 20  # bytes of a body that are read, before anybody knows whose it is


def is_signed(secret, headers, body):
    """Say whether a push carries a signature made with secret.

    There may be several: while a secret is being replaced, one is made with the old and one with the new.
    """
    push, stamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not push or not re.fullmatch("[0-9]{1,12}", stamp) or abs(time.time() - int(stamp)) > TOLERANCE:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    mac = hmac.new(key, f"{push}.{stamp}.".encode("latin-1") + body, hashlib.sha256)
    ours = b"v1," + base64.b64encode(mac.digest())
    signatures = headers.get("webhook-signature", "").encode("latin-1").split(b" ")
    return any(hmac.compare_digest(ours, given) for given in signatures)  # in constant time


class Inbox:
    """A file with every push that was received, a line each: webhook-id, booking, sequence and record, between tabs.

    In your own system it is a table whose key is the webhook-id, written in the transaction that changes
    the booking.
    """

    def __init__(self, name):
        self.lock, self.seen, self.latest = threading.Lock(), set(), {}
        self.file = open(name, "a+b")
        self.file.seek(0)
        whole = 0
        for line in self.file:
            if not line.endswith(b"\n"):
                break  # we were killed while we wrote it: nobody was told that it is stored, so it comes again
            whole += len(line)
            push, booking, sequence, _ = line.decode().split("\t", 3)
            self.note(push, booking, int(sequence))
        self.file.truncate(whole)

    def note(self, push, booking, sequence):
        """Remember a push, and say whether the booking is now as its record says."""
        self.seen.add(push)
        if sequence < self.latest.get(booking, 0):
            return "late"  # a later action is known, so this one goes into the booking's history only
        self.latest[booking] = sequence
        return ""

    def keep(self, push, record, body):
        """Store a push, unless it was received before. When this returns, it is on the disk."""
        booking, sequence = record["id"], record["metadata"]["sequence"]
        with self.lock:
            if push in self.seen:
                return "repeat"
            line = re.sub(rb"[\r\n\t]", b" ", body)  # which only ever stand between the tokens of JSON
            try:
                self.file.write(f"{push}\t{booking}\t{sequence}\t".encode() + line + b"\n")
                self.file.flush()
                os.fsync(self.file.fileno())
            except OSError as error:
                print("what cannot be stored is not answered, and comes again:", error, flush=True)
                os._exit(1)
            return self.note(push, booking, sequence)


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 15

    def do_POST(self):
        length, ours = self.headers.get("content-length", ""), self.path.split("?")[0] == "/api/sync_flights"
        if not ours or not length.isdecimal() or int(length) > LONGEST:
            self.close_connection = True
            return self.answer(413 if ours else 404)
        body = self.rfile.read(int(length))
        if not is_signed(secret, self.headers, body):
            return self.answer(401)
        try:
            record = json.loads(body)
            booking, sequence = record["id"], record["metadata"]["sequence"]
            if not booking or not isinstance(sequence, int) or sequence < 1 or len(record["actions"]) != 1:
                return self.answer(400)
        except (ValueError, KeyError, TypeError, RecursionError):
            return self.answer(400)
        outcome = inbox.keep(self.headers["webhook-id"], record, body)
        print(record.get("locator"), sequence, record.get("state"), outcome, flush=True)
        self.answer(204)

    def answer(self, status):
        """204 once the push is stored. Any other answer makes Gangway push again, for three days."""
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


secret = os.environ["WEBHOOK_SECRET"]
inbox = Inbox(sys.argv[2] if len(sys.argv) > 2 else "pushes.tsv")
server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 8090), Receiver)
print(f"receiving at http://127.0.0.1:{server.server_port}/api/sync_flights", flush=True)
server.serve_forever()
