"""Prints what independent readers find in a file, as JSON.

read.py workbook FILE   openpyxl: each sheet's cells with their types and formats, and what is around them
read.py csv FILE        Python's own csv: the lines
read.py query FILE      openpyxl and Python's own zip, XML and struct: how a workbook reads rows by itself, as
                        [MS-QDEFF] says; whatever a part refers to has to be there
"""

import base64
import csv
import io
import json
import posixpath
import struct
import sys
import xml.etree.ElementTree as xml
import zipfile

import openpyxl
from openpyxl.utils.escape import unescape


def cell(c):
    kind, value = {"n": "number", "s": "text", "inlineStr": "text", "b": "flag", "d": "date"}[c.data_type], c.value
    if value is None:
        return None
    if kind == "date":
        value = value.isoformat(timespec="milliseconds")
    elif kind == "number":
        value = repr(value)
    elif kind == "text":
        value = unescape(value)  # openpyxl leaves that to its caller for texts within cells
    return {"is": kind, "value": value, "format": c.number_format}


def workbook(path):
    book = openpyxl.load_workbook(path)
    sheets = []
    for s in book.worksheets:
        rows = [[cell(c) for c in row] for row in s.iter_rows()]
        prompts = {str(v.sqref): [v.promptTitle, v.prompt] for v in s.data_validations.dataValidation}
        sheets.append({"name": s.title, "rows": rows, "frozen": s.freeze_panes, "filter": s.auto_filter.ref,
                       "widths": {k: d.width for k, d in s.column_dimensions.items()}, "prompts": prompts,
                       "titles": s.print_title_rows})
    return {"title": book.properties.title, "made": book.properties.created.isoformat(), "sheets": sheets}


def lines(path):
    with open(path, newline="", encoding="utf-8-sig") as f:
        return list(csv.reader(f, strict=True))


MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def lengths(stream):
    """The fields of a stream that are each preceded by their length."""
    fields = []
    while stream:
        (n,) = struct.unpack_from("<I", stream)
        assert len(stream) >= 4 + n, "a field ends behind the stream"
        fields.append(stream[4:4 + n])
        stream = stream[4 + n:]
    return fields


def versioned(stream):
    assert struct.unpack_from("<I", stream) == (0,), "the version is not 0"
    return lengths(stream[4:])


def query(path):
    z = zipfile.ZipFile(path)
    assert z.testzip() is None
    names = set(z.namelist())
    listed = {t.get("PartName").lstrip("/") for t in xml.fromstring(z.read("[Content_Types].xml"))
              if t.get("PartName")}
    assert listed <= names, listed - names
    targets = {}
    for name in names:
        if name.endswith(".rels"):
            folder = posixpath.dirname(posixpath.dirname(name))
            for r in xml.fromstring(z.read(name)):
                target = posixpath.normpath(posixpath.join("/" + folder, r.get("Target"))).lstrip("/")
                assert target in names, (name, target)
                targets.setdefault(r.get("Type").rsplit("/", 1)[1], []).append(target)
    connection = xml.fromstring(z.read(targets["connections"][0]))[0]
    fields = xml.fromstring(z.read(targets["queryTable"][0]))
    table = openpyxl.load_workbook(path).worksheets[0].tables
    shown, = table.values()
    mashup = xml.fromstring(z.read(targets["customXml"][0]).decode("utf-16"))
    assert mashup.tag == "{http://schemas.microsoft.com/DataMashup}DataMashup", mashup.tag
    package, permissions, metadata, bindings = versioned(base64.b64decode(mashup.text, validate=True))
    described, content = versioned(metadata)
    inner = zipfile.ZipFile(io.BytesIO(package))
    assert inner.testzip() is None and zipfile.ZipFile(io.BytesIO(content)).namelist() == []
    described = xml.fromstring(described.decode("utf-8-sig"))
    for other in [permissions] + [inner.read(n) for n in inner.namelist() if n.endswith(".xml")]:
        xml.fromstring(other.decode("utf-8-sig"))
    entries = {}
    for item in described.find("Items"):
        place = item.find("ItemLocation").findtext("ItemPath")
        entries[place] = {e.get("Type"): e.get("Value") for e in item.find("StableEntries")}
    return {
        "table": {"name": shown.displayName, "kind": shown.tableType, "ref": shown.ref,
                  "columns": [c.name for c in shown.tableColumns]},
        "fields": {"connection": fields.get("connectionId"),
                   "names": [f.get("name") for f in fields.iter(MAIN + "queryTableField")]},
        "connection": {**connection.attrib, **connection[0].attrib},
        "files": inner.namelist(), "program": inner.read("Formulas/Section1.m").decode(), "entries": entries,
        "bindings": len(bindings),
    }


print(json.dumps({"query": query, "workbook": workbook, "csv": lines}[sys.argv[1]](sys.argv[2])))
