package sim

import (
	"math"
	"time"

	"gangway"
	"gangway/internal/world"
)

// A brand is a fare that airlines sell: what it costs and what may be done with it.
type brand struct {
	letter string // in offers
	name   string
	fare   gangway.FareType
	holds  time.Duration // how long seats are kept before they are paid for
	atOnce bool          // sold for immediate ticketing; holds is only the time to do it
	round  int           // cents added before a fare is cut to whole dollars
	mille  func(advance, demand int) int
}

// The model of fares: plausible, not calibrated. advance and demand are per
// mille, and so is the result, of the base fare. Flex is no cheaper far ahead
// than a month ahead, so that Marine is always well below it; that is also why
// one is rounded down and the other up.
var (
	light   = &brand{letter: "l", name: "Light", fare: gangway.Public, holds: 30 * time.Minute, atOnce: true, mille: func(a, d int) int { return 800 * a / 1000 * d / 1000 }}
	classic = &brand{letter: "c", name: "Classic", fare: gangway.Public, holds: 24 * time.Hour, round: 50, mille: func(a, d int) int { return a * d / 1000 }}
	flex    = &brand{letter: "f", name: "Flex", fare: gangway.Public, holds: 72 * time.Hour, round: 99, mille: func(a, d int) int { return 1350 * root(100*max(a, 900)*d) / 10_000 }}
	marine  = &brand{letter: "m", name: "Marine", fare: gangway.Marine, holds: 72 * time.Hour, mille: func(_, d int) int { return 1020 * root(100_000*d) / 10_000 }}
)

// brands lists all, the cheapest usually first.
var brands = []*brand{light, classic, marine, flex}

// brandOf returns the brand with a letter.
func brandOf(letter string) (*brand, bool) {
	for _, b := range brands {
		if b.letter == letter {
			return b, true
		}
	}
	return nil, false
}

// root is the whole part of a square root.
func root(n int) int { return int(math.Sqrt(float64(n))) } // exact: n is far below 2^53

// ticketBy returns until when a hold made at now must be ticketed: what the
// brand allows, but a day before departure at the latest, or two hours from
// now where less is left. What is sold at once keeps its half hour.
func (b *brand) ticketBy(now, departure time.Time) time.Time {
	by := now.Add(b.holds)
	if last := departure.Add(-24 * time.Hour); !b.atOnce && by.After(last) {
		by = last
		if soon := now.Add(2 * time.Hour); by.Before(soon) {
			by = soon
		}
	}
	if last := departure.Add(-time.Hour); by.After(last) {
		by = last
	}
	return by.Truncate(time.Second).UTC()
}

// priceUntil returns until when the price of a hold made at now is guaranteed:
// to the end of the day where the journey begins, and never longer than the
// hold. What is sold at once keeps its price as long as its seats.
func (b *brand) priceUntil(now, ticketBy time.Time, origin *time.Location) time.Time {
	if end := endOfDay(now, origin); !b.atOnce && end.Before(ticketBy) {
		return end
	}
	return ticketBy
}

// endOfDay returns 23:59 of the day at a place; of the next day in its last minute.
func endOfDay(now time.Time, loc *time.Location) time.Time {
	y, m, d := now.In(loc).Date()
	end := time.Date(y, m, d, 23, 59, 0, 0, loc)
	if !now.Before(end) {
		end = time.Date(y, m, d+1, 23, 59, 0, 0, loc)
	}
	return end.UTC()
}

// terms returns the rules of the brand as an airline has them, for a journey
// that takes so many tickets. Seven in ten airlines change and refund marine
// fares for nothing, the others for a fee.
func (b *brand) terms(carrier, currency string, tickets int) gangway.Terms {
	t := gangway.Terms{
		FareType: b.fare, Brand: b.name, Splitting: tickets > 1, Cancellations: gangway.NonRefundable, Changes: gangway.NoChange,
		NoShow: "Who does not show up loses the whole fare.",
	}
	switch b {
	case classic:
		t.Changes, t.ChangeFee = gangway.PaidChange, money(9000*tickets, currency)
	case flex:
		t.Changes, t.Cancellations = gangway.FreeChange, gangway.Refundable
		t.NoShow = "Who does not show up gets half of the fare back."
	case marine:
		t.Changes, t.Cancellations = gangway.FreeChange, gangway.Refundable
		if mix(code(carrier), 31)%10 >= 7 {
			t.Changes, t.ChangeFee = gangway.PaidChange, money(feeOf(carrier, 32), currency)
		}
		if mix(code(carrier), 33)%10 >= 7 {
			t.Cancellations, t.CancelFee = gangway.PaidCancel, money(feeOf(carrier, 34), currency)
		}
		if fee, lost := marineNoShow(carrier); !lost {
			t.NoShow = "Who does not show up gets the fare back less " + money(fee, currency).String() + "."
		}
	}
	return t
}

// feeOf returns an airline's fee for something, from 25 to 75 dollars.
func feeOf(carrier string, what uint64) int { return 2500 + int(mix(code(carrier), what)%3)*2500 }

// marineNoShow returns what an airline keeps of a marine fare after a no-show;
// some keep all of it.
func marineNoShow(carrier string) (fee int, lost bool) {
	h := mix(code(carrier), 35)
	return 10000 + int(h%3)*2500, h>>8%10 >= 7
}

// byWeight lists the airlines whose marine fares allow marineKg in all instead of
// two bags of 23 kg, but to and from America, where all airlines count bags.
var byWeight = map[string]bool{"TK": true, "EK": true, "QR": true, "EY": true, "SV": true, "GF": true, "KU": true, "MS": true, "ET": true}

const marineKg = 40

// longHaul is from how many kilometres on Flex includes a second bag.
const longHaul = 4300

// allowance returns the checked baggage included on a leg.
func (b *brand) allowance(carrier string, cabin gangway.Cabin, km int, america bool) gangway.Allowance {
	switch {
	case b == light && cabin != gangway.Business && cabin != gangway.First:
		return gangway.Allowance{}
	case cabin == gangway.Business || cabin == gangway.First:
		return gangway.Allowance{Pieces: 2, WeightKg: 32}
	case b == marine && byWeight[carrier] && !america:
		return gangway.Allowance{Pieces: 1, WeightKg: marineKg, ByWeight: true}
	case b == marine, b == flex && km > longHaul:
		return gangway.Allowance{Pieces: 2, WeightKg: 23}
	}
	return gangway.Allowance{Pieces: 1, WeightKg: 23}
}

// inAmerica reports whether an airport lies in either America: there is none
// between it and the others, the Azores in the east and Polynesia in the west.
func inAmerica(p *place) bool { return p.Lon < -32 && p.Lon > -130 || p.Lon <= -130 && p.Lat > 18 }

// sells reports whether the brand is sold for a journey. Marine fares are the
// network airlines', in economy, on one ticket; none is of an airline that
// sanctions name.
func (t *timetable) sells(b *brand, j journey, cabin gangway.Cabin) bool {
	if b != marine {
		return true
	}
	for i := range j {
		if t.split(&j[i]) {
			return false
		}
		for _, h := range j[i].flights() {
			if carrier := t.lines[h.line].carrier; t.carriers[carrier].Type == world.LowCost || t.named[carrier] {
				return false
			}
		}
	}
	return cabin == gangway.Economy
}
