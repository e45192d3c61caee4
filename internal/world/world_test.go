package world

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
)

// Well-known airports, typed from charts.
var wellKnown = []struct {
	code     string
	lat, lon float64
	zone     string
}{
	{"LHR", 51.4706, -0.4619, "Europe/London"}, {"AMS", 52.3086, 4.7639, "Europe/Amsterdam"},
	{"CDG", 49.0128, 2.55, "Europe/Paris"},
	{"FRA", 50.0264, 8.5431, "Europe/Berlin"}, {"MUC", 48.3538, 11.7861, "Europe/Berlin"},
	{"BER", 52.3514, 13.4939, "Europe/Berlin"},
	{"IST", 41.2613, 28.742, "Europe/Istanbul"}, {"ATH", 37.9364, 23.9445, "Europe/Athens"},
	{"MAD", 40.4719, -3.5626, "Europe/Madrid"},
	{"LIS", 38.7813, -9.1359, "Europe/Lisbon"}, {"FCO", 41.8045, 12.2508, "Europe/Rome"},
	{"ZRH", 47.4647, 8.5492, "Europe/Zurich"},
	{"CPH", 55.6179, 12.656, "Europe/Copenhagen"}, {"OSL", 60.1939, 11.1004, "Europe/Oslo"},
	{"HEL", 60.3172, 24.9633, "Europe/Helsinki"},
	{"WAW", 52.1657, 20.9671, "Europe/Warsaw"}, {"KEF", 63.985, -22.6056, "Atlantic/Reykjavik"},
	{"DXB", 25.2528, 55.3644, "Asia/Dubai"},
	{"DOH", 25.2731, 51.6081, "Asia/Qatar"}, {"AUH", 24.433, 54.6511, "Asia/Dubai"},
	{"BOM", 19.0887, 72.8679, "Asia/Kolkata"},
	{"DEL", 28.5665, 77.1031, "Asia/Kolkata"}, {"SIN", 1.3502, 103.994, "Asia/Singapore"},
	{"KUL", 2.7456, 101.71, "Asia/Kuala_Lumpur"},
	{"MNL", 14.5086, 121.0194, "Asia/Manila"}, {"HKG", 22.3089, 113.915, "Asia/Hong_Kong"},
	{"PVG", 31.1434, 121.805, "Asia/Shanghai"},
	{"ICN", 37.4691, 126.4505, "Asia/Seoul"}, {"HND", 35.5523, 139.78, "Asia/Tokyo"}, {"SYD", -33.9461, 151.177,
		"Australia/Sydney"},
	{"PER", -31.9403, 115.967, "Australia/Perth"}, {"AKL", -37.0082, 174.785, "Pacific/Auckland"},
	{"JNB", -26.1392, 28.246, "Africa/Johannesburg"},
	{"LOS", 6.5774, 3.3212, "Africa/Lagos"}, {"CAI", 30.1219, 31.4056, "Africa/Cairo"}, {"JFK", 40.6398, -73.7789,
		"America/New_York"},
	{"IAH", 29.9844, -95.3414, "America/Chicago"}, {"LAX", 33.9425, -118.408, "America/Los_Angeles"},
	{"GRU", -23.4356, -46.4731, "America/Sao_Paulo"},
	{"PTY", 9.0714, -79.3835, "America/Panama"},
}

func TestAirports(t *testing.T) {
	t.Run("forty well-known airports are in the right place", func(t *testing.T) {
		for _, want := range wellKnown {
			a, ok := AirportOf(strings.ToLower(want.code))
			if km := greatCircleKm(a.Lat, a.Lon, want.lat, want.lon); !ok || km > 3 || a.Zone != want.zone ||
				!a.Scheduled {
				t.Errorf("AirportOf(%s) = %+v, %.1f km off; want within 3 km, %s, scheduled", want.code, a, km,
					want.zone)
			}
		}
	})
	t.Run("there are as many as there should be", func(t *testing.T) {
		scheduled := 0
		for _, a := range Airports() {
			if a.Scheduled {
				scheduled++
			}
		}
		if len(Airports()) != 9080 || scheduled != 4153 {
			t.Errorf("%d airports, %d scheduled; want 9080, 4153", len(Airports()), scheduled)
		}
	})
	t.Run("they are named after the city that travellers know them by", func(t *testing.T) {
		for code, city := range map[string]string{"SKP": "Skopje", "IST": "Istanbul", "SAW": "Istanbul",
			"KUL": "Kuala Lumpur", "ATH": "Athens", "CEB": "Cebu", "TIA": "Tirana"} {
			if a, _ := AirportOf(code); a.City != city {
				t.Errorf("the city of %s is %q; want %s", code, a.City, city)
			}
		}
	})
	t.Run("every zone and country is known", func(t *testing.T) {
		for _, a := range Airports() {
			if _, err := time.LoadLocation(a.Zone); err != nil || a.Zone == "" {
				t.Errorf("%s: zone %q: %v", a.IATA, a.Zone, err)
			}
			if len(a.Country) != 2 || gangway.Country(a.Country).Name() == a.Country && a.Country != "XK" {
				t.Errorf("%s: country %q has no name", a.IATA, a.Country)
			}
		}
	})
	t.Run("an unknown code is not found, in UTC", func(t *testing.T) {
		if a, ok := AirportOf("QQX"); ok || a.Location() != time.UTC {
			t.Errorf("AirportOf(QQX) = %+v, %v", a, ok)
		}
	})
	t.Run("airports that the package lacks are patched in", func(t *testing.T) {
		for _, code := range []string{"KIN", "BIQ", "MHT", "PEG", "NOJ", "KTI"} {
			if a, ok := AirportOf(code); !ok || !a.Scheduled {
				t.Errorf("AirportOf(%s) = %+v, %v", code, a, ok)
			}
		}
	})
}

