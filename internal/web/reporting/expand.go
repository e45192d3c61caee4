package reporting

import (
	"context"
	"errors"
	"maps"
	"net/url"
	"slices"
	"strings"

	"gangway/internal/report/odata"
	"gangway/internal/report/query"
	"gangway/internal/store"
)

// An expansion finds what the rows of an answer lead to, by one statement for each navigation property
// and level, whatever the number of rows. All of it is of the same moment as the rows.
//
// It takes no more memory than a page may. Where there is more, the answer has fewer rows, and a link to
// the next page; what its first row leads to may end with a link of its own.
type expansion struct {
	s    *Reporting
	c    *call
	read *store.ReportReading
	text *output // the members of all rows, one behind the other
	left int64   // how many linked rows there may be
}

// A node is a row of an answer with what it leads to.
type node struct {
	from, to int // where its members are in the expansion's text
	at       query.Position
	key      []any
	leads    [][]any // from where each expanded navigation property leads
	related  []related
}

// related is what a row leads to by one navigation property.
type related struct {
	count int64
	rows  []*node
	more  bool // behind these rows there are others
}

// expansion returns what finds what rows lead to. The caller releases what it keeps.
func (s *Reporting) expansion(c *call, read *store.ReportReading) (x *expansion, release func()) {
	text := s.budget.ReportPage(c.client)
	return &expansion{s: s, c: c, read: read, text: &output{Page: text}, left: s.limits.Related}, text.Release
}

// expanded answers a request for rows and what they lead to, which write writes: as many rows as there is
// room for. It returns the place of the last one, and whether there are others behind it.
func (s *Reporting) expanded(ctx context.Context, c *call, req query.Request, w *rowWriter,
	answer store.ReportAnswer, write func(*expansion, []*node) error) (last query.Position, more bool, err error) {
	err = c.in.ReadReport(ctx, func(read *store.ReportReading) error {
		x, release := s.expansion(c, read)
		defer release()
		var nodes []*node
		answer.Row = func(r query.Row) error {
			more = int64(len(nodes)) == req.Limit-1 || len(x.text.Bytes()) > room(c.bytes, c.Query)
			if more {
				return errEnough
			}
			n, err := x.keep(w, r)
			nodes = append(nodes, n)
			return err
		}
		if err := read.Answer(req, answer); err != nil && !errors.Is(err, errEnough) {
			return err
		}
		n, err := x.complete(c.Query, nodes, c.bytes-len(x.text.Bytes()))
		if err != nil || n == 0 {
			return err
		}
		more = more || n < len(nodes)
		last = nodes[n-1].at
		return write(x, nodes[:n])
	})
	return last, more, err
}

// room is how many bytes of a page its rows may take if what they lead to is to have room, too.
func room(bytes int, q *odata.Query) int { return bytes / (1 + len(q.Expand)) }

// keep keeps a row of a query that w writes.
func (x *expansion) keep(w *rowWriter, r query.Row) (*node, error) {
	n := &node{from: len(x.text.Bytes()), at: r.Position(), key: keyOfRow(w.q, r),
		related: make([]related, len(w.q.Expand))}
	for i := range w.q.Expand {
		n.leads = append(n.leads, r.Leads(i))
	}
	w.buf = w.appendMembers(w.buf[:0], r)
	_, err := x.text.Write(w.buf)
	n.to = len(x.text.Bytes())
	return n, err
}

// complete finds what rows of a query lead to, within so many bytes. It returns of how many rows, in their
// order, all of that was found, or as much of it as there is room for in an answer about one row.
func (x *expansion) complete(q *odata.Query, rows []*node, bytes int) (n int, err error) {
	n = len(rows)
	for i := range q.Expand {
		if n == 0 {
			break
		}
		before := len(x.text.Bytes())
		if n, err = x.follow(q, i, rows[:n], bytes/(len(q.Expand)-i)); err != nil {
			return 0, err
		}
		bytes -= len(x.text.Bytes()) - before
	}
	return n, nil
}

// follow is complete for the i-th expanded navigation property.
func (x *expansion) follow(q *odata.Query, i int, rows []*node, bytes int) (int, error) {
	e := q.Expand[i]
	inner := *e.Query
	req := query.Request{Query: &inner, Linked: &query.Linked{By: e.Navigation}}
	for _, r := range rows {
		req.Linked.From = append(req.Linked.From, r.leads[i])
	}
	inner.Count = inner.Count && e.Navigation.Many
	if inner.Count || e.Form == odata.ExpandCount {
		counts, err := x.read.LinkedCounts(req)
		if err != nil {
			return 0, err
		}
		for o, n := range counts {
			rows[o].related[i].count = n
		}
	}
	if e.Form == odata.ExpandCount {
		return len(rows), nil
	}
	if e.Form == odata.ExpandReferences {
		inner.Select = inner.Set.Key
	}
	before := len(x.text.Bytes())
	n, err := x.readLinked(i, rows, req, e.Form, room(bytes, &inner))
	if err != nil {
		return 0, err
	}
	var all []*node
	for _, r := range rows[:n] {
		all = append(all, r.related[i].rows...)
	}
	whole, err := x.complete(&inner, all, bytes-(len(x.text.Bytes())-before))
	if err != nil || whole == len(all) {
		return n, err
	}
	return cut(rows[:n], i, whole), nil
}

