package plan

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"gangway/internal/gangway"
)

// nearest is how far from the wished departure a flight may leave to count as what
// was meant.
const nearest = 2 * time.Hour

// offWish returns the total by which an itinerary's legs leave earlier or later than
// wished; more than nearest if no wish applies to it.
func offWish(it gangway.Itinerary, wishes map[string]string) time.Duration {
	sum, any := time.Duration(0), false
	for _, leg := range it.Legs() {
		minute, ok := gangway.MinuteOfDay(wishes[string(leg[0].Origin)+"-"+string(leg[len(leg)-1].Destination)+
			"_departure_time"])
		if !ok {
			continue
		}
		d := leg[0].Departure
		apart := (time.Duration(d.Hour()*60+d.Minute()-minute) * time.Minute).Abs()
		sum, any = sum+apart, true
	}
	if !any {
		return nearest + 1
	}
	return sum
}

// wished reports whether an itinerary is the one that the customer's system asked for:
// a departure time or a flight given for one of its legs or flights matches, and none
// contradicts.
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
				own, _ := designator(s.Carrier + strings.TrimPrefix(s.FlightNumber, s.Carrier))
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

var unspaced = strings.NewReplacer(" ", "", "-", "")

// designator reads a flight number in its common spellings ("SQ917", "sq 0917"). It
// reports false for a customer's own identifier of another kind.
func designator(s string) (flight string, ok bool) {
	s = strings.ToUpper(unspaced.Replace(s))
	if len(s) < 3 || len(s) > 6 {
		return "", false
	}
	n, err := strconv.Atoi(s[2:])
	if err != nil || n <= 0 || s[2] == '+' || s[:2] == strings.ToLower(s[:2]) {
		return "", false
	}
	return s[:2] + strconv.Itoa(n), true
}
