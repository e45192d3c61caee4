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
	req.After, req.Given = from.after, from.given
	size := s.pageSize(c)
	req.Limit = size + 1 // one more shows that there is another page
	rows := s.rowWriter(c, c.Query)
	if c.omitNulls {
		c.applied("omit-values=nulls")
	}
	req.Apart = rows.apart
	counted, rowsBegun := from.count, false
	begin := func() {
		rowsBegun = true
		c.begin()
		if c.Query.Count {
			c.member("@odata.count", c.number(counted))
		}
		c.name("value")
		c.page.Write([]byte("["))
	}
	if from.counted { // the links carry how many there were on the first page
		one := *req.Query
		one.Count = false
		req.Query = &one
	}
	written, last, more := int64(0), query.Position(nil), false
	answer := store.ReportAnswer{
		Count: func(n int64) error { counted = n; return nil },
		Row: func(r query.Row) error {
			if last != nil {
				more = true
				return errEnough
			}
			if !rowsBegun {
				begin()
			}
			if err := rows.write(r, written > 0); err != nil {
				return err
			}
			if written++; written == size || len(c.page.Bytes()) > c.bytes {
				last = r.Position()
			} else if written == rowsOfMany {
				left := int(size-written) * len(c.page.Bytes()) / rowsOfMany
				c.page.Reserve(min(left+left/8, c.bytes))
			}
			return nil
		},
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
	if len(c.Query.Expand) > 0 {
		last, more, err = s.expanded(ctx, c, req, rows, answer, func(x *expansion, nodes []*node) error {
			begin()
			written = int64(len(nodes))
			return x.writeAll(ctx, c.Query, nodes)
		})
	} else {
		err = report(ctx, c, req, answer)
	}
	if err != nil {
		return 0, err
	}
	if !rowsBegun {
		if err := wantParent(ctx, c); err != nil {
			return 0, err
		}
		begin()
	}
	c.page.Write([]byte("]"))
	if more {
		link, err := s.nextLink(ctx, c, place{after: last, given: req.Given + written, count: counted,
			counted: c.Query.Count, since: tracked})
		if err != nil {
			return 0, err
		}
		c.member("@odata.nextLink", quoted(link))
	} else if tracked != nil {
		return http.StatusOK, s.endWithDelta(ctx, c, "@odata.deltaLink", *tracked)
	}
	_, err = c.page.Write([]byte("}"))
	return http.StatusOK, err
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
