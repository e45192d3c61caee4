package decode

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"gangway/internal/gangway"

	"pgregory.net/rapid"
)

// The estimate is never below the weight of a document's values, and stays low for text that only
// looks like values.
func TestWeight(t *testing.T) {
	record := `{"last_name":"Santos","first_name":"Maria"},`
	for _, n := range []int{1, 1000, 200_000} {
		doc := `[` + strings.Repeat(record, n) + `{}]`
		want := int64(len(doc)) + int64(n+1)*500 + int64(n)*4*24
		if got := Weight([]byte(doc)); got != want {
			t.Errorf("%d records weigh %d; want %d", n, got, want)
		}
	}
	text := `["` + strings.Repeat(`{\"`, 1<<20) + `"]`
	if got, most := Weight([]byte(text)), int64(len(text)+24); got > most {
		t.Errorf("a text of braces weighs %d; want at most %d", got, most)
	}
}

// What lies between records must be strict JSON, and a document is cut the same way however it
// arrives.
func TestRecords(t *testing.T) {
	const depth, most = 4, 30
	deep, members := `[[[[]]]]`, `{`+strings.Repeat(`"a":0,`, maxMembers)+`"a":0}`
	for _, tt := range []struct {
		doc  string
		want []string // the records, the errors of those left out, and that of the end
	}{
		{`[]`, nil},
		{" [ ] \n", nil},
		{"\xEF\xBB\xBF[1]", []string{`1`}},
		{`[ {"a":1} , "x,]" ,null,[{}],tru, -1.5e3 ]`, []string{`{"a":1}`, `"x,]"`, `null`, `[{}]`, `tru`, `-1.5e3`}},
		{`[{"a":"}\"]\\"},2]`, []string{`{"a":"}\"]\\"}`, `2`}},
		{`["\\",[[[]]]]`, []string{`"\\"`, `[[[]]]`}},
		{`[{]},{}]`, []string{`{]`, `it is not well formed, at byte 3`}},
		{`[1,` + deep[1:7] + `,2]`, []string{`1`, `[[[]]]`, `2`}},
		{`[1,` + deep + `,2]`, []string{`1`, `values are nested more than 4 deep`, `2`}},
		{`[1,` + members + `,2]`, []string{`1`, `an object has more than 10000 members`, `2`}},
		{`["` + strings.Repeat("x", 28) + `","` + strings.Repeat("\\", 200) + `",3]`,
			[]string{`"` + strings.Repeat("x", 28) + `"`, `it has more than 30 bytes`, `3`}},
		{``, []string{`there is nothing in it`}},
		{"\xEF\xBB\xBF \n", []string{`there is nothing in it`}},
		{`{"a":[1]}`, []string{`it is not an array of records`}},
		{`x`, []string{`it is not well formed, at byte 0`}},
		{`[`, []string{`it ends too early, at byte 1`}},
		{`[1`, []string{`1`, `it ends too early, at byte 2`}},
		{`[1,`, []string{`1`, `it ends too early, at byte 3`}},
		{`[1,{"a`, []string{`1`, `{"a`, `it ends too early, at byte 6`}},
		{`[1,]`, []string{`1`, `it is not well formed, at byte 3`}},
		{`[,1]`, []string{`it is not well formed, at byte 1`}},
		{`[1 2]`, []string{`1`, `it is not well formed, at byte 3`}},
		{`[{}{}]`, []string{`{}`, `it is not well formed, at byte 3`}},
		{`[}]`, []string{`it is not well formed, at byte 1`}},
		{`[1]]`, []string{`1`, `something follows the records, at byte 3`}},
	} {
		if strings.Contains(tt.doc, members) { // longer than most as well
			if got := all(FromBytes([]byte(tt.doc), depth)); !slices.Equal(got, tt.want) {
				t.Errorf("%.60q has %.60q; want %.60q", tt.doc, got, tt.want)
			}
			continue
		}
		for name, from := range map[string]*JSON{
			"at once":      FromReader(strings.NewReader(tt.doc), depth, most),
			"byte by byte": FromReader(iotest.OneByteReader(strings.NewReader(tt.doc)), depth, most),
			"with its end": FromReader(iotest.DataErrReader(strings.NewReader(tt.doc)), depth, most),
		} {
			if got := all(from); !slices.Equal(got, tt.want) {
				t.Errorf("%s, %.60q has %.60q; want %.60q", name, tt.doc, got, tt.want)
			}
		}
		if got := all(FromBytes([]byte(tt.doc), depth)); !slices.Equal(got, tt.want) &&
			!slices.Contains(tt.want, `it has more than 30 bytes`) {
			t.Errorf("in memory, %.60q has %.60q; want %.60q", tt.doc, got, tt.want)
		}
	}
}

