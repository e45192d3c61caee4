package mapping

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gangway/internal/accept/decode"
	"gangway/internal/gangway"

	"github.com/google/go-cmp/cmp"
	"github.com/itchyny/gojq"
)

// A customer is a sample customer: a document as that system plausibly writes it,
// the feed that reads it, the mapping as an integrator wrote it, and the records
// that are expected.
type customer struct {
	name    string
	flow    gangway.Flow
	format  gangway.DocumentFormat
	doc     []byte
	mapping string
	want    []any
}

// customersIn reads the sample customers in a folder.
func customersIn(t *testing.T, folder string) (list []customer) {
	t.Helper()
	dirs, err := filepath.Glob(filepath.Join("testdata", folder, "*", "feed.json"))
	if err != nil || len(dirs) == 0 {
		t.Fatalf("%v: no customers in %s", err, folder)
	}
	for _, path := range dirs {
		dir := filepath.Dir(path)
		c := customer{name: filepath.Base(dir), mapping: sample(t, dir, "mapping.jq")}
		var feed struct {
			Flow    gangway.Flow
			Format  json.RawMessage
			Mapping string
		}
		if err := json.Unmarshal([]byte(sample(t, path)), &feed); err != nil {
			t.Fatal(path, err)
		}
		if feed.Mapping != c.mapping {
			t.Errorf("%s: the mapping in feed.json is not that in mapping.jq", c.name)
		}
		c.flow, c.format = feed.Flow, formatOf(t, feed.Format)
		if err := json.Unmarshal([]byte(sample(t, dir, "records.json")), &c.want); err != nil {
			t.Fatal(path, err)
		}
		files, _ := os.ReadDir(dir)
		for _, f := range files {
			if !slices.Contains([]string{"feed.json", "mapping.jq", "records.json", "README.md"}, f.Name()) {
				c.doc = []byte(sample(t, dir, f.Name()))
			}
		}
		list = append(list, c)
	}
	return list
}

// formatOf reads a format as feeds have it: a name, or an object.
func formatOf(t *testing.T, doc json.RawMessage) (f gangway.DocumentFormat) {
	t.Helper()
	if json.Unmarshal(doc, &f.Kind) == nil {
		return f
	}
	var object struct {
		gangway.DocumentFormat
		Header json.RawMessage `json:"header"`
	}
	must(t, json.Unmarshal(doc, &object))
	f = object.DocumentFormat
	n, header := 0, string(object.Header)
	switch {
	case header == "false":
		f.Header = &n
	case header != "" && header != "true":
		must(t, json.Unmarshal(object.Header, &n))
		f.Header = &n
	}
	return f
}

func (c customer) open(t *testing.T) *decode.Document {
	t.Helper()
	in := decode.Input{ReaderAt: bytes.NewReader(c.doc), Size: int64(len(c.doc))}
	doc, err := decode.Open(in, c.format, decode.Limits{})
	if err != nil {
		t.Fatalf("%s: %v", c.name, err)
	}
	t.Cleanup(func() { doc.Close() })
	return doc
}

// records runs a program on the customer's document.
func (c customer) records(t *testing.T, program string) ([]any, error) {
	t.Helper()
	from := compiled(t, program, c.flow).Records(t.Context(), runner, c.open(t), gangway.Ask{})
	list := []any{}
	for {
		record, err := from.Next()
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err != nil {
			return list, err
		}
		var value any
		if err := json.Unmarshal(record.JSON, &value); err != nil {
			return nil, err
		}
		list = append(list, value)
	}
}

func TestSampleCustomersBecomeTheRecordsExpected(t *testing.T) {
	for _, folder := range []string{"customers", "customers-afterwards"} {
		for _, c := range customersIn(t, folder) {
			t.Run(c.name, func(t *testing.T) {
				got, err := c.records(t, c.mapping)
				must(t, err)
				if diff := cmp.Diff(byText(withoutEmpty(c.want)), byText(withoutEmpty(got))); diff != "" {
					t.Fatalf("want −, got +:\n%s", diff)
				}
			})
		}
	}
}

