package mapping

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"gangway/internal/accept/decode"
	"gangway/internal/gangway"
)

// A Proposal is a program that was written from a sample of a customer's
// documents, for its integrator to look over.
type Proposal struct {
	Program string // empty: the built-in mapping understands the sample as it is
	Unsure  []Unsure
}

// Unsure says why a field of a proposal should be looked at.
type Unsure struct {
	Field  string // ours, as in "doc_expire"
	Source string // what the sample calls it; empty: there is nothing for it
	Why    string
}

// mostSampled is how many records of a sample are looked at.
const mostSampled = 1000

// Propose writes a program for documents like a sample: from the names of what is
// in it, and from the values, which tell the order of dates, how countries are
// written, and what is a passport's number whatever its column is called. The runner tries the program out.
func Propose(ctx context.Context, runner Runner, flow gangway.Flow, sample Items) (Proposal, error) {
	return propose(ctx, runner, flow, sample, time.Now())
}

func propose(ctx context.Context, runner Runner, flow gangway.Flow, sample Items, now time.Time) (Proposal, error) {
	p, value, err := startProposing(flow, sample, now)
	if err != nil {
		return Proposal{}, err
	}
	if len(p.records) == 0 {
		return Proposal{Unsure: []Unsure{{Why: "there are no records in the sample"}}}, nil
	}
	program := p.write()
	proposal := Proposal{Program: program, Unsure: p.unsure}
	builtIn, err := p.same(ctx, runner, program, withoutScalars(value))
	if err != nil { // what would fail is not proposed
		proposal.Program = fmt.Sprintf("# No program was found that works for all of it: %.200q\n", err)
	} else if builtIn && !p.nameless {
		proposal.Program = ""
	}
	return proposal, nil
}

// startProposing reads a sample and finds the records in it.
func startProposing(flow gangway.Flow, sample Items, now time.Time) (*proposing, any, error) {
	p := &proposing{flow: flow, now: now, reader: newReader(flow, now)}
	value, list, err := p.sampled(sample)
	if err != nil {
		return p, nil, err
	}
	p.list = list
	if d, ok := sample.(*decode.Document); ok {
		p.xml = d.Format.Kind == gangway.XMLFormat || d.Format.Kind == gangway.SOAPFormat
	}
	p.look(value)
	return p, value, nil
}

// withoutScalars leaves out what is no record: that is not a program's fault.
func withoutScalars(value any) any {
	if list, ok := value.([]any); ok {
		return slices.DeleteFunc(list, func(v any) bool { return columnsOf([]any{v}, nil) == nil })
	}
	return value
}

// sampled reads the first records of a sample, or all of what is no list.
func (p *proposing) sampled(sample Items) (value any, list bool, err error) {
	records := []any{}
	for len(records) < mostSampled {
		item, err := sample.Next()
		switch {
		case errors.Is(err, io.EOF):
			return records, true, nil
		case errors.As(err, new(*decode.RecordError)) && sample.List():
			continue
		case err != nil:
			return nil, false, err
		case !sample.List():
			return item.Value, false, nil
		}
		p.of(item)
		records = append(records, item.Value)
	}
	return records, true, nil
}

