package mapping

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"gangway/internal/accept/decode"
	"gangway/internal/gangway"
)

// mixedDates finds columns that have dates with the day first and dates with the month first. In such a column it
// appends unclearDate to a date that can be read both ways: no mapping understands that, so the check leaves the date
// out and quotes it. It writes the unmistakable dates as the interface has them.
//
// It examines the first records of a list before it hands out any. If a column turns out to be mixed later, the remark
// counts the ambiguous dates that were read before.
//
// Decided: docs/choices.md, "Mappings".
type mixedDates struct {
	Items
	now     time.Time
	columns map[string]*dateColumn // by the names that lead to them, without places in lists
	next    func() (decode.Item, error)
}

// A dateColumn has the first of its dates that have the day first without doubt, and the first with the month.
type dateColumn struct {
	dayFirst, monthFirst string
	at                   decode.Place // of the later one
	read                 int          // dates that can be read both ways and were handed out before
}

// unclearDate marks a date that can be read both ways.
const unclearDate = " (day or month first?)"

func newMixedDates(doc Items, now time.Time) *mixedDates {
	m := &mixedDates{Items: doc, now: now, columns: map[string]*dateColumn{}}
	m.next = lookAhead(doc.Next, func(item decode.Item) { m.walk(item.Value, "", item.At, false) })
	return m
}

func (m *mixedDates) Next() (decode.Item, error) {
	item, err := m.next()
	m.walk(item.Value, "", item.At, true)
	return item, err
}

// walk looks at the dates that are members within a value, and writes them as they are handed out.
func (m *mixedDates) walk(value any, in string, at decode.Place, write bool) {
	switch value := value.(type) {
	case map[string]any:
		for name, v := range value {
			if text, ok := v.(string); !ok {
				m.walk(v, in+name+".", at, write)
			} else if text != "" && text[0] >= '0' && text[0] <= '9' {
				value[name] = m.date(text, in+name, at, write)
			}
		}
	case []any:
		for _, v := range value {
			m.walk(v, in, at, write)
		}
	}
}

// date notes a date of a column, and returns it as it is handed out.
func (m *mixedDates) date(text, column string, at decode.Place, write bool) string {
	i := strings.IndexAny(text, "./- ")
	j := i + 1 + strings.IndexAny(text[i+1:], "./- ")
	if i < 1 || i > 2 || j < i+2 || j > i+3 {
		return text
	}
	first, _ := strconv.Atoi(text[:i])
	second, _ := strconv.Atoi(text[i+1 : j])
	day, month := second <= 12, first <= 12
	if first == second || min(first, second) < 1 || !day && !month || len(m.columns) >= mostKnown {
		return text
	}
	c := m.columns[column]
	if c == nil {
		c = &dateColumn{}
		m.columns[column] = c
	}
	mixed := c.dayFirst != "" && c.monthFirst != ""
	switch {
	case day && month && write && mixed:
		return text + unclearDate
	case day && month && write:
		c.read++
	}
	order, example := "DMY", &c.dayFirst
	if month {
		order, example = "MDY", &c.monthFirst
	}
	if day && month || *example != "" && !mixed {
		return text
	}
	iso := dateOf(text, order, m.now)
	if *example == "" && gangway.Date(iso).Valid() {
		*example, c.at = text, at
	}
	if write && c.dayFirst != "" && c.monthFirst != "" {
		return iso
	}
	return text
}

// remarks are about the columns that are mixed.
func (m *mixedDates) remarks() (all []gangway.FeedRemark) {
	for _, name := range slices.Sorted(maps.Keys(m.columns)) {
		c := m.columns[name]
		if c.dayFirst == "" || c.monthFirst == "" {
			continue
		}
		words := fmt.Sprintf("Column %.100q has dates with the day first (%s) and with the month first (%s): those "+
			"that can be read both ways are left out", name, c.dayFirst, c.monthFirst)
		if c.read > 0 {
			words += fmt.Sprintf(", but for the %d that came before the second order", c.read)
		}
		all = append(all, gangway.FeedRemark{At: c.at.String(), SourceField: name, Message: words + "."})
	}
	return all
}
