package apptest

import (
	"fmt"
	"net/url"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// Reported puts bookings into an account that the report has much to say of: over fifteen months until Today, for
// twenty vessels on five routes, in three currencies and most states, the late ones dearer. They are the same each
// time.
func Reported(t testing.TB, in store.Scoped, n int) []gangway.Booking {
	t.Helper()
	list := make([]gangway.Booking, n)
	for i := range n {
		b, last := reported(t, i, n)
		intent := store.Intent{ID: b.ID, Booking: b.ID, Kind: "book", By: b.CreatedBy, Doc: []byte("{}"),
			CreatedAt: b.CreatedAt, Lease: b.CreatedAt}
		Done(t, in.BeginBooking(t.Context(), intent, store.Hold{Search: "search of " + b.ID}))
		list[i] = Must(in.CreateBooking(t.Context(), intent.ID, b, last))(t)
	}
	return list
}

// reported is the i-th of n bookings, and its last action.
func reported(t testing.TB, i, n int) (gangway.Booking, gangway.Action) {
	t.Helper()
	routes := []struct {
		route    []gangway.Airport
		carrier  string
		km, euro int
	}{
		{[]gangway.Airport{"MNL", "SIN", "AMS"}, "SQ", 11_500, 640},
		{[]gangway.Airport{"MNL", "DOH", "IAH"}, "QR", 16_200, 910},
		{[]gangway.Airport{"BOM", "DXB", "HAM"}, "EK", 7_400, 420}, {[]gangway.Airport{"WAW", "AMS"}, "KL", 1_100, 160},
		{[]gangway.Airport{"ODS", "IST", "SIN"}, "TK", 9_300, 580},
	}
	days := []int{1, 4, 9, 16, 25, 40, 80}
	r, ahead := routes[i*i*7%53%len(routes)], days[i*i*5%61%len(days)]
	at := Today.AddDate(0, -15, 0).Add(time.Duration(i) * (Today.Sub(Today.AddDate(0, -15, 0)) / time.Duration(n)))
	b := gangway.Booking{
		ID: fmt.Sprintf("R%05d", i), Locator: fmt.Sprintf("R%05d", i), CreatedAt: at, CreatedBy: "booker@example.com",
		CreatedByName: "Ingrid Holm", Supplier: "simulated", Simulated: true, Plating: r.carrier,
		Passenger: gangway.Traveller{LastName: "SANTOS", FirstName: "MARIA"},
		Purpose:   gangway.Purpose{Vessel: vessels[i*i*13%101%len(vessels)], Flag: "NO", Search: "s"},
	}
	if i%4 > 0 {
		b.Purpose.CustomFields = map[string]string{"rank": []string{"Master", `2/O "relief"`, "AB"}[i%3],
			"cost centre": fmt.Sprint(7000 + i%5)}
	}
	leaves := at.AddDate(0, 0, ahead).Truncate(time.Minute)
	for leg := range len(r.route) - 1 {
		b.Itinerary.Segments = append(b.Itinerary.Segments, gangway.Segment{Origin: r.route[leg],
			Destination: r.route[leg+1], Carrier: r.carrier, FlightNumber: fmt.Sprint(100 + i%800),
			Departure: leaves, Arrival: leaves.Add(6 * time.Hour), DistanceKm: r.km / (len(r.route) - 1),
			CO2eKg: float64(r.km/(len(r.route)-1)) * 0.091})
		leaves = leaves.Add(9 * time.Hour)
	}
	b.Terms.FareType = []gangway.FareType{gangway.Marine, gangway.Marine, gangway.Public}[i%3]
	b.Emissions.CO2eKg = float64(r.km) * 0.091
	price := int64(r.euro*100 + i%37*100 + map[bool]int{true: r.euro * (21 - ahead) * 2}[ahead < 21])
	b.Price.Total = gangway.Money{Minor: price, Currency: []string{"USD", "USD", "USD", "EUR", "USD", "USD", "USD",
		"NOK"}[i%8]}
	events := []gangway.Event{gangway.Book}
	switch i % 11 {
	case 0:
	case 1:
		events = []gangway.Event{gangway.AskApproval, gangway.Decline}
	case 2, 3:
		events = append(events, gangway.Issue, gangway.CancelForRefund, gangway.SettleRefund)
	case 4:
		events = append(events, gangway.Issue, gangway.CancelForRefund)
	default:
		events = append(events, gangway.Issue)
	}
	if events[0] == gangway.AskApproval {
		b.Approval = &gangway.Approval{Why: "dear"}
	}
	var last gangway.Action
	for _, e := range events {
		switch e {
		case gangway.Issue:
			b.Tickets = []string{fmt.Sprintf("618-24%08d", i)}
		case gangway.CancelForRefund:
			b.Refund = &gangway.Refund{Amount: gangway.Money{Minor: price * int64(i%4) / 4,
				Currency: b.Price.Total.Currency}, AskedAt: at, Unknown: i%22 == 4}
		case gangway.SettleRefund:
			b.Refund.SettledAt = at
		}
		last = Must(b.Move(e, b.CreatedBy, at))(t)
	}
	return b, last
}

var vessels = []string{"Aurora", "Boreas", "Cape Farewell", "Dagny", "Eendracht", "Fjord Express", "Galatea",
	"Havørn", "Ingrid Marie", "Jupiter Star", "Kestrel", "Lady Marguerite of the Northern Isles", "Mistral", "Nordlys",
	"Ocean \"Blue\" Sky", "Polar Queen", "Quetzal", "Runa", "Sea Sparrow", "Tramontana", ""}

// ReportedClient is a client of a customer of its own, with n bookings for its report.
func ReportedClient(t *testing.T, s *Site, n int) *Client {
	t.Helper()
	account, _, err := s.DB.CreateCustomer(t.Context(), storetest.Operator, "Fleet of the North", Today)
	Done(t, err)
	u := gangway.User{ID: "u_fleet", Customer: account.Customer.ID, Email: "fleet@example.com", Name: "Olga Berg",
		Role: gangway.Booker}
	Done(t, s.DB.CreateUser(t.Context(), storetest.Operator, u, PasswordHash, Today))
	Reported(t, s.DB.In(account.Scope()), n)
	c := s.Client(t)
	c.Post("/sign-in", url.Values{"email": {u.Email}, "password": {Password}}).Shows("/")
	return c
}