// same reports whether the built-in mapping makes of the sample what the program
// does, in all fields that the interface names.
func (p *proposing) same(ctx context.Context, runner Runner, program string, value any) (bool, error) {
	values := []any{value}
	if p.list {
		values = value.([]any)
	}
	run := func(text string) ([]map[string]any, error) {
		m, err := Compile(text, p.flow)
		if err != nil {
			return nil, err
		}
		m.now = func() time.Time { return p.now }
		var records []map[string]any
		from := m.Records(ctx, runner, &given{values, p.list}, gangway.Ask{})
		for {
			record, err := from.Next()
			if errors.Is(err, io.EOF) {
				return records, nil
			}
			if err != nil {
				return nil, err
			}
			records = append(records, leavesOf(record.JSON, p.flow))
		}
	}
	proposed, err := run(program)
	if err != nil {
		return false, err
	}
	builtIn, err := run("")
	if err != nil || len(builtIn) != len(proposed) {
		return false, err
	}
	for _, records := range [][]map[string]any{proposed, builtIn} { // groups may come in another order
		slices.SortFunc(records, func(a, b map[string]any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	}
	for i := range proposed {
		if !maps.Equal(proposed[i], builtIn[i]) {
			return false, nil
		}
	}
	return true, nil
}

// given are values that are at hand.
type given struct {
	values []any
	list   bool
}

func (g *given) List() bool { return g.list }

func (g *given) Next() (decode.Item, error) {
	if len(g.values) == 0 {
		return decode.Item{}, io.EOF
	}
	value := g.values[0]
	g.values = g.values[1:]
	return decode.Item{Value: value}, nil
}

// A proposing is a proposal that is being written.
type proposing struct {
	*reader
	flow    gangway.Flow
	now     time.Time
	list    bool // the sample is a list
	xml     bool
	head    string // how the program gets to the records
	records []any
	orders  map[string]string // how dates are ordered, by what parts them
	unsure  []Unsure

	nameless bool // there is no column for people's names

	// Of a table. Columns are named as columnID does.
	table  *Table              // nil: none is wanted
	chosen map[string][]string // the fields of columns, as somebody chose them; nil: nobody did
	kept   map[string]keptText // what the program makes of fields
	paths  map[string]string   // the path under which programs read a column → the column
	names  map[string]string   // the last names of columns' paths
	inRows bool                // crew changes are rows, one for each member
}

// doubt notes that a field should be looked at.
func (p *proposing) doubt(field, source, why string) {
	p.unsure = append(p.unsure, Unsure{field, source, why})
}

// look finds the records in a sample.
func (p *proposing) look(value any) {
	if list, ok := value.([]any); ok {
		p.head, p.records = ".[]", list
		return
	}
	root, _ := value.(map[string]any)
	if forms := formsIn(root, p.words); forms != nil {
		p.head, p.records = ".[] | map({(.[0]): .[1]}) | add", forms
		return
	}
	found := p.listings(value)
	if len(found) == 0 {
		found = anyLists(value, nil)
	}
	if len(found) == 0 {
		p.head, p.records = ".", []any{value}
		return
	}
	best, sheets := found[0], 0
	for _, l := range found {
		if l.score > best.score || l.score == best.score && len(l.records) > len(best.records) {
			best = l
		}
	}
	for _, l := range found {
		if len(l.path) == 1 && 3*l.score >= 2*best.score {
			sheets++
			p.records = append(p.records, l.records...)
		}
	}
	if sheets > 1 && sheets == len(root) {
		p.head = ".[][]"
		return
	}
	p.records = best.records
	p.head = "." + strings.TrimPrefix(pathExpr(best.path), ".")
	if p.xml {
		p.head = "[" + p.head + "] | flatten[]"
		return
	}
	if isList(value, best.path) {
		p.head += "[]"
	}
}

// isList reports whether there is a list at a path.
func isList(value any, path []string) bool {
	for _, name := range path {
		object, _ := value.(map[string]any)
		value = object[name]
	}
	_, ok := value.([]any)
	return ok
}

// anyLists returns the lists of objects in a value, the longest having the highest score.
func anyLists(value any, path []string) (found []listing) {
	switch v := value.(type) {
	case []any:
		if len(v) > 0 && isObjects(v) {
			found = append(found, listing{append([]string(nil), path...), v, len(v)})
		}
	case map[string]any:
		for name, inside := range v {
			if len(path) < mostWithin {
				found = append(found, anyLists(inside, append(path, name))...)
			}
		}
	}
	return found
}

// formsIn returns the records of a workbook that has a form on each sheet: rows of
// a label and a value. nil: it has none.
func formsIn(root map[string]any, words *vocabulary) []any {
	var forms []any
	for _, name := range sortedNames(root) {
		rows, ok := root[name].([]any)
		if !ok || len(rows) == 0 {
			return nil
		}
		form, known := map[string]any{}, 0
		for _, row := range rows {
			cells, ok := row.([]any)
			if !ok || len(cells) == 0 {
				return nil
			}
			label, _ := cells[0].(string)
			if words.targets[bare(label)] != "" {
				known++
			}
			if len(cells) > 1 {
				form[label] = cells[1]
			}
		}
		if known < 3 {
			return nil
		}
		forms = append(forms, form)
	}
	return forms
}
