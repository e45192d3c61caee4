package store

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gangway/internal/gangway"

	"github.com/go-json-experiment/json"
)

// A records describes a table of what customers send. Each row is one record, from one of the
// sources that have it.
type records struct {
	table    string
	key      []string // key columns after the account
	columns  []string // all that are made of the record: the key first, the doc last
	day      string   // the column of the day that a record is for; empty: it is for none
	name     string   // what a run knows a record by; empty: by its key
	hasWords bool     // they are travellers, whose words are written after an upload

	row func(doc string) (Row, error) // as it is stored

	// inherits are columns whose new values inherit makes of those of the row that is replaced. One that is not among
	// columns stays as it is.
	inherits []string
	inherit  func(old []string, oldDoc, doc string, from gangway.Origin) ([]string, error)
}

var (
	travellerRecords = records{
		table: "traveller", key: []string{"key"}, columns: []string{"key", "surname", "given", "doc"}, hasWords: true,
		row: rowOfDoc(TravellerRows),
	}
	requestRecords = records{
		table: "travel_request", key: []string{"request_id", "sub_request_id"},
		columns: []string{"request_id", "sub_request_id", "starts", "hotel_from", "vessel", "undated", "doc"},
		day:     "starts",
		row:     rowOfDoc(TravelRequestRows),
	}
	changeRecords = records{
		table: "crew_change", key: []string{"key"},
		columns: []string{"key", "vessel", "change_date", "named", "dropped", "news", "doc"},
		day:     "change_date", name: "CASE WHEN named = '' THEN key ELSE named END",
		row: rowOfDoc(CrewChangeRows), inherits: []string{"dropped", "news", "moved"}, inherit: inheritChange,
	}
)

// rowOfDoc makes the row of a record from its document.
func rowOfDoc[T any](rows func([]T) ([]Row, error)) func(string) (Row, error) {
	return func(doc string) (Row, error) {
		list := make([]T, 1)
		if err := json.Unmarshal([]byte(doc), &list[0]); err != nil {
			return nil, fmt.Errorf("read a record: %w", err)
		}
		made, err := rows(list)
		if err != nil {
			return nil, err
		}
		return made[0], nil
	}
}

// inheritChange returns the members dropped from a crew change when doc replaces oldDoc, and its news.
func inheritChange(old []string, oldDoc, doc string, from gangway.Origin) ([]string, error) {
	was, err := changeTexts{doc: oldDoc, dropped: old[0], news: old[1], moved: old[2]}.read("")
	c, wrong := readCrewChange(doc, "", old[2])
	if err = cmp.Or(err, wrong); err != nil {
		return nil, err
	}
	return replaced(was, c, from, old[2])
}

// replaced returns what a crew change has beside it once c is in the place of old; moved stays.
func replaced(old, c gangway.CrewChange, from gangway.Origin, moved string) ([]string, error) {
	out, news := c.Replace(old, from.SeenAt).Dropped, c.NewsAfter(old, from)
	dropped, err := writeBeside(out, len(out) > 0)
	told, wrong := writeBeside(news, news != nil)
	return []string{dropped, told, moved}, cmp.Or(err, wrong)
}

// at is the condition that selects one row by account and key, numbering placeholders from the
// first.
func (r records) at() string {
	return hasKey(r.key)
}

// hasKey is the condition that selects one row by account and key.
func hasKey(key []string) string {
	where := "account = $1"
	for i, column := range key {
		where += fmt.Sprintf(" AND %s = $%d", column, i+2)
	}
	return where
}

// among is the condition that a row has one of n keys, numbering placeholders from first.
func (r records) among(first, n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = "(" + placeholders(first+i*len(r.key), len(r.key)) + ")"
	}
	return "(" + strings.Join(r.key, ", ") + ") IN (VALUES " + strings.Join(list, ", ") + ")"
}

// keysOf are the keys of rows, one after the other.
func (r records) keysOf(rows []Row) (list []any) {
	for _, row := range rows {
		list = append(list, row[:len(r.key)]...)
	}
	return list
}

const originColumns = `source, last_seen, generation`

// scanOrigin reads a row whose first columns are originColumns.
func scanOrigin(row scanner, from *gangway.Origin, rest ...any) error {
	err := row.Scan(slices.Concat([]any{&from.Source, when(&from.SeenAt), &from.Generation}, rest)...)
	return err
}

// A claim is one source's version of a record whose row comes from another source.
type claim struct {
	Source gangway.Source `json:"source"`
	Seen   int64          `json:"seen"`
	Doc    rawDoc         `json:"doc"`
}

// A rawDoc is a document inside a document, kept exactly as it is written.
type rawDoc string

// MarshalJSON is part of json.Marshaler.
func (d rawDoc) MarshalJSON() ([]byte, error) { return []byte(d), nil }

// UnmarshalJSON is part of json.Unmarshaler.
func (d *rawDoc) UnmarshalJSON(text []byte) error {
	*d = rawDoc(text)
	return nil
}

// claimOf is the SQL that adds a row's present version to its claims, in the form that writeClaims
// writes. Names of sources need no escaping.
func claimOf(table string) string {
	return fmt.Sprintf(`%[1]s.outranked || '{"source":"' || %[1]s.source || '","seen":' || %[1]s.last_seen ||
		',"doc":' || %[1]s.doc || '}' || '
'`, table)
}

func readClaims(text string) (list []claim, err error) {
	for line := range strings.Lines(text) {
		var c claim
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			return nil, fmt.Errorf("read what another source has of a record: %w", err)
		}
		list = append(list, c)
	}
	return list, nil
}

func writeClaims(list []claim) string {
	var text strings.Builder
	for _, c := range list {
		fmt.Fprintf(&text, `{"source":"%s","seen":%d,"doc":%s}`+"\n", c.Source, c.Seen, c.Doc)
	}
	return text.String()
}

// without returns the claims of all sources but one.
func without(list []claim, source gangway.Source) []claim {
	return slices.DeleteFunc(slices.Clone(list), func(c claim) bool { return c.Source == source })
}
