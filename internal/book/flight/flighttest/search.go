package flighttest

import (
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

// among reports whether an airport is one of those asked for.
func among(ends []flight.End, a gangway.Airport) bool {
	return slices.ContainsFunc(ends, func(e flight.End) bool { return e.Airport == a })
}

// testSearch holds that offers are what was asked for: airports, dates and fare types.
func testSearch(t *testing.T, s Stage) {
	ask := s.Ask(30)
	for _, o := range s.find(t, ask) {
		leg, segments := ask.Legs[0], o.Itinerary.Segments
		if o.ID == "" || len(segments) == 0 {
			t.Fatalf("offer %q has %d segments", o.ID, len(segments))
		}
		if !among(leg.From, segments[0].Origin) || !among(ask.Legs[len(ask.Legs)-1].To,
			segments[len(segments)-1].Destination) {
			t.Errorf("an offer flies %v; want %v to %v", o.Itinerary.Route(), leg.From, leg.To)
		}
		if leg.Date != "" && gangway.DateOf(segments[0].Departure) != leg.Date {
			t.Errorf("an offer leaves %s local time; want %s", segments[0].Departure, leg.Date)
		}
		if leg.ArriveOn != "" && leg.ArriveBy == "" && gangway.DateOf(o.Itinerary.Arrival()) != leg.ArriveOn {
			t.Errorf("an offer arrives %s local time; want %s", o.Itinerary.Arrival(), leg.ArriveOn)
		}
		for i, seg := range segments {
			if !seg.Arrival.After(seg.Departure) || seg.Carrier == "" || !strings.HasPrefix(seg.FlightNumber,
				seg.Carrier) {
				t.Errorf("segment %s %s–%s is invalid", seg.FlightNumber, seg.Departure, seg.Arrival)
			}
			if i > 0 && seg.Departure.Before(segments[i-1].Arrival) {
				t.Errorf("segment %s leaves before %s lands", seg.FlightNumber, segments[i-1].FlightNumber)
			}
		}
		if o.Price.Fare.Add(o.Price.Taxes) != o.Price.Total || o.Price.Total.Minor <= 0 ||
			len(o.Price.Total.Currency) != 3 {
			t.Errorf("price %s is not fare %s and taxes %s", o.Price.Total, o.Price.Fare, o.Price.Taxes)
		}
		if !o.Expires.After(s.Now()) {
			t.Errorf("an offer has expired at %s", o.Expires)
		}
		if o.Terms.FareType != gangway.Marine && o.Terms.FareType != gangway.Public {
			t.Errorf("fare type %q", o.Terms.FareType)
		}
	}
	t.Run("marine fares need a vessel and its flag", func(t *testing.T) {
		ask := s.Ask(30)
		ask.Vessel, ask.Flag = "", ""
		for _, o := range s.find(t, ask) {
			if o.Terms.FareType == gangway.Marine {
				t.Errorf("offer %s is marine", o.ID)
			}
		}
	})
	t.Run("a search for one fare type finds no other", func(t *testing.T) {
		for _, want := range []gangway.FareType{gangway.Marine, gangway.Public} {
			ask := s.Ask(30)
			ask.FareType = want
			for _, o := range s.find(t, ask) {
				if o.Terms.FareType != want {
					t.Errorf("offer %s is %s; want %s", o.ID, o.Terms.FareType, want)
				}
			}
		}
	})
}

// testOffers holds that an offer stays as it was found until it expires.
func testOffers(t *testing.T, s Stage) {
	o := s.offer(t)
	again := must(s.Price(t.Context(), o.ID))(t)
	if again.Price != o.Price || again.Terms != o.Terms || again.Itinerary.Route()[0] != o.Itinerary.Route()[0] {
		t.Fatalf("Price = %s %+v; want %s as offered", again.Price.Total, again.Terms, o.Price.Total)
	}
	refused(t, gangway.Invalid, gangway.NotFound, gangway.Conflict)(s.Price(t.Context(), "no-such-offer"))
	s.Forward(o.Expires.Sub(s.Now()) + time.Second)
	refused(t, gangway.Conflict)(s.Price(t.Context(), o.ID))
	refused(t, gangway.Conflict)(s.Hold(t.Context(), s.holdAsk(o, "late")))
	refused(t, gangway.NotFound)(s.Find(t.Context(), "late"))
}
