package duffeltest

import (
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"time"

	"gangway/internal/world"
)

// A brand is a fare of the model's airline.
type brand struct {
	name    string
	factor  int // applied to the base price, in hundredths
	refund  *condition
	change  *condition
	hold    bool
	bags    int
	private bool // filed for us: only for passengers of its fare type
}

func notAllowed() *condition { return &condition{} }

var (
	basic  = brand{name: "Basic", factor: 80, refund: notAllowed(), change: notAllowed()}
	flex   = brand{name: "Flex", factor: 130, refund: allowed(4500), change: allowed(3000), hold: true, bags: 1}
	marine = brand{name: "Marine", factor: 95, refund: allowed(0), change: allowed(0), hold: true, bags: 2,
		private: true}
	silent = brand{name: "Saver", factor: 90, hold: true, bags: 1} // its rules are unknown
)

// A flown is a flight on a day.
type flown struct {
	from, to           world.Airport
	departure, arrival time.Time
	stop               *world.Airport
	number             int
}

// hubs are where the model's airline connects.
var hubs = []string{"DXB", "IST", "SIN", "AMS", "ATL"}

// reach is how far it flies non-stop, in kilometres.
const reach = 9000

// slotsOf returns the journeys from one airport to another on a local date: early, at noon
// and late, with a connection over long distances.
func slotsOf(from, to world.Airport, date time.Time) [][]flown {
	pair := from.IATA + "-" + to.IATA
	if pair == "PVD-RAI" || from.IATA == to.IATA {
		return nil
	}
	var list [][]flown
	for i, hhmm := range []time.Duration{7*time.Hour + 25*time.Minute, 11*time.Hour + 40*time.Minute, 16*time.Hour +
		10*time.Minute} {
		leave := time.Date(date.Year(), date.Month(), date.Day(), 0, 0, 0, 0, from.Location())
		leave = time.Date(leave.Year(), leave.Month(), leave.Day(), int(hhmm.Hours()), int(hhmm.Minutes())%60, 0, 0,
			from.Location())
		km := world.DistanceKm(from, to)
		if pair == "LHR-DXB" || km > reach || i == 1 && km > 1500 && pair != "DXB-AMS" {
			list = append(list, via(from, hubBetween(from, to), to, leave))
			continue
		}
		f := fly(from, to, leave)
		if pair == "DXB-AMS" {
			vie, _ := world.AirportOf("VIE")
			f.stop = &vie
			f.arrival = f.arrival.Add(55 * time.Minute)
		}
		list = append(list, []flown{f})
	}
	return list
}

func fly(from, to world.Airport, leave time.Time) flown {
	minutes := 35 + world.DistanceKm(from, to)/14
	took := time.Duration(math.Round(minutes/5)) * 5 * time.Minute
	return flown{from: from, to: to, departure: leave, arrival: leave.Add(took).In(to.Location()),
		number: number(from.IATA + to.IATA + leave.Format("15"))}
}

func via(from, hub, to world.Airport, leave time.Time) []flown {
	first := fly(from, hub, leave)
	return []flown{first, fly(hub, to, first.arrival.Add(95*time.Minute))}
}

// hubBetween returns the hub with the smallest detour.
func hubBetween(from, to world.Airport) world.Airport {
	var list []world.Airport
	for _, code := range hubs {
		if hub, ok := world.AirportOf(code); ok && code != from.IATA && code != to.IATA {
			list = append(list, hub)
		}
	}
	detour := func(hub world.Airport) float64 { return world.DistanceKm(from, hub) + world.DistanceKm(hub, to) }
	return slices.MinFunc(list, func(a, b world.Airport) int { return int(detour(a) - detour(b)) })
}

func number(of string) int {
	h := fnv.New32a()
	h.Write([]byte(of))
	return int(h.Sum32()%8999) + 1000
}

// clock is the format of Duffel's local times.
const clock = "2006-01-02T15:04:05"

// slice returns the flights of one direction as an offer shows them.
func (d *Duffel) slice(flights []flown, b brand, cabin string, passengers []offerPassenger) slice {
	first, last := flights[0], flights[len(flights)-1]
	s := slice{
		ID: d.id("sli"), Origin: airportOf(first.from), OriginType: "airport", Destination: airportOf(last.to),
		DestinationType: "airport",
		Duration:        isoDuration(last.arrival.Sub(first.departure)), FareBrand: b.name,
		ComparisonKey: fmt.Sprintf("%s-%d-%s", b.name, first.number, first.departure.Format("0102")),
		Conditions:    sliceConditions{conditions: conditions{Refund: b.refund, Change: b.change}},
	}
	operating := duffelAirways
	if d.operating != nil {
		operating = *d.operating
	}
	for _, f := range flights {
		seg := segment{
			ID: d.id("seg"), Aircraft: aircraft{ID: "arc_00009VMF8AhXSSRnQDI6Hi", Name: "Airbus A350-900",
				IATACode: "359"},
			Origin: airportOf(f.from), Destination: airportOf(f.to), OriginTerminal: "2", DestinationTerminal: "1",
			DepartingAt: f.departure.Format(clock), ArrivingAt: f.arrival.Format(clock),
			Duration:  isoDuration(f.arrival.Sub(f.departure)),
			Distance:  fmt.Sprintf("%.3f", world.DistanceKm(f.from, f.to)),
			Marketing: duffelAirways, MarketingNumber: fmt.Sprint(f.number), Operating: operating,
			OperatingNumber: fmt.Sprint(f.number),
			Stops:           []stop{}, departure: f.departure, arrival: f.arrival,
		}
		if f.stop != nil {
			down := f.departure.Add(f.arrival.Sub(f.departure) / 2).In(f.stop.Location())
			seg.Stops = append(seg.Stops, stop{ID: d.id("sto"), Airport: airportOf(*f.stop),
				ArrivingAt:  down.Format(clock),
				DepartingAt: down.Add(55 * time.Minute).Format(clock), Duration: isoDuration(55 * time.Minute)})
		}
		for _, p := range passengers {
			bags := []baggage{{Type: "carry_on", Quantity: 1}, {Type: "checked", Quantity: b.bags}}
			if first.from.IATA == "BTS" && last.to.IATA == "MRU" {
				bags = []baggage{}
			}
			seg.Passengers = append(seg.Passengers, segmentPassenger{PassengerID: p.ID, CabinClass: cabin,
				MarketingName: cabin, FareBasis: "Y20LGTN2", Baggages: bags})
		}
		s.Segments = append(s.Segments, seg)
	}
	return s
}

// cabinFactors are the prices of cabins, in hundredths of economy.
var cabinFactors = map[string]int{"economy": 100, "premium_economy": 170, "business": 320, "first": 500}

// priceOf returns the price of flights for one passenger: fare and taxes.
func priceOf(flights []flown, b brand, cabin string) (base, tax money) {
	km := world.DistanceKm(flights[0].from, flights[len(flights)-1].to)
	fare := 4500 + int64(km)*6
	if len(flights) == 1 {
		fare = fare * 115 / 100
	}
	return money(fare * int64(b.factor) / 100 * int64(cabinFactors[cabin]) / 100), money(1350 + 900*len(flights))
}
