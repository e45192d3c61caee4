package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim"
	"gangway/internal/gangway"
	"gangway/internal/world"

	"github.com/go-json-experiment/json/jsontext"
)

type flightsCommand struct {
	On       string   `required:"" placeholder:"YYYY-MM-DD" help:"The day to leave on, by the clock there; with --by, the day to be there."`
	By       string   `placeholder:"HH:MM" help:"Be there by this time, by the clock there, instead of leaving on the day."`
	MaxStops int      `default:"-1" placeholder:"N" help:"At most so many stops; without it, three where there is nothing else."`
	Factors  string   `name:"emission-factors" placeholder:"FILE" help:"Emission factors to use instead of the built-in ones, as for serve."`
	JSON     bool     `help:"Answer in JSON, for programs."`
	Pairs    []string `arg:"" name:"FROM-TO" help:"From where to where: airports, cities or sea ports, as in MNL-SIN or KRK-NLRTM."`
}

// Help has what kong's summary has no room for.
func (flightsCommand) Help() string {
	return `Shows what the simulated airline network offers, for support and scripts. It needs no database and nobody's account.

With --json the answer is an array with an entry for each pair, in the order asked for; a pair without flights has no offers. Prices are
numbers with the decimals of their currency, times local with their offset from UTC, co2_kg is without radiative forcing.`
}

// foundPair is the answer of flights for one pair.
type foundPair struct {
	Pair   string       `json:"pair"`
	Offers []foundOffer `json:"offers"`
}

type foundOffer struct {
	Price    jsontext.Value   `json:"price"`
	Currency string           `json:"currency"`
	FareType gangway.FareType `json:"fare_type"`
	Stops    int              `json:"stops"`
	CO2Kg    float64          `json:"co2_kg"`
	Segments []foundSegment   `json:"segments"`

	offer flight.Offer
}

type foundSegment struct {
	Carrier      string          `json:"carrier"`
	FlightNumber string          `json:"flight_number"`
	Origin       gangway.Airport `json:"origin"`
	Destination  gangway.Airport `json:"destination"`
	Departure    string          `json:"departure"` // local, as in 2027-03-10T07:40:00+01:00
	Arrival      string          `json:"arrival"`
}

// localTime writes a local time with its offset, even if that is zero.
const localTime = "2006-01-02T15:04:05-07:00"

// anyVessel is an invented ship, because without one there are no marine fares.
const anyVessel, anyFlag = "Nordlys", "NO"

// Run prints the offers for each pair, the cheapest first.
func (c *flightsCommand) Run(t *terminal) error {
	asks, found, known := make([]flight.Ask, len(c.Pairs)), make([]foundPair, len(c.Pairs)), 0
	for i, pair := range c.Pairs {
		ask, err := c.ask(pair)
		if err != nil {
			return err
		}
		found[i] = foundPair{Pair: strings.ToUpper(pair), Offers: []foundOffer{}}
		for _, code := range []gangway.Place{ask.leg.Origin, ask.leg.Destination} {
			if now, moved := world.CurrentCode(string(code)); moved {
				fmt.Fprintf(t.err, "gangway: %s: %s is now %s\n", found[i].Pair, code, now)
			}
		}
		if asks[i], err = ask.search(); err == nil {
			known++
			continue
		}
		if len(c.Pairs) == 1 {
			return err
		}
		fmt.Fprintf(t.err, "gangway: %s: %v\n", found[i].Pair, err) // the other pairs are answered nevertheless
	}
	if known == 0 {
		return gangway.Errorf(gangway.Invalid, "none of the pairs can be searched")
	}
	factors, err := readFactors(c.Factors)
	if err != nil {
		return err
	}
	network, err := sim.New(sim.Config{Now: t.now, Factors: factors})
	if err != nil {
		return err
	}
	supplier := network.For(nil, 0)
	for i, ask := range asks {
		if ask.Legs == nil {
			continue
		}
		err := supplier.Search(t.ctx, ask, func(offers []flight.Offer) {
			for _, o := range offers {
				found[i].Offers = append(found[i].Offers, newFoundOffer(o))
			}
		})
		switch gangway.KindOf(err) {
		case gangway.Invalid, gangway.NotFound: // such as an airport that no airline flies to
			fmt.Fprintf(t.err, "gangway: %s: %v\n", found[i].Pair, err)
		default:
			if err != nil {
				return err
			}
		}
		slices.SortStableFunc(found[i].Offers, func(a, b foundOffer) int {
			return cmp.Or(cmp.Compare(a.offer.Price.Total.Minor, b.offer.Price.Total.Minor),
				a.offer.Itinerary.Arrival().Compare(b.offer.Itinerary.Arrival()))
		})
	}
	if c.JSON {
		return printJSON(t.out, found)
	}
	for i, f := range found {
		if i > 0 {
			fmt.Fprintln(t.out)
		}
		if err := c.print(t, f); err != nil {
			return err
		}
	}
	return nil
}

