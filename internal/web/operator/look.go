package operator

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

const (
	figuresMost   = 10_000 // feeds, and as many outlets, that are read, and deliveries of an outlet that are counted
	customersMost = 500    // that are shown
	tablesMost    = 8
	reasonsMost   = 100 // feeds whose last run is read

	// longWait, longUnfetched, longIntent and longUnsaved are when something needs somebody.
	longWait      = 30 * time.Minute
	longUnfetched = time.Hour
	longIntent    = 10 * time.Minute
	longUnsaved   = 26 * time.Hour
)

// A view is what the page shows.
type view struct {
	Config
	At       time.Time
	Facts    []Fact
	Rows     []*row // of customers, failing ones first
	Of       *row   // the one customer that is shown in detail; nil: all are
	Cut      int    // how many customers more there are
	Replicas []store.Replica
	Tables   []store.TableSize
}

// A Fact is one figure of the whole; one without a value is not shown. Sign is good, watch or act, or empty; Do is
// where the page says what to do.
type Fact struct{ Name, Value, Sign, Do string }

// A row is how a customer is doing.
type row struct {
	ID, Name        string
	Outlets, Feeds  int
	Waiting, Parked int
	Oldest          time.Time // of what waits
	weight          int       // how much it needs somebody
	failing         int       // outlets and feeds
	Items           []item    // what needs somebody, the worst first
}

// An item is something of a customer that needs somebody.
type item struct {
	Kind, Environment, Name, State, Why string
	Since                               time.Time // zero: not known
	Production                          bool      // real bookings depend on it
	weight                              int
}

// weights are how much a state needs somebody; in production each counts more than any in development.
var weights = map[string]int{"parked": 1, "off": 2, "late": 3, "failing": 4}

// Sign is the colour of the item's state.
func (i item) Sign() string { return pick(weights[i.State] > weights["off"], "act", "watch") }

// look reads what the page shows, of one customer or of all.
func (c Config) look(ctx context.Context, customer string) (v *view, err error) {
	now := c.Now()
	v = &view{Config: c, At: now.UTC()}
	if v.Rows, err = c.rows(ctx, now); err != nil {
		return nil, err
	}
	failing := 0
	for _, r := range v.Rows {
		if r.ID == customer {
			v.Of = r
		}
		failing += r.failing
	}
	v.Cut = max(0, len(v.Rows)-customersMost)
	v.Rows = v.Rows[:len(v.Rows)-v.Cut]
	w, err := c.DB.OpenWork(ctx, figuresMost, now)
	if err != nil {
		return nil, err
	}
	if v.Replicas, err = c.DB.Replicas(ctx); err != nil {
		return nil, err
	}
	programs := map[string]bool{}
	for _, r := range v.Replicas {
		programs[r.Version+r.Revision] = true
	}
	v.Facts = []Fact{
		{"Failing", fmt.Sprint(failing), pick(failing > 0, "act", "good"), ""},
		{"Requests to suppliers", openWords(w.Intents, w.OldestIntent, now),
			pick(longer(w.OldestIntent, now, longIntent), "act", ""), "intents"},
		{"Batches", openWords(w.Batches, w.OldestBatch, now), "", ""},
		{"Servers", fmt.Sprint(w.Replicas), pick(len(programs) > 1, "watch", ""), "servers"},
		{"Database", fmt.Sprintf("%.1f MiB", float64(w.Bytes)/(1<<20)), "", ""},
		{"Backup", pick(w.Backup.IsZero(), "never", since(w.Backup, now)+" ago"),
			pick(now.Sub(w.Backup) > longUnsaved, "act", "good"), "backup"},
		{"Restored", pick(w.Unconfirmed, "reads only until you confirm", ""), "act", "backup"},
	}
	v.Facts = append(v.Facts, c.Disks()...)
	v.Tables, err = c.DB.Tables(ctx, tablesMost, w)
	return v, err
}

