package flights

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/book/plan"
	"gangway/internal/gangway"
	"gangway/internal/web/app/shell"
	"gangway/internal/world"
)

// An OfferRow is an offer as a list shows it, closed and opened.
type OfferRow struct {
	ID       string // the supplier's
	Ref      string // the same, as forms carry it
	Key      string // the flights and their fare: the same when they are found again
	Strip    []StripLeg
	Airlines []string // codes, each once, in the order flown
	Duration time.Duration
	Stops    int // of the leg with the most
	Bags     Bags
	Signs    []sign
	Name     string      // of the fare
	Rule     string      // of the fare, the one that matters most, in at most two words
	Bar      gangway.Bar // why crew do not use it
	Way      string      // "MNL → Rotorua, New Zealand"
	CO2      co2
	Price    gangway.Price
	FareType gangway.FareType
	Brand    string
	Fare     string // both in words
	Wished   bool
	Near     string // where no flight is the one wished for: how far from it this is, if it is among the nearest
	Spare    SpareWords
	Fit      gangway.Fit // with today's plan
	Seats    int         // 0 when the airline does not say

	Segments   []SegmentRow
	Terms      []Sentence
	Emissions  emissionsTable
	Plating    string
	TicketBy   time.Time // seats are kept until then, if it is held now
	PriceUntil time.Time // so is the price; zero when that ends with the seats
}

// A SegmentRow is one flight of an itinerary, and the wait before it.
type SegmentRow struct {
	gangway.Segment
	Flight string        // "SQ 917"
	Wait   time.Duration // between the flight before it, on the same leg, and this one
	Risk   risk          // what may go wrong with that connection
	Later  string        // what the traveller takes who has missed it, if that was looked for
	First  bool          // of its leg
	Leg    int           // counted from 1; 0 when there is only one
	Road   string        // by road before it
	ToRoad string        // by road after it
}

// An emissionsTable is what each flight emits, and whose figures those are.
type emissionsTable struct {
	Flights []SegmentRow
	Forcing bool   // radiative forcing is counted
	Method  string // in words
	Set     string // of factors, as in "desnz-2025"
}

// Kg returns what a flight emits, as the table counts it.
func (t emissionsTable) Kg(s gangway.Segment) int {
	if t.Forcing {
		return int(math.Round(s.CO2eRFKg))
	}
	return int(math.Round(s.CO2eKg))
}

// A Bags is the checked baggage included, in a few letters and in words.
type Bags struct {
	Short string // "2 × 23 kg"
	Words string
	Least int // pieces on the flight with the fewest
}

// A sign is a rule of the fare as an icon, with its words.
type sign struct {
	Icon  string
	Class string // "good", "watch" or "act"
	Words string
}

// A co2 is the carbon footprint compared with the list's median.
type co2 struct {
	Kg    int
	Than  string // "−12 %"; empty where there is nothing to compare with
	Class string
	Words string
}

// NewOfferRow lays out an offer by itself, without its emissions.
func NewOfferRow(o flight.Offer, m gangway.SearchMember) OfferRow {
	c := plan.WeighOne(&o, m)
	return layOut(&c, m)
}

// layOut lays out an offer for a member, without its emissions.
func layOut(c *plan.Choice, m gangway.SearchMember) OfferRow {
	o := c.Offer
	row := OfferRow{
		ID: o.ID, Key: c.Key, Strip: StripTo(o.Itinerary, m.Legs), Airlines: c.Airlines,
		Bags: Baggage(o.Baggage), Signs: termSigns(o.Terms), Duration: c.Takes, Stops: c.Stops,
		Price: o.Price, FareType: o.Terms.FareType, Brand: o.Terms.Brand, Fare: FareWords(o.Terms), Wished: c.Wished,
		Spare: SpareOf(c.Spare, c.Fit), Fit: c.Fit, Seats: o.SeatsLeft, Segments: segments(o.Itinerary),
		Terms: append(holdTerms(o.TicketBy, o.PriceUntil), Terms(o.Terms, o.Itinerary)...), Plating: o.Plating,
		TicketBy: o.TicketBy, Name: FareName(o.Terms), Rule: fareRule(o.Terms, o.Price.Total.Currency),
		Bar: c.Bar, Way: wayWords(o.Itinerary, m.Legs),
	}
	if c.Nearest {
		row.Near = shell.Duration(c.OffWish) + " from the time that was wished"
	}
	for i := range row.Strip {
		if m.Side != "" { // among a crew every flight has its own day
			row.Strip[i].Day = row.Strip[i].Departure.Format("Mon 2")
		}
	}
	if !o.PriceUntil.Equal(o.TicketBy) {
		row.PriceUntil = o.PriceUntil
	}
	byRoad(row.Segments, row.Strip)
	row.noteLater(c)
	return row
}

// noteLater notes what the traveller takes who has missed a connection.
func (row *OfferRow) noteLater(c *plan.Choice) {
	var stops []*stripStop
	for l := range row.Strip {
		for i := range row.Strip[l].Stops {
			stops = append(stops, &row.Strip[l].Stops[i])
		}
	}
	n := 0
	for i := range row.Segments {
		s := &row.Segments[i]
		if s.First || n >= min(len(stops), len(c.Later)) {
			continue
		}
		stop := stops[n]
		var next string
		next, s.Later = laterWords(c, s.Segment, c.Later[n])
		stop.Later = s.Later
		switch was := stop.Risk.Short; {
		case strings.Contains(was, noLater): // that day
			stop.Risk.Short = strings.Replace(was, noLater, next, 1)
			if c.Later[n] != nil {
				stop.Risk.Long = strings.TrimSuffix(strings.TrimSuffix(stop.Risk.Long, noLater), " · ")
			}
			s.Risk = stop.Risk
		case stop.Tight && c.Later[n] == nil:
			stop.Risk.Short += " · " + next
		case stop.Tight:
			stop.Next = next
		}
		n++
	}
}

