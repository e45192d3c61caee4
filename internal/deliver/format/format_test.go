package format_test

import (
	"context"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"gangway/internal/deliver/format"
	"gangway/internal/gangway"
)

// A record by itself stays as it is in JSON; several are a list.
func TestJSON(t *testing.T) {
	const record = `{"b": 1.50, "a":"x"}`
	one, err := format.One(t.Context(), gangway.JSONFormat, []byte(record))
	if err != nil || string(one) != record {
		t.Errorf("One = %s, %v; want it as it is", one, err)
	}
	several, err := format.Several(t.Context(), gangway.JSONFormat, [][]byte{[]byte(record), []byte("7")})
	if want := "[" + record + ",\n7]\n"; err != nil || string(several) != want {
		t.Errorf("Several = %s, %v; want %s", several, err, want)
	}
}

// A row is a record and a column a leaf; texts are no formulas, and numbers stay as they are.
func TestCSV(t *testing.T) {
	for _, tt := range []struct {
		name    string
		records []string
		want    string
	}{
		{"names with dots", []string{`{"id":"q7","price":{"total":482.50,"ccy":"USD"},"segments":[{"from":"MNL"},` +
			`{"from":"DXB"}],"ok":true,"none":null,"empty":{},"list":[]}`},
			"id,price.total,price.ccy,segments.0.from,segments.1.from,ok,none\r\nq7,482.50,USD,MNL,DXB,true,\r\n"},
		{"columns of later rows stand where they belong", []string{`{"a":[1],"b":2}`, `{"a":[1,3],"c":4,"b":5}`},
			"a.0,a.1,c,b\r\n1,,,2\r\n1,3,4,5\r\n"},
		{"a dot in a name", []string{`{"a.b":1,"a":{"b":2}}`}, "a\\.b,a.b\r\n1,2\r\n"},
		{"quotes", []string{`{"a":"x\"y","b":"1,2","c":"l1\nl2","d":" x"}`},
			"a,b,c,d\r\n\"x\"\"y\",\"1,2\",\"l1\nl2\",\" x\"\r\n"},
		{"formulas", []string{`{"=a":"=1+1","b":"-2","c":-2,"d":"@x"}`}, "'=a,b,c,d\r\n'=1+1,'-2,-2,'@x\r\n"},
		{"what is not printed", []string{`{"a":"x\u0000\u001by"}`}, "a\r\nx\uFFFD\uFFFDy\r\n"},
		{"a list is its items", []string{`[{"a":1},{"a":2}]`, `{"a":3}`}, "a\r\n1\r\n2\r\n3\r\n"},
		{"no object", []string{`"x"`, `7`}, "value\r\nx\r\n7\r\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := format.Several(t.Context(), gangway.CSVFormat, bytesOf(tt.records))
			if err != nil || string(got) != tt.want {
				t.Errorf("Several = %q, %v; want %q", got, err, tt.want)
			}
			if rows, err := csv.NewReader(strings.NewReader(string(got))).ReadAll(); err != nil || len(rows) < 2 {
				t.Errorf("it is read as %q, %v", rows, err)
			}
		})
	}
}

// An element is a member; what no element may be called is an entry.
func TestXML(t *testing.T) {
	for record, want := range map[string]string{
		`{"id":"q7","price":{"total":482.50},"tickets":["1","2"],"none":null}`: "<booking><id>q7</id><price><total>482.50" +
			"</total></price><tickets><item>1</item><item>2</item></tickets><none></none></booking>",
		`{"a b":"<&","1":{"x":true},"":"e"}`: "<booking><entry><name>a b</name><value>&lt;&amp;</value></entry><entry>" +
			"<name>1</name><value><x>true</x></value></entry><entry><name></name><value>e</value></entry></booking>",
		`{"MNL-AMS":"a\u0001b\n"}`: "<booking><MNL-AMS>a\uFFFDb&#xA;</MNL-AMS></booking>",
		`[1,2]`:                    "<booking>1</booking>\n<booking>2</booking>",
	} {
		got, err := format.One(t.Context(), gangway.XMLFormat, []byte(record))
		if want := xml.Header + "<bookings>\n" + want + "\n</bookings>\n"; err != nil || string(got) != want {
			t.Errorf("One(%s) = %s, %v; want %s", record, got, err, want)
		}
		for d := xml.NewDecoder(strings.NewReader(string(got))); ; {
			if _, err := d.Token(); err != nil {
				if !errors.Is(err, io.EOF) {
					t.Errorf("%s cannot be read: %v", got, err)
				}
				break
			}
		}
	}
}

// A file of which there would be too much is refused with a sentence, soon, and nothing is made for nobody.
func TestTooMuch(t *testing.T) {
	numbers := func(n int) string { return "[" + strings.Repeat("1,", n-1) + "1]" }
	for _, tt := range []struct {
		as      gangway.FormatKind
		records []string
		want    string
	}{
		{gangway.CSVFormat, []string{`{"a":` + numbers(16_384) + `}`}, ""},
		{gangway.CSVFormat, []string{`{"a":` + numbers(400_000) + `}`}, "more than 16384 columns"},
		{gangway.CSVFormat, []string{`{"a":` + numbers(10_000) + `}`, `{"b":` + numbers(10_000) + `}`},
			"more than 16384 columns"},
		{gangway.CSVFormat, []string{`{"a":` + numbers(16_000) + `}`, numbers(10_000)}, "more than 32 MB"},
		{gangway.CSVFormat, []string{`{"` + strings.Repeat("a", 1<<20) + `":` + numbers(1000) + `}`}, "more than 32 MB"},
		{gangway.XMLFormat, []string{`"` + strings.Repeat(`\"`, 7<<20) + `"`}, "more than 32 MB"},
		{gangway.CSVFormat, []string{`[]`}, ""},
	} {
		_, err := format.Several(t.Context(), tt.as, bytesOf(tt.records))
		if tt.want == "" && err != nil || tt.want != "" && (gangway.KindOf(err) != gangway.Invalid ||
			!strings.Contains(err.Error(), tt.want)) {
			t.Errorf("Several = %v; want %q", err, tt.want)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := format.One(ended, gangway.CSVFormat, []byte(`{}`)); !errors.Is(err, context.Canceled) {
		t.Errorf("One = %v; want it ended", err)
	}
}

func TestNoJSON(t *testing.T) {
	for _, record := range []string{"", "{", `{"a":1,"a":2}`, "\xff", "1 2"} {
		for _, as := range []gangway.FormatKind{gangway.JSONFormat, gangway.CSVFormat, gangway.XMLFormat} {
			if got, err := format.Several(t.Context(), as, bytesOf([]string{record})); err == nil {
				t.Errorf("Several(%s, %q) = %q; want an error", as, record, got)
			}
		}
	}
}

func bytesOf(texts []string) [][]byte {
	return slices.Collect(func(yield func([]byte) bool) {
		for _, text := range texts {
			if !yield([]byte(text)) {
				return
			}
		}
	})
}
