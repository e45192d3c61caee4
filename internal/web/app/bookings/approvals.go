package bookings

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// An approvalsPage lists the bookings that wait for an approver, the most urgent first.
type approvalsPage struct {
	Rows      []approvalRow
	More      bool // some are not listed, which end later
	Can       bool // the reader may decide
	Wrong     []string
	Reason    string
	Declining string // the row whose reason is missing
}

// An approvalRow is one booking that waits, or one with the flights to which its change waits.
type approvalRow struct {
	bookingRow
	Strip    []flights.StripLeg // for the ways by road
	Why      string
	Cheapest gangway.Money
	More     gangway.Money // how much dearer than the cheapest it is
	Made     string        // how a price beside that of the booking that it replaces is made up
	Priced   time.Time     // until when the price is guaranteed
	Holds    time.Time
	First    time.Time // the earlier of the two
	Own      bool      // the reader made it and may not approve it
	Next     string    // what happens automatically once it is approved
	Ticked   bool
	Change   *gangway.PendingChange // that waits; nil: the booking does
	Was      string                 // where and when its present flights arrive
}

// Apart reports whether price and seats end at different times.
func (r approvalRow) Apart() bool { return !r.Priced.IsZero() && !r.Priced.Equal(r.Holds) }

// Approvals lists the bookings that wait for an approver.
func (room *Room) Approvals(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	return room.showApprovals(w, r, in, approvalsPage{}, nil, http.StatusOK)
}

func (room *Room) showApprovals(w http.ResponseWriter, r *http.Request, in store.Scoped, p approvalsPage,
	ticked []string, status int) error {
	v, _ := shell.VisitorOf(r.Context())
	now := in.Now(room.Now())
	p.Can = v.User.Role.CanApprove()
	list, err := in.BookingsToApprove(r.Context(), holdsShown)
	if err != nil {
		return err
	}
	waits, err := in.Waits(r.Context(), now, now)
	if err != nil {
		return err
	}
	p.More = waits.Approver > len(list)
	var sum []gangway.Money
	plans, err := book.PlansOf(r.Context(), in, list)
	if err != nil {
		return err
	}
	for _, b := range list {
		of, was := b, ""
		if c := b.Change; c != nil {
			of, was = asChanged(b), string(newBookingRow(b).To)+b.Itinerary.Arrival().Format(" Mon 2 Jan")
			of.CreatedByName = room.NameOf(r.Context(), c.AskedBy)
		}
		row := approvalRow{bookingRow: newBookingRow(of), Strip: flights.StripOf(of.Itinerary, of.Purpose.Between),
			Priced: of.PriceGood(), Holds: of.HoldUntil, First: b.NextDeadline(now).At, Change: b.Change,
			Was: was, Ticked: slices.Contains(ticked, b.ID)}
		row.Stand = flights.StandBy(plans, row.Booking, now)
		row.AutoIssue = row.AutoIssue && plans.Misfit(b) == "" && !b.PaysFirst() // which Why says
		row.Own, row.Next = v.User.Role.CanApprove() && !b.MayBeApprovedBy(v.Person(), v.Account.Settings),
			flights.NextStep(now, b, plans.Misfit(b))
		if a := row.Approval; a != nil {
			row.Why, row.Cheapest = a.Why, a.Cheapest
			if row.Cheapest.Currency == row.Price.Currency {
				row.More = row.Price.Sub(row.Cheapest)
			}
		}
		row.Price, row.Made = of.Net(), madeUp(of)
		p.Rows = append(p.Rows, row)
		sum = gangway.AddMoney(sum, row.Price)
	}
	slices.SortFunc(p.Rows, func(x, y approvalRow) int {
		return cmp.Or(x.First.Compare(y.First), strings.Compare(x.Locator, y.Locator))
	})
	answer := "Nothing to approve"
	if len(p.Rows) > 0 {
		answer = shell.CountedPlural(waits.Approver, "booking", "bookings") + " to approve"
		for _, m := range sum {
			answer += " · " + shell.Amount(m)
		}
		if p.More {
			answer += " for the first " + shell.Number(len(p.Rows))
		}
		answer += flights.NextEnd(now, list)
	}
	return room.Show(w, r, shell.Page{Template: "approvals", Section: "approvals", Title: "Approvals", Answer: answer,
		Status: status, Data: p})
}

