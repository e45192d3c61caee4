"""Uploads with zeep, a real SOAP client library, and prints what came back as JSON.

    client.py WSDL PORT < CALLS

CALLS is a JSON array of {"key": …, "operation": …, "records": [in the shape of the WSDL's types]}.
"""
import json
import sys

import requests
import zeep
from zeep.helpers import serialize_object

ELEMENTS = {"UploadTravellers": "traveller", "UploadTravelRequests": "travel_request", "UploadCrewChanges": "crew_change"}


def problem(detail):
    """The detail of a fault: texts by their names, and lists of what has parts."""
    members = {}
    for child in detail:
        name = child.tag.split("}")[1]
        if len(child):
            members.setdefault(name, []).append([part.text for part in child])
        else:
            members[name] = child.text
    return members


def call(client, session, key, operation, records):
    session.headers["X-Api-Key"] = key
    try:
        answer = client.service[operation](**{ELEMENTS[operation]: records})
        return {"answer": serialize_object(answer, dict)}
    except zeep.exceptions.Fault as fault:
        return {"code": fault.code, "message": fault.message, "problem": problem(fault.detail[0])}


session = requests.Session()
client = zeep.Client(sys.argv[1], port_name=sys.argv[2], transport=zeep.Transport(session=session))
json.dump([call(client, session, **one) for one in json.load(sys.stdin)], sys.stdout)
