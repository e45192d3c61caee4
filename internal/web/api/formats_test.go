package api_test

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

const (
	xlsxType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	csvType  = "text/csv"
	yamlType = "application/yaml"
	xmlType  = "application/xml"
)

// Written is how the same records are written in each format.
var written = map[string]func(t testing.TB, path string, list []any) []byte{
	yamlType: func(t testing.TB, _ string, list []any) []byte {
		doc, err := yaml.Marshal(list)
		must(t, err)
		return doc
	},
	xmlType: func(_ testing.TB, path string, list []any) []byte {
		var b strings.Builder
		b.WriteString("<?xml version=\"1.0\"?>\n<" + elements[path] + "s>\n")
		for _, r := range list {
			writeElement(&b, elements[path], r)
			b.WriteString("\n")
		}
		b.WriteString("</" + elements[path] + "s>\n")
		return []byte(b.String())
	},
	csvType:  func(t testing.TB, path string, list []any) []byte { return asCSV(t, table(path, list)) },
	xlsxType: func(t testing.TB, path string, list []any) []byte { return asWorkbook(t, "Crew", table(path, list)) },
}

var elements = map[string]string{"/passenger": "traveller", "/travelers-requests": "travel_request",
	"/travel-requests": "crew_change"}

var itemNames = map[string]string{"onsigners": "member", "offsigners": "member",
	"intermediateAirports": "intermediateAirport"}

func writeElement(b *strings.Builder, name string, value any) {
	b.WriteString("<" + name + ">")
	switch value := value.(type) {
	case string:
		xml.EscapeText(b, []byte(value))
	case []any:
		for _, v := range value {
			writeElement(b, itemNames[name], v)
		}
	case record:
		for _, member := range slices.Sorted(maps.Keys(value)) {
			if name == "additionalInfo" || name == "customFields" || name == "metadata" {
				writeElement(b, "entry", record{"name": member, "value": value[member]})
				continue
			}
			writeElement(b, member, value[member])
		}
	}
	b.WriteString("</" + name + ">")
}

// table writes records as rows: of crew changes one for each member.
func table(path string, list []any) [][]string {
	var rows []map[string]string
	for _, r := range list {
		flat := map[string]string{}
		if path != "/travel-requests" {
			flatten(flat, "", r)
			rows = append(rows, flat)
			continue
		}
		for _, side := range []string{"onsigners", "offsigners"} {
			members, _ := r.(record)[side].([]any)
			for _, m := range members {
				flat := map[string]string{"side": strings.TrimSuffix(side, "signers")}
				flatten(flat, "", m)
				if date, ok := flat["change_date"]; ok {
					flat["member.change_date"] = date
				}
				for _, name := range []string{"vessel", "flag", "change_date", "travel_request_id"} {
					flat[name], _ = r.(record)[name].(string)
				}
				rows = append(rows, flat)
			}
		}
	}
	names := map[string]bool{}
	for _, r := range rows {
		for name := range r {
			names[name] = true
		}
	}
	all := [][]string{slices.Sorted(maps.Keys(names))}
	for _, r := range rows {
		var cells []string
		for _, name := range all[0] {
			cells = append(cells, r[name])
		}
		all = append(all, cells)
	}
	return all
}

func flatten(flat map[string]string, at string, value any) {
	switch value := value.(type) {
	case string:
		flat[at] = value
	case []any:
		for i, v := range value {
			flatten(flat, fmt.Sprint(at, ".", i), v)
		}
	case record:
		for name, v := range value {
			flatten(flat, strings.TrimPrefix(at+"."+name, "."), v)
		}
	}
}

func asCSV(t testing.TB, rows [][]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Comma = ';'
	must(t, w.WriteAll(rows))
	return b.Bytes()
}

// asWorkbook writes rows on a sheet of a workbook, as Excel does but for shared texts.
func asWorkbook(t testing.TB, sheet string, rows [][]string) []byte {
	t.Helper()
	var b strings.Builder
	b.WriteString(`<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>`)
	for i, cells := range rows {
		fmt.Fprintf(&b, `<row r="%d">`, i+1)
		for _, cell := range cells {
			b.WriteString(`<c t="inlineStr"><is><t xml:space="preserve">`)
			xml.EscapeText(&b, []byte(cell))
			b.WriteString(`</t></is></c>`)
		}
		b.WriteString(`</row>`)
	}
	b.WriteString(`</sheetData></worksheet>`)
	return workbook(t, sheet, b.String())
}

func workbook(t testing.TB, sheet, content string) []byte {
	t.Helper()
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	const head, office = `<?xml version="1.0" encoding="UTF-8"?>`, "http://schemas.openxmlformats.org/officeDocument/2006"
	for _, f := range [][2]string{
		{"xl/workbook.xml", head + `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="` +
			office + `/relationships"><sheets><sheet name="` + sheet + `" sheetId="1" r:id="rId1"/></sheets></workbook>`},
		{"xl/_rels/workbook.xml.rels", head + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/` +
			`relationships"><Relationship Id="rId1" Type="` + office + `/relationships/worksheet" ` +
			`Target="worksheets/sheet1.xml"/></Relationships>`},
		{"xl/worksheets/sheet1.xml", head + content},
	} {
		w, err := z.Create(f[0])
		if err == nil {
			_, err = w.Write([]byte(f[1]))
		}
		must(t, err)
	}
	must(t, z.Close())
	return packed.Bytes()
}
