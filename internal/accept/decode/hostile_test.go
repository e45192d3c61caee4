package decode

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"gangway/internal/gangway"
)

// TestHostileDocuments holds that documents made to do harm are refused with a sentence, in bounded
// memory. A refusal that took unbounded time would end the test.
func TestHostileDocuments(t *testing.T) {
	const mb = 1 << 20
	for _, tt := range []struct {
		name string
		in   Input
		kind gangway.FormatKind
		want string
		most int64
	}{
		{"entities that multiply", text(`<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "lol">` +
			strings.Repeat(`<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">`, 10) + `]><l>&b;</l>`), "", "it declares entities", mb},
		{"an entity from outside", text(`<!DOCTYPE l [<!ENTITY x SYSTEM "file:///etc/passwd">]><l>&x;</l>`), "",
			"it declares entities", mb},
		{"an entity by a parameter", text(`<!DOCTYPE l [<!ENTITY % x SYSTEM "http://10.0.0.1/x.dtd"> %x;]><l/>`), "",
			"it declares entities", mb},
		{"an entity that nobody declared", text(`<!DOCTYPE l SYSTEM "http://10.0.0.1/x.dtd"><l>&x;</l>`), "",
			"invalid character entity &x;", mb},
		{"deep elements", repeated("<a>", "<a>", 10*mb), "", "elements are nested more than 64 deep", mb},
		{"an endless text", repeated("<a>", "xxxxxxxxxxxxxxxx", mb), "", "a text in it has more than", 24 * mb},
		{"an endless name", repeated("<a", "xxxxxxxxxxxxxxxx", 10*mb), "", "a tag in it has more than", 16 * mb},
		{"endless attributes", repeated("<a ", `b="" `, 20*mb), "", "a tag in it has more than", 48 * mb},
		{"endless elements", repeated("<a>", "<b/>", 20*mb), "",
			"it would take more than 16 MB of memory", 64 * mb},
		{"endless comments", repeated("<a>", "<!--x-->", 2*mb), "", "it ends too early", 8 * mb},

		{"deep arrays", repeated("[", "[[[[[[[[", mb), "", "values are nested more than 64 deep", 40 * mb},
		{"deep objects", repeated(`{"a":`, `{"a":`, 2*mb), "", "values are nested more than 64 deep", 40 * mb},
		{"an endless string", repeated(`{"a":"`, "xxxxxxxxxxxxxxxx", 4*mb), "",
			"it has more than 8388608 bytes", 40 * mb},
		{"an endless string in a list", repeated(`["`, "xxxxxxxxxxxxxxxx", 4*mb), "", "it has more than", 40 * mb},
		{"an endless number", repeated(`{"a":1`, "1111111111111111", 40_000), "",
			"a number has more than 400", 8 * mb},
		{"small values", repeated(`{"a":[0`, ",0", 5*mb), "", "", 80 * mb},
		{"empty objects", repeated(`{"a":[0`, ",{}", 2*mb), "", "it would take more than 16 MB of memory", 80 * mb},

		{"aliases that multiply", text(aliases(30)), "yaml", "it would take more than 16 MB of memory", 64 * mb},
		{"aliases that multiply, by entry", text("- &a [x,x,x,x]\n- &b [*a,*a,*a,*a]\n- [*b,*b]\n" +
			strings.Repeat("- &b [*b,*b,*b,*b,*b,*b,*b,*b]\n", 20)), "yaml", "", 64 * mb},
		{"an alias of itself", text("a: &a [*a]\n"), "yaml", "values are nested more than 64 deep", mb},
		{"anchors without end", repeated("- &a x\n", "- &a xxxxxxxxxxxxxxxxxxxx\n", mb), "yaml",
			"too many entries have anchors", 8 * mb},
		{"aliases without end", repeated("- &a "+strings.Repeat("x", 50_000)+"\n", "- *a\n", mb), "yaml",
			"too many entries refer to anchors", 16 * mb},
		{"deep lists", repeated("a: [", "[", 70_000), "yaml", "exceeded max depth of 10000", 40 * mb},
		{"deep lists of lists", text("- " + strings.Repeat("- ", 9000) + "x"), "yaml", "", 32 * mb},
		{"one long line", repeated("a: ", "xxxxxxxxxxxxxxxx", 5*mb), "yaml",
			"it has more than 1048576 bytes", 8 * mb},
		{"many small entries in one", repeated("a:\n", " - x\n", 5*mb), "yaml",
			"it would take more than 16 MB of memory", 32 * mb},
		{"comments", repeated("a:\n", "#\n", 20*mb), "yaml", "it would take more than 16 MB of memory", 32 * mb},

		{"lines without end", repeated("", "xxxxxxxxxxxxxxxx", 10*mb), gangway.FixedFormat,
			"it has more than 1048576", 8 * mb},
		{"pairs without end", repeated("a: b\n", "aaaaaaaa: bbbbb\n", 2*mb), gangway.PairsFormat,
			"a block has more than", 16 * mb},
		{"nothing but lines", repeated("a: b\n", "\n\n\n\n\n\n\n\n", mb), gangway.PairsFormat, "EOF", 24 * mb},

		{"many rows", repeated("a,b\n", "1985-02-01,\"x\"\n", 300_000), gangway.CSVFormat, "EOF", 8 * mb},
		{"an endless line", repeated("a,b\n", "xxxxxxxxxxxxxxxx", mb), gangway.CSVFormat,
			"it has more than 1048576 bytes", 6 * mb},
		{"endless columns", repeated("a,b\n", ",,,,,,,,,,,,,,,,", mb), gangway.CSVFormat,
			"it has more than 1048576 bytes", 6 * mb},
		{"more columns than may be", repeated("a,b\n", strings.Repeat(",", 20_000)+"\n", 1), gangway.CSVFormat,
			"it has more than 16384 columns", 6 * mb},
		{"an endless value", repeated("a,b\n\"", "xxxxxxxxxxxxxxxx", mb), gangway.CSVFormat,
			"it has more than 1048576 bytes", 8 * mb},
		{"an endless value in lines", repeated("a,b\n\"", "xxxxxxxxxxxxxxx\n", mb), gangway.CSVFormat,
			"a quotation mark in it is not closed", 8 * mb},
		{"values that no line closes", repeated("a,b\n", "x\",\"\"\"\n", mb), gangway.CSVFormat,
			"a quotation mark is not closed, at line", 8 * mb},

		{"gzip of nothing", packed(100*mb, "\x00"), "", "it is neither text nor", 2 * mb},
		{"gzip of white space", packed(100*mb, " "), "", "there is nothing in it", 2 * mb},
		{"gzip of rows", packed(100*mb, strings.Repeat("a", 999)+","+strings.Repeat("b", 999)+"\n"), "",
			"it is too long when unpacked", 16 * mb},
		{"zip of one value", archived("x.json", `{"a":"`, "xxxxxxxx", 40*mb), "",
			"it has more than 8388608 bytes", 40 * mb},
		{"zip of too much", archived("x.csv", "a,b\n", strings.Repeat("a", 999)+",b\n", 100*mb), "",
			"it is too long when unpacked", 16 * mb},
		{"zip that claims 4 GB", claiming(archived("x.csv", "a,b\n", "1,2\n", 100)), "",
			"damaged or incomplete", 2 * mb},
		{"zip of many", manyEntries(200_000), "", "it has too many entries", 24 * mb},
		{"zip of 2,000", manyEntries(2_000), "", "it has 2000 entries, and may have 1000", 4 * mb},

		{"a workbook with a row far down", workbookOf(`<row r="99999999999"><c><v>1</v></c></row>`, ""), "",
			`a row is numbered`, 2 * mb},
		{"a workbook with a row twice", workbookOf(`<row r="2"><c><v>1</v></c></row><row r="2"/>`, ""), "",
			`a row is numbered "2", at Crew!A3`, 2 * mb},
		{"a workbook with a cell far right", workbookOf(`<row><c r="XFE1"><v>1</v></c></row>`, ""), "",
			"a cell is in column 16385, and a sheet may have 2000, at Crew!XFE1", 2 * mb},
		{"a workbook of wide rows", workbookOf(`<row><c r="A1"><v>a</v></c></row>`+
			strings.Repeat(`<row><c r="BXX"><v>1</v></c></row>`, 20_000), ""), "",
			"it has 1999 empty cells before one, and nearly all others are empty, too: delete the columns that are " +
				"not used, at Crew!BXX530", 16 * mb},
		{"a workbook with a cell before another", workbookOf(`<row><c r="B1"><v>1</v></c><c r="A1"/></row>`, ""),
			"",
			"a cell's column is out of order", 2 * mb},
		{"a workbook with a text that it has not", workbookOf(`<row><c t="s"><v>5</v></c></row>`, "<si><t>a</t></si>"), "",
			`a cell refers to a text "5"`, 2 * mb},
		{"a workbook of texts", workbookOf("", strings.Repeat("<si><t>"+strings.Repeat("x", 1000)+"</t></si>", 40_000)),
			"",
			"its texts would take more than 16 MB of memory", 64 * mb},
		{"a workbook of one text", workbookOf("", "<si><t>"+strings.Repeat("x", 40*mb)), "",
			"a text in it has more than", 24 * mb},
		{"a workbook with entities", workbookOf(`<!DOCTYPE x [<!ENTITY a "b">]>`, ""), "",
			"it declares entities", 2 * mb},
		{"a workbook without sheets", workbookOf("-", ""), "", "its sheet", 2 * mb},
	} {
		t.Run(tt.name, func(t *testing.T) {
			as := gangway.DocumentFormat{Kind: tt.kind}
			switch tt.kind {
			case gangway.CSVFormat:
				as.Delimiter = ","
			case gangway.FixedFormat:
				as.Columns = []gangway.FixedColumn{{Name: "a", From: 1, To: 2}}
			}
			var said error
			took := held(t, func() { said = readAll(tt.in, as, tt.want) })
			if said == nil || !strings.Contains(said.Error(), tt.want) || took > tt.most+lag {
				t.Errorf("it says %v and took %d MB; want %q and at most %d MB", said, took/mb, tt.want, tt.most/mb)
			}
		})
	}
}