// readLinked reads the rows that others lead to by their i-th expanded navigation property.
func (x *expansion) readLinked(i int, rows []*node, req query.Request, form odata.ExpandForm, bytes int) (
	n int, err error) {
	w := x.s.rowWriter(x.c, req.Query)
	w.bare = form == odata.ExpandReferences
	size := x.s.limits.Rows
	req.Limit, req.Apart = size+1, w.apart
	from, read := len(x.text.Bytes()), 0
	n = len(rows)
	err = x.read.Linked(req, func(r query.Row) error {
		to := &rows[r.Origin()].related[i]
		if int64(len(to.rows)) == size {
			to.more = true
			return nil
		}
		if read > 0 && (len(x.text.Bytes())-from > bytes || x.left <= 0) {
			n = r.Origin()
			return errEnough
		}
		one, err := x.keep(w, r)
		if err != nil {
			return err
		}
		read++
		x.left--
		to.rows = append(to.rows, one)
		return nil
	})
	if errors.Is(err, errEnough) {
		if n == 0 {
			rows[0].related[i].more = true
		}
		return max(n, 1), nil
	}
	return n, err
}

// cut returns how many rows are left if of what they lead to by their i-th expanded navigation property only
// the first ones are whole. There is at least one, which then may lead to fewer.
func cut(rows []*node, i, whole int) int {
	for n, r := range rows {
		to := &r.related[i]
		if whole >= len(to.rows) {
			whole -= len(to.rows)
			continue
		}
		if n > 0 {
			return n
		}
		to.rows, to.more = to.rows[:whole], true
		return 1
	}
	return len(rows)
}

// writeAll writes rows of a query as the elements of an array.
func (x *expansion) writeAll(ctx context.Context, q *odata.Query, nodes []*node) error {
	for i, n := range nodes {
		x.c.page.Write([]byte(map[bool]string{true: ",{", false: "{"}[i > 0]))
		if err := x.write(ctx, q, n); err != nil {
			return err
		}
		x.c.page.Write([]byte("}"))
	}
	return x.c.page.full
}

// write writes a row's members, and what it leads to, into the object of the answer.
func (x *expansion) write(ctx context.Context, q *odata.Query, n *node) error {
	x.c.members(x.text.Bytes()[n.from:n.to])
	for i, e := range q.Expand {
		to := n.related[i]
		name := e.Navigation.Name
		if e.Form == odata.ExpandCount || e.Query.Count && e.Navigation.Many {
			x.c.member(name+"@odata.count", x.c.number(to.count))
		}
		if e.Form == odata.ExpandCount {
			continue
		}
		if !e.Navigation.Many && len(to.rows) == 0 {
			if !x.c.omitNulls {
				x.c.member(name, []byte("null"))
			}
			continue
		}
		x.c.name(name)
		if !e.Navigation.Many {
			if err := x.writeAll(ctx, e.Query, to.rows); err != nil {
				return err
			}
			continue
		}
		x.c.page.Write([]byte("["))
		if err := x.writeAll(ctx, e.Query, to.rows); err != nil {
			return err
		}
		x.c.page.Write([]byte("]"))
		if to.more {
			link, err := x.linkToMore(ctx, q.Set, e, n, to)
			if err != nil {
				return err
			}
			x.c.member(name+"@odata.nextLink", quoted(link))
		}
	}
	return x.c.page.full
}

// linkToMore returns the address of what a row of a set leads to behind what is in the answer.
func (x *expansion) linkToMore(ctx context.Context, set *odata.EntitySet, e odata.Expand, n *node, to related) (
	string, error) {
	var options []string
	for _, name := range slices.Sorted(maps.Keys(e.Options)) {
		options = append(options, name+"="+url.QueryEscape(e.Options[name]))
	}
	for _, p := range x.c.pairs() {
		if strings.HasPrefix(p.option, "@") || p.option == "format" {
			options = append(options, p.text)
		}
	}
	inner := *x.c
	inner.request.path = "/" + set.Name + keyText(set, n.key) + "/" + e.Navigation.Name
	if e.Form == odata.ExpandReferences {
		inner.request.path += "/$ref"
	}
	inner.Request = &odata.Request{Path: &odata.Path{}, Query: e.Query}
	inner.all = strings.Join(options, "&")
	return x.s.nextLink(ctx, &inner, place{after: to.rows[len(to.rows)-1].at, given: int64(len(to.rows)),
		count: to.count, counted: e.Query.Count})
}
