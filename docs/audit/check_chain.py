"""Recomputes the chains of an audit log: gangway audit --json | python3 check_chain.py"""
import hashlib, json, sys

def sha256(*values):
    text = json.dumps(values, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()

last = {}  # by customer: the number and the hash of the entry before
entries = [e for e in map(json.loads, sys.stdin) if "seq" in e]
for e in sorted(entries, key=lambda e: (e["customer"], e["seq"])):
    seq, hash = last.get(e["customer"], (e["seq"] - 1, "" if e["seq"] == 1 else None))
    people = sha256(e.get("salt"), e["who"], e["from"], e["before"], e["after"])
    erased = "salt" not in e and not e["before"] and e["after"] == {"erased": True} and e["what"] in (
        "document.shown", "traveller.taken_back")  # of somebody who was erased: who showed it is not proven any more
    if e["seq"] != seq + 1 or not erased and e["digest"] != people or hash is not None and e["hash"] != sha256(
            hash, e["seq"], e["at"], e["customer"], e["environment"], e["what"], e["digest"]):
        sys.exit(f"{e['customer']}: entry {e['seq']} does not follow entry {seq}, or was changed")
    last[e["customer"]] = e["seq"], e["hash"]
for customer, (seq, hash) in last.items():
    print(customer or "no customer", "ends with", seq, hash)
