package decode

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"testing"

	"gangway/internal/gangway"
)

// BenchmarkFormats measures how fast travellers are read in each format: in records a second.
func BenchmarkFormats(b *testing.B) {
	const records = 5_000
	columns := []string{"crew_id", "last_name", "first_name", "gender", "dob", "nationality", "passport_number", "rank"}
	write := func(begin, recordBegin, member, between, recordEnd, end string) Input {
		var doc bytes.Buffer
		doc.WriteString(begin)
		for i := range records {
			values := []any{i, "SANTOS", "MARIA", "F", "1985-02-01", "PH", i + 1_000_000, "Chief Officer"}
			doc.WriteString(recordBegin)
			for c, name := range columns {
				if c > 0 {
					doc.WriteString(between)
				}
				fmt.Fprintf(&doc, member, name, fmt.Sprint(values[c]))
			}
			doc.WriteString(recordEnd)
		}
		doc.WriteString(end)
		return input("", doc.Bytes())
	}
	sheet := write("<worksheet><sheetData>", "<row>", `<c t="str"><v>%[2]s</v></c>`, "", "</row>", "</sheetData></worksheet>")
	var fixed []gangway.FixedColumn
	for i, name := range columns {
		fixed = append(fixed, gangway.FixedColumn{Name: name, From: i*15 + 1, To: i*15 + 15})
	}
	for _, f := range []struct {
		as gangway.DocumentFormat
		in Input
	}{
		{gangway.DocumentFormat{Kind: gangway.JSONFormat}, write("[{}", ",{", `"%s":"%s"`, ",", "}\n", "]")},
		{gangway.DocumentFormat{Kind: gangway.YAMLFormat}, write("- {}\n", "- ", "%s: %s\n", "  ", "", "")},
		{gangway.DocumentFormat{Kind: gangway.CSVFormat}, write("a,b,c,d,e,f,g,h\n", "", "%[2]s", ",", "\n", "")},
		{gangway.DocumentFormat{Kind: gangway.XMLFormat},
			write("<crew>", "<member>", "<%[1]s>%[2]s</%[1]s>", "\n", "</member>", "</crew>")},
		{gangway.DocumentFormat{Kind: gangway.XLSXFormat}, benchWorkbook(b, sheet)},
		{gangway.DocumentFormat{Kind: gangway.FixedFormat, Columns: fixed}, write("", "", "%[2]-15s", "", "\n", "")},
		{gangway.DocumentFormat{Kind: gangway.PairsFormat}, write("", "", "%s: %s\n", "", "\n", "")},
	} {
		b.Run(string(f.as.Kind), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				d, err := Open(f.in, f.as, Limits{})
				if err != nil {
					b.Fatal(err)
				}
				d.Elements()
				n := 0
				for ; err == nil; n++ {
					_, err = d.Next()
				}
				if !errors.Is(err, io.EOF) || n < records {
					b.Fatal(n, err)
				}
			}
			b.ReportMetric(float64(records*b.N)/b.Elapsed().Seconds(), "records/s")
		})
	}
}

// benchWorkbook is a workbook with this sheet.
func benchWorkbook(b *testing.B, sheet Input) Input {
	b.Helper()
	rows, err := io.ReadAll(io.NewSectionReader(sheet, 0, sheet.Size))
	if err != nil {
		b.Fatal(err)
	}
	var doc bytes.Buffer
	w := zip.NewWriter(&doc)
	for name, text := range map[string]string{
		"xl/workbook.xml":            `<workbook xmlns:r="r"><sheets><sheet name="Crew" r:id="r1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<r><Relationship Id="r1" Type="x/worksheet" Target="worksheets/sheet1.xml"/></r>`,
		"xl/worksheets/sheet1.xml":   string(rows),
	} {
		f, err := w.Create(name)
		if err != nil {
			b.Fatal(err)
		}
		io.WriteString(f, text)
	}
	w.Close()
	return input("", doc.Bytes())
}
