package bookings

import (
	"net/http"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// A schedulePage compares the flights of a booking with those that its airline offers in their place, and quotes what
// may be had instead.
type schedulePage struct {
	bookingCard
	Wrong   string
	Why     string // what the airline said
	Was, Is []flights.SegmentRow
	Differs []string // one part for each flight
	Spare   flights.SpareWords
	Notice  string
	Until   time.Time // the answer is due

	Refund  flight.CancelQuote
	Sum     []flights.QuoteLine
	Unknown string // why nothing is quoted, a sentence
	Others  []changeQuote
	Free    int // of the others
}

// othersShown bounds the other flights; the page to change the booking has all of any day.
const othersShown = 12

// ScheduleChange shows a change by the airline.
func (room *Room) ScheduleChange(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	return room.open(w, r, in, room.showScheduleChange)
}

func (room *Room) showScheduleChange(w http.ResponseWriter, r *http.Request, in store.Scoped, b gangway.Booking,
	wrong string, status int) error {
	c := b.Change
	if b.Needs() != gangway.NeedsAnswer || c == nil {
		return room.showBooking(w, r, in, b, wrong, status)
	}
	p := schedulePage{bookingCard: newBookingCard(b), Wrong: wrong, Why: c.Why, Notice: c.Offer,
		Until: b.NextDeadline(in.Now(room.Now())).At, Was: flights.SegmentsOf(b.Itinerary, b.Purpose.Between),
		Is:      flights.SegmentsOf(c.Itinerary, flights.ElseFlown(b, c.Itinerary)),
		Differs: flights.ChangeWords(b)}
	plan, err := book.PlanOf(r.Context(), in, b)
	if err != nil {
		return err
	}
	if len(c.Itinerary.Segments) > 0 {
		p.Spare = flights.SpareBeside(c.Itinerary, plan)
	}
	rights, err := room.desk.RightsOf(r.Context(), in, b)
	switch shell.KindOf(err) {
	case gangway.Conflict, gangway.NotFound, gangway.Unavailable, gangway.Invalid:
		p.Unknown = shell.SentenceOf(err)
	default:
		if err != nil {
			return err
		}
		p.Refund = rights.Cancel
		if c.Was == gangway.Issued {
			p.Sum = cancelSum(b, rights.Cancel)
		}
		p.Others = changeQuotes(b, rights.Others, plan, room.flights.Forms(r.Context(), in, gangway.Search{}))
		for _, o := range p.Others {
			if o.Due.Minor <= 0 && o.Penalty.IsZero() && o.New.Minor <= o.Now.Minor {
				p.Free++
			}
		}
		p.Others = p.Others[:min(len(p.Others), othersShown)]
	}
	return room.Show(w, r, shell.Page{Template: "schedule_change", Section: "deadlines", Stripe: flights.StripeOf(b),
		Title: "Schedule change " + b.Locator, Answer: flights.AirlineChange(b), Status: status, Data: p})
}

// RejectChange rejects a change by the airline and cancels the booking on the terms that the page quoted.
func (room *Room) RejectChange(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	by, id := asker(r)
	b, err := room.desk.RejectChange(r.Context(), in, by, id, r.PostFormValue("notice"))
	said := "Rejected and cancelled."
	if err == nil {
		b, err = room.desk.Cancel(r.Context(), in, by, id, r.PostFormValue("quote"))
	}
	if err == nil && b.Refund != nil && b.State == gangway.RefundPending && !b.Refund.Unknown {
		said += " " + shell.Amount(b.Refund.Amount) + " is on its way back."
	}
	return room.acted(w, r, in, err, said, room.showScheduleChange)
}

// ChooseOther rejects a change by the airline and chooses other flights, whose quote the booking's page then shows.
func (room *Room) ChooseOther(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	by, id := asker(r)
	offer := room.flights.Forms(r.Context(), in, gangway.Search{}).FoundChange(id, r.PostFormValue("offer"))
	if offer == "" {
		return room.acted(w, r, in, gangway.Errorf(gangway.Conflict, flights.StaleChange), "", room.showScheduleChange)
	}
	_, err := room.desk.RejectChange(r.Context(), in, by, id, r.PostFormValue("notice"))
	if err == nil {
		_, err = room.desk.AskChange(r.Context(), in, by, id, offer)
	}
	return room.acted(w, r, in, err, "Other flights are chosen. Confirm the change.", room.showScheduleChange)
}
