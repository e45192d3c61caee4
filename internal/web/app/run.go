package app

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"gangway"
	"gangway/internal/background"
	"gangway/internal/book"
	"gangway/internal/store"
)

// A run is the booking of many people at once, as it goes on. It is only for
// looking at: bookings and intents are what counts, and they outlive it.
type run struct {
	mu      sync.Mutex
	search  string
	title   string
	rows    []runRow
	done    int
	began   time.Time
	changed chan struct{} // closed, and made anew, whenever one is done
}

// A runRow is what came of one person.
type runRow struct {
	Search  string
	Member  int
	Name    string
	Price   gangway.Money
	Booking string // the identifier that it has, or will have
	Locator string
	State   gangway.State
	Done    bool
	Waiting bool   // the airline has not answered yet
	Wrong   string // why it was not booked, a sentence
	Other   bool   // somebody else was booking the same traveller
	By      string // who has booked instead
}

// runLife is how long a run can be looked at.
const runLife = 2 * time.Hour

// runs are the bookings for many that this process works on, or has not long ago.
type runs struct {
	mu   sync.Mutex
	kept map[string]*run
}

func newRuns() *runs { return &runs{kept: map[string]*run{}} }

func runKey(in store.Scoped, id string) string { return in.Scope().Account + " " + id }

func (rs *runs) find(in store.Scoped, id string) (*run, bool) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	r, ok := rs.kept[runKey(in, id)]
	return r, ok
}

// add keeps a run unless there is one under its identifier already.
func (rs *runs) add(in store.Scoped, id string, r *run) bool {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	for key, old := range rs.kept {
		if r.began.Sub(old.began) > runLife {
			delete(rs.kept, key)
		}
	}
	if _, ok := rs.kept[runKey(in, id)]; ok {
		return false
	}
	rs.kept[runKey(in, id)] = r
	return true
}

// start books for all, in the background: it goes on when the page is left.
// Starting the same run again does nothing.
func (a *App) start(ctx context.Context, in store.Scoped, by gangway.User, s gangway.Search, id string, asks []book.BookAsk) {
	r := &run{search: s.ID, title: s.Vessel, began: a.now(), changed: make(chan struct{})}
	for _, ask := range asks {
		t := s.Members[ask.Member].Traveller
		r.rows = append(r.rows, runRow{Search: s.ID, Member: ask.Member, Name: t.LastName + ", " + t.FirstName, Price: ask.Price, Booking: ask.ID})
	}
	if a.runs.add(in, id, r) {
		ctx := context.WithoutCancel(ctx)
		go func() {
			_ = background.Guard(a.log, "book many", func() error { a.desk.BookAll(ctx, in, by, asks, r.note); return nil })
		}()
	}
}

// note takes in what came of one person.
func (r *run) note(i int, b gangway.Booking, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	row := &r.rows[i]
	row.Done = true
	switch {
	case err == nil:
		row.Booking, row.Locator, row.State, row.Price = b.ID, b.Locator, b.State, b.Price.Total
	case kindOf(err) == gangway.Unavailable:
		row.Waiting = true
	case kindOf(err) == gangway.Internal:
		row.Wrong = "Something went wrong on our side. Trying again is safe."
	default:
		row.Wrong, row.Other = sentenceOf(err), errors.Is(err, store.ErrUnderWay)
	}
	r.done++
	close(r.changed)
	r.changed = make(chan struct{})
}

// A runPage shows a run.
type runPage struct {
	Search, ID string
	Vessel     string
	Rows       []runRow
	Done, All  int
	Booked     int
	Sum        []gangway.Money
}

func (r *run) page(id string) (runPage, <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := runPage{Search: r.search, ID: id, Vessel: r.title, Rows: append([]runRow(nil), r.rows...), Done: r.done, All: len(r.rows)}
	return p, r.changed
}

// runNow returns a run as it stands now. What was not booked by it may have
// been booked since: by somebody who pressed at the same time, or from the
// search, or by an answer that came late.
func (a *App) runNow(ctx context.Context, in store.Scoped, job *run, id string) (runPage, <-chan struct{}, error) {
	p, more := job.page(id)
	if err := a.since(ctx, in, &p); err != nil {
		return p, more, err
	}
	for _, row := range p.Rows {
		if row.Locator != "" {
			p.Booked++
			p.Sum = addMoney(p.Sum, row.Price)
		}
	}
	return p, more, nil
}

// since looks once more at those who were not booked.
func (a *App) since(ctx context.Context, in store.Scoped, p *runPage) error {
	if !slices.ContainsFunc(p.Rows, func(row runRow) bool { return row.Done && row.Locator == "" }) {
		return nil
	}
	s, err := in.Search(ctx, p.Search)
	if err != nil {
		return err
	}
	now, err := memberBookings(ctx, in, s)
	if err != nil {
		return err
	}
	for i := range p.Rows {
		row := &p.Rows[i]
		if !row.Done || row.Locator != "" {
			continue
		}
		if b, ok := now.booked[row.Member]; ok {
			if b.ID != row.Booking {
				row.By = cmp.Or(b.CreatedByName, b.CreatedBy)
			}
			row.Booking, row.Locator, row.State, row.Price, row.Wrong, row.Waiting = b.ID, b.Locator, b.State, b.Price.Total, "", false
			continue
		}
		if !row.Other {
			continue
		}
		if row.Other, err = in.UnderWay(ctx, p.Search, row.Member); err != nil {
			return err
		}
		if !row.Other {
			row.Wrong = "Somebody else was booking this traveller at the same time, and nothing came of it."
		}
	}
	return nil
}

func (p runPage) page() page {
	answer := number(p.Booked) + " of " + number(p.All) + " booked"
	for _, sum := range p.Sum {
		answer += " · " + amount(sum)
	}
	switch failed := p.Done - p.Booked; {
	case p.Done < p.All:
		answer += " · working through the others"
	case failed > 0:
		answer += " · " + number(failed) + " to look at"
	}
	title := "Booking"
	if p.Vessel != "" {
		title += ": " + p.Vessel
	}
	return page{Template: "run", Section: "crew-changes", Title: title, Answer: answer, Data: p}
}

// showRun shows how the booking of many goes. A run that this process does not
// know is over, or another replica's: the crew change shows who is booked.
func (a *App) showRun(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	id := r.PathValue("run")
	job, ok := a.runs.find(in, id)
	if !ok || job.search != r.PathValue("id") {
		return a.redirect(w, r, "/searches/"+url.PathEscape(r.PathValue("id")))
	}
	p, _, err := a.runNow(r.Context(), in, job, id)
	if err != nil {
		return err
	}
	return a.show(w, r, p.page())
}

// runStream sends the results of a run as they come.
func (a *App) runStream(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	id := r.PathValue("run")
	job, ok := a.runs.find(in, id)
	if !ok {
		return gangway.Errorf(gangway.NotFound, "this is over")
	}
	out := a.newStream(w, r)
	for {
		p, more, err := a.runNow(r.Context(), in, job, id)
		if err != nil {
			return err
		}
		over, err := out.sendPart(p.Done == p.All, func(part io.Writer) error {
			if err := a.part(part, "run", "head", p.page()); err != nil {
				return err
			}
			return a.part(part, "run", "run-rows", p)
		})
		if err != nil || over {
			return err
		}
		if !a.pause(r.Context(), more) {
			return nil
		}
	}
}
