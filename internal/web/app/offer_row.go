package app

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"gangway"
	"gangway/internal/book/flight"
)

// An offerRow is an offer as a list shows it, closed and opened.
type offerRow struct {
	ID       string // the supplier's
	Ref      string // the same, as forms carry it
	Key      string // what is flown and on which fare: the same when it is searched again
	Strip    []stripLeg
	Airlines []string // codes, each once, in the order flown
	Duration time.Duration
	Stops    int // of the leg with the most
	Bags     bags
	Signs    []sign
	CO2      co2
	Price    gangway.Price
	FareType gangway.FareType
	Brand    string
	Fare     string // both in words
	Wished   bool
	Near     string // where nothing is as wished: how far from the wish this is, of those that are nearest
	Slack    slack
	Fit      gangway.Fit   // with what is planned today
	Seats    int           // 0 when the airline does not say
	Tight    bool          // a change of flights may go wrong
	Layover  time.Duration // the longest wait between two flights

	Segments   []segmentRow
	Terms      []sentence
	Emissions  emissionsTable
	Plating    string
	TicketBy   time.Time // seats are kept until then, if it is held now
	PriceUntil time.Time // so is the price; zero when that ends with the seats

	itinerary        gangway.Itinerary
	departs, arrives time.Time

	offWish time.Duration // how far from the times wished it leaves
	early   bool          // somebody who leaves the ship would have to go before it is likely to be in
}

// A segmentRow is one flight of an itinerary, and the wait before it.
type segmentRow struct {
	gangway.Segment
	Flight string        // "SQ 917"
	Wait   time.Duration // between the flight before it, on the same leg, and this one
	Risk   string        // what may go wrong with that change of flights
	First  bool          // of its leg
	Leg    int           // counted from 1; 0 when there is only one
	Road   string        // by road before it
	ToRoad string        // by road after it
}

// An emissionsTable is what each flight emits, and by whose figures.
type emissionsTable struct {
	Flights []segmentRow
	Forcing bool   // radiative forcing is counted
	Method  string // in words
	Set     string // of factors, as in "desnz-2025"
}

// Kg returns what a flight emits as the table counts it.
func (t emissionsTable) Kg(s gangway.Segment) int {
	if t.Forcing {
		return int(math.Round(s.CO2eRFKg))
	}
	return int(math.Round(s.CO2eKg))
}

// A bags is the checked baggage included, in a few letters and in words.
type bags struct {
	Short string // "2 × 23 kg"
	Words string
	Least int // pieces on the flight with the fewest
}

// A sign is a rule of the fare in one letter's width, with its words.
type sign struct {
	Icon  string
	Class string // "good", "watch" or "act"
	Words string
}

// A co2 is the carbon footprint beside the list's median.
type co2 struct {
	Kg    int
	Than  string // "−12 %"; empty where there is nothing to compare with
	Class string
	Words string
}

// offerRows turns the offers for one member into rows, in the order of the
// offers. forcing: emissions are shown with radiative forcing.
func offerRows(offers []flight.Offer, m gangway.SearchMember, forcing bool) []offerRow {
	median := medianKg(offers, forcing)
	rows := make([]offerRow, 0, len(offers))
	seen := make(map[string]bool, len(offers))
	for _, o := range offers {
		key := offerKey(o)
		if seen[key] {
			continue
		}
		seen[key] = true
		row := newOfferRow(o, m)
		kg := carbon(o.Emissions, forcing)
		row.CO2 = footprint(kg, median)
		row.Emissions = emissionsTable{row.Segments, forcing, method(o.Emissions), o.Emissions.FactorSet}
		rows = append(rows, row)
	}
	markNearest(rows)
	return rows
}

// newOfferRow lays out an offer by itself, without its emissions.
func newOfferRow(o flight.Offer, m gangway.SearchMember) offerRow {
	row := offerRow{
		ID: o.ID, Key: offerKey(o), Strip: stripTo(o.Itinerary, m.Legs), Airlines: airlines(o.Itinerary),
		Bags: baggage(o.Baggage), Signs: signs(o.Terms),
		Price: o.Price, FareType: o.Terms.FareType, Brand: o.Terms.Brand, Fare: fareWords(o.Terms), Wished: wished(o.Itinerary, m.Wishes), offWish: offWish(o.Itinerary, m.Wishes),
		Slack: slackOf(o.Itinerary, m.Legs), Seats: o.SeatsLeft,
		Segments: segments(o.Itinerary), Terms: append(holdTerms(o.TicketBy, o.PriceUntil), terms(o.Terms, o.Itinerary)...), Plating: o.Plating, TicketBy: o.TicketBy,
		itinerary: o.Itinerary, departs: o.Itinerary.Departure(), arrives: o.Itinerary.Arrival(),
	}
	for i := range row.Strip {
		if m.Side != "" { // among a crew every flight has its own day
			row.Strip[i].Day = row.Strip[i].Departure.Format("Mon 2")
		}
	}
	row.early = tooEarly(o.Itinerary, m)
	if !o.PriceUntil.Equal(o.TicketBy) {
		row.PriceUntil = o.PriceUntil
	}
	for _, leg := range row.Strip {
		row.Duration += leg.Duration
		row.Stops = max(row.Stops, len(leg.Stops))
	}
	row.connect()
	return row
}

