package plan

import (
	"testing"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/itinerarytest"
)

func TestMedian(t *testing.T) {
	kg := func(values ...float64) (offers []flight.Offer) {
		for _, v := range values {
			var o flight.Offer
			o.Emissions.CO2eKg = v
			offers = append(offers, o)
		}
		return offers
	}
	if got := medianKg(kg(300, 100, 0, 200, 400), false); got != 250 {
		t.Errorf("median of 100 to 400, one unknown = %v; want 250", got)
	}
	warm := kg(300, 300)
	warm[0].Emissions.CO2eRFKg, warm[0].Itinerary = 510, itinerarytest.ViaDubai(t)
	forcing := gangway.Settings{RadiativeForcing: true}
	if one := Weigh(warm[:1], gangway.SearchMember{}, gangway.Plan{}, forcing); one[0].Carbon.Kg != 510 ||
		medianKg(warm, true) != 405 {
		t.Errorf("with radiative forcing %v kg, median %v; want 510, and 300 for a method without it",
			one[0].Carbon.Kg, medianKg(warm, true))
	}
	if got := medianKg(nil, false); got != 0 {
		t.Errorf("median of nothing = %v; want 0", got)
	}
}
