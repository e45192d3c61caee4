package sim

import (
	"math"
	"strconv"
	"time"

	"gangway"
	"gangway/internal/book/flight"
	"gangway/internal/world"
)

// A brand is one of the fares that the network sells.
type brand struct {
	letter byte
	name   string
	fare   gangway.FareType
}

// brands lists what is sold. Prices and rules are a model, plausible and not calibrated.
var brands = []brand{
	{'L', "Light", gangway.Public},
	{'C', "Classic", gangway.Public},
	{'F', "Flex", gangway.Public},
	{'M', "Marine", gangway.Marine},
}

// advance is how much dearer a fare is the nearer its departure, by days ahead.
var advance = []struct {
	days int
	by   float64
}{{60, 0.82}, {30, 0.90}, {21, 0.97}, {14, 1.05}, {7, 1.22}, {3, 1.45}, {math.MinInt, 1.70}}

// demand is how much dearer a flight is the fuller it is.
var demand = []float64{0.85, 0.92, 1.00, 1.08, 1.18, 1.30, 1.45}

// airportTax is what an airport charges for a departure, by country, in dollars; others charge 18.
var airportTax = map[string]float64{"GB": 65, "US": 32, "DE": 45, "NL": 38, "FR": 40, "AU": 48, "SG": 35, "AE": 22, "QA": 16, "PH": 12, "IN": 20, "CN": 14, "JP": 22, "NO": 28}

const currency = "USD"

func money(amount float64) gangway.Money {
	return gangway.Money{Minor: int64(math.Round(amount * 100)), Currency: currency}
}

// price fills in what an offer costs and on what terms, quoted at now. ok is
// false when the brand is not sold for these flights.
func (f *finder) price(o *flight.Offer, br brand, now time.Time) (ok bool) {
	first := o.Itinerary.Segments[0]
	airline := f.airlines[first.Carrier]
	if br.fare == gangway.Marine && airline.Type == world.LowCost {
		return false
	}
	days := int(first.Departure.Sub(now).Hours() / 24)
	total, taxes := 0.0, 0.0
	long := false
	for _, leg := range o.Itinerary.Legs() {
		fare, tax := f.legFare(leg, br, days)
		total, taxes = total+fare, taxes+tax
		from, to := f.airport(leg[0].Origin), f.airport(leg[len(leg)-1].Destination)
		long = long || world.DistanceKm(from, to) > 4300
		o.Baggage = append(o.Baggage, allowance(leg, br, airline, long))
	}
	fare := money(math.Round(total))
	tax := money(math.Round(taxes*100) / 100)
	o.Price = gangway.Price{Total: fare.Add(tax), Fare: fare, Taxes: tax}
	o.Terms = terms(br, first.Carrier)
	o.Plating = first.Carrier
	o.TicketBy = ticketBy(br, now, first.Departure)
	o.SeatsLeft = 1 + int(hash(first.FlightNumber, first.Departure.Format(time.DateOnly), "seats")%9)
	for _, s := range o.Itinerary.Segments {
		e := world.Emissions(f.airport(s.Origin), f.airport(s.Destination), string(s.Cabin))
		o.Emissions.CO2eKg += e.Kg
		o.Emissions.CO2eRFKg += e.KgRF
	}
	o.Emissions.CO2eKg, o.Emissions.CO2eRFKg = math.Round(o.Emissions.CO2eKg*10)/10, math.Round(o.Emissions.CO2eRFKg*10)/10
	o.Emissions.FactorSet = world.FactorSet
	return true
}

func (f *finder) airport(code gangway.Airport) world.Airport {
	return f.airports[f.index[string(code)]]
}

