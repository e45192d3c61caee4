package decode

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"gangway/internal/gangway"

	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"
)

// readCut reads a document that arrives in pieces.
func readCut(doc []byte, as gangway.DocumentFormat, cut func(io.Reader) io.Reader) (list []Item, err error) {
	o := &opening{limits: Limits{Whole: 16 << 20}.orUsual(), left: 1 << 20}
	defer func() {
		for _, c := range o.closers {
			c.Close()
		}
	}()
	in := part{from: bufio.NewReaderSize(cut(bytes.NewReader(doc)), readAtOnce)}
	if in.from.Size() > 0 && bytes.HasPrefix(doc, []byte("PK")) {
		in.at, in.size = bytes.NewReader(doc), int64(len(doc))
	}
	d, err := o.open(in, as, func(string, *Doubt) {})
	for err == nil {
		var item Item
		item, err = d.next()
		if alone := new(RecordError); errors.As(err, &alone) && d.list {
			item.Value, err = alone.Msg, nil
		}
		if item.header, item.objects = nil, nil; err == nil {
			list = append(list, item)
		}
		if len(list) > 10_000 {
			return list, nil
		}
	}
	return list, err
}

var fuzzed = []gangway.DocumentFormat{
	{Kind: gangway.AutoFormat},
	{Kind: gangway.JSONFormat},
	{Kind: gangway.YAMLFormat},
	{Kind: gangway.CSVFormat},
	{Kind: gangway.CSVFormat, Header: new(int), Encoding: "shift_jis"},
	{Kind: gangway.XMLFormat},
	{Kind: gangway.SOAPFormat},
	{Kind: gangway.PairsFormat},
	{Kind: gangway.XLSXFormat, Sheet: "*"},
	{Kind: gangway.FixedFormat,
		Columns: []gangway.FixedColumn{{Name: "a", From: 1, To: 4}, {Name: "b", From: 3, To: 9}}},
}

// FuzzOpen holds that no document brings decoding down, and that a document says the same however it
// is cut as it arrives.
func FuzzOpen(f *testing.F) {
	samples, err := filepath.Glob("testdata/*/*")
	if err != nil {
		f.Fatal(err)
	}
	for _, sample := range samples {
		doc, err := os.ReadFile(sample)
		if err != nil {
			f.Fatal(err)
		}
		for i := range fuzzed {
			f.Add(doc, byte(i))
		}
	}
	f.Fuzz(func(t *testing.T, doc []byte, kind byte) {
		as := fuzzed[int(kind)%len(fuzzed)]
		want, wantErr := readCut(doc, as, func(r io.Reader) io.Reader { return r })
		for name, cut := range map[string]func(io.Reader) io.Reader{"one byte": iotest.OneByteReader,
			"half": iotest.HalfReader, "with its end": iotest.DataErrReader} {
			got, err := readCut(doc, as, cut)
			if !reflect.DeepEqual(got, want) || errors.Is(err, io.EOF) != errors.Is(wantErr, io.EOF) ||
				err != nil && wantErr != nil && err.Error() != wantErr.Error() {
				t.Errorf("%s: it says %v, %v; want %v, %v", name, got, err, want, wantErr)
			}
		}
	})
}

// TestWhatWasWrittenIsRead holds that what the usual writers of a format write is read as it was.
func TestWhatWasWrittenIsRead(t *testing.T) {
	cell := rapid.StringOfN(rapid.RuneFrom([]rune("aZ09é€日 ,;\t|\"'\n:-#{}[]&*!%@`~")), 0, 12, -1)
	name := rapid.StringMatching(`[a-z][a-z ,"]{0,6}[a-z]`)
	rapid.Check(t, func(r *rapid.T) {
		names := rapid.SliceOfNDistinct(name, 2, 5, rapid.ID).Draw(r, "names")
		var rows []map[string]any
		for range rapid.IntRange(1, 8).Draw(r, "rows") {
			row := map[string]any{}
			for _, n := range names {
				row[n] = strings.TrimSpace(strings.ReplaceAll(cell.Draw(r, "cell"), "\n", "\r\n"))
			}
			row[names[0]] = "x" // else the row may be blank
			rows = append(rows, row)
		}
		var table bytes.Buffer
		w := csv.NewWriter(&table)
		w.Comma = rapid.SampledFrom([]rune(",;\t|")).Draw(r, "delimiter")
		w.Write(names)
		for _, row := range rows {
			var cells []string
			for _, n := range names {
				cells = append(cells, row[n].(string))
			}
			w.Write(cells)
		}
		w.Flush()
		asJSON, err := json.MarshalIndent(rows, "", " ")
		if err != nil {
			r.Fatal(err)
		}
		asYAML, err := yaml.Marshal(rows)
		if err != nil {
			r.Fatal(err)
		}
		for _, tt := range []struct {
			as  gangway.DocumentFormat
			doc []byte
		}{
			{gangway.DocumentFormat{Kind: gangway.CSVFormat, Delimiter: string(w.Comma)}, table.Bytes()},
			{gangway.DocumentFormat{}, asJSON},
			{gangway.DocumentFormat{Kind: gangway.YAMLFormat}, asYAML},
		} {
			items, err := readCut(tt.doc, tt.as, iotest.HalfReader)
			var got []map[string]any
			for _, item := range items {
				row, _ := item.Value.(map[string]any)
				got = append(got, row)
			}
			if !errors.Is(err, io.EOF) || !reflect.DeepEqual(got, rows) {
				r.Fatalf("%s\nis read as %v, %v; want %v", tt.doc, got, err, rows)
			}
		}
	})
}
