package bookings

import (
	"cmp"
	"context"
	"io"
	"net/http"
	"net/url"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/plan"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// A runPage shows how far an act on many bookings has come.
type runPage struct {
	ID     string
	Act    book.Act
	Words  actWords
	By     string
	At     time.Time
	Rows   []runRow
	Done   int // rows with an outcome
	Acted  int // rows with the outcome that was asked for
	Others int // rows that somebody else had acted on
	// of moves: rows that wait for a person, and for an approver
	ForPerson, ToApprove int
	Live                 bool
	Sum                  []gangway.Money
	Again                url.Values // the query that holds again what was released; nil: nothing was
}

// A runRow is the outcome for one booking.
type runRow struct {
	bookingRow
	book.ActTerms
	State store.ItemState // of the item
	Sum   []gangway.Money // that was agreed to
	Why   string          // why it was not done, a sentence
	New   string          // the booking that holds the same seats again
	Undo  bool            // the seats can be held again
	Pair  pairWords       // of a move
}

// runNow returns a run as it stands now.
func (room *Room) runNow(ctx context.Context, in store.Scoped, id string) (runPage, error) {
	b, err := room.batches.Batch(ctx, in, id)
	if err == nil && b.Act == "" {
		err = gangway.Errorf(gangway.NotFound, "there is no such run")
	}
	if err != nil {
		return runPage{}, err
	}
	p := runPage{ID: id, Act: b.Act, Words: acts[b.Act], By: cmp.Or(b.By.Name, b.By.Email), At: b.At}
	now, released := in.Now(room.Now()), []string(nil)
	plans, err := book.PlansOf(ctx, in, b.Made())
	if err != nil {
		return runPage{}, err
	}
	for _, item := range b.Items {
		row := newRunRow(b.Act, item, now)
		if anew := item.Way == book.WayAnew; item.Made != nil && b.Act == plan.Moves && (anew ||
			item.State != store.ItemRefused) {
			made := *item.Made
			if !anew { // whose place it once took is not of this run
				made.Replaces = nil
			}
			if row.Pair, err = room.pairOf(ctx, in, made); err != nil {
				return p, err
			}
			if row.Pair.End != nil {
				p.ForPerson++
			}
			if row.Pair.Approval && item.State == store.ItemDone {
				p.ToApprove++
			}
		}
		row.Stand = flights.StandBy(plans, row.Booking, now)
		p.Rows = append(p.Rows, row)
		p.Live = p.Live || row.State == store.ItemOpen || row.State == store.ItemUnanswered || row.Pair.Moving
		if row.State != store.ItemOpen {
			p.Done++
		}
		if row.State == store.ItemDone {
			p.Acted++
			for _, m := range row.Sum {
				if !row.Pair.Approval {
					p.Sum = gangway.AddMoney(p.Sum, m)
				}
			}
		}
		if row.Undo {
			released = append(released, row.ID)
		}
	}
	if p.Live {
		return p, nil
	}
	if len(released) > 1 {
		p.Again = url.Values{"do": {string(book.ActAgain)}, "booking": released}
	}
	return p, room.byOthers(ctx, in, &p)
}

// byOthers says of what was not done here whether somebody else has done it.
func (room *Room) byOthers(ctx context.Context, in store.Scoped, p *runPage) (err error) {
	for i := range p.Rows {
		row := &p.Rows[i]
		if row.State != store.ItemRefused || p.Act == book.ActAgain || p.Act == plan.Moves {
			continue
		}
		if row.Can(p.Words.event) { // unless somebody is doing it right now
			_, open, err := in.OpenIntent(ctx, row.ID)
			if err != nil {
				return err
			}
			if p.Live = p.Live || open; open {
				continue
			}
			if row.Booking, err = in.Booking(ctx, row.ID); err != nil { // it may be settled since it was read
				return err
			}
			if row.Can(p.Words.event) {
				continue
			}
		}
		if row.Why, err = room.whyNotNow(ctx, in, row.Booking, &gangway.StateError{}); err != nil {
			return err
		}
		row.State = store.ItemBusy
		p.Others++
	}
	return nil
}

func newRunRow(act book.Act, item plan.Item, now time.Time) runRow {
	row := runRow{ActTerms: item.Terms, Sum: item.Sum(), State: item.State, Why: shell.AsSentence(item.Why)}
	if item.Made == nil {
		if item.Who.LastName != "" {
			row.Who = item.Who.LastName + ", " + item.Who.FirstName
		}
		return row
	}
	row.bookingRow = newBookingRow(*item.Made)
	if done := item.State == store.ItemDone; done && act == book.ActAgain {
		row.New = item.ID
	} else {
		row.Undo = done && act == book.ActRelease && item.Made.MayHoldAgain(now)
	}
	return row
}

// answer sums up the page in one line.
func (p runPage) answer() string {
	answer := shell.Number(p.Acted-p.ToApprove) + " of " + shell.Number(len(p.Rows)) + " " + p.Words.Done
	if sums := sumWords(p.Sum); sums != "" && p.Words.Amount != "" {
		answer += " · " + sums
	}
	if n := p.ForPerson; n > 0 {
		answer += " · " + shell.CountedPlural(n, "needs you", "need you")
	}
	if p.ToApprove > 0 {
		answer += " · " + shell.Number(p.ToApprove) + " to approve"
	}
	if p.Others > 0 {
		answer += " · " + shell.Number(p.Others) + " settled by others"
	}
	switch failed := p.Done - p.Acted - p.Others; {
	case p.Done < len(p.Rows):
		answer += " · working on the others"
	case failed > 0:
		answer += " · " + shell.Number(failed) + " not " + p.Words.Done
	}
	return answer
}

func (p runPage) page(view runView) shell.Page {
	title := p.Words.Doing + " " + shell.Plural(len(p.Rows), "booking", "bookings")
	return shell.Page{Template: "run", Section: "bookings", Title: title, Answer: p.answer(), Data: view}
}

// A runView is a run as it is shown to one reader, whose forms carry identifiers of their own.
type runView struct {
	runPage
	Back  string // the page where the bookings were ticked
	forms flights.Forms
}

// Query is what the address of the stream has besides.
func (v runView) Query() url.Values { return url.Values{"back": {v.Back}} }

// NewID identifies the booking that holds the seats of another one again.
func (v runView) NewID(booking string) string { return v.forms.Fresh(againPlace(booking)) }

func (room *Room) viewOf(r *http.Request, in store.Scoped, p runPage) runView {
	return runView{p, cmp.Or(cameFrom(r), "/bookings"), room.flights.Forms(r.Context(), in, gangway.Search{})}
}

// Run shows how far an act on many bookings has come, whichever replica works on it.
func (room *Room) Run(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	p, err := room.runNow(r.Context(), in, r.PathValue("batch"))
	if err != nil {
		return err
	}
	return room.Show(w, r, p.page(room.viewOf(r, in, p)))
}

// RunStream sends each outcome as it arrives.
func (room *Room) RunStream(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	id := r.PathValue("batch")
	return shell.Follow(room.Shell, w, r, shell.Followed[runPage]{
		Changed: room.batches.Watch(r.Context(), id),
		Now:     func(ctx context.Context) (runPage, error) { return room.runNow(ctx, in, id) },
		Live:    func(p runPage) bool { return p.Live },
		Render: func(part io.Writer, p runPage) error {
			view := room.viewOf(r, in, p)
			if err := room.Part(part, "run", "head", p.page(view)); err != nil {
				return err
			}
			return room.Part(part, "run", "run-rows", view)
		},
	})
}