// legFare returns the fare and the taxes of one leg in dollars. The base goes
// by the distance between its ends, not by the way flown.
func (f *finder) legFare(leg []gangway.Segment, br brand, days int) (fare, tax float64) {
	d := world.DistanceKm(f.airport(leg[0].Origin), f.airport(leg[len(leg)-1].Destination))
	base := 45 + 0.085*min(d, 2000) + 0.040*max(0, d-2000)
	base *= []float64{1.15, 1.00, 0.92}[min(len(leg)-1, 2)]
	carrier := leg[0].Carrier
	base *= 0.88 + 0.24*float64(hash(carrier, "level")%100)/100
	if f.airlines[carrier].Type == world.LowCost {
		base *= 0.60
	}
	a := 1.0
	for _, step := range advance {
		if days >= step.days {
			a = step.by
			break
		}
	}
	load := demand[0]
	for _, s := range leg {
		load = max(load, demand[hash(s.FlightNumber, s.Departure.Format(time.DateOnly), "load")%uint32(len(demand))])
	}
	switch br.letter {
	case 'L':
		fare = 0.80 * base * a * load
	case 'C':
		fare = 1.00 * base * a * load
	case 'F':
		fare = 1.35 * base * math.Sqrt(a*load)
	case 'M':
		fare = 1.02 * base * math.Sqrt(load)
	}
	fare *= map[gangway.Cabin]float64{gangway.Economy: 1, gangway.PremiumEconomy: 1.7, gangway.Business: 3.2, gangway.First: 5}[leg[0].Cabin]
	for _, s := range leg {
		t, ok := airportTax[f.airport(s.Origin).Country]
		if !ok {
			t = 18
		}
		tax += t
	}
	return fare, tax + 0.012*d
}

// byWeight lists airlines that give seafarers one allowance of 40 kg instead of two pieces.
var byWeight = map[string]bool{"TK": true, "EK": true, "QR": true, "EY": true, "SV": true, "GF": true, "KU": true, "MS": true}

func allowance(leg []gangway.Segment, br brand, airline world.Airline, long bool) gangway.Allowance {
	a := gangway.Allowance{Origin: leg[0].Origin, Destination: leg[len(leg)-1].Destination, Pieces: 1, WeightKg: 23}
	switch {
	case br.letter == 'L':
		a.Pieces, a.WeightKg = 0, 0
	case br.letter == 'M' && byWeight[airline.Code]:
		a.WeightKg = 40
	case br.letter == 'M', br.letter == 'F' && long:
		a.Pieces = 2
	}
	return a
}

// terms returns the rules of a brand. Seven in ten airlines change and refund
// marine fares for nothing, the others for a fee.
func terms(br brand, carrier string) gangway.Terms {
	t := gangway.Terms{FareType: br.fare, Brand: br.name, Cancellations: gangway.NonRefundable, Changes: gangway.NoChange, NoShow: "A no-show loses the whole fare."}
	switch br.letter {
	case 'C':
		t.Changes, t.ChangeFee = gangway.PaidChange, money(90)
	case 'F':
		t.Changes, t.Cancellations, t.NoShow = gangway.FreeChange, gangway.Refundable, "After a no-show half of the fare comes back."
	case 'M':
		t.Changes, t.Cancellations, t.NoShow = gangway.FreeChange, gangway.Refundable, "A no-show costs USD 150.00."
		if hash(carrier, "marine refund")%10 >= 7 {
			t.Cancellations, t.CancelFee = gangway.PaidCancel, money(float64(25+hash(carrier, "fee")%3*25))
		}
		if hash(carrier, "marine change")%10 >= 7 {
			t.Changes, t.ChangeFee = gangway.PaidChange, money(float64(25+hash(carrier, "fee")%3*25))
		}
	}
	return t
}

// noShow returns what an airline keeps of a fare after departure.
func noShow(t gangway.Terms, p gangway.Price) gangway.Money {
	switch {
	case t.FareType == gangway.Marine:
		return gangway.Money{Minor: min(15000, p.Fare.Minor), Currency: currency}
	case t.Cancellations == gangway.Refundable:
		return gangway.Money{Minor: p.Fare.Minor / 2, Currency: currency}
	}
	return p.Fare
}

// ticketBy returns until when a hold must be ticketed. Light is to be ticketed
// at once, which leaves half an hour to do it.
func ticketBy(br brand, now, departure time.Time) time.Time {
	var by time.Time
	switch br.letter {
	case 'L':
		by = now.Add(30 * time.Minute)
	case 'C':
		by = now.Add(24 * time.Hour)
	case 'F':
		by = now.Add(72 * time.Hour)
	default:
		by = now.Add(72 * time.Hour)
		if last := departure.Add(-24 * time.Hour); by.After(last) {
			by = last
		}
		if soon := now.Add(2 * time.Hour); by.Before(soon) {
			by = soon
		}
	}
	if last := departure.Add(-time.Hour); by.After(last) {
		by = last
	}
	return by.Truncate(time.Second).UTC()
}

// serial writes a document number in the range that no agent uses, so that it
// can never be mistaken for a real ticket.
func serial(numeric string, n int) string {
	s := strconv.Itoa(10_000_000 + n%10_000_000)
	return numeric + "999" + s[1:]
}