// connect notes what may go wrong with changes of flights, and what lies before
// the first flight of a leg and after its last.
func (row *offerRow) connect() {
	at := 0
	for n := range row.Strip {
		leg := &row.Strip[n]
		row.Segments[at].Road = leg.Road.Words
		for i := range leg.Stops {
			at++
			stop := leg.Stops[i]
			row.Layover = max(row.Layover, stop.Wait)
			row.Tight = row.Tight || stop.Tight
		}
		row.Segments[at].ToRoad = leg.ToRoad.Words
		at++
	}
}

// offerKey names what is flown and on which fare in a few letters. A supplier
// may give the same offer another identifier whenever it is asked; this stays.
func offerKey(o flight.Offer) string {
	h := fnv.New64a()
	for _, s := range o.Itinerary.Segments {
		fmt.Fprintf(h, "%s %s %d %s;", s.FlightNumber, s.Origin, s.Departure.Unix(), s.Cabin)
	}
	fmt.Fprintf(h, "%s %s %s %s", o.Terms.FareType, o.Terms.Brand, o.Terms.Cancellations, o.Terms.Changes)
	return strconv.FormatUint(h.Sum64(), 36)
}

func airlines(it gangway.Itinerary) []string {
	var codes []string
	for _, s := range it.Segments {
		if !slices.Contains(codes, s.Carrier) {
			codes = append(codes, s.Carrier)
		}
	}
	return codes
}