// readAll reads a document to its end or to the error that is wanted.
func readAll(in Input, as gangway.DocumentFormat, want string) error {
	d, err := Open(in, as, Limits{Whole: 16 << 20, Unpacked: 64 << 20})
	for alone := new(RecordError); err == nil || errors.As(err, &alone) && !strings.Contains(err.Error(), want); {
		_, err = d.Next()
	}
	if d != nil {
		err = errors.Join(err, d.Close())
	}
	return err
}

func text(doc string) Input { return input("", []byte(doc)) }

// aliases is a YAML document in which each line has eight times the one before.
func aliases(lines int) string {
	var b strings.Builder
	b.WriteString("a0: &a0 x\n")
	for i := 1; i <= lines; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [%s]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d,", i-1), 8))
	}
	return b.String()
}

// packed is a gzip of again and again the same, of so many bytes.
func packed(size int, again string) Input {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.CopyN(w, &forever{text: again}, int64(size))
	w.Close()
	return input("", b.Bytes())
}

// An entry of a zip: its name and what is in it.
type entry struct {
	name string
	doc  io.Reader
}

// zipped is a zip of entries.
func zipped(entries ...entry) Input {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		f, err := w.Create(e.name)
		if err == nil {
			_, err = io.Copy(f, e.doc)
		}
		if err != nil {
			panic(err)
		}
	}
	w.Close()
	return input("", b.Bytes())
}

