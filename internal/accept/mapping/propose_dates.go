package mapping

import (
	"slices"
	"strings"

	"gangway/internal/gangway"
)

// whichDate says whether a column of dates is of births, of passports' ends, or neither.
func (p *proposing) whichDate(c *column) string {
	births, ends := 0, 0
	for _, day := range p.days(c, p.orderOf(c)) {
		switch d := gangway.Date(day); {
		case d < gangway.DateOf(p.now.AddDate(-15, 0, 0)) && d > gangway.DateOf(p.now.AddDate(-90, 0, 0)):
			births++
		case d > gangway.DateOf(p.now.AddDate(0, 2, 0)) && d < gangway.DateOf(p.now.AddDate(12, 0, 0)):
			ends++
		}
	}
	switch {
	case births*10 >= 9*len(c.values):
		return "dob"
	case ends*10 >= 6*len(c.values):
		return "doc_expire"
	}
	return ""
}

// orderOf returns the order of the parts of a column's dates, as the values tell.
func (p *proposing) orderOf(c *column) string {
	if len(c.values) > 0 && c.share(yearFirst.MatchString) == 1 {
		return "YMD"
	}
	best, most := "", -1
	for _, order := range dateOrders {
		if n := len(p.days(c, order)); n > most {
			best, most = order, n
		}
	}
	if said := p.orders[separatorOf(c)]; said != "" && len(p.days(c, said)) >= most {
		return said
	}
	return best
}

// days are those of a column's values that are dates in an order.
func (p *proposing) days(c *column, order string) (days []string) {
	for _, v := range c.values {
		if d := dateOf(v, order, p.now); isDay(d) {
			days = append(days, d)
		}
	}
	return days
}

// separatorOf returns what stands between the parts of a column's dates.
func separatorOf(c *column) string {
	for _, v := range c.values {
		if i := strings.IndexAny(v, "./- "); i > 0 {
			return v[i : i+1]
		}
	}
	return ""
}

// findOrders finds the orders that some column of a document proves: the others
// whose dates are written alike are in the same.
func (p *proposing) findOrders(columns []*column) {
	p.orders = map[string]string{}
	for _, c := range columns {
		if len(c.values) == 0 || c.share(p.isDate) < 0.8 {
			continue
		}
		if order := p.orderOf(c); !p.ambiguous(c) {
			p.orders[separatorOf(c)] = order
		}
	}
}

// ambiguous reports whether a column's dates can be read in two orders that give
// different days.
func (p *proposing) ambiguous(c *column) bool {
	if separatorOf(c) == "." {
		return false
	}
	var read []string // in each order that reads all
	for _, order := range dateOrders {
		days := p.days(c, order)
		if all := strings.Join(days, ""); len(days) == len(c.values) && !slices.Contains(read, all) {
			read = append(read, all)
		}
	}
	return len(read) > 1
}
