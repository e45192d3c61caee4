package sim

import (
	"strconv"
	"strings"
	"time"

	"gangway"
	"gangway/internal/book/flight"
	"gangway/internal/world"
)

// offerLife is for how long an offer can be booked at its price.
const offerLife = 30 * time.Minute

// A quote is an offer before it is written out: which flights, in which brand
// and cabin, and all that its price depends on.
type quote struct {
	journey
	brand    *brand
	cabin    gangway.Cabin
	at       time.Time // to the second
	currency string
	own      []int // the account's own seats on each flight then; nil: none
}

// cabinLetters are how cabins are written in offers.
var cabinLetters = []struct {
	cabin  gangway.Cabin
	letter string
}{{gangway.Economy, "y"}, {gangway.PremiumEconomy, "w"}, {gangway.Business, "j"}, {gangway.First, "f"}}

// id writes a quote as an offer's identifier, as in
// "sc-y-t3a5z2-USD-EK333.20801.2_EK147.20802": all that is needed to price it
// again in any process, whatever was booked since. Flights of a leg are joined
// by "_", legs by "-"; a flight's last number is the own seats on it.
func (t *timetable) id(q quote) string {
	letter := ""
	for _, c := range cabinLetters {
		if c.cabin == q.cabin {
			letter = c.letter
		}
	}
	var b strings.Builder
	b.WriteString("s" + q.brand.letter + "-" + letter + "-" + strconv.FormatInt(q.at.Unix(), 36) + "-" + q.currency)
	n := 0
	for _, p := range q.journey {
		for i, h := range p.flights() {
			if i == 0 {
				b.WriteByte('-')
			} else {
				b.WriteByte('_')
			}
			b.WriteString(t.flightNumber(h.line) + "." + strconv.Itoa(h.day))
			if own := at(q.own, n); own > 0 {
				b.WriteString("." + strconv.Itoa(own))
			}
			n++
		}
	}
	return b.String()
}

func (t *timetable) flightNumber(i uint32) string {
	l := &t.lines[i]
	return t.carriers[l.carrier].Code + strconv.Itoa(int(l.number))
}

// errOffer says that an identifier is no offer of ours.
var errOffer = gangway.Errorf(gangway.NotFound, "the airlines know no such offer")

// longestID bounds what is read as an offer.
const longestID = 400

// quoteOf reads an offer's identifier. Its flights must exist, fly on their
// days and follow one another; whether it has expired is not looked at.
func (t *timetable) quoteOf(id string) (quote, error) {
	parts := strings.Split(id, "-")
	if len(id) > longestID || len(parts) < 5 || !strings.HasPrefix(parts[0], "s") {
		return quote{}, errOffer
	}
	var q quote
	var ok bool
	if q.brand, ok = brandOf(parts[0][1:]); !ok {
		return quote{}, errOffer
	}
	for _, c := range cabinLetters {
		if c.letter == parts[1] {
			q.cabin = c.cabin
		}
	}
	seconds, err := strconv.ParseInt(parts[2], 36, 64)
	if q.cabin == "" || err != nil {
		return quote{}, errOffer
	}
	q.at, q.currency = time.Unix(seconds, 0).UTC(), parts[3]
	if _, ok := rates[q.currency]; !ok {
		return quote{}, errOffer
	}
	for _, text := range parts[4:] {
		p, own, ok := t.tripOf(text)
		if !ok || len(q.journey) > 0 && !t.follows(&q.journey[len(q.journey)-1], &p) {
			return quote{}, errOffer
		}
		q.journey, q.own = append(q.journey, p), append(q.own, own...)
	}
	if !t.sells(q.brand, q.journey, q.cabin) {
		return quote{}, errOffer
	}
	return q, nil
}

// tripOf reads the flights of one leg, as in "EK333.20801.2_EK147.20802", and
// the own seats on each.
func (t *timetable) tripOf(text string) (p trip, own []int, ok bool) {
	flights := strings.Split(text, "_")
	if len(flights) > mostHops {
		return p, nil, false
	}
	for _, f := range flights {
		name, rest, _ := strings.Cut(f, ".")
		date, count, counted := strings.Cut(rest, ".")
		day, err := strconv.Atoi(date)
		if err != nil || len(name) < 3 || day < 0 || day >= 100_000 {
			return p, nil, false
		}
		number, err := strconv.Atoi(name[2:])
		if err != nil {
			return p, nil, false
		}
		i, ok := t.lineOf(name[:2], number)
		if !ok || !t.lines[i].on(day) {
			return p, nil, false
		}
		seats := 0
		if counted {
			if seats, err = strconv.Atoi(count); err != nil || seats < 1 || seats > 999 {
				return p, nil, false
			}
		}
		l := &t.lines[i]
		dep := t.utc(int(l.from), day, int(l.dep))
		h := hop{line: i, day: day, dep: dep, arr: dep + int(l.block)}
		if p.n > 0 && !t.connects(p.hops[p.n-1], h) {
			return p, nil, false
		}
		p, own = p.with(h), append(own, seats)
	}
	return p, own, true
}

