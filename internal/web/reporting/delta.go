package reporting

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"gangway/internal/report/odata"
	"gangway/internal/report/query"
	"gangway/internal/store"
)

// deltaLife is for how long a link to changes leads to them.
const deltaLife = 30 * 24 * time.Hour

// A since is from when on changes are told: what a link to changes carries, and the links to the pages
// before it (P 11.3).
type since struct {
	Mark   int64  `json:"m"`
	At     int64  `json:"t"`           // when it was given out, in seconds
	Forced bool   `json:"f,omitempty"` // emissions were told with radiative forcing
	After  string `json:"a,omitempty"` // behind which change the page begins
	Next   *int64 `json:"n,omitempty"` // the mark of the next time, which the first page has found
}

// tracks reports whether changes since this answer are to be told.
func (c *call) tracks() bool {
	return c.trackChanges && len(c.Path.Steps) == 0 && query.Tracks(c.Query)
}

// sinceNow returns where changes begin that are later than now; its mark is not known yet.
func (s *Reporting) sinceNow(ctx context.Context, c *call) (*since, error) {
	account, err := c.in.ReportAccount(ctx)
	if err != nil {
		return nil, err
	}
	return &since{At: s.now().Unix(), Forced: account.Settings.RadiativeForcing}, nil
}

// changes answers with the rows that were written since a link was given out: those that match as they
// are, the others as gone. Its last page has a link for the next time.
func (s *Reporting) changes(ctx context.Context, c *call) (int, error) {
	req, err := query.For(c.Request)
	if err != nil {
		return 0, err
	}
	from, err := s.since(ctx, c)
	if err != nil {
		return 0, err
	}
	req.Changes = &query.Changes{Since: from.Mark}
	next := from.Next
	if from.After != "" {
		if req.Changes.After, err = query.ParseChange(c.Query, from.After); err != nil {
			return 0, errDeltaToken
		}
	}
	c.changed = true
	rows, page, lost := s.rowWriter(c, c.Query), s.listing(c, c.begin), false
	req.Limit, req.Apart = page.size+1, rows.apart
	page.open()
	answer := store.ReportAnswer{Row: func(r query.Row) error { return page.row(r, rows.writeChange) }}
	// What comes later than the first page belongs to the next time, and this has its mark.
	if next == nil {
		answer.Mark = func(mark int64) { lost, next = mark < from.Mark, &mark }
	}
	if err := report(ctx, c, req, answer); err != nil {
		return 0, err
	}
	if lost { // the database was made anew from a copy, and counts from before
		return 0, errGone
	}
	c.page.Write([]byte("]"))
	name, to := "@odata.deltaLink", since{Mark: *next, At: s.now().Unix(), Forced: from.Forced}
	if page.more {
		name, to = "@odata.nextLink", *from
		to.After, to.Next = page.last.Text(), next
	}
	return http.StatusOK, s.endWithDelta(ctx, c, name, to)
}

// endWithDelta ends an answer with a link to changes.
func (s *Reporting) endWithDelta(ctx context.Context, c *call, name string, to since) error {
	doc, err := json.Marshal(to)
	if err != nil {
		return err
	}
	link, err := s.link(ctx, c, changesLink, doc)
	if err != nil {
		return err
	}
	c.member(name, quoted(link))
	_, err = c.page.Write([]byte("}"))
	return err
}

var (
	errDeltaToken = &odata.Error{Status: http.StatusBadRequest, Option: "$deltatoken",
		Message: "it was not given out for this request; follow links as they are"}
	errGone = &odata.Error{Status: http.StatusGone,
		Message: "the changes since this link was given out are no longer known: read everything anew"}
)

// since reads the token of a link to changes.
func (s *Reporting) since(ctx context.Context, c *call) (*since, error) {
	doc, err := s.opened(ctx, c, changesLink, c.Query.DeltaToken)
	if err != nil {
		return nil, err
	}
	var from since
	if doc == nil || json.Unmarshal(doc, &from) != nil {
		return nil, errDeltaToken
	}
	now, err := s.sinceNow(ctx, c)
	if err != nil {
		return nil, err
	}
	restored, err := s.db.Restored(ctx)
	if err != nil {
		return nil, err
	}
	given := time.Unix(from.At, 0)
	if s.now().Sub(given) > deltaLife || given.Before(restored.At) || now.Forced != from.Forced {
		return nil, errGone
	}
	return &from, nil
}
