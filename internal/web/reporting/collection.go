package reporting

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"gangway/internal/gangway"
	"gangway/internal/report/odata"
	"gangway/internal/report/query"
	"gangway/internal/store"
)

// errEnough ends the reading of rows.
var errEnough = errors.New("the page is full")

// rowsOfMany is after how many rows a page is taken to become full, and gets its memory at once.
const rowsOfMany = 100

// A listing is the rows of a page, as they are written.
type listing struct {
	c       *call
	size    int64 // rows at most
	written int64
	last    query.Position // of the row that the page ends with; nil: it has not ended
	more    bool           // there are rows behind it
	begin   func()         // writes what stands before the rows
	begun   bool
}

// listing returns a page of which begin writes what stands before the rows.
func (s *Reporting) listing(c *call, begin func()) *listing {
	return &listing{c: c, size: s.pageSize(c), begin: begin}
}

// open opens the list.
func (l *listing) open() {
	if l.begun {
		return
	}
	l.begun = true
	l.begin()
	l.c.name("value")
	l.c.page.Write([]byte("["))
}

// row writes a row, until the page is full. One more shows that there is another page.
func (l *listing) row(r query.Row, write func(r query.Row, further bool) error) error {
	if l.last != nil {
		l.more = true
		return errEnough
	}
	l.open()
	if err := write(r, l.written > 0); err != nil {
		return err
	}
	bytes := len(l.c.page.Bytes())
	if l.written++; l.written == l.size || bytes > l.c.bytes {
		l.last = r.Position()
	} else if l.written == rowsOfMany {
		left := int(l.size-l.written) * bytes / rowsOfMany
		l.c.page.Reserve(min(left+left/8, l.c.bytes))
	}
	return nil
}

// collection answers with a page of rows, and a link to the next one if there is one (P 11.2.6.7).
func (s *Reporting) collection(ctx context.Context, c *call) (int, error) {
	if c.Query.DeltaToken != "" {
		return s.changes(ctx, c)
	}
	req, err := query.For(c.Request)
	if err != nil {
		return 0, err
	}
	from, err := s.position(ctx, c)
	if err != nil {
		return 0, err
	}
	rows := s.rowWriter(c, c.Query)
	counted := from.count
	page := s.listing(c, func() {
		c.begin()
		if c.Query.Count {
			c.member("@odata.count", c.number(counted))
		}
	})
	req.After, req.Given, req.Limit, req.Apart = from.after, from.given, page.size+1, rows.apart
	if c.omitNulls {
		c.applied("omit-values=nulls")
	}
	if from.counted { // the links carry how many there were on the first page
		one := *req.Query
		one.Count = false
		req.Query = &one
	}
	answer := store.ReportAnswer{
		Count: func(n int64) error { counted = n; return nil },
		Row:   func(r query.Row) error { return page.row(r, rows.write) },
	}
	tracked := from.since
	if tracked == nil && req.After == nil && c.tracks() {
		if tracked, err = s.sinceNow(ctx, c); err != nil {
			return 0, err
		}
		answer.Mark = func(mark int64) { tracked.Mark = mark }
	}
	if tracked != nil {
		c.applied("odata.track-changes")
	}
	if err := s.readPage(ctx, c, req, rows, answer, page); err != nil {
		return 0, err
	}
	c.page.Write([]byte("]"))
	switch {
	case page.more:
		link, err := s.nextLink(ctx, c, place{after: page.last, given: req.Given + page.written, count: counted,
			counted: c.Query.Count, since: tracked})
		if err != nil {
			return 0, err
		}
		c.member("@odata.nextLink", quoted(link))
	case tracked != nil:
		return http.StatusOK, s.endWithDelta(ctx, c, "@odata.deltaLink", *tracked)
	}
	_, err = c.page.Write([]byte("}"))
	return http.StatusOK, err
}

// readPage reads the rows of a page, with what they lead to if that is expanded, and writes them.
func (s *Reporting) readPage(ctx context.Context, c *call, req query.Request, rows *rowWriter,
	answer store.ReportAnswer, page *listing) (err error) {
	if len(c.Query.Expand) == 0 {
		err = report(ctx, c, req, answer)
	} else {
		page.last, page.more, err = s.expanded(ctx, c, req, rows, answer, func(x *expansion, nodes []*node) error {
			page.open()
			page.written = int64(len(nodes))
			return x.writeAll(ctx, c.Query, nodes)
		})
	}
	if err == nil && !page.begun {
		err = wantParent(ctx, c)
		page.open()
	}
	return err
}

// report reads rows until the answer has enough of them.
func report(ctx context.Context, c *call, req query.Request, answer store.ReportAnswer) error {
	err := c.in.Report(ctx, req, answer)
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// count answers with how many rows there are, as a bare number (P 11.2.10).
func (s *Reporting) count(ctx context.Context, c *call) (int, error) {
	req, err := query.For(c.Request)
	if err != nil {
		return 0, err
	}
	one := *req.Query
	one.Count = true
	top := int64(0) // no rows
	one.Top = &top
	req.Query = &one
	var n int64
	err = report(ctx, c, req, store.ReportAnswer{
		Count: func(all int64) error { n = all; return nil },
		Row:   func(query.Row) error { return errEnough },
	})
	if err == nil && n == 0 {
		err = wantParent(ctx, c)
	}
	if err != nil {
		return 0, err
	}
	c.page.Write(strconv.AppendInt(nil, n, 10))
	return http.StatusOK, nil
}

// wantParent refuses a path to rows of one that is not there.
func wantParent(ctx context.Context, c *call) error {
	if len(c.Path.Steps) == 0 || c.Query.SkipToken != "" {
		return nil
	}
	parent := c.Path.Parent()
	n, set, none := int64(0), parent.Target(), int64(0)
	err := report(ctx, c, query.Request{Query: &odata.Query{Set: set, Select: set.Key, Count: true, Top: &none},
		Path: parent}, store.ReportAnswer{Count: func(all int64) error { n = all; return nil }})
	if err == nil && n == 0 {
		return gangway.Errorf(gangway.NotFound, "there is no row of %s at this address", set.Name)
	}
	return err
}

// noSuchRow is the answer to a key that no row has, another account's included.
func noSuchRow(c *call) error {
	return gangway.Errorf(gangway.NotFound, "there is no row with this key in %s", c.Path.Target().Name)
}