// asChanged is a booking as it is after the change that waits. Its price is what that costs.
func asChanged(b gangway.Booking) gangway.Booking {
	c := b.Change
	b.Price.Total, b.CreatedBy = book.ChangeCost(b, c.NewPrice.Total, c.Due), c.AskedBy
	b.Purpose.Between = flights.ElseFlown(b, c.Itinerary)
	b.Itinerary, b.State, b.Change, b.PriceUntil, b.HoldUntil = c.Itinerary, c.Was, nil, c.Expires, c.Expires
	b.Approval, b.Replaces = &gangway.Approval{Why: c.Approval}, nil
	return b
}

// madeUp says how the net price of a replacement is made up: "734.15 − 691.28 held"; empty: b replaces none.
func madeUp(b gangway.Booking) string {
	r, price := b.Replaces, b.Price.Total
	switch {
	case !r.Open():
		return ""
	case r.Terms.Unknown:
		return "refund not known"
	case r.Back.IsZero():
		return "nothing back"
	}
	of := map[bool]string{true: " back", false: " held"}[r.Ticketed]
	return strings.ReplaceAll(shell.Amount(price)+" − "+shell.Amount(r.Back)+of, price.Currency+" ", "")
}

// DecideApprovals approves or declines each ticked booking separately, so that one that cannot be
// decided does not stop the others.
func (room *Room) DecideApprovals(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	v, _ := shell.VisitorOf(r.Context())
	r.ParseForm() // an unreadable form counts as nothing ticked
	ids, reason := r.PostForm["booking"], strings.TrimSpace(r.PostForm.Get("reason"))
	if one := r.PostForm.Get("only"); one != "" {
		ids = []string{one}
	}
	p := approvalsPage{Reason: reason}
	decline := r.PostForm.Get("decide") == "decline"
	if one := r.PostForm.Get("decline"); one != "" {
		ids, decline, p = []string{one}, true, approvalsPage{Declining: one}
		reason = strings.TrimSpace(r.PostForm.Get("reason-" + one))
	}
	switch {
	case len(ids) == 0:
		p.Wrong = []string{"Tick at least one booking."}
	case decline && reason == "":
		p.Wrong = []string{"Give a reason to decline: the booker reads it."}
	}
	if len(p.Wrong) > 0 {
		return room.showApprovals(w, r, in, p, ids, http.StatusUnprocessableEntity)
	}
	done, failed, which := 0, []string{}, ""
	for _, id := range ids {
		var b gangway.Booking
		var err error
		switch offer := r.PostForm.Get("offer-" + id); {
		case decline && offer != "":
			b, err = room.desk.GiveUpChange(r.Context(), in, v.User, id, reason)
		case offer != "":
			b, err = room.desk.ApproveChange(r.Context(), in, v.User, id, offer)
		case decline:
			b, err = room.desk.Decline(r.Context(), in, v.User, id, reason)
		default:
			b, err = room.desk.Approve(r.Context(), in, v.User, id)
		}
		switch kind := shell.KindOf(err); {
		case kind == gangway.Denied && v.User.Role.CanApprove(), kind == gangway.Conflict, kind == gangway.NotFound,
			kind == gangway.Unavailable:
			sentence, readErr := room.whyNotDecided(r.Context(), in, id, err)
			if readErr != nil {
				return readErr
			}
			p.Wrong, failed = append(p.Wrong, sentence), append(failed, id)
		case err != nil:
			return err
		default:
			done++
			which = "Booking " + b.Locator + " of " + b.Passenger.LastName + ", " + b.Passenger.FirstName
		}
	}
	word := map[bool]string{true: " declined.", false: " approved."}[decline]
	if done > 1 {
		which = shell.Capital(shell.Plural(done, "booking", "bookings"))
	}
	if done > 0 {
		room.Sessions.SetFlash(r.Context(), which+word)
	}
	if len(failed) > 0 {
		return room.showApprovals(w, r, in, p, failed, http.StatusConflict)
	}
	return room.Redirect(w, r, "/approvals")
}