func TestFindAirports(t *testing.T) {
	for typed, first := range map[string]string{
		"ams": "AMS", "amst": "AMS", "Zürich": "ZRH", "zurich": "ZRH", "sao paulo": "GRU", "SÃO P": "GRU",
		"london": "LHR", "london city": "LCY", "heathrow": "LHR", "new york": "JFK", "manila": "MNL",
		"rotterdam": "RTM", "piraeus": "ATH", "algeciras": "AGP", "houston": "IAH", "malmö": "MMX",
		"tromso": "TOS", "lodz": "LCJ", "reykjavik": "KEF",
	} {
		list := findAny(typed, math.MaxInt)
		i := slices.IndexFunc(list, func(p Place) bool { return p.Kind == AirportPlace })
		if i < 0 || list[i].Code != first {
			t.Errorf("Find(%q) = %v; want %s first of the airports", typed, codesOf(list), first)
		}
	}
}

func TestPortsAreNearTheirAirports(t *testing.T) {
	if len(ports()) != 84 {
		t.Errorf("%d ports; want 84", len(ports()))
	}
	for _, p := range ports() {
		place, ok := PlaceOf(p.Code)
		if !ok || place.Kind != PortPlace || place.Code != p.Code || gangway.Country(p.Country).Name() == p.Country {
			t.Errorf("PlaceOf(%s) = %+v, %v", p.Code, place, ok)
			continue
		}
		near := math.MaxInt
		for i, a := range place.Airports {
			if a.Airport.IATA != p.Airports[i] || a.Ground < 30*time.Minute {
				t.Errorf("%s: airport %+v; want %s", p.Code, a, p.Airports[i])
			}
			if a.Airport.Scheduled {
				near = min(near, a.Km)
			}
		}
		if near > 220 {
			t.Errorf("%s: the nearest airport with flights is %d km away", p.Code, near)
		}
		noon := time.Date(2027, 1, 15, 12, 0, 0, 0, time.UTC)
		_, here := noon.In(place.Location()).Zone()
		_, there := noon.In(place.Airports[0].Airport.Location()).Zone()
		if here != there {
			t.Errorf("%s is in %s, and its airport in %s", p.Code, place.Zone, place.Airports[0].Airport.Zone)
		}
	}
}

func TestAirlines(t *testing.T) {
	numerics := map[string]string{}
	for _, a := range Airlines() {
		if len(a.Code) != 2 || a.Name == "" || gangway.Country(a.Country).Name() == a.Country {
			t.Errorf("airline %+v is incomplete", a)
		}
		if a.Type != Network && a.Type != LowCost && a.Type != Regional {
			t.Errorf("airline %s has type %q", a.Code, a.Type)
		}
		if a.Numeric == "" {
			continue
		}
		if n, err := strconv.Atoi(a.Numeric); err != nil || len(a.Numeric) != 3 || n == 0 {
			t.Errorf("airline %s has accounting code %q", a.Code, a.Numeric)
		}
		if other := numerics[a.Numeric]; other != "" {
			t.Errorf("airlines %s and %s share accounting code %s", other, a.Code, a.Numeric)
		}
		numerics[a.Numeric] = a.Code
	}
	if a, ok := AirlineOf("kl"); !ok || a.Numeric != "074" || a.Alliance != "SkyTeam" || len(Airlines()) != 274 {
		t.Errorf("AirlineOf(kl) = %+v of %d", a, len(Airlines()))
	}
}
