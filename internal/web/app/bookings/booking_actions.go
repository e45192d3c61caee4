package bookings

import (
	"net/http"
	"strings"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// A quotePage says before an action exactly what it costs or refunds, by which rule, and until when
// that holds.
type quotePage struct {
	bookingCard
	Lines      []flights.QuoteLine
	Rule       string
	Until      time.Time
	UntilWords string
	Action     string // where the form is sent
	Button     string
	Danger     bool
	Fields     map[string]string
	Wrong      string
	Misfit     string // how it does not fit what is planned today
	Asked      bool   // Misfit says that people are asked whether its crew change moved

	By *gangway.Booking // that takes the place of one which is to be cancelled; nil: none
}

// IssueQuote shows what issuing pays.
func (room *Room) IssueQuote(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	return room.open(w, r, in, room.showIssue)
}

func (room *Room) showIssue(w http.ResponseWriter, r *http.Request, in store.Scoped, b gangway.Booking, wrong string,
	status int) error {
	if !b.Can(gangway.Issue) {
		return room.notNow(w, r, in, b, gangway.Issue)
	}
	if b.Supplier == flight.Elsewhere {
		return room.showEnterTickets(w, r, in, b, wrong, status)
	}
	price, err := room.desk.PriceToIssue(r.Context(), in, b)
	if err != nil {
		return err
	}
	plans, err := book.PlansOf(r.Context(), in, []gangway.Booking{b})
	if err != nil {
		return err
	}
	p := quotePage{bookingCard: newBookingCard(b), Wrong: wrong, Misfit: plans.Misfit(b)}
	p.Asked = p.Misfit == book.Undecided
	p.Lines = flights.PriceSum(price, "To pay")
	p.Rule = afterIssue(b.Terms)
	p.Until, p.UntilWords = b.PriceGood(), "Fare until"
	answer := "To pay: " + shell.Amount(price.Total)
	if b.PriceEnded(in.Now(room.Now())) {
		// Below the sum, because it is not part of it.
		p.Lines = append(p.Lines, flights.QuoteLine{Words: "When it was booked", Amount: b.Price.Total, Total: false})
		p.Rule = priceNow(b, price.Total) + " " + p.Rule
		p.Until, p.UntilWords = b.HoldUntil, "Seats until"
		answer += ", today's price"
	}
	p.Action, p.Button = "issue", "Issue tickets · "+shell.Amount(price.Total)
	p.Fields = map[string]string{"price": price.Total.String()}
	return room.Show(w, r, shell.Page{Template: "quote", Section: "bookings", Stripe: flights.StripeOf(b),
		Title: "Issue " + b.Locator, Answer: answer, Status: status, Data: p})
}

// priceNow compares what issuing costs, after the guarantee of the price of b has ended, with what
// it was to cost.
func priceNow(b gangway.Booking, now gangway.Money) string {
	words := "The price was guaranteed until " + b.PriceGood().UTC().Format(shell.LongUTC) +
		". The airline was asked again: "
	was := b.Price.Total
	switch {
	case now == was:
		return words + "the price is still " + shell.Amount(now) + "."
	case now.Currency == was.Currency && now.Minor > was.Minor:
		return words + "the new price is " + shell.Amount(now) + ", " + shell.Amount(now.Sub(was)) + " more."
	case now.Currency == was.Currency:
		return words + "the new price is " + shell.Amount(now) + ", " + shell.Amount(was.Sub(now)) + " less."
	}
	return words + "the new price is " + shell.Amount(now) + "."
}

// wasField is the form field with the state that the page showed.
const wasField = "was"

// unlessVoid ends a sentence about the cost of cancelling. No supplier says before tickets are
// issued whether they can be voided, or until when.
const unlessVoid = ". New tickets may be voided for a while: the booking then says until when."

// afterIssue says what cancelling will cost once the tickets are issued.
func afterIssue(t gangway.Terms) string {
	switch {
	case t.Cancellations == gangway.NonRefundable:
		return "Once ticketed: non-refundable" + unlessVoid
	case t.Cancellations == gangway.PaidCancel || !t.CancelFee.IsZero():
		return "Once ticketed: cancellation fee " + t.CancelFee.String() + " before departure" + unlessVoid
	}
	return "Once ticketed: fully refundable before departure."
}

// Issue pays and has the tickets issued.
func (room *Room) Issue(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	by, id := asker(r)
	price, err := gangway.ParseMoney(r.PostFormValue("price"))
	if err != nil {
		return err
	}
	_, err = room.desk.Issue(r.Context(), in, by, id, price)
	return room.acted(w, r, in, err, "Tickets are issued.", room.showIssue)
}

// CancelQuote shows what cancelling brings and costs.
func (room *Room) CancelQuote(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	return room.open(w, r, in, room.showCancel)
}

func (room *Room) showCancel(w http.ResponseWriter, r *http.Request, in store.Scoped, b gangway.Booking, wrong string,
	status int) error {
	if !b.Can(gangway.Cancel) {
		return room.notNow(w, r, in, b, gangway.Cancel)
	}
	quote, err := room.desk.QuoteCancel(r.Context(), in, b.ID)
	if err != nil {
		return err
	}
	p := quotePage{bookingCard: newBookingCard(b), Wrong: wrong}
	if p.By, err = room.replacement(r.Context(), in, b); err != nil {
		return err
	}
	p.Rule, p.Until, p.UntilWords = quote.Rule, quote.Expires, "Quote until"
	p.Action, p.Danger, p.Fields = "cancel", true, map[string]string{"quote": quote.ID, wasField: string(b.State)}
	p.Button = "Cancel and release seats"
	answer := "Nothing was paid; the seats are released"
	if b.Ticketed() {
		p.Lines = cancelSum(b, quote)
		switch {
		case quote.Unknown:
			p.Button, answer = "Cancel · refund not known yet", "The refund is not known yet"
		case quote.Void:
			if !b.VoidUntil.IsZero() {
				p.Rule += " The void period ends on " + b.VoidUntil.UTC().Format(shell.LongUTC) + "."
			}
			p.Button, answer = "Void tickets · "+shell.Amount(quote.Refund)+" back", "Void: fully refunded"
		case quote.Refund.IsZero():
			p.Button, answer = "Cancel · no refund", "Non-refundable"
		default:
			p.Button, answer = "Cancel · "+shell.Amount(quote.Refund)+" back", shell.Amount(quote.Refund)+" back"
		}
	}
	return room.Show(w, r, shell.Page{Template: "quote", Section: "bookings", Stripe: flights.StripeOf(b),
		Title: "Cancel " + b.Locator, Answer: answer, Status: status, Data: p})
}

// Cancel cancels the booking on the terms of the quote.
func (room *Room) Cancel(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	by, id := asker(r)
	b, err := room.desk.Cancel(r.Context(), in, by, id, r.PostFormValue("quote"))
	said := "Cancelled."
	if b.Refund != nil && b.State == gangway.RefundPending && !b.Refund.Unknown {
		said = "Cancelled. " + shell.Amount(b.Refund.Amount) + " refund to come."
	}
	return room.acted(w, r, in, err, said, room.showCancel)
}

// Approve lets a booking go ahead.
func (room *Room) Approve(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	by, id := asker(r)
	_, err := room.desk.Approve(r.Context(), in, by, id)
	return room.acted(w, r, in, err, "Approved.", room.showBooking)
}

// Decline refuses a booking, for a reason.
func (room *Room) Decline(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	by, id := asker(r)
	_, err := room.desk.Decline(r.Context(), in, by, id,
		strings.TrimSpace(r.PostFormValue("reason")))
	return room.acted(w, r, in, err, "Declined; the seats are released.", room.showBooking)
}

// ChooseUnissued changes what happens to a hold that nobody issues.
func (room *Room) ChooseUnissued(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	by, id := asker(r)
	auto, err := flights.ReadUnissued(r.PostFormValue("unissued"))
	if err != nil {
		return err
	}
	b, err := room.desk.SetAutoIssue(r.Context(), in, by, id, auto)
	said := ""
	if err == nil {
		said = room.flights.NextStepToday(r.Context(), in, b) + "."
	}
	return room.acted(w, r, in, err, said, room.showBooking)
}
