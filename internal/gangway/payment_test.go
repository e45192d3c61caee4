package gangway

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"gangway/internal/calltest"
)

func dollars(n int64) Money { return Money{Minor: n, Currency: "USD"} }

// TestMoneyOfBooking takes bookings through any sequence of issue, changes,
// airlines' changes and cancellation. What was paid equals the price, part by
// part, and adds up to the cent with what comes back and what is kept.
func TestMoneyOfBooking(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)
		cents := rapid.Int64Range(0, 200_000)
		b := Booking{State: Confirmed, Version: 1}
		fees := Money{}
		if rapid.Bool().Draw(t, "service fee") {
			fees = dollars(rapid.Int64Range(1, 5000).Draw(t, "fee"))
		}
		p := PriceOf(dollars(cents.Draw(t, "fare")), dollars(cents.Draw(t, "taxes")), fees)
		move := func(e Event) {
			t.Helper()
			calltest.Must(b.Move(e, "ana@example.com", at))(t)
		}
		var charged, changes Money // what the supplier took, by its own account
		holds := func() {
			t.Helper()
			if b.PaidSoFar().Minor != charged.Minor || b.PaidFor(ForChange).Minor != changes.Minor {
				t.Fatalf("paid %s, %s of it for changes; the supplier charged %s and %s", b.PaidSoFar(),
					b.PaidFor(ForChange),
					charged, changes)
			}
			if charged.Currency != "" && b.Price.Total != b.PaidSoFar() {
				t.Fatalf("the price is %s; %s was paid", b.Price.Total, b.PaidSoFar())
			}
			if PriceOf(b.Price.Fare, b.Price.Taxes, b.Price.Fees) != b.Price {
				t.Fatalf("price %+v", b.Price)
			}
		}
		change := func(fee Money) {
			held := !b.Ticketed()
			move(AskChange)
			b.Change = &PendingChange{Was: Confirmed}
			if !held {
				b.Change.Was = Issued
			}
			was := p.Total
			p = PriceOf(dollars(cents.Draw(t, "fare")), dollars(cents.Draw(t, "taxes")), p.Fees.Add(fee))
			move(CompleteChange)
			b.SetPrice(p, at)
			if b.Change = nil; !held {
				charged, changes = charged.Add(p.Total).Sub(was), changes.Add(fee)
			}
			holds()
		}
		b.SetPrice(p, at)
		for range rapid.IntRange(0, 2).Draw(t, "changes while held") {
			change(Money{})
		}
		if rapid.IntRange(0, 9).Draw(t, "given up") == 0 {
			move(Cancel)
			b.SetRefund(nil, at)
			if _, known := b.RefundTotal(); known || len(b.Payments) > 0 {
				t.Fatalf("refund %+v, payments %+v for a booking that was never paid", b.Refund, b.Payments)
			}
			return
		}
		move(Issue)
		charged = p.Total
		b.SetPrice(p, at)
		b.Tickets = []string{"6182412345678"}
		holds()
		for range rapid.IntRange(0, 4).Draw(t, "changes") {
			change(dollars(rapid.SampledFrom([]int64{0, 5000, 123}).Draw(t, "penalty")))
		}
		if !charged.IsZero() && b.SetPrice(PriceOf(Money{1, "EUR"}, Money{0, "EUR"}, Money{}), at) {
			t.Fatal("euros were added to dollars")
		}
		cancelAndSettle(t, &b, move)
		holds()
	})
}

