package bookings

import (
	"strings"
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/web/app/flights"

	"pgregory.net/rapid"
)

func usd(n int64) gangway.Money { return gangway.Money{Minor: n, Currency: "USD"} }

// TestSumsOfPagesAddUp takes bookings through random prices, changes and refunds. Every sum of a page adds up to the
// cent, and the amounts of the history make what was paid and what came back. That these are what suppliers charge,
// TestMoneyOfBooking in gangway and TestLives in book hold.
func TestSumsOfPagesAddUp(t *testing.T) {
	at := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	rapid.Check(t, func(t *rapid.T) {
		cents := rapid.Int64Range(0, 200_000)
		price := func(fees gangway.Money) gangway.Price {
			return gangway.PriceOf(usd(cents.Draw(t, "fare")), usd(1+cents.Draw(t, "taxes")), fees)
		}
		b := gangway.Booking{State: gangway.Confirmed, Version: 1}
		var history []gangway.Action
		move := func(e gangway.Event) {
			a := calltest.Must(b.Move(e, "ana@example.com", at))(t)
			history = append(history, a)
		}
		b.SetPrice(price(gangway.Money{}), at)
		wantSum(t, newBookingMoney(b).Lines, b.Price.Total)
		move(gangway.Issue)
		b.Tickets = []string{"6182412345678"}
		b.SetPrice(b.Price, at)
		for range rapid.IntRange(0, 4).Draw(t, "changes") {
			fee := usd(rapid.SampledFrom([]int64{0, 123, 5000}).Draw(t, "fee"))
			next := price(b.Price.Fees.Add(fee))
			move(gangway.AskChange)
			b.Change = &gangway.PendingChange{Was: gangway.Issued, NewPrice: next, Penalty: fee,
				Due: next.Total.Sub(b.Price.Total)}
			wantSum(t, newChangeQuote(b, *b.Change, gangway.Plan{}).Sum, b.Change.Due)
			move(gangway.CompleteChange)
			b.SetPrice(next, at)
			b.Change = nil
			wantSum(t, newBookingMoney(b).Lines, b.Price.Total)
		}
		paid := b.PaidSoFar()
		back := usd(rapid.Int64Range(0, paid.Minor).Draw(t, "back"))
		quote := cancelSum(b, flight.CancelQuote{Refund: back, Kept: paid.Sub(back)})
		if len(quote) != 3 || quote[0].Amount != paid || quote[1].Amount != paid.Sub(back) || quote[2].Amount != back {
			t.Fatalf("%+v; want %s paid and %s back", quote, paid, back)
		}
		move(gangway.CancelForRefund)
		b.SetRefund(&gangway.Refund{Amount: back, AskedAt: at}, at)
		move(gangway.SettleRefund)
		b.SetRefund(&gangway.Refund{Amount: back, AskedAt: at, SettledAt: at}, at)
		gone := newBookingMoney(b).Back
		wantSum(t, append([]flights.QuoteLine{{Words: "Paid", Amount: paid}}, gone...), paid.Sub(back))
		wantHistory(t, b, history)
	})
}

// wantHistory fails unless the amounts of a booking's history make what was paid and what came back.
func wantHistory(t *rapid.T, b gangway.Booking, history []gangway.Action) {
	paid, back := usd(0), usd(0)
	for _, a := range history {
		words := strings.ReplaceAll(actionMoney(b, a), ",", "")
		was, _, isPaid := strings.Cut(words, " paid")
		came, of, isBack := strings.Cut(words, " refunded")
		switch {
		case isPaid:
			paid = paid.Add(parsed(t, was))
		case isBack && of == "":
			back = back.Add(parsed(t, came))
		case isBack: // of a change
			paid = paid.Sub(parsed(t, came))
		}
	}
	if paid.Minor != b.PaidSoFar().Minor || back.Minor != b.Returned().Minor {
		t.Fatalf("the history says that %s were paid and %s came back; it was %s and %s", paid, back, b.PaidSoFar(),
			b.Returned())
	}
}

func parsed(t *rapid.T, words string) gangway.Money {
	m, err := gangway.ParseMoney(words)
	if err != nil {
		t.Fatalf("history says %q: %v", words, err)
	}
	return m
}

// wantSum fails unless the lines of a sum add up to its total, and the total is the one wanted.
func wantSum(t *rapid.T, lines []flights.QuoteLine, want gangway.Money) {
	t.Helper()
	sum, total := gangway.Money{Currency: want.Currency}, lines[len(lines)-1]
	for _, l := range lines[:len(lines)-1] {
		sum = sum.Add(l.Amount)
	}
	if !total.Total || sum.Minor != total.Amount.Minor || total.Amount.Minor != want.Minor || total.Amount.Currency !=
		want.Currency {
		t.Fatalf("%+v: the lines make %s; want %s", lines, sum, want)
	}
}

// TestBookingMoney holds what the page says if amounts cannot be added or are unknown.
func TestBookingMoney(t *testing.T) {
	on := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name   string
		state  gangway.State
		refund *gangway.Refund
		words  string
		back   int // lines
	}{
		{"not paid yet", gangway.Confirmed, nil, "Nothing is paid yet.", 0},
		{"never paid", gangway.Declined, nil, "Nothing was paid.", 0},
		{"nobody knows", gangway.RefundPending, &gangway.Refund{Unknown: true, AskedAt: on},
			"The refund is not known yet.", 0},
		{"promised", gangway.RefundPending, &gangway.Refund{Amount: usd(300), AskedAt: on},
			"USD 3.00 refund to come, asked for on Mon 2 Nov 09:00 UTC.", 2},
		{"less than promised", gangway.Cancelled, &gangway.Refund{Amount: usd(300), Promised: usd(400), AskedAt: on,
			SettledAt: on}, "USD 3.00 refunded on Mon 2 Nov 09:00 UTC. USD 4.00 was promised.", 2},
		{"as promised", gangway.Cancelled, &gangway.Refund{Amount: usd(300), Promised: usd(300), AskedAt: on,
			SettledAt: on}, "USD 3.00 refunded on Mon 2 Nov 09:00 UTC.", 2},
		{"nothing", gangway.Cancelled, &gangway.Refund{Amount: usd(0), AskedAt: on, SettledAt: on},
			"Non-refundable.", 1},
		{"void", gangway.Cancelled, &gangway.Refund{Amount: usd(1000), Void: true, AskedAt: on, SettledAt: on},
			"Voided: nothing was charged.", 2},
		{
			"in another currency", gangway.Cancelled,
			&gangway.Refund{Amount: gangway.Money{Minor: 250, Currency: "EUR"}, AskedAt: on, SettledAt: on},
			"EUR 2.50 refunded; the cancellation fee is not known here. EUR 2.50 " +
				"refunded on Mon 2 Nov 09:00 UTC.", 0,
		},
	} {
		b := gangway.Booking{State: tt.state}
		if tt.refund != nil {
			b.State = gangway.Issued
		}
		b.SetPrice(gangway.PriceOf(usd(800), usd(200), gangway.Money{}), on)
		if b.State = tt.state; tt.refund != nil {
			b.SetRefund(tt.refund, on)
		}
		m := newBookingMoney(b)
		if got := strings.Join(m.Words, " "); got != tt.words || len(m.Back) != tt.back {
			t.Errorf("%s: %q and %+v; want %q", tt.name, got, m.Back, tt.words)
		}
	}
}
