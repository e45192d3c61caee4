package tariff

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"gangway/internal/book/flight/sim/timetable"
	"gangway/internal/gangway"
)

// A Quote has everything that an offer's price depends on: flights, brand, cabin and the circumstances when
// it was made.
type Quote struct {
	timetable.Journey
	Brand    *Brand
	Cabin    gangway.Cabin
	At       time.Time // truncated to the second
	Currency string
	Own      []int // the account's own seats on each flight at that time; nil: none
}

// cabinLetters are the letters for cabins in offer ids.
var cabinLetters = map[gangway.Cabin]string{gangway.Economy: "y", gangway.PremiumEconomy: "w", gangway.Business: "j",
	gangway.First: "f"}

// cabinWith returns the cabin with a letter; empty if none has it.
func cabinWith(letter string) gangway.Cabin {
	for c, l := range cabinLetters {
		if l == letter {
			return c
		}
	}
	return ""
}

// CabinOf returns the cabin in an offer's id; economy if it does not say.
func CabinOf(offer string) gangway.Cabin {
	if parts := strings.SplitN(offer, "-", 3); len(parts) == 3 {
		return cmp.Or(cabinWith(parts[1]), gangway.Economy)
	}
	return gangway.Economy
}

// ID returns a quote as an offer's id, such as
// "sc-y-t3a5z2-USD-EK333.20801.2_EK147.20802": all that is needed to price it again in any process, whatever
// was booked since. Flights of a leg are joined by "_", legs by "-"; the last number of a flight is the
// account's seats on it.
func (t *Tariff) ID(q Quote) string {
	var b strings.Builder
	b.WriteString("s" + q.Brand.letter + "-" + cabinLetters[q.Cabin] + "-" + strconv.FormatInt(q.At.Unix(), 36) +
		"-" + q.Currency)
	n := 0
	for _, p := range q.Journey {
		for i, h := range p.Flights() {
			if i == 0 {
				b.WriteByte('-')
			} else {
				b.WriteByte('_')
			}
			b.WriteString(t.FlightNumber(h.Line) + "." + strconv.Itoa(h.Day))
			if own := numberAt(q.Own, n); own > 0 {
				b.WriteString("." + strconv.Itoa(own))
			}
			n++
		}
	}
	return b.String()
}

// ErrOffer says that an id is not one of our offers.
var ErrOffer = gangway.Errorf(gangway.NotFound, "the airlines do not have this offer")

// longestID is the longest text that is read as an offer's id.
const longestID = 400

// QuoteOf reads an offer's id. Its flights must exist, fly on their days and connect; it does not check
// whether the offer has expired.
func (t *Tariff) QuoteOf(id string) (Quote, error) {
	parts := strings.Split(id, "-")
	if len(id) > longestID || len(parts) < 5 || !strings.HasPrefix(parts[0], "s") {
		return Quote{}, ErrOffer
	}
	var q Quote
	var ok bool
	if q.Brand, ok = brandOf(parts[0][1:]); !ok {
		return Quote{}, ErrOffer
	}
	q.Cabin = cabinWith(parts[1])
	seconds, err := strconv.ParseInt(parts[2], 36, 64)
	if q.Cabin == "" || err != nil {
		return Quote{}, ErrOffer
	}
	q.At, q.Currency = time.Unix(seconds, 0).UTC(), parts[3]
	if _, ok := rates[q.Currency]; !ok {
		return Quote{}, ErrOffer
	}
	for _, text := range parts[4:] {
		p, own, ok := t.tripOf(text)
		if !ok || len(q.Journey) > 0 && !t.Follows(&q.Journey[len(q.Journey)-1], &p) {
			return Quote{}, ErrOffer
		}
		q.Journey, q.Own = append(q.Journey, p), append(q.Own, own...)
	}
	if !t.Sells(q.Brand, q.Journey, q.Cabin) {
		return Quote{}, ErrOffer
	}
	return q, nil
}

// tripOf reads the flights of one leg, such as "EK333.20801.2_EK147.20802", and the account's seats on each.
func (t *Tariff) tripOf(text string) (p timetable.Trip, own []int, ok bool) {
	flights := strings.Split(text, "_")
	if len(flights) > timetable.MostHops {
		return p, nil, false
	}
	for _, f := range flights {
		name, rest, _ := strings.Cut(f, ".")
		date, count, counted := strings.Cut(rest, ".")
		day, err := strconv.Atoi(date)
		i, ok := t.LineOf(name)
		if err != nil || day < 0 || day >= 100_000 || !ok || !t.Lines[i].On(day) {
			return p, nil, false
		}
		seats := 0
		if counted {
			if seats, err = strconv.Atoi(count); err != nil || seats < 1 || seats > 999 {
				return p, nil, false
			}
		}
		l := &t.Lines[i]
		dep := t.UTC(int(l.From), day, int(l.Dep))
		h := timetable.Hop{Line: i, Day: day, Dep: dep, Arr: dep + int(l.Block)}
		if p.N > 0 && !t.Connects(p.Hops[p.N-1], h) {
			return p, nil, false
		}
		p, own = p.With(h), append(own, seats)
	}
	return p, own, true
}
