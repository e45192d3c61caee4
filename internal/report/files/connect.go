package files

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"gangway/internal/report"
)

// PowerBI writes a Power BI data source file (.pbids), which has Power BI Desktop ask for a login and then
// show the sets of an OData service. The file has the address alone.
func PowerBI(w io.Writer, service string) error {
	type address struct {
		URL string `json:"url"`
	}
	type details struct {
		Protocol string  `json:"protocol"`
		Address  address `json:"address"`
	}
	type connection struct {
		Details details  `json:"details"`
		Options struct{} `json:"options"`
		Mode    string   `json:"mode"`
	}
	doc, err := json.MarshalIndent(struct {
		Version     string       `json:"version"`
		Connections []connection `json:"connections"`
	}{"0.1", []connection{{Details: details{"odata", address{service}}, Mode: "Import"}}}, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(doc, '\n'))
	return err
}

// powerQuery is a program in Power Query's language that reads a set of an OData service. Only the set's
// own columns are asked for, and instants become dates and times in UTC, as sheets have no time zones.
func powerQuery(service string, set report.Set) string {
	var names, instants []string
	for _, c := range set.Columns {
		names = append(names, inM(c.Name))
		if c.Kind == report.Instant {
			instants = append(instants, "{"+inM(c.Name)+", InUTC, type nullable datetime}")
		}
	}
	lines := []string{
		"    Service = OData.Feed(" + inM(service) + ", null, [Implementation = \"2.0\"])",
		"    Rows = Service{[Name = " + inM(set.Name) + ", Signature = \"table\"]}[Data]",
		"    Columns = Table.SelectColumns(Rows, {" + strings.Join(names, ", ") + "})",
		"    InUTC = each if _ = null then null else DateTimeZone.RemoveZone(DateTimeZone.ToUtc(_))",
		"    Times = Table.TransformColumns(Columns, {" + strings.Join(instants, ", ") + "})",
	}
	return "section Section1;\r\n\r\nshared " + set.Name + " = let\r\n" + strings.Join(lines, ",\r\n") +
		"\r\nin\r\n    Times;"
}

// inM writes a text as Power Query has it.
func inM(text string) string {
	text = strings.ReplaceAll(text, "#(", "#(#)(")
	return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
}

// Python is a program that reads a set of an OData service into a table of pandas, page by page.
func Python(service string, set report.Set) string {
	var instants []string
	for _, c := range set.Columns {
		if c.Kind == report.Instant {
			instants = append(instants, fmt.Sprintf("%q", c.Name))
		}
	}
	return fmt.Sprintf(`import os

import pandas
import requests

session = requests.Session()
session.auth = (os.environ["REPORT_USER"], os.environ["REPORT_PASSWORD"])
session.headers["Prefer"] = "odata.maxpagesize=10000"

url, rows = "%s%s", []
while url:
    answer = session.get(url, timeout=120)
    answer.raise_for_status()
    page = answer.json()
    rows += page["value"]
    url = page.get("@odata.nextLink")

table = pandas.DataFrame(rows)
for name in [%s]:
    table[name] = pandas.to_datetime(table[name], utc=True, format="ISO8601")
print(table)
`, service, set.Name, strings.Join(instants, ", "))
}
