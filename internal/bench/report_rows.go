package main

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/report"
	"gangway/internal/report/query"
	"gangway/internal/world"
)

// reportYears is over how many years the bookings of a report were made.
const reportYears = 3

// Where the people of a report's fleet live, change planes and join their ships: 60,000 routes.
var (
	reportHomes = eightyHomes
	reportHubs  = strings.Fields("DXB DOH IST AUH FRA AMS CDG LHR SIN HKG BKK KUL ICN NRT MAD FCO ZRH VIE CPH HEL " +
		"ADD JNB GRU BOG PTY")
	reportPorts = strings.Fields("AMS RTM ANR HAM BRE LHR SOU LEH MRS GOA BCN VLC ALG ATH IST HFA PSD JED DXB FJR " +
		"BOM CMB SIN KUL HKG SZX PVG NGB TAO PUS HND LAX OAK IAH MSY JFK SAV GRU EZE CPT")
)

// A reportFleet is a fleet whose bookings the report tells of. Booking n is always the same one; the last
// one was made now.
type reportFleet struct {
	fleet
	customer string
}

func (f reportFleet) made(n int) time.Time {
	span := reportYears * 365 * 24 * time.Hour
	at := f.now.Add(-span + time.Duration(float64(n)/float64(f.bookings)*float64(span)))
	return at.Add(time.Duration(scatter(n, 1000)) * time.Millisecond).Truncate(time.Millisecond)
}

// id returns an identifier that looks like those that nobody can guess.
func (f reportFleet) id(n int) string {
	sum := sha256.Sum256(fmt.Append(nil, "booking ", n))
	return "bkg_" + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:])[:26])
}

// booking returns booking n as it stands.
func (f reportFleet) booking(n int) gangway.Booking {
	made := f.made(n)
	b := gangway.Booking{
		ID: f.id(n), Locator: locator(n), State: f.state(n), Passenger: f.crew(n), Supplier: "simulated",
		Order: fmt.Sprintf("ord_%d", n), CreatedAt: made,
		CreatedBy:     fmt.Sprintf("desk%02d@halcyon.example", scatter(n, desks)),
		CreatedByName: crewMember(scatter(n, desks)).FirstName,
		Purpose: gangway.Purpose{
			Search: "srch_" + fmt.Sprint(n/crewAtOnce), Change: "id:" + crewChangeID(n), Vessel: f.vessel(n),
			Flag:            gangway.Country(strings.Fields("NO PA LR MH SG MT BS CY")[scatter(n/crewAtOnce, 8)]),
			TravelRequestID: crewChangeID(n),
		},
	}
	if n%4 != 0 {
		b.Purpose.CustomFields = map[string]string{"cost_centre": fmt.Sprint(4000 + scatter(n, 60)),
			"rank": []string{"AB", "2/O", "C/O", "Master", "Oiler", "Cook"}[scatter(n, 6)]}
	}
	if n%9 == 0 {
		b.Passenger.FrequentFlyer = gangway.FrequentFlyer{Airline: "EK", Number: fmt.Sprint(100_000_000 + n)}
	}
	b.Itinerary = f.itinerary(n)
	for _, s := range b.Itinerary.Segments {
		b.Emissions.CO2eKg += s.CO2eKg
		b.Emissions.CO2eRFKg += s.CO2eRFKg
	}
	b.Plating = b.Itinerary.Segments[0].Carrier
	b.Terms.FareType = []gangway.FareType{gangway.Marine, gangway.Marine, gangway.Marine, gangway.Public}[scatter(n, 4)]
	b.Price.Total = gangway.Money{Minor: int64(18_000 + 11*b.Itinerary.DistanceKm() + scatter(n, 30_000)),
		Currency: []string{"USD", "USD", "USD", "EUR", "SGD"}[scatter(n, 5)]}
	f.live(n, &b)
	return b
}

// live gives a booking what it has in its state.
func (f reportFleet) live(n int, b *gangway.Booking) {
	later := func(hours int) time.Time { return b.CreatedAt.Add(time.Duration(1+scatter(n, hours)) * time.Hour) }
	switch b.State {
	case gangway.ApprovalRequired:
		b.Approval = &gangway.Approval{Why: "the fare is above the limit"}
		return
	case gangway.Declined:
		b.Approval = &gangway.Approval{Why: "the fare is above the limit", DecidedBy: "master@halcyon.example",
			DecidedByName: "Sofia Lindgren", DecidedAt: later(20), Reason: "a later flight is much cheaper"}
		return
	}
	if n%6 == 0 {
		b.Approval = &gangway.Approval{Why: "the fare is above the limit", DecidedBy: "master@halcyon.example",
			DecidedByName: "Sofia Lindgren", DecidedAt: later(20)}
	}
	b.PNRs = []string{airlineLocator(n)}
	if b.State == gangway.Confirmed {
		return
	}
	b.Tickets = []string{f.ticket(n)}
	if n%3 != 0 {
		b.Invoices = []gangway.Invoice{{Number: fmt.Sprintf("INV-%d", 100_000+n)}}
	}
	switch b.State {
	case gangway.RefundPending, gangway.Cancelled:
		b.CancelledAt, b.CancelledBy, b.CancelledByName = later(200), b.CreatedBy, b.CreatedByName
		b.Refund = &gangway.Refund{Amount: gangway.Money{Minor: b.Price.Total.Minor * 7 / 10,
			Currency: b.Price.Total.Currency}, AskedAt: b.CancelledAt}
		if b.State == gangway.Cancelled {
			b.Refund.SettledAt = b.CancelledAt.Add(72 * time.Hour)
		}
	case gangway.Issued:
		if scatter(n, 40) == 0 {
			b.NoShow = &gangway.NoShow{Missed: true}
		}
	}
}

