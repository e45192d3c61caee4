package gangway

import (
	"strings"
	"testing"
	"time"
)

func TestNoShow(t *testing.T) {
	leaves := time.Date(2026, 12, 1, 23, 55, 0, 0, time.FixedZone("", 8*3600))
	flown := Booking{Locator: "K7Q2MX", State: Issued, Tickets: []string{"1769990000017"},
		PricedItinerary: PricedItinerary{Itinerary: Itinerary{Segments: []Segment{{Departure: leaves}}}}}
	held, cancelled, ticketless := flown, flown, flown
	held.State, held.Tickets = Confirmed, nil
	cancelled.State = Cancelled
	ticketless.Tickets = nil
	for _, tt := range []struct {
		name string
		b    Booking
		at   time.Time
		want Kind
	}{
		{"after departure", flown, leaves, NoError},
		{"ticketless airlines issue too", ticketless, leaves, NoError},
		{"cancelled after departure", cancelled, leaves.Add(time.Hour), NoError},
		{"a minute before departure it is too early", flown, leaves.Add(-time.Minute), Conflict},
		{"without a ticket nobody could fly", held, leaves, Conflict},
	} {
		err := tt.b.SetNoShow(true, Stamp{By: "ana@example.com", At: tt.at})
		if KindOf(err) != tt.want {
			t.Errorf("%s: SetNoShow = %v; want kind %v", tt.name, err, tt.want)
		}
	}
}

func TestInvoices(t *testing.T) {
	s := Stamp{By: "ana@example.com"}
	for _, tt := range []struct {
		text string
		want string // the numbers, or what is said against them
	}{
		{"INV-2026-7", "INV-2026-7"},
		{" A1 ,A2,, a1", "A1 A2"},
		{"Rechnung Nr. 7/Ü", "Rechnung Nr. 7/Ü"},
		{" , ", "is missing"},
		{"", "is missing"},
		{strings.Repeat("9", 41), "at most 40 characters"},
		{"A\u200b1", "none of them invisible"},
		{"1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21", "at most 20"},
	} {
		var b Booking
		err := b.AddInvoices(tt.text, s)
		got := strings.Join(b.InvoiceNumbers(), " ")
		if err != nil {
			got = err.Error()
		}
		if err == nil && got != tt.want || err != nil && (KindOf(err) != Invalid || !strings.Contains(got, tt.want) ||
			b.Invoices != nil) {
			t.Errorf("AddInvoices(%q) = %q; want %q", tt.text, got, tt.want)
		}
	}
	b := Booking{Locator: "K7Q2MX"}
	if err := b.RemoveInvoice("7", s); KindOf(err) != NotFound {
		t.Errorf("RemoveInvoice of an unknown number = %v; want NotFound", err)
	}
}

func TestParseFrequentFlyer(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"SQ 8001234567", "SQ 8001234567"}, {" kl-2012345678 ", "KL 2012345678"}, {"7C1234", "7C 1234"},
		{"U2 AB12CD", "U2 AB12CD"},
		{"8001234567", ""}, {"SQ", ""}, {"my card", ""}, {"SQ 123", ""}, {"SQA 80012345!", ""}, {"", ""},
	} {
		f, err := ParseFrequentFlyer(tt.text)
		if f.String() != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("ParseFrequentFlyer(%q) = %q, %v; want %q", tt.text, f, err, tt.want)
		}
	}
}

func TestWordsOfMoney(t *testing.T) {
	for m, want := range map[Money]string{
		{146378, "USD"}: "USD 1,463.78", {99, "USD"}: "USD 0.99", {-123456789, "EUR"}: "EUR −1,234,567.89",
		{1200000, "JPY"}: "JPY 1,200,000", {12345, "KWD"}: "KWD 12.345",
	} {
		if got := m.Words(); got != want {
			t.Errorf("Words of %s = %q; want %q", m, got, want)
		}
	}
}
