package tariff

import (
	"gangway/internal/book/flight/sim/chance"
	"gangway/internal/book/flight/sim/timetable"
	"gangway/internal/gangway"
)

// terms returns the brand's rules at an airline, for a journey on so many tickets. Seven in ten airlines
// change and refund marine fares free of charge, the others for a fee.
func (b *Brand) terms(carrier, currency string, tickets int) gangway.Terms {
	t := gangway.Terms{
		FareType: b.FareType, Brand: b.Name, Splitting: tickets > 1,
		Cancellations: gangway.NonRefundable, Changes: gangway.NoChange,
		NoShow: "No refund after a no-show.",
	}
	switch b {
	case Classic:
		t.Changes, t.ChangeFee = gangway.PaidChange, InCurrency(9000*tickets, currency)
	case Flex:
		t.Changes, t.Cancellations = gangway.FreeChange, gangway.Refundable
		t.NoShow = "No-show fee half the fare."
	case Marine:
		t.Changes, t.Cancellations = gangway.FreeChange, gangway.Refundable
		if chance.Mix(chance.Code(carrier), 31)%10 >= 7 {
			t.Changes, t.ChangeFee = gangway.PaidChange, InCurrency(feeOf(carrier, 32), currency)
		}
		if chance.Mix(chance.Code(carrier), 33)%10 >= 7 {
			t.Cancellations, t.CancelFee = gangway.PaidCancel, InCurrency(feeOf(carrier, 34), currency)
		}
		if fee, lost := MarineNoShow(carrier); !lost {
			t.NoShow = "No-show fee " + InCurrency(fee, currency).Words() + "."
		}
	}
	return t
}

// feeOf returns an airline's fee for something, from 25 to 75 dollars.
func feeOf(carrier string, what uint64) int {
	return 2500 + int(chance.Mix(chance.Code(carrier), what)%3)*2500
}

// MarineNoShow returns what an airline keeps of a marine fare after a no-show; lost if it keeps all of it.
func MarineNoShow(carrier string) (fee int, lost bool) {
	h := chance.Mix(chance.Code(carrier), 35)
	return 10000 + int(h%3)*2500, h>>8%10 >= 7
}

// byWeight lists the airlines whose marine fares allow marineKg in all instead of two bags of 23 kg, except
// to and from America, where all airlines count bags.
var byWeight = map[string]bool{
	"TK": true, "EK": true, "QR": true, "EY": true, "SV": true, "GF": true, "KU": true, "MS": true, "ET": true,
}

const marineKg = 40

// longHaul is the distance in kilometres from which Flex includes a second bag.
const longHaul = 4300

// allowance returns the checked baggage included on a leg.
func (b *Brand) allowance(carrier string, cabin gangway.Cabin, km int, america bool) gangway.Allowance {
	switch {
	case b == Light && cabin != gangway.Business && cabin != gangway.First:
		return gangway.Allowance{}
	case cabin == gangway.Business || cabin == gangway.First:
		return gangway.Allowance{Pieces: 2, WeightKg: 32}
	case b == Marine && byWeight[carrier] && !america:
		return gangway.Allowance{Pieces: 1, WeightKg: marineKg, ByWeight: true}
	case b == Marine, b == Flex && km > longHaul:
		return gangway.Allowance{Pieces: 2, WeightKg: 23}
	}
	return gangway.Allowance{Pieces: 1, WeightKg: 23}
}

// inAmerica reports whether an airport is in North or South America. No airport lies between these and the
// rest of the world: the Azores are further east and Polynesia is further west.
func inAmerica(p *timetable.Place) bool {
	return p.Lon < -32 && p.Lon > -130 || p.Lon <= -130 && p.Lat > 18
}
