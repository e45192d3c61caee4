package bookings

import (
	"cmp"
	"net/http"
	"slices"
	"time"

	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// A deadlinesPage lists every hold, and every change that waits for an answer, by when it ends.
type deadlinesPage struct {
	Days []deadlineDay
	N    int  // how many bookings are listed
	More bool // there are others, which end later
}

// A deadlineDay is what ends on a day, which is one of UTC. On a phone a day can be folded away.
type deadlineDay struct {
	Date gangway.Date // empty when it is not known when the bookings end
	Rows []deadlineRow
	Open bool // it is unfolded to begin with
}

// openRows is how many bookings a phone shows, in whole days, before the later days are folded:
// about two screens.
const openRows = 6

// A deadlineRow is a booking whose seats are held and not ticketed, or whose
// flights are being changed.
type deadlineRow struct {
	bookingRow
	PriceUntil, Seat time.Time // until when the price is guaranteed, and the seat is held
	Next             string    // a sentence: what happens automatically
	Answer           string    // the answer that is waited for, if it is one
}

// holdsShown bounds the lists of what ends. The others move up as these are settled.
const holdsShown = 200

// Deadlines lists what ends, the earliest first.
func (room *Room) Deadlines(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	now := in.Now(room.Now())
	list, err := in.BookingsByDeadline(r.Context(), holdsShown)
	if err != nil {
		return err
	}
	plans, err := book.PlansOf(r.Context(), in, list)
	if err != nil {
		return err
	}
	waits, err := in.Waits(r.Context())
	if err != nil {
		return err
	}
	soon, err := in.CountDeadlines(r.Context(), now.Add(24*time.Hour))
	if err != nil {
		return err
	}
	p := deadlinesPage{N: len(list), More: waits.Deadline > len(list)}
	var rows []deadlineRow
	for _, b := range list {
		row := holdDeadline(b, now)
		if day := now.Add(24 * time.Hour); b.Deadline().Before(day) && row.Ends.At.After(day) {
			soon-- // the price has ended, but the seats are held for longer
		}
		row.Misfit = plans.Misfit(b)
		row.Next = flights.NextStep(now, b, row.Misfit)
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(x, y deadlineRow) int {
		return cmp.Or(x.Ends.At.Compare(y.Ends.At), cmp.Compare(x.Locator, y.Locator))
	})
	p.Days = daysOf(rows)
	answer := "Nothing is held"
	if p.N > 0 {
		answer = shell.CountedPlural(waits.Deadline, "booking waits", "bookings wait") + " · " + shell.Counted(soon) +
			" within a day" + flights.NextEnd(now, list)
	}
	return room.Show(w, r, shell.Page{Template: "deadlines", Section: "deadlines", Title: "Deadlines", Answer: answer,
		Data: p})
}

// daysOf groups rows, which are in order, by the day on which they end.
func daysOf(rows []deadlineRow) (days []deadlineDay) {
	for i, row := range rows {
		day := gangway.Date("")
		if !row.Ends.At.IsZero() {
			day = gangway.DateOf(row.Ends.At.UTC())
		}
		if i == 0 || days[len(days)-1].Date != day {
			days = append(days, deadlineDay{Date: day, Open: i < openRows})
		}
		last := &days[len(days)-1]
		last.Rows = append(last.Rows, row)
	}
	return days
}

func holdDeadline(b gangway.Booking, now time.Time) deadlineRow {
	row := deadlineRow{bookingRow: newBookingRow(b)}
	row.Ends = b.NextDeadline(now)
	row.PriceUntil, row.Seat = b.Deadlines()
	if c := b.Change; b.State == gangway.ChangePending && c != nil {
		row.Answer = "confirm or give it up"
		if c.ByAirline {
			row.Answer = "answer the airline"
		}
	}
	return row
}

// Apart reports whether price and seat end at different times.
func (r deadlineRow) Apart() bool { return !r.PriceUntil.Equal(r.Seat) }
