package report

import (
	"context"
	"errors"
	"time"

	"gangway/internal/report"
	"gangway/internal/report/query"
	"gangway/internal/store"
	"gangway/internal/web"
	"gangway/internal/web/app/shell"
)

// downloadTime is how long one file may wait for the database and read from it; tests shorten it.
var downloadTime = store.ReportTime

// chosenRows reads the rows of a choice in pages, each of which is over before any of it is sent: a slow reader keeps
// no connection to the database, and no old rows there. Pages go on behind the last row, the newest first, so that
// what is booked meanwhile neither repeats nor hides a row.
type chosenRows struct {
	room    *Room
	in      store.Scoped
	person  string
	req     query.Request
	columns []report.Column
	spent   time.Duration // on waiting for the database and reading from it, not on sending
}

// rowsOf returns the rows of a choice from the first on, for a person.
func (room *Room) rowsOf(ctx context.Context, in store.Scoped, person string, c choice) (*chosenRows, error) {
	ready, err := in.ReportReady(ctx)
	if err != nil {
		return nil, err
	}
	if !ready {
		return nil, web.Overloaded(10*time.Second, "the report is being made for the first time; load this page again "+
			"in a moment")
	}
	req, err := c.request(room)
	if err != nil {
		return nil, err
	}
	rows := &chosenRows{room: room, in: in, person: person, req: req}
	for _, p := range query.Shown(req.Query) {
		for _, column := range req.Set().Columns {
			if column.Name == p.Name {
				rows.columns = append(rows.columns, column)
			}
		}
	}
	return rows, nil
}

// errCounted ends a request of which only the number of rows was wanted.
var errCounted = errors.New("counted")

// count returns how many rows there are.
func (c *chosenRows) count(ctx context.Context) (n int, err error) {
	req := c.req
	req.Limit = 1
	err = c.read(ctx, req, store.ReportAnswer{
		Count: func(all int64) error { n = int(all); return errCounted },
		Row:   func(query.Row) error { return nil },
	})
	if errors.Is(err, errCounted) {
		err = nil
	}
	return n, err
}

// next returns the rows that come next, and whether more may follow.
func (c *chosenRows) next(ctx context.Context) (rows []report.Row, more bool, err error) {
	req := c.req
	req.Limit = shell.ExportBatch
	err = c.read(ctx, req, store.ReportAnswer{Row: func(r query.Row) error {
		row := make(report.Row, len(c.columns))
		for i := range row {
			row[i] = r.Value(i)
		}
		rows = append(rows, row)
		if len(rows) == shell.ExportBatch {
			c.req.After = r.Position()
		}
		return nil
	}})
	c.req.Given += int64(len(rows))
	return rows, len(rows) == shell.ExportBatch, err
}

// read reads rows when it is the person's turn.
func (c *chosenRows) read(ctx context.Context, req query.Request, answer store.ReportAnswer) error {
	began := time.Now()
	ctx, cancel := context.WithTimeout(ctx, downloadTime-c.spent)
	defer func() {
		cancel()
		c.spent += time.Since(began)
	}()
	end, err := c.room.turn(ctx, c.person)
	if err != nil {
		return err
	}
	defer end()
	if answer.Count == nil {
		one := *req.Query
		one.Count = false
		req.Query = &one
	}
	return c.in.Report(ctx, req, answer)
}