// connects reports whether one flight can be reached from another.
func (t *timetable) connects(a, b hop) bool {
	from, to := &t.lines[a.line], &t.lines[b.line]
	least := t.change(int(from.from), int(from.to), int(to.to))
	if !t.together(from.carrier, to.carrier) {
		least = max(least, selfTransfer)
	}
	wait := b.dep - a.arr
	return from.to == to.from && wait >= least && wait <= longestWait
}

// offer writes a quote out.
func (n *Network) offer(q quote) flight.Offer {
	o := flight.Offer{ID: n.id(q), Expires: q.at.Add(offerLife), SeatsLeft: n.seatsLeft(q.journey, q.cabin, q.own)}
	b := n.bill(q)
	o.Price = b.price(q.currency)
	var hops []hop
	for leg := range q.journey {
		p := &q.journey[leg]
		for _, h := range p.flights() {
			o.Itinerary.Segments = append(o.Itinerary.Segments, n.segment(leg, h, q.cabin))
		}
		hops = append(hops, p.flights()...)
		o.Baggage = append(o.Baggage, n.allowance(p, q.brand, q.cabin))
	}
	o.Plating = n.carriers[n.plating(hops)].Code
	o.Terms = q.brand.terms(o.Plating, q.currency, len(b))
	o.Emissions = flight.Estimate(n.factors, &o.Itinerary)
	o.Itinerary.Connections = n.connections(q.journey)
	departure := o.Itinerary.Departure()
	if !q.brand.atOnce {
		o.TicketBy = q.brand.ticketBy(q.at, departure)
		o.PriceUntil = q.brand.priceUntil(q.at, o.TicketBy, departure.Location())
	}
	if last := departure.Add(-saleEnds * time.Minute).UTC(); o.Expires.After(last) {
		o.Expires = last
	}
	return o
}

func (t *timetable) segment(leg int, h hop, asked gangway.Cabin) gangway.Segment {
	l := &t.lines[h.line]
	from, to := &t.places[l.from], &t.places[l.to]
	return gangway.Segment{
		Leg: leg, Carrier: t.carriers[l.carrier].Code, FlightNumber: t.flightNumber(h.line),
		Origin: gangway.Airport(from.IATA), Destination: gangway.Airport(to.IATA),
		Departure: timeOf(h.dep, from.loc), Arrival: timeOf(h.arr, to.loc),
		Cabin: t.cabin(l, asked), Aircraft: aircraftTypes[l.aircraft].code, DistanceKm: int(l.km),
	}
}

// cabin returns in which cabin one sits on a flight: the one asked for, or the
// next below that it has.
func (t *timetable) cabin(l *line, asked gangway.Cabin) gangway.Cabin {
	full := t.carriers[l.carrier].Type == world.Network && aircraftTypes[l.aircraft].seats > 100
	wide := full && aircraftTypes[l.aircraft].seats > 250
	switch {
	case asked == gangway.First && wide && aircraftTypes[l.aircraft].code == "77W":
		return gangway.First
	case (asked == gangway.Business || asked == gangway.First) && full:
		return gangway.Business
	case asked == gangway.PremiumEconomy && wide:
		return gangway.PremiumEconomy
	}
	return gangway.Economy
}

// hasCabin reports whether the longest flight of a trip has the cabin asked for.
func (t *timetable) hasCabin(p *trip, asked gangway.Cabin) bool {
	if asked == gangway.Economy {
		return true
	}
	longest := &t.lines[p.hops[0].line]
	for _, h := range p.flights() {
		if l := &t.lines[h.line]; l.km > longest.km {
			longest = l
		}
	}
	return t.cabin(longest, asked) == asked
}

func (t *timetable) allowance(p *trip, b *brand, cabin gangway.Cabin) gangway.Allowance {
	hops := p.flights()
	from, to := t.lines[hops[0].line].from, t.lines[hops[len(hops)-1].line].to
	america := inAmerica(&t.places[from]) || inAmerica(&t.places[to])
	a := b.allowance(t.carriers[t.plating(hops)].Code, cabin, t.km(int(from), int(to)), america)
	a.Origin, a.Destination = gangway.Airport(t.places[from].IATA), gangway.Airport(t.places[to].IATA)
	return a
}