// archived is a zip of one document.
func archived(name, begin, again string, size int) Input {
	return zipped(entry{name, io.MultiReader(strings.NewReader(begin),
		io.LimitReader(&forever{text: again}, int64(size)))})
}

// claiming makes the only entry of a zip say that it is 4 GB long.
func claiming(in Input) Input {
	doc, err := io.ReadAll(io.NewSectionReader(in, 0, in.Size))
	if err != nil {
		panic(err)
	}
	directory := bytes.LastIndex(doc, []byte("PK\x01\x02"))
	copy(doc[directory+24:], "\xF0\xFF\xFF\xFF")
	return input("", doc)
}

func manyEntries(n int) Input {
	entries := make([]entry, n)
	for i := range entries {
		entries[i] = entry{fmt.Sprint(i), strings.NewReader("")}
	}
	return zipped(entries...)
}

// workbookOf is a workbook with a sheet "Crew" that has these rows, and these shared texts.
func workbookOf(rows, texts string) Input {
	entries := []entry{
		{"xl/workbook.xml", strings.NewReader(`<workbook xmlns:r="r"><sheets><sheet name="Crew" r:id="r1"/></sheets>` +
			`</workbook>`)},
		{"xl/_rels/workbook.xml.rels", strings.NewReader(`<Relationships><Relationship Id="r1" Type="x/worksheet" ` +
			`Target="worksheets/sheet1.xml"/></Relationships>`)},
		{"xl/sharedStrings.xml", strings.NewReader(`<sst count="4000000000" uniqueCount="4000000000">` + texts +
			`</sst>`)},
	}
	if rows != "-" {
		begin := `<worksheet><dimension ref="A1:XFD1048576"/><sheetData>`
		if strings.HasPrefix(rows, "<!") {
			begin, rows = rows+begin, ""
		}
		entries = append(entries, entry{"xl/worksheets/sheet1.xml", strings.NewReader(begin + rows +
			`</sheetData></worksheet>`)})
	}
	return zipped(entries...)
}