// itinerary returns the flights of booking n, of which most change planes once.
func (f reportFleet) itinerary(n int) gangway.Itinerary {
	home, hub := reportHomes[scatter(n, len(reportHomes))], reportHubs[scatter(n+1, len(reportHubs))]
	route := []string{home, hub, reportPorts[scatter(n/crewAtOnce, len(reportPorts))]}
	if scatter(n, 10) == 0 {
		route = slices.Insert(route, 2, reportHubs[scatter(n+5, len(reportHubs))])
	}
	route = slices.Compact(route)
	if n%2 == 1 {
		slices.Reverse(route)
	}
	leaves := f.made(n/crewAtOnce*crewAtOnce).AddDate(0, 0, 5+scatter(n/crewAtOnce, 55)).Truncate(5 * time.Minute)
	var it gangway.Itinerary
	for i, to := range route[1:] {
		from := route[i]
		e := emissionOf(from, to)
		lands := leaves.Add(30*time.Minute + time.Duration(e.Km)*time.Hour/850).Truncate(5 * time.Minute)
		carrier := reportCarriers()[scatter(n+i, 4)*17%len(reportCarriers())]
		it.Segments = append(it.Segments, gangway.Segment{
			Carrier: carrier, FlightNumber: fmt.Sprint(100 + (e.Km+7*i)%900), Origin: gangway.Airport(from),
			Destination: gangway.Airport(to), Departure: leaves, Arrival: lands, Cabin: "economy", DistanceKm: e.Km,
			CO2eKg: math.Round(e.Kg*1000) / 1000, CO2eRFKg: math.Round(e.KgRF*1000) / 1000,
		})
		leaves = lands.Add(time.Duration(50+5*scatter(n+i, 60)) * time.Minute)
	}
	return it
}

// reportCarriers are the airlines that the fleet flies with.
var reportCarriers = sync.OnceValue(func() []string {
	var codes []string
	for _, a := range world.Airlines() {
		codes = append(codes, a.Code)
	}
	return codes[:min(60, len(codes))]
})

var emissionsKnown sync.Map // by route

// emissionOf returns what a flight emits for one passenger.
func emissionOf(from, to string) world.Emission {
	if known, ok := emissionsKnown.Load(from + to); ok {
		return known.(world.Emission)
	}
	a, _ := world.AirportOf(from)
	b, _ := world.AirportOf(to)
	e := world.DefaultFactors().Flight(a, b, "economy")
	emissionsKnown.Store(from+to, e)
	return e
}

// columns of the report's rows, in the order of row.
func (f reportFleet) columns() []string {
	list := []string{"account", "co2_forced", query.Search, query.Members, query.Changed}
	for _, c := range report.FlightBookings.Columns {
		if c.Name != "TenantId" {
			list = append(list, c.SQL)
		}
	}
	return list
}

// row is the report's row of booking n, as the store writes it.
func (f reportFleet) row(n int) []any {
	b := f.booking(n)
	row := report.RowOf(b, f.customer)
	values := []any{f.account, report.ForcedEmissions(b), query.SearchText(report.FlightBookings, row),
		string(report.FlightBookings.AppendMembers(nil, row)), 1}
	for i, c := range report.FlightBookings.Columns {
		switch v := row[i].(type) {
		case bool:
			values = append(values, map[bool]int{false: 0, true: 1}[v])
		default:
			if c.Name != "TenantId" {
				values = append(values, v)
			}
		}
	}
	return values
}

// fill writes the rows, in the order in which they were booked, without the indexes, which are made
// afterwards.
func (f reportFleet) fill(ctx context.Context, url string) error {
	into, err := newBareFill(ctx, url)
	if err != nil {
		return err
	}
	defer into.close()
	indexed, err := into.withoutIndexes(ctx, "report_booking")
	if err != nil {
		return err
	}
	for from := 0; from < f.bookings; from += fillAtATime {
		rows := make([][]any, min(fillAtATime, f.bookings-from))
		for i := range rows {
			rows[i] = f.row(from + i)
		}
		if err := into.insert(ctx, "report_booking", f.columns(), rows); err != nil {
			return err
		}
	}
	return indexed()
}