// A well-formed document is cut where encoding/json cuts it.
func TestRecordsAreThoseOfTheStandard(t *testing.T) {
	var value func(depth int) *rapid.Generator[any]
	value = func(depth int) *rapid.Generator[any] {
		kinds := []*rapid.Generator[any]{rapid.Just[any](nil), rapid.Bool().AsAny(),
			rapid.Float64Range(-1e9, 1e9).AsAny(), rapid.StringMatching(`[\\"{}\[\],: aé]{0,9}`).AsAny()}
		if depth > 0 {
			kinds = append(kinds, rapid.SliceOfN(value(depth-1), 0, 3).AsAny(),
				rapid.MapOfN(rapid.StringMatching(`[\\"{a]{0,3}`), value(depth-1), 0, 3).AsAny())
		}
		return rapid.OneOf(kinds...)
	}
	rapid.Check(t, func(r *rapid.T) {
		doc, err := json.MarshalIndent(rapid.SliceOfN(value(3), 0, 6).Draw(r, "records"), "",
			rapid.SampledFrom([]string{"", " ", "\t"}).Draw(r, "indent"))
		if err != nil {
			r.Fatal(err)
		}
		var list []json.RawMessage
		if err := json.Unmarshal(doc, &list); err != nil {
			r.Fatal(err)
		}
		var want []string
		for _, record := range list {
			want = append(want, string(record))
		}
		for _, from := range []*JSON{FromBytes(doc, 64), FromReader(bytes.NewReader(doc), 64, 1<<20),
			FromReader(iotest.HalfReader(bytes.NewReader(doc)), 64, 1<<20),
			FromReader(iotest.OneByteReader(bytes.NewReader(doc)), 64, 1<<20)} {
			if got := all(from); !slices.Equal(got, want) {
				r.Fatalf("%s has %q; want %q", doc, got, want)
			}
		}
	})
}

// all returns what a document has until it ends, and checks that nothing follows.
func all(from *JSON) (got []string) {
	for {
		record, err := from.Next()
		switch {
		case err == nil:
			got = append(got, string(record.JSON))
		case errors.As(err, new(*RecordError)):
			got = append(got, err.Error())
		default:
			if _, again := from.Next(); again != err {
				got = append(got, "and then something else")
			}
			if errors.Is(err, io.EOF) {
				return got
			}
			return append(got, err.Error())
		}
	}
}

// A long document is read in the memory of its longest record.
func TestRecordsComeInBoundedMemory(t *testing.T) {
	record := `{"last_name":"` + strings.Repeat("x", 1000) + `"},`
	doc := io.MultiReader(strings.NewReader("["), io.LimitReader(&forever{text: record}, int64(len(record))*50_000),
		strings.NewReader("{}]"))
	from := FromReader(doc, 64, 1<<20)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	n, end := 0, int64(0)
	for {
		record, err := from.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil || record.At.N <= end {
			t.Fatalf("record %d at %s: %v", n, record.At, err)
		}
		n, end = n+1, record.At.N
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; n != 50_001 || took > 1<<20 {
		t.Errorf("%d records of 50 MB took %d bytes; want 50,001 and less than 1 MB", n, took)
	}
}

// A reader that fails is not the end of the document.
func TestReaderFails(t *testing.T) {
	away := errors.New("connection reset")
	from := FromReader(io.MultiReader(strings.NewReader(`[1,2,{"a":`), iotest.ErrReader(away)), 64, 100)
	for want := range 2 {
		if record, err := from.Next(); err != nil || string(record.JSON) != strconv.Itoa(want+1) {
			t.Fatalf("Next = %s, %v", record.JSON, err)
		}
	}
	if _, err := from.Next(); !errors.Is(err, away) {
		t.Errorf("Next = %v; want %v", err, away)
	}
}

// forever is a reader of one text that repeats.
type forever struct {
	text string
	at   int
}

func (f *forever) Read(p []byte) (n int, err error) {
	for n < len(p) {
		k := copy(p[n:], f.text[f.at:])
		n, f.at = n+k, (f.at+k)%len(f.text)
	}
	return n, nil
}

// What people count is what places say: lines of JSON lines, rows of a database, bytes of one long line.
func TestPlacesInJSON(t *testing.T) {
	const comma = "it is not well formed: invalid character ',' at start of value, at "
	rows := "application/json; records=rows"
	for _, tt := range []struct{ doc, contentType, want string }{
		{"\n{\"a\":1}\n\n{\"a\":2}\n", "", "line 2\t{\"a\":1}\nline 4\t{\"a\":2}\n"},
		{"{\"a\":\n1}\n{\"a\":\n,}\n{}", "", "line 1\t{\"a\":1}\nline 3\tleft out: " + comma +
			"line 4\nline 5\t{}\n"},
		{"{}\n{}\n{", "", "line 1\t{}\nline 2\t{}\nline 3\tleft out: it ends too early, at line 3\n" +
			"broken: it ends too early, at line 3\n"},
		{`[{},{"a":,},{}]`, "", "byte 1\t{}\nbyte 4\tleft out: " + comma + "byte 9\nbyte 12\t{}\n"},
		{"[{},\n{\"a\":,},\n{}]", rows, "row 1\t{}\nrow 2\tleft out: " + comma + "row 2\nrow 3\t{}\n"},
		// The comma is the fault, not that the bracket which closes the array is missing.
		{`[{"on": [,]}`, "", "byte 1\tleft out: " + comma + "byte 9\nbroken: " + comma + "byte 9; and " +
			"it ends too early, at byte 12\n"},
	} {
		in := text(tt.doc)
		in.ContentType = tt.contentType
		got := says(in, gangway.DocumentFormat{Kind: gangway.JSONFormat}, Limits{})
		if _, items, ok := strings.Cut(got, "list=true\n"); ok {
			got = items
		}
		if got != tt.want {
			t.Errorf("%q has\n%s\nwant\n%s", tt.doc, got, tt.want)
		}
	}
}
