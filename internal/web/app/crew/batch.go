package crew

import (
	"cmp"
	"context"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/plan"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// A batchPage shows how far the booking of many people at once has come.
type batchPage struct {
	Search, ID string
	Vessel     string
	Rows       []batchRow
	Begun      batchSummary
	Done, All  int
	Live       bool // it may still change
	Booked     int
	Gone       int       // booked, but the booking no longer stands
	Others     []batchBy // who booked the others
	Waits      int       // of them, how many wait for an approver
	Sum        []gangway.Money
	Ccy        string // the currency of all prices; empty: they differ
}

// A batchBy is how many people somebody else has booked.
type batchBy struct {
	Who string
	N   int
}

// A batchSummary says who began a batch, when, and what will happen to its holds.
type batchSummary struct {
	Email  string
	By     string
	At     time.Time
	Issues bool
}

// Words name who began it, and when.
func (b batchSummary) Words() string {
	return "Booked by " + b.By + ", " + b.At.UTC().Format("2 Jan 15:04 UTC")
}

// A batchRow is the outcome for one person.
type batchRow struct {
	Search  string
	Member  int
	Name    string
	Rank    string
	Flown   flown
	Ends    gangway.Deadline // what ends next of the booking
	Price   gangway.Money
	Booking string // its identifier, which is known before it is made
	Locator string
	State   gangway.State
	Done    bool   // the batch has its outcome
	Waiting bool   // the airline has not answered yet
	Wrong   string // why it was not booked, a sentence
	Again   bool   // nothing was ordered, so it can be tried again
	Other   bool   // somebody else was booking the same traveller
	By      string // who booked the traveller instead
	NotOwn  bool   // that is not the person who began the batch
	Live    bool   // the booking stands
	Beside  string // the locator of the booking that stood in the way
	Stand   flights.Stand
}

// newBatchRow makes the row of a batch's item for a member of s.
func newBatchRow(s gangway.Search, item plan.Item, now time.Time) batchRow {
	row := batchRow{
		Search: s.ID, Member: item.Member, Price: item.Price, Booking: item.Booking, Done: item.State != store.ItemOpen,
		Waiting: item.State == store.ItemUnanswered, Other: item.State == store.ItemBusy,
		Wrong: shell.AsSentence(item.Why), Again: item.Unbegun,
	}
	if locator, is := strings.CutPrefix(item.Why, store.BookedAlready); is {
		row.Beside = locator
	}
	if item.Member < len(s.Members) {
		m := s.Members[item.Member]
		row.Name, row.Rank = m.Traveller.LastName+", "+m.Traveller.FirstName, m.Rank
	}
	if b := item.Made; b != nil {
		row.take(*b, s, now)
	}
	return row
}

// take shows the booking that the person has.
func (row *batchRow) take(b gangway.Booking, s gangway.Search, now time.Time) {
	row.Flown = flownOf(flights.StripTo(b.Itinerary, s.Members[row.Member].Legs))
	if row.Ends = b.NextDeadline(now); b.Ticketed() || row.Ends.Kind == gangway.Leaves {
		row.Ends = gangway.Deadline{}
	}
	row.Booking, row.Locator, row.State, row.Price = b.ID, b.Locator, b.State, b.Price.Total
	row.Wrong, row.Waiting, row.Live = "", false, b.Live()
}

// batchNow returns a batch as it stands now. People whom it did not book may have been
// booked since, by somebody who pressed at the same time or from the search.
func (room *Room) batchNow(ctx context.Context, in store.Scoped, id string) (batchPage, error) {
	b, err := room.batches.Batch(ctx, in, id)
	if err != nil {
		return batchPage{}, err
	}
	s, err := in.Search(ctx, b.Search)
	if err != nil {
		return batchPage{}, err
	}
	p := batchPage{Search: s.ID, ID: id, Vessel: s.Vessel, All: len(b.Items),
		Begun: batchSummary{b.By.Email, cmp.Or(b.By.Name, b.By.Email), b.At, b.Issues}}
	plans, err := book.PlansOf(ctx, in, b.Made())
	if err != nil {
		return batchPage{}, err
	}
	for _, item := range b.Items {
		row := newBatchRow(s, item, in.Now(room.Now()))
		if item.Made != nil {
			row.Stand = flights.StandBy(plans, *item.Made, in.Now(room.Now()))
		}
		p.Rows = append(p.Rows, row)
	}
	if err := room.since(ctx, in, s, &p); err != nil {
		return batchPage{}, err
	}
	for _, row := range p.Rows {
		if row.Done || row.Locator != "" { // everything that is counted is counted here
			p.Done++
		}
		if row.State == gangway.ApprovalRequired {
			p.Waits++
		}
		p.Live = p.Live || !row.Done || row.Waiting
		switch {
		case row.Live:
			p.Booked++
			p.Sum = gangway.AddMoney(p.Sum, row.Price)
			if row.NotOwn {
				p.credit(row.By)
			}
		case row.Locator != "":
			p.Gone++
		}
	}
	if len(p.Sum) == 1 {
		p.Ccy = p.Sum[0].Currency
	}
	return p, nil
}

// credit counts a booking that was not made by the person who began the batch.
func (p *batchPage) credit(by string) {
	for i := range p.Others {
		if p.Others[i].Who == by {
			p.Others[i].N++
			return
		}
	}
	p.Others = append(p.Others, batchBy{by, 1})
}

// since looks again at the people who were not booked.
func (room *Room) since(ctx context.Context, in store.Scoped, s gangway.Search, p *batchPage) error {
	if !slices.ContainsFunc(p.Rows, func(row batchRow) bool { return row.Done && !row.Live }) {
		return nil
	}
	booked, err := flights.ReadMemberBookings(ctx, in, s, room.Now())
	if err != nil {
		return err
	}
	for i := range p.Rows {
		row := &p.Rows[i]
		if !row.Done || row.Live {
			continue
		}
		if b, ok := booked.Booked[row.Member]; ok {
			if b.ID != row.Booking {
				row.By, row.NotOwn = cmp.Or(b.CreatedByName, b.CreatedBy), b.CreatedBy != p.Begun.Email
			}
			row.take(b, s, in.Now(room.Now()))
			row.Stand = booked.Stand(row.Member)
			continue
		}
		if row.Beside != "" && row.Locator == "" {
			row.Wrong = "This traveller was booked already, as " + row.Beside + "; that booking stands no longer."
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

// answer sums up the page in one line.
func (p batchPage) answer() string {
	answer := shell.Number(p.Booked) + " of " + shell.Number(p.All) + " booked"
	if p.Waits > 0 {
		answer = shell.Number(p.Booked-p.Waits) + " held, " + shell.Plural(p.Waits, "waits", "wait") + " for approval"
	}
	for _, by := range p.Others {
		answer += ", " + shell.Number(by.N) + " by " + by.Who
	}
	for _, sum := range p.Sum {
		answer += " · " + shell.Amount(sum)
	}
	if p.Gone > 0 {
		answer += " · " + shell.Number(p.Gone) + " cancelled afterwards"
	}
	switch failed := p.All - p.Booked - p.Gone; {
	case p.Done < p.All:
		answer += " · working through the others"
	case failed > 0:
		answer += " · " + shell.Number(failed) + " to look at"
	}
	return answer
}

func (p batchPage) page() shell.Page {
	title := "Booking"
	if p.Vessel != "" {
		title += ": " + p.Vessel
	}
	return shell.Page{Template: "batch", Section: "crew-changes", Title: title, Answer: p.answer(), Data: p}
}

// ShowBatch shows how far the booking of many has come, whichever replica works on it.
// Where the batch is no longer kept, it leads to the crew change, which shows who is
// booked.
func (room *Room) ShowBatch(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	p, err := room.batchNow(r.Context(), in, r.PathValue("batch"))
	if gangway.KindOf(err) == gangway.NotFound || err == nil && p.Search != r.PathValue("id") {
		return room.Redirect(w, r, "/searches/"+url.PathEscape(r.PathValue("id")))
	}
	if err != nil {
		return err
	}
	return room.Show(w, r, p.page())
}

// BatchStream sends each outcome as it arrives.
func (room *Room) BatchStream(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	id := r.PathValue("batch")
	return shell.Follow(room.Shell, w, r, shell.Followed[batchPage]{
		Changed: room.batches.Watch(r.Context(), id),
		Now:     func(ctx context.Context) (batchPage, error) { return room.batchNow(ctx, in, id) },
		Live:    func(p batchPage) bool { return p.Live },
		Render: func(part io.Writer, p batchPage) error {
			if err := room.Part(part, "batch", "head", p.page()); err != nil {
				return err
			}
			return room.Part(part, "batch", "batch-rows", p)
		},
	})
}