// emits notes what the flights emit; forcing says whether that includes radiative forcing.
func (row *OfferRow) emits(c *plan.Choice, forcing bool) {
	row.CO2 = Footprint(c.Carbon)
	row.Emissions = emissionsTable{row.Segments, forcing, EmissionsMethod(c.Offer.Emissions),
		c.Offer.Emissions.FactorSet}
}

func segments(it gangway.Itinerary) []SegmentRow {
	legs, strips := it.Legs(), strip(it)
	var rows []SegmentRow
	for n, leg := range legs {
		for i, s := range leg {
			row := SegmentRow{Segment: s, Flight: FlightName(s), First: i == 0}
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

// Baggage says what may be checked in on all flights, which is the allowance of the
// flight with the least.
func Baggage(list []gangway.Allowance) Bags {
	if len(list) == 0 {
		return Bags{"no bag", "No checked baggage is included.", 0}
	}
	least := slices.MinFunc(list, func(a, b gangway.Allowance) int {
		return cmp.Or(cmp.Compare(a.Bags(), b.Bags()), cmp.Compare(a.WeightKg, b.WeightKg))
	})
	b := Bags{Short: least.Words(), Least: least.Bags()}
	switch {
	case least.ByWeight && least.WeightKg > gangway.HeaviestBagKg:
		b.Words = fmt.Sprintf("Checked baggage of %d kg in all is included, at most %d kg in each bag", least.WeightKg,
			gangway.HeaviestBagKg)
	case least.ByWeight:
		b.Words = fmt.Sprintf("Checked baggage of %d kg in all is included", least.WeightKg)
	case least.Pieces == 0:
		b.Words = "No checked baggage is included"
	case least.WeightKg == 0:
		b.Words = shell.Plural(least.Pieces, "checked bag is", "checked bags are") + " included"
	default:
		b.Words = shell.Plural(least.Pieces, "checked bag", "checked bags") + fmt.Sprintf(" of %d kg included",
			least.WeightKg)
	}
	if slices.ContainsFunc(list, func(a gangway.Allowance) bool {
		return a.Bags() != least.Bags() || a.WeightKg != least.WeightKg
	}) {
		b.Words += fmt.Sprintf(" on %s to %s; more on other flights", least.Origin, least.Destination)
	}
	b.Words += "."
	return b
}

// Footprint puts a carbon footprint into words.
func Footprint(f plan.Carbon) co2 {
	c := co2{Kg: int(math.Round(f.Kg))}
	percent, ok := f.Compared()
	if !ok {
		return c
	}
	of := fmt.Sprintf("the median of this list, %d\u00a0kg", int(math.Round(f.Median)))
	switch {
	case percent <= -plan.CarbonLeast:
		c.Than, c.Class = fmt.Sprintf("−%d %%", -percent), "good"
		c.Words = fmt.Sprintf("%d %% less than %s", -percent, of)
	case percent < plan.CarbonLeast:
		c.Than, c.Words = "±0 %", "about "+of
	default:
		c.Than, c.Words = fmt.Sprintf("+%d %%", percent), fmt.Sprintf("%d %% more than %s", percent, of)
		if percent >= 15 {
			c.Class = "watch"
		}
	}
	return c
}

// EmissionsMethod names the method by which emissions were calculated.
func EmissionsMethod(e gangway.Emissions) string {
	switch {
	case e.FactorSet == world.FactorSet:
		return "UK government conversion factors 2025, by great-circle distance, cabin and haul"
	case e.Method == world.MethodDESNZ:
		return "factors " + e.FactorSet + ", by great-circle distance, cabin and haul"
	case e.Method != "":
		return "as " + e.Method + " says"
	}
	return e.FactorSet
}

// AtPort is the last leg, if the way continues by road behind it.
func (row *OfferRow) AtPort() *StripLeg {
	if n := len(row.Strip); n > 0 && row.Strip[n-1].ToRoad.Takes > 0 {
		return &row.Strip[n-1]
	}
	return nil
}

// airlineLetters is how many letters of airlines a row has room for. The flights below them name every airline by its
// code.
const airlineLetters = 16

// AirlineWords names the first airline, and the second where there is room. Long names lose their common words.
func (row *OfferRow) AirlineWords() string { return airlineWords(row.Airlines) }

// AirlineWords names those of the leg in the same way.
func (l StripLeg) AirlineWords() string { return airlineWords(l.Airlines) }

func airlineWords(codes []string) string {
	words := ""
	for i, code := range codes {
		name := world.AirlineName(code)
		for _, common := range []string{" Royal Dutch", " Airlines", " Airways"} {
			if len(name) > airlineLetters {
				name = strings.ReplaceAll(name, common, "")
			}
		}
		switch {
		case i == 0:
			words = name
		case len(words)+len(name)+2 <= airlineLetters:
			words += ", " + name
		default:
			return words
		}
	}
	return words
}