// cancelAndSettle cancels a ticketed booking, on random terms, and checks the
// money at every step.
func cancelAndSettle(t *rapid.T, b *Booking, move func(Event)) {
	at := time.Date(2026, 12, 2, 9, 0, 0, 0, time.UTC)
	paid := b.PaidSoFar()
	promise := dollars(rapid.Int64Range(0, paid.Minor).Draw(t, "promise"))
	r := &Refund{Amount: promise, AskedAt: at}
	switch rapid.SampledFrom([]string{"void", "nothing", "promised", "unknown", "told later"}).Draw(t, "terms") {
	case "void":
		r = &Refund{Amount: paid, Void: true, AskedAt: at, SettledAt: at}
		move(Cancel)
		b.SetRefund(r, at)
		wantMoney(t, *b, paid, paid)
		return
	case "nothing":
		move(Cancel)
		b.SetRefund(nil, at)
		wantMoney(t, *b, dollars(0), dollars(0))
		return
	case "promised":
		move(CancelForRefund)
		b.SetRefund(r, at)
		wantMoney(t, *b, promise, dollars(0))
	case "unknown", "told later":
		move(CancelForRefund)
		b.SetRefund(&Refund{Amount: dollars(0), Unknown: true, AskedAt: at}, at)
		if _, known := b.RefundTotal(); known {
			t.Fatal("RefundTotal reports an amount that nobody knows")
		}
		if _, known := b.StillToCome(); known {
			t.Fatal("StillToCome reports an amount that nobody knows")
		}
		if _, known := b.Kept(); known {
			t.Fatal("Kept reports an amount that nobody knows")
		}
		if rapid.Bool().Draw(t, "announced before it comes") {
			b.SetRefund(r, at)
			wantMoney(t, *b, promise, dollars(0))
		}
	}
	came := dollars(rapid.Int64Range(0, paid.Minor).Draw(t, "came"))
	move(SettleRefund)
	was := *b.Refund
	b.SetRefund(&Refund{Amount: came, AskedAt: at, SettledAt: at.Add(time.Hour)}, at)
	wantMoney(t, *b, came, came)
	if promised := !was.Unknown && was.SettledAt.IsZero(); promised && b.Refund.Promised != was.Amount || !promised &&
		b.Refund.Promised.Currency != "" {
		t.Fatalf("the record says that %s was promised; %+v came after %+v", b.Refund.Promised, b.Refund, was)
	}
	again := len(b.Payments)
	if b.SetRefund(b.Refund, at); len(b.Payments) != again {
		t.Fatal("the same refund came twice")
	}
}

// wantMoney fails unless so much comes back for b and so much has come.
func wantMoney(t *rapid.T, b Booking, back, come Money) {
	total, known := b.RefundTotal()
	toCome, sure := b.StillToCome()
	kept, clear := b.Kept()
	if !known || !sure || !clear || total != back || b.Returned() != come || toCome != back.Sub(come) {
		t.Fatalf("%s come back (%v), %s have, %s are to come (%v), kept known: %v; want %s and %s", total, known,
			b.Returned(), toCome, sure, clear, back, come)
	}
	if kept.Add(total) != b.PaidSoFar() || b.Price.Total.Sub(total) != kept {
		t.Fatalf("kept %s and returned %s of %s", kept, total, b.PaidSoFar())
	}
}

// TestRefundInAnotherCurrency checks that amounts in two currencies are never added.
func TestRefundInAnotherCurrency(t *testing.T) {
	at := time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)
	b := Booking{State: Issued, Version: 2}
	b.SetPrice(PriceOf(dollars(40000), dollars(8200), Money{}), at)
	b.State, b.Version = Cancelled, 3
	b.SetRefund(&Refund{Amount: Money{35000, "EUR"}, AskedAt: at, SettledAt: at}, at)
	back, known := b.RefundTotal()
	if _, kept := b.Kept(); kept || !known || back != (Money{35000, "EUR"}) || b.Returned() != back || b.PaidSoFar() !=
		dollars(48200) {
		t.Fatalf("paid %s, %s of %s have come, kept known: %v; want both as they are and nothing reckoned",
			b.PaidSoFar(), b.Returned(), back, kept)
	}
}

// TestPaidWithoutOurKnowing checks that a refund counts as proof of payment.
func TestPaidWithoutOurKnowing(t *testing.T) {
	at := time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)
	b := Booking{State: Cancelled, Version: 2}
	b.Price = PriceOf(dollars(40000), dollars(8200), Money{})
	b.SetRefund(&Refund{Amount: dollars(30000), AskedAt: at, SettledAt: at}, at)
	if kept, known := b.Kept(); !known || kept != dollars(18200) || b.PaidSoFar() != dollars(48200) {
		t.Fatalf("paid %s, kept %s; want 482.00 and 182.00", b.PaidSoFar(), kept)
	}
}