// withoutEmpty returns records without lists of nobody, which say nothing.
func withoutEmpty(list []any) []any {
	for _, r := range list {
		if record, ok := r.(map[string]any); ok {
			for name, value := range record {
				if inside, ok := value.([]any); ok && len(inside) == 0 {
					delete(record, name)
				}
			}
		}
	}
	return list
}

// byText sorts records: they may come in any order.
func byText(list []any) []any {
	slices.SortFunc(list, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	return list
}

// edits counts what an integrator has to change of a proposed program to get the
// records expected: an edit is the expression of one field, or the way to the list
// of records. A field counts if the proposal makes anything else of it in any record.
func (c customer) edits(t *testing.T, proposed string) (fields []string) {
	t.Helper()
	got, err := c.records(t, proposed)
	want := withoutEmpty(c.want)
	if err != nil || len(withoutEmpty(got)) != len(want) {
		fields = append(fields, "the list")
		if got, err = c.records(t, withHead(t, c.mapping, proposed)); err != nil || len(got) != len(want) {
			return append(fields, "everything")
		}
		withoutEmpty(got)
	}
	wrong := map[string]bool{}
	a, b := perIdentity(got, c.flow, true), perIdentity(want, c.flow, true)
	if !slices.Equal(sortedNames(a), sortedNames(b)) {
		a, b = perIdentity(got, c.flow, false), perIdentity(want, c.flow, false)
	}
	for key, want := range b {
		for path, value := range want {
			if !cmp.Equal(a[key][path], value) {
				wrong[withoutIndexes(path)] = true
			}
		}
		for path := range a[key] {
			if _, there := want[path]; !there {
				wrong[withoutIndexes(path)] = true
			}
		}
	}
	return append(fields, sortedNames(wrong)...)
}

// perIdentity returns the fields of each record: by its place, or of crew changes
// by the vessel, since groups may come in another order.
func perIdentity(list []any, flow gangway.Flow, byVessel bool) map[string]map[string]any {
	by := map[string]map[string]any{}
	for i, r := range list {
		doc, _ := json.Marshal(r)
		leaves := leavesOf(doc, flow)
		key := fmt.Sprint(i)
		if vessel, ok := leaves["vessel"].(string); ok && byVessel {
			key = vessel
		}
		by[key] = leaves
	}
	return by
}

// withHead returns the proposed fields behind the mapping's way to the list.
func withHead(t *testing.T, mapping, proposed string) string {
	t.Helper()
	split := func(program string) (head []string, last string) {
		q, err := gojq.Parse(program)
		if err != nil {
			t.Fatal(program, err)
		}
		steps := pipe(q)
		for _, s := range steps[:len(steps)-1] {
			head = append(head, s.String())
		}
		return head, steps[len(steps)-1].String()
	}
	if proposed == "" {
		return mapping
	}
	head, _ := split(mapping)
	_, last := split(proposed)
	return strings.Join(append(head, last), " | ")
}

// TestProposalsForSampleCustomersNeedFewEdits measures what proposals are worth. Of systems whose names nobody put into
// the tables it only reports the edits: were these samples fed back, the figure would mean nothing
// (testdata/customers-afterwards).
func TestProposalsForSampleCustomersNeedFewEdits(t *testing.T) {
	for folder, least := range map[string]int{"customers": 8, "customers-afterwards": 0} {
		few := 0
		for _, c := range customersIn(t, folder) {
			p, err := propose(t.Context(), runner, c.flow, c.open(t), today)
			must(t, err)
			edits := c.edits(t, p.Program)
			if len(edits) <= 2 {
				few++
			}
			t.Logf("%-20s %d edits %v\n%s\n%+v", c.name, len(edits), edits, p.Program, p.Unsure)
		}
		if few < least {
			t.Errorf("%d proposals for %s need no more than two edits; want at least %d", few, folder, least)
		}
	}
}