func segments(it gangway.Itinerary) []segmentRow {
	legs, strips := it.Legs(), strip(it)
	var rows []segmentRow
	for n, leg := range legs {
		for i, s := range leg {
			row := segmentRow{Segment: s, Flight: flightName(s), First: i == 0}
			if len(legs) > 1 {
				row.Leg = n + 1
			}
			if i > 0 {
				row.Wait, row.Risk = strips[n].Stops[i-1].Wait, strips[n].Stops[i-1].Risk
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// baggage says what may be checked in on all flights, which is what the flight
// with the least allows.
func baggage(list []gangway.Allowance) bags {
	if len(list) == 0 {
		return bags{"no bag", "No checked baggage is included.", 0}
	}
	least := slices.MinFunc(list, func(a, b gangway.Allowance) int {
		return cmp.Or(cmp.Compare(a.Bags(), b.Bags()), cmp.Compare(a.WeightKg, b.WeightKg))
	})
	b := bags{Least: least.Bags()}
	switch {
	case least.ByWeight && least.WeightKg > gangway.HeaviestBagKg:
		b.Short = fmt.Sprintf("%d kg in all, at most %d each", least.WeightKg, gangway.HeaviestBagKg)
		b.Words = fmt.Sprintf("Checked baggage of %d kg in all is included, at most %d kg in each bag", least.WeightKg, gangway.HeaviestBagKg)
	case least.ByWeight:
		b.Short = fmt.Sprintf("%d kg in all", least.WeightKg)
		b.Words = fmt.Sprintf("Checked baggage of %d kg in all is included", least.WeightKg)
	case least.Pieces == 0:
		b.Short, b.Words = "no bag", "No checked baggage is included"
	case least.WeightKg == 0:
		b.Short, b.Words = plural(least.Pieces, "bag", "bags"), plural(least.Pieces, "checked bag is", "checked bags are")+" included"
	default:
		b.Short = fmt.Sprintf("%d × %d kg", least.Pieces, least.WeightKg)
		b.Words = plural(least.Pieces, "checked bag", "checked bags") + fmt.Sprintf(" of %d kg included", least.WeightKg)
	}
	if slices.ContainsFunc(list, func(a gangway.Allowance) bool { return a.Bags() != least.Bags() || a.WeightKg != least.WeightKg }) {
		b.Words += fmt.Sprintf(" on %s to %s; more on other flights", least.Origin, least.Destination)
	}
	b.Words += "."
	return b
}

// carbon returns what is emitted, with radiative forcing where the method says
// that and it is to be counted.
func carbon(e gangway.Emissions, forcing bool) float64 {
	if forcing && e.CO2eRFKg > 0 {
		return e.CO2eRFKg
	}
	return e.CO2eKg
}

// medianKg returns the middle of what the offers emit.
func medianKg(offers []flight.Offer, forcing bool) float64 {
	var kg []float64
	for _, o := range offers {
		if v := carbon(o.Emissions, forcing); v > 0 {
			kg = append(kg, v)
		}
	}
	if len(kg) == 0 {
		return 0
	}
	slices.Sort(kg)
	if n := len(kg); n%2 == 0 {
		return (kg[n/2-1] + kg[n/2]) / 2
	}
	return kg[len(kg)/2]
}

// footprint compares an itinerary's emissions with the median of its list.
// Differences that the method cannot carry, below 5 %, are not called any.
func footprint(kg, median float64) co2 {
	c := co2{Kg: int(math.Round(kg))}
	if kg <= 0 || median <= 0 {
		return c
	}
	percent := int(math.Round((kg/median - 1) * 100))
	of := fmt.Sprintf("the median of this list, %d\u00a0kg", int(math.Round(median)))
	switch {
	case percent <= -5:
		c.Than, c.Class = fmt.Sprintf("−%d %%", -percent), "good"
		c.Words = fmt.Sprintf("%d %% less than %s", -percent, of)
	case percent < 5:
		c.Than, c.Words = "±0 %", "about "+of
	default:
		c.Than, c.Words = fmt.Sprintf("+%d %%", percent), fmt.Sprintf("%d %% more than %s", percent, of)
		if percent >= 15 {
			c.Class = "watch"
		}
	}
	return c
}

// inByNoon is the hour from which somebody who leaves the ship on a day is
// proposed flights, where nobody said when the ship is in.
const inByNoon = 12

// tooEarly reports whether an itinerary leaves on the morning of the day on
// which the ship comes in.
func tooEarly(it gangway.Itinerary, m gangway.SearchMember) bool {
	return m.Side == gangway.OffSigner && len(m.Legs) > 0 && m.Legs[0].Date != "" && m.Legs[0].LeaveAfter == "" && it.Departure().Hour() < inByNoon
}

// nearest is how far from the wished departure a flight may leave to be taken
// for what was meant.
const nearest = 2 * time.Hour

// markNearest marks the rows that leave nearest to the times wished, where none
// leaves exactly then.
func markNearest(rows []offerRow) {
	if slices.ContainsFunc(rows, func(r offerRow) bool { return r.Wished }) {
		return
	}
	least := nearest + 1
	for i := range rows {
		least = min(least, rows[i].offWish)
	}
	for i := range rows {
		if rows[i].offWish == least && least <= nearest {
			rows[i].Near = duration(least) + " from the time that was wished"
		}
	}
}

// offWish returns by how much an itinerary's legs leave sooner or later than
// wished, together; more than nearest where nothing is wished of it.
func offWish(it gangway.Itinerary, wishes map[string]string) time.Duration {
	sum, any := time.Duration(0), false
	for _, leg := range it.Legs() {
		at, err := time.Parse("15:04", wishes[string(leg[0].Origin)+"-"+string(leg[len(leg)-1].Destination)+"_departure_time"])
		if err != nil {
			continue
		}
		d := leg[0].Departure
		apart := (time.Duration(d.Hour()-at.Hour())*time.Hour + time.Duration(d.Minute()-at.Minute())*time.Minute).Abs()
		sum, any = sum+apart, true
	}
	if !any {
		return nearest + 1
	}
	return sum
}

// wished reports whether an itinerary is the one that the customer's system
// asked for: a departure time or a flight named for one of its legs or flights
// fits, and none contradicts.
//
// Spec: Travel request record, additionalInfo.
func wished(it gangway.Itinerary, wishes map[string]string) bool {
	if len(wishes) == 0 {
		return false
	}
	fits, contradicts := false, false
	compare := func(flights []gangway.Segment) {
		first := flights[0]
		pair := string(first.Origin) + "-" + string(flights[len(flights)-1].Destination)
		if at := wishes[pair+"_departure_time"]; at != "" {
			same := first.Departure.Format("15:04") == at
			fits, contradicts = fits || same, contradicts || !same
		}
		if id, ok := designator(wishes[pair+"_flight_id"]); ok {
			same := slices.ContainsFunc(flights, func(s gangway.Segment) bool {
				own, _ := designator(flightName(s))
				return own == id
			})
			fits, contradicts = fits || same, contradicts || !same
		}
	}
	for _, leg := range it.Legs() {
		compare(leg)
		if len(leg) > 1 {
			for i := range leg {
				compare(leg[i : i+1])
			}
		}
	}
	return fits && !contradicts
}

// designator reads a flight's number in its common spellings ("SQ917",
// "sq 0917"). A customer's own identifier of another kind is none.
func designator(s string) (string, bool) {
	s = strings.ToUpper(strings.Map(func(r rune) rune {
		if r == ' ' || r == '-' {
			return -1
		}
		return r
	}, s))
	if len(s) < 3 || len(s) > 6 {
		return "", false
	}
	n, err := strconv.Atoi(s[2:])
	if err != nil || n <= 0 || s[2] == '+' || s[:2] == strings.ToLower(s[:2]) {
		return "", false
	}
	return s[:2] + strconv.Itoa(n), true
}