// A pairAsk is a pair as it was typed.
type pairAsk struct {
	leg      gangway.Leg
	maxStops int
}

// search returns the request to the network. It fails with Invalid if a place is unknown, or both are the same.
func (p pairAsk) search() (flight.Ask, error) {
	for _, code := range []gangway.Place{p.leg.Origin, p.leg.Destination} {
		if _, ok := world.PlaceOf(string(code)); !ok {
			return flight.Ask{}, wrongUsage("%q is not a known airport, city or port", code)
		}
	}
	if from, to := p.leg.Origin, p.leg.Destination; currentCode(from) == currentCode(to) {
		return flight.Ask{}, wrongUsage("%q and %q are the same place: a pair names two", from, to)
	}
	legs, err := flight.LegsOf([]gangway.Leg{p.leg})
	return flight.Ask{Legs: legs, Vessel: anyVessel, Flag: anyFlag, MaxStops: p.maxStops}, err
}

// currentCode is the code that a place has now.
func currentCode(place gangway.Place) string {
	if now, moved := world.CurrentCode(string(place)); moved {
		return now
	}
	return string(place)
}

// ask reads one pair.
func (c *flightsCommand) ask(pair string) (pairAsk, error) {
	from, to, ok := strings.Cut(strings.ToUpper(pair), "-")
	if !ok || from == "" || to == "" || strings.Contains(to, "-") {
		return pairAsk{}, wrongUsage("%q is not a pair of places: write them as in MNL-SIN", pair)
	}
	on := gangway.Date(c.On)
	if !on.Valid() {
		return pairAsk{}, wrongUsage("--on wants a day as in 2027-03-10, not %q", c.On)
	}
	leg := gangway.Leg{Origin: gangway.Place(from), Destination: gangway.Place(to), Date: on}
	if c.By != "" {
		if _, ok := gangway.MinuteOfDay(c.By); !ok {
			return pairAsk{}, wrongUsage("--by wants a time as in 18:00, not %q", c.By)
		}
		leg.Date, leg.ArriveOn, leg.ArriveBy = "", on, c.By
	}
	return pairAsk{leg, c.MaxStops}, nil
}

func newFoundOffer(o flight.Offer) foundOffer {
	f := foundOffer{
		Price: jsontext.Value(o.Price.Total.Decimal()), Currency: o.Price.Total.Currency, FareType: o.Terms.FareType,
		Stops: len(o.Itinerary.Segments) - 1, CO2Kg: o.Emissions.CO2eKg, offer: o,
	}
	for _, s := range o.Itinerary.Segments {
		f.Segments = append(f.Segments, foundSegment{s.Carrier, s.FlightNumber, s.Origin, s.Destination,
			s.Departure.Format(localTime), s.Arrival.Format(localTime)})
	}
	return f
}

// print shows a pair's offers to a person.
func (c *flightsCommand) print(t *terminal, f foundPair) error {
	when := "on " + c.On
	if c.By != "" {
		when = "to be there on " + c.On + " by " + c.By
	}
	if len(f.Offers) == 0 {
		_, err := fmt.Fprintf(t.out, "%s %s: nothing is offered\n", f.Pair, when)
		return err
	}
	if _, err := fmt.Fprintf(t.out, "%s %s: %d offers\n", f.Pair, when, len(f.Offers)); err != nil {
		return err
	}
	rows := [][]any{{"PRICE", "FARE", "LEAVES", "LANDS", "TAKES", "STOPS", "CO2", "FLIGHTS"}}
	for _, o := range f.Offers {
		it := o.offer.Itinerary
		took := it.Arrival().Sub(it.Departure())
		rows = append(rows, []any{
			o.offer.Price.Total, strings.TrimSpace(string(o.FareType) + " " + o.offer.Terms.Brand),
			it.Departure().Format("2 Jan 15:04"), arrivalWords(it),
			fmt.Sprintf("%d:%02d", int(took.Hours()), int(took.Minutes())%60), o.Stops, fmt.Sprintf("%.0f kg", o.CO2Kg),
			routeWords(it),
		})
	}
	return printTable(t, rows)
}

// arrivalWords is the time of arrival, with the days that have passed on the way.
func arrivalWords(it gangway.Itinerary) string {
	at := it.Arrival().Format("15:04")
	if days := gangway.DateOf(it.Arrival()).In(time.UTC).Sub(gangway.DateOf(it.Departure()).In(time.UTC)).Hours() /
		24; days != 0 {
		at += fmt.Sprintf(" %+.0f", days)
	}
	return at
}

// routeWords is the airports and the flights between them: "MNL SQ917 SIN SQ324 AMS".
func routeWords(it gangway.Itinerary) string {
	var b strings.Builder
	for i, s := range it.Segments {
		if i == 0 {
			b.WriteString(string(s.Origin))
		}
		b.WriteString(" " + s.FlightNumber + " " + string(s.Destination))
	}
	return b.String()
}
