package app

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"gangway"
	"gangway/internal/store"
)

// An approvalsPage lists what waits for an approver, the most urgent first.
type approvalsPage struct {
	Rows   []approvalRow
	Can    bool // the reader may decide
	Wrong  []string
	Reason string
}

// An approvalRow is one booking that waits.
type approvalRow struct {
	bookingRow
	Strip    []stripLeg
	Why      string
	Cheapest gangway.Money
	More     gangway.Money // what it costs above the cheapest
	Holds    time.Time
	Ticked   bool
}

func (a *App) approvals(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	return a.showApprovals(w, r, in, approvalsPage{}, nil, http.StatusOK)
}

func (a *App) showApprovals(w http.ResponseWriter, r *http.Request, in store.Scoped, p approvalsPage, ticked []string, status int) error {
	v, _ := visitorOf(r.Context())
	p.Can = v.User.Role.CanApprove()
	list, _, err := in.Bookings(r.Context(), store.BookingQuery{State: gangway.ApprovalRequired, Limit: holdsShown})
	if err != nil {
		return err
	}
	var sum []gangway.Money
	for _, b := range list {
		row := approvalRow{bookingRow: newBookingRow(b), Strip: strip(b.Itinerary), Holds: b.HoldUntil, Ticked: slices.Contains(ticked, b.ID)}
		if b.Approval != nil {
			row.Why, row.Cheapest = b.Approval.Why, b.Approval.Cheapest
			if row.Cheapest.Currency == row.Price.Currency {
				row.More = row.Price.Sub(row.Cheapest)
			}
		}
		p.Rows = append(p.Rows, row)
		sum = addMoney(sum, row.Price)
	}
	slices.SortFunc(p.Rows, func(x, y approvalRow) int {
		return cmp.Or(x.Holds.Compare(y.Holds), strings.Compare(x.Locator, y.Locator))
	})
	answer := "Nothing waits for approval"
	if len(p.Rows) > 0 {
		ends, _ := timeLeft(p.Rows[0].Holds.Sub(a.now()))
		answer = plural(len(p.Rows), "booking waits", "bookings wait")
		for _, m := range sum {
			answer += " · " + amount(m)
		}
		answer += " · the next hold ends in " + ends
	}
	return a.show(w, r, page{Template: "approvals", Section: "approvals", Title: "Approvals", Answer: answer, Status: status, Data: p})
}

// decideApprovals approves or declines all bookings that are ticked, each by
// itself: one that cannot be decided never stops the others.
func (a *App) decideApprovals(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	v, _ := visitorOf(r.Context())
	r.ParseForm() // a form that cannot be read has nothing ticked
	ids, reason := r.PostForm["booking"], strings.TrimSpace(r.PostForm.Get("reason"))
	if one := r.PostForm.Get("only"); one != "" {
		ids = []string{one}
	}
	p := approvalsPage{Reason: reason}
	decline := r.PostForm.Get("decide") == "decline"
	switch {
	case len(ids) == 0:
		p.Wrong = []string{"Tick at least one booking."}
	case decline && reason == "":
		p.Wrong = []string{"A reason is needed to decline: the booker reads it."}
	}
	if len(p.Wrong) > 0 {
		return a.showApprovals(w, r, in, p, ids, http.StatusUnprocessableEntity)
	}
	done, failed := 0, []string{}
	for _, id := range ids {
		var err error
		if decline {
			_, err = a.desk.Decline(r.Context(), in, v.User, id, reason)
		} else {
			_, err = a.desk.Approve(r.Context(), in, v.User, id)
		}
		switch gangway.KindOf(err) {
		case gangway.Conflict, gangway.NotFound, gangway.Unavailable:
			p.Wrong, failed = append(p.Wrong, capital(err.Error())+"."), append(failed, id)
		default:
			if err != nil {
				return err
			}
			done++
		}
	}
	word := " approved."
	if decline {
		word = " declined; the seats are given back."
	}
	if done > 0 {
		a.sessions.Tell(r.Context(), capital(plural(done, "booking", "bookings"))+word)
	}
	if len(failed) > 0 {
		return a.showApprovals(w, r, in, p, failed, http.StatusConflict)
	}
	return a.redirect(w, r, "/approvals")
}
