package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// checkFound compares what records of a table are found by, which is selected as texts with blanks between them, with
// what they should be found by. Rows whose key may be a name are named by their place in the table.
func (s Scoped) checkFound(ctx context.Context, f *finding, table string, keys, docs []string, found, which string,
	right func(docs, found []string) bool) error {
	more := fmt.Sprintf(`CAST(x.%s AS TEXT), x.%s, coalesce((%s), '')`, s.db.dialect.rowName(), strings.Join(docs, ", x."), found)
	return s.eachPage(ctx, table, strings.Join(keys, " "), more, which, func(_ []any, row scanner) error {
		texts, err := scanTexts(row, len(docs)+2)
		if err == nil {
			f.look(!right(texts[1:len(docs)+1], strings.Fields(texts[len(docs)+1])), "it is not found by what it says",
				table+", row", texts[0])
		}
		return err
	})
}

// checkWords compares the words by which travellers are found with their names, unless words wait to be written.
func (s Scoped) checkWords(ctx context.Context, f *finding) error {
	return s.checkFound(ctx, f, "traveller", []string{"key"}, []string{"doc"},
		`SELECT string_agg(w.word, ' ') FROM traveller_word w WHERE w.account = x.account AND w.key = x.key`,
		`NOT EXISTS (SELECT 1 FROM unworded u WHERE u.account = x.account)`, func(docs, found []string) bool {
			t, err := readTraveller(docs[0])
			want := t.NameWords()
			slices.Sort(want)
			slices.Sort(found)
			return err == nil && slices.Equal(slices.Compact(want), found)
		})
}

// checkTraces compares the traces of records with the travellers in them, unless they wait to be written or the
// traveller was erased.
func (s Scoped) checkTraces(ctx context.Context, f *finding) (err error) {
	for _, h := range travellerTables {
		found, which := "SELECT string_agg(CAST(t.mark AS TEXT), ' ') FROM "+h.traces()+
			" t WHERE t.account = x.account",
			"NOT (x."+h.trace.due+")"
		for _, k := range h.key {
			found += fmt.Sprintf(" AND t.%s = x.%[1]s", k)
		}
		if h.table == "booking" {
			which += " AND x.erased_at = 0"
		}
		err = errors.Join(err, s.checkFound(ctx, f, h.table, h.key, h.docs, found, which, func(docs,
			found []string) bool {
			var had []int64
			for _, text := range found {
				mark, _ := strconv.ParseInt(text, 10, 64) // written by the database
				had = append(had, mark)
			}
			list, err := h.read(docs...)
			var change marksChange
			change.add(travellerRow{holder: h}, had, list)
			return err == nil && len(change.gone)+len(change.fresh) == 0
		}))
	}
	return err
}
