package bookings

import (
	"context"
	"encoding/json"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/web/app/flights"
	"gangway/internal/wire"

	"pgregory.net/rapid"
)

// agree fails unless the till, the booking, its record, its history and its page give the same
// amounts.
func (p *purse) agree(t *rapid.T) {
	b := p.booking(t)
	if _, open, err := p.in.OpenIntent(context.Background(), b.ID); err != nil || open {
		return // it is not known yet what was done
	}
	ticketed := b.Ticketed() || len(b.Payments) > 0
	switch {
	case b.PaidSoFar().Minor != p.till.paid.Minor || b.PaidFor(gangway.ForChange).Minor != p.till.fees.Minor:
		t.Fatalf("%s: paid %s, %s of it for changes; charged were %s and %s", b.State, b.PaidSoFar(),
			b.PaidFor(gangway.ForChange), p.till.paid, p.till.fees)
	case b.Returned().Minor != p.till.back.Minor:
		t.Fatalf("%s: %s came back; given were %s", b.State, b.Returned(), p.till.back)
	case ticketed && b.Price.Total != p.till.paid || gangway.PriceOf(b.Price.Fare, b.Price.Taxes, b.Price.Fees) !=
		b.Price:
		t.Fatalf("%s: the price is %+v; charged were %s", b.State, b.Price, p.till.paid)
	}
	p.agreeOnRecord(t, b)
	p.agreeOnPage(t, b)
}

func (p *purse) agreeOnRecord(t *rapid.T, b gangway.Booking) {
	doc, err := wire.Booking(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	var record struct {
		Price struct {
			Total json.Number `json:"total"`
		} `json:"price"`
		Metadata struct {
			Fees json.Number `json:"change_fees"`
			Back json.Number `json:"refund_total"`
			Ccy  string      `json:"refund_ccy"`
		} `json:"metadata"`
	}
	if err := json.Unmarshal(doc, &record); err != nil {
		t.Fatal(err)
	}
	fees, back := "", ""
	if !p.till.fees.IsZero() {
		fees = p.till.fees.Decimal()
	}
	if r := b.Refund; r != nil && !r.Unknown {
		back = r.Amount.Decimal()
	}
	if record.Price.Total.String() != b.Price.Total.Decimal() || record.Metadata.Fees.String() != fees ||
		record.Metadata.Back.String() != back || (back != "") != (record.Metadata.Ccy == "USD") {
		t.Fatalf("the record says %+v; want %s, fees %q, refund %q", record, b.Price.Total, fees, back)
	}
}

func (p *purse) agreeOnPage(t *rapid.T, b gangway.Booking) {
	m := newBookingMoney(b)
	want := b.Price.Total
	wantSum(t, m.Lines, want)
	if len(m.Back) > 0 {
		kept := m.Back[len(m.Back)-1].Amount
		wantSum(t, append([]flights.QuoteLine{{Words: "Paid", Amount: p.till.paid, Total: false}}, m.Back...), kept)
		if back, _ := b.RefundTotal(); kept.Add(back) != p.till.paid {
			t.Fatalf("the page says %+v of %s", m.Back, p.till.paid)
		}
	}
	if b.Change != nil {
		if q := newChangeQuote(b, *b.Change, bookingPlan{}); q.Ticketed && !q.Airline {
			wantSum(t, q.Sum, q.Due)
		}
	}
	history, err := p.in.History(context.Background(), b.ID)
	if err != nil {
		t.Fatal(err)
	}
	sum, back := gangway.Money{Currency: "USD"}, gangway.Money{Currency: "USD"}
	for _, a := range history {
		words := actionMoney(b, a)
		figure, what, _ := strings.Cut(strings.ReplaceAll(words, ",", ""), " paid")
		came := strings.Contains(words, " came back")
		if came {
			figure, what, _ = strings.Cut(figure, " came back")
		} else if !strings.Contains(words, " paid") {
			continue
		}
		n, err := gangway.ParseMoney(figure)
		switch {
		case err != nil:
			t.Fatalf("history says %q: %v", words, err)
		case came && what == "":
			back = back.Add(n)
		case came:
			sum = sum.Sub(n)
		default:
			sum = sum.Add(n)
		}
	}
	if sum.Minor != p.till.paid.Minor || back.Minor != p.till.back.Minor {
		t.Fatalf("the history says that %s were paid and %s came back; it was %s and %s", sum, back, p.till.paid,
			p.till.back)
	}
}
