"""Prints what independent readers find in a file, as JSON.

read.py workbook FILE   openpyxl: each sheet's cells with their types and formats, and what is around them
read.py csv FILE        Python's own csv: the lines
"""

import csv
import datetime
import json
import sys

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


print(json.dumps({"workbook": workbook, "csv": lines}[sys.argv[1]](sys.argv[2])))
