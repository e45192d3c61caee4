package mapping

import (
	"fmt"
	"maps"
	"slices"

	"gangway/internal/accept/decode"
	"gangway/internal/gangway"
)

// A tableCheck looks at the columns of a document's tables: whoever renames a column in the source would
// otherwise see a field of all records vanish without a word.
type tableCheck struct {
	reads   map[string]string // what a program takes our fields from
	first   decode.Item       // of all tables, without its value; its number is 0
	seen    bool
	sheet   string          // whose columns were looked at last
	missing map[string]bool // our fields whose column no table has so far
	again   map[string]bool // names of several columns
}

// look looks at the columns of the table that an item is of.
func (c *tableCheck) look(item decode.Item) {
	if _, known := item.HasColumn(""); !known || c.seen && item.At.In == c.sheet {
		return
	}
	if !c.seen {
		c.seen, c.missing, c.again = true, map[string]bool{}, map[string]bool{}
		c.first = decode.Item{At: item.At}
		for field := range c.reads {
			c.missing[field] = true
		}
	}
	c.sheet = item.At.In
	for field := range c.missing {
		if has, _ := item.HasColumn(c.reads[field]); has || c.reads[field] == "_sheet" {
			delete(c.missing, field)
		}
	}
	for _, name := range item.Repeated() {
		c.again[name] = true
	}
}

// remarks are what there is to say about the columns. They stand at the first record.
func (c *tableCheck) remarks() []gangway.FeedRemark {
	var all []gangway.FeedRemark
	said := map[string]bool{}
	for _, field := range slices.Sorted(maps.Keys(c.missing)) {
		column := c.reads[field]
		if said[column] {
			continue
		}
		said[column] = true
		all = append(all, gangway.FeedRemark{At: c.first.At.String(), Field: field, SourceField: column,
			Message: fmt.Sprintf("The mapping reads column %.100q, which is not there.", column)})
	}
	for _, name := range slices.Sorted(maps.Keys(c.again)) {
		all = append(all, gangway.FeedRemark{At: c.first.At.String(), SourceField: name,
			Message: fmt.Sprintf("Several columns are called %.100q: the second is read as %.100q.", name, name+"_2")})
	}
	return all
}

// A lookedAt document has its tables looked at while it is read.
type lookedAt struct {
	Items
	check *tableCheck
}

func (l lookedAt) Next() (decode.Item, error) {
	item, err := l.Items.Next()
	if err == nil {
		l.check.look(item)
	}
	return item, err
}
