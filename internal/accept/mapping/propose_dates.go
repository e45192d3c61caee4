package mapping

import (
	"strings"

	"gangway/internal/gangway"
)

// whichDate says whether a column of dates is of births, of passports' ends, or neither.
func (p *proposing) whichDate(c *column) string {
	order := p.orderOf(c)
	births, ends := 0, 0
	for _, v := range c.values {
		d := gangway.Date(dateOf(v, order, p.now))
		if !d.Valid() {
			continue
		}
		switch {
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
	best, most := "DMY", -1
	for _, order := range []string{"DMY", "MDY", "YMD"} {
		n := 0
		for _, v := range c.values {
			if gangway.Date(dateOf(v, order, p.now)).Valid() {
				n++
			}
		}
		if n > most {
			best, most = order, n
		}
	}
	if said := p.orders[separatorOf(c)]; said != "" && p.tie(c, said, best) {
		return said
	}
	return best
}

// tie reports whether two orders read as many of a column's dates.
func (p *proposing) tie(c *column, a, b string) bool {
	read := func(order string) float64 {
		return c.share(func(s string) bool { return gangway.Date(dateOf(s, order, p.now)).Valid() })
	}
	return read(a) >= read(b)
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
	reads, days := 0, map[string]bool{}
	for _, order := range []string{"DMY", "MDY", "YMD"} {
		var read strings.Builder
		valid := 0
		for _, v := range c.values {
			if d := dateOf(v, order, p.now); gangway.Date(d).Valid() {
				valid++
				read.WriteString(d)
			}
		}
		if valid == len(c.values) {
			reads++
			days[read.String()] = true
		}
	}
	return reads > 1 && len(days) > 1
}