// rows returns all customers, failing ones first.
func (c Config) rows(ctx context.Context, now time.Time) (rows []*row, err error) {
	customers, err := c.DB.Customers(ctx)
	if err != nil {
		return nil, err
	}
	outlets, err := c.DB.OutletFigures(ctx, figuresMost, figuresMost, now)
	if err != nil {
		return nil, err
	}
	feeds, err := c.DB.FeedFigures(ctx, figuresMost)
	if err != nil {
		return nil, err
	}
	of := map[string]*row{}
	for _, customer := range customers {
		of[customer.ID] = &row{ID: customer.ID, Name: customer.Name}
		rows = append(rows, of[customer.ID])
	}
	for _, o := range outlets {
		if r := of[o.Customer]; r != nil {
			r.outlet(o, now)
		}
	}
	reasons := 0
	for _, f := range feeds {
		r := of[f.Customer]
		if r == nil || f.Off {
			continue
		}
		why := ""
		if !f.Failing.IsZero() && reasons < reasonsMost {
			reasons++
			if why, err = c.reason(ctx, f); err != nil {
				return nil, err
			}
		}
		r.feed(f, why, now)
	}
	for _, r := range rows {
		slices.SortStableFunc(r.Items, func(x, y item) int { return y.weight - x.weight })
	}
	slices.SortStableFunc(rows, func(x, y *row) int {
		return cmp.Or(y.weight-x.weight, len(y.Items)-len(x.Items), strings.Compare(x.Name, y.Name))
	})
	return rows, nil
}

func (r *row) outlet(o store.OutletFigure, now time.Time) {
	r.Outlets, r.Waiting, r.Parked = r.Outlets+1, r.Waiting+o.Waiting, r.Parked+o.Parked
	if !o.Oldest.IsZero() && (r.Oldest.IsZero() || o.Oldest.Before(r.Oldest)) {
		r.Oldest = o.Oldest
	}
	switch {
	case o.Failing:
		r.add("outlet", o.Environment, o.Name, "failing", o.Since, pick(o.Status == 0, "no answer",
			fmt.Sprint("answers ", o.Status, " ", http.StatusText(o.Status))))
	case longer(o.Oldest, now, longWait):
		r.add("outlet", o.Environment, o.Name, "late", o.Oldest, fmt.Sprintf("%d waiting", o.Waiting))
	case o.Off:
		r.add("outlet", o.Environment, o.Name, "off", time.Time{}, o.Why)
	case o.Parked > 0:
		r.add("outlet", o.Environment, o.Name, "parked", time.Time{}, fmt.Sprintf("%d to replay", o.Parked))
	}
}

func (r *row) feed(f store.FeedFigure, why string, now time.Time) {
	r.Feeds++
	if !f.Failing.IsZero() {
		r.add("feed", f.Environment, f.Feed, "failing", f.Failing, why)
	} else if longer(f.Due, now, longUnfetched) {
		r.add("feed", f.Environment, f.Feed, "late", f.Due, "not fetched")
	}
}

// add notes what needs somebody, and since when.
func (r *row) add(kind, environment, name, state string, since time.Time, why string) {
	i := item{kind, environment, name, state, why, since, environment == string(gangway.Production), weights[state]}
	if i.Production {
		i.weight += len(weights)
	}
	if state == "failing" {
		r.failing++
	}
	r.Items, r.weight = append(r.Items, i), max(r.weight, i.weight)
}

// reason returns why a feed's last run failed, as its history says.
func (c Config) reason(ctx context.Context, f store.FeedFigure) (string, error) {
	runs, err := c.DB.In(gangway.Scope{Account: f.Account}).FeedRuns(ctx, f.Feed, 0, 1)
	if err != nil || len(runs) == 0 {
		return "", err
	}
	return gangway.Shortened(runs[0].Error, 120), nil
}

// longer reports whether something lasts longer than it should.
func longer(since, now time.Time, most time.Duration) bool {
	return !since.IsZero() && now.Sub(since) > most
}

func openWords(n int, oldest, now time.Time) string {
	return pick(n == 0, "none", fmt.Sprintf("%d, oldest %s", n, since(oldest, now)))
}

func pick(is bool, yes, no string) string {
	if is {
		return yes
	}
	return no
}

// since returns for how long something lasts, roughly; empty: that is not known.
func since(at, now time.Time) string {
	d := max(0, now.Sub(at))
	switch {
	case at.IsZero():
		return ""
	case d < 2*time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d < 2*time.Hour:
		return fmt.Sprintf("%.0f min", d.Minutes())
	case d < 48*time.Hour:
		return fmt.Sprintf("%.0f h", d.Hours())
	}
	return fmt.Sprintf("%.0f d", d.Hours()/24)
}
