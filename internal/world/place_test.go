package world

import (
	"slices"
	"testing"
	"time"
)

func codesOf(list []Place) []string {
	codes := make([]string, len(list))
	for i, p := range list {
		codes[i] = p.Code
	}
	return codes
}

// findAny finds places at any end.
func findAny(text string, limit int) []Place {
	list, _ := AnyEnd.Find(text, limit)
	return list
}

func TestFindPlaces(t *testing.T) {
	tests := []struct {
		typed string
		first []string // the first results, in this order
		also  []string // among the results
	}{
		{"rotter", []string{"NLRTM", "RTM"}, []string{"AMS", "BRU"}},
		{"Amsterdam", []string{"AMS", "NLAMS"}, []string{"RTM"}},
		{"lon", []string{"LON", "LHR", "LGW"}, nil},
		{"london", []string{"LON", "LHR", "LGW", "STN", "LTN", "LCY"}, []string{"SEN"}},
		{"heathrow london", []string{"LHR"}, nil},
		{"city lond", []string{"LCY"}, nil},
		{"new york", []string{"NYC", "JFK", "EWR", "USNYC", "LGA"}, nil},
		{"NYC", []string{"NYC", "JFK", "EWR", "LGA"}, nil},
		{"shanghai", []string{"PVG", "CNSHA", "SHA"}, nil},
		{"sha", []string{"SHA", "PVG", "CNSHA"}, nil},
		{"bangkok", []string{"BKK", "DMK"}, nil},
		{"istanbul", []string{"IST", "TRIST", "SAW"}, nil},
		{"brussels", []string{"BRU", "CRL"}, nil},
		{"manila", []string{"MNL", "PHMNL"}, []string{"CRK"}},
		{"mnl", []string{"MNL"}, nil},
		{"piraeus", []string{"GRPIR", "ATH"}, nil},
		{"algeciras", []string{"ESALG"}, []string{"AGP"}},
		{"sg sin", []string{"SGSIN"}, nil},
		{"nlr", []string{"NLRTM"}, nil},
		{"SÃO P", []string{"SAO", "GRU", "CGH"}, nil},
		{"N'Djamena", []string{"NDJ"}, nil},
		{"ndjamena", []string{"NDJ"}, nil},
		{"xian", []string{"XIY"}, nil},
		{"houston", []string{"IAH", "USHOU", "HOU"}, nil},
	}
	for _, tt := range tests {
		got := codesOf(findAny(tt.typed, 10))
		if len(got) < len(tt.first) || !slices.Equal(got[:len(tt.first)], tt.first) {
			t.Errorf("Find(%q) = %v; want %v first", tt.typed, got, tt.first)
		}
		for _, code := range tt.also {
			if !slices.Contains(got, code) {
				t.Errorf("Find(%q) = %v; want %s too", tt.typed, got, code)
			}
		}
	}
	t.Run("no more than asked for, and nothing for an empty text", func(t *testing.T) {
		for _, limit := range []int{-1, 0, 1, 7} {
			if got := findAny("a", limit); len(got) != max(limit, 0) {
				t.Errorf("Find(a, %d) has %d", limit, len(got))
			}
		}
		for _, nothing := range []string{"", "  ", "xqzzy", "-", "'"} {
			if got := findAny(nothing, 5); len(got) != 0 {
				t.Errorf("Find(%q) = %v; want none", nothing, codesOf(got))
			}
		}
	})
	t.Run("every place is the first result for its code", func(t *testing.T) {
		for _, code := range []string{"AMS", "lhr", "LON", "tyo", "NLRTM", "usnyc"} {
			want, ok := PlaceOf(code)
			if got := findAny(code, 1); !ok || len(got) != 1 || got[0].Code != want.Code {
				t.Errorf("Find(%s) = %v; want %s", code, codesOf(got), want.Code)
			}
		}
	})
}

func TestPlaceOf(t *testing.T) {
	tests := []struct {
		code     string
		kind     PlaceKind
		want     string
		city     string
		zone     string
		airports []string
	}{
		{"mnl", AirportPlace, "MNL", "Manila", "Asia/Manila", []string{"MNL"}},
		{" LGW ", AirportPlace, "LGW", "London", "Europe/London", []string{"LGW"}},
		{"lon", CityPlace, "LON", "London", "Europe/London", []string{"LHR", "LGW", "STN", "LTN", "LCY", "SEN"}},
		{"SHA", AirportPlace, "SHA", "Shanghai", "Asia/Shanghai", []string{"SHA"}},
		{"BKK", AirportPlace, "BKK", "Bangkok", "Asia/Bangkok", []string{"BKK"}},
		{"nl rtm", PortPlace, "NLRTM", "Rotterdam", "Europe/Amsterdam", []string{"AMS", "RTM", "BRU"}},
		{"ESALG", PortPlace, "ESALG", "Algeciras", "Europe/Madrid", []string{"AGP", "XRY", "SVQ", "GIB"}},
	}
	for _, tt := range tests {
		p, ok := PlaceOf(tt.code)
		var airports []string
		for _, a := range p.Airports {
			airports = append(airports, a.Airport.IATA)
		}
		if !ok || p.Kind != tt.kind || p.Code != tt.want || p.City != tt.city || p.Location().String() != tt.zone ||
			!slices.Equal(airports, tt.airports) {
			t.Errorf("PlaceOf(%q) = %+v, %v; want %+v", tt.code, p, ok, tt)
		}
	}
	for _, code := range []string{"", "QQX", "ZZZZZ", "London"} {
		if p, ok := PlaceOf(code); ok {
			t.Errorf("PlaceOf(%q) = %+v; want none", code, p)
		}
	}
}

func TestContinent(t *testing.T) {
	for code, want := range map[string]string{"MNL": "Asia", "NLRTM": "Europe", "ROT": "Oceania", "SYD": "Oceania",
		"LYR": "Europe", "GRU": "America", "ACC": "Africa"} {
		if p, ok := PlaceOf(code); !ok || p.Continent() != want {
			t.Errorf("%s lies in %q; want %q", code, p.Continent(), want)
		}
	}
}

func TestGroundTime(t *testing.T) {
	tests := []struct {
		place, airport string
		km             int
		want           time.Duration
	}{
		{"NLRTM", "AMS", 58, time.Hour + 56*time.Minute},
		{"NLRTM", "RTM", 20, time.Hour},
		{"SGSIN", "SIN", 21, 2*time.Hour + time.Minute}, // ships lie at anchor
		{"LKGAL", "CMB", 133, 4*time.Hour + 46*time.Minute},
		{"LON", "LHR", 23, 0},
		{"AMS", "AMS", 0, 0},
	}
	for _, tt := range tests {
		p, _ := PlaceOf(tt.place)
		i := slices.IndexFunc(p.Airports, func(a Access) bool { return a.Airport.IATA == tt.airport })
		if i < 0 || p.Airports[i].Km != tt.km || p.Airports[i].Ground != tt.want {
			t.Errorf("%s by %s = %+v; want %d km, %s", tt.place, tt.airport, p.Airports, tt.km, tt.want)
		}
	}
}

func TestNearestAirports(t *testing.T) {
	scheduled := func(a Airport) bool { return a.Scheduled }
	near := NearestAirports(51.95, 4.14, 3, scheduled) // at the mouth of the Maas
	if len(near) != 3 || near[0].Airport.IATA != "RTM" || near[0].Km != 20 || near[1].Airport.IATA != "AMS" ||
		near[0].Ground != 0 {
		t.Errorf("nearest to Maasvlakte: %+v; want RTM at 20 km, then AMS", near)
	}
	if got := NearestAirports(51.95, 4.14, 2, func(a Airport) bool {
		return a.Country == "GB" && a.Passengers > 20_000
	}); len(got) != 2 || got[0].Airport.IATA != "STN" {
		t.Errorf("nearest large British: %+v; want STN first", got)
	}
	if got := NearestAirports(0, 0, 0, nil); len(got) != 0 {
		t.Errorf("NearestAirports with a limit of 0: %+v", got)
	}
	t.Run("they are those of a plain sort", func(t *testing.T) {
		for _, at := range [][2]float64{{0, 0}, {-17, 179.9}, {-17, -179.9}, {89, 10}, {-75, 100}, {1.26, 103.83}} {
			all := slices.Clone(Airports())
			slices.SortStableFunc(all, func(a, b Airport) int {
				return int(1000 * (greatCircleKm(at[0], at[1], a.Lat, a.Lon) - greatCircleKm(at[0], at[1], b.Lat,
					b.Lon)))
			})
			for i, got := range NearestAirports(at[0], at[1], 20, nil) {
				if got.Airport.IATA != all[i].IATA {
					t.Errorf("%d. nearest to %v is %s; want %s", i, at, got.Airport.IATA, all[i].IATA)
				}
			}
		}
	})
}

func TestCitiesAreWhereTheirAirportsAre(t *testing.T) {
	for _, c := range cities() {
		for i, a := range c.Airports {
			if km := kmBetween(c.Lat, c.Lon, a); km > 110 {
				t.Errorf("%s is %d km from %s", a.IATA, km, c.Name)
			}
			if a.Country != c.Country && c.Name != "Basel" || i == 0 && !a.Scheduled {
				t.Errorf("%s cannot be the airport of %s: %+v", a.IATA, c.Name, a)
			}
		}
		if p, ok := PlaceOf(c.Code); c.Code != "" && (!ok || p.Kind != CityPlace || p.Name != c.Name) {
			t.Errorf("PlaceOf(%s) = %+v; want %s", c.Code, p, c.Name)
		}
	}
}

// One operation is a keystroke: every start of what people type.
func BenchmarkFind(b *testing.B) {
	var typed []string
	for _, text := range []string{"rotterdam", "amsterdam schiphol", "london heathrow", "ho chi minh",
		"united states"} {
		for i := range text {
			typed = append(typed, text[:i+1])
		}
	}
	findAny("a", 1)
	for i := 0; b.Loop(); i++ {
		findAny(typed[i%len(typed)], 10)
	}
}

// A place whose airport has no airlines is reached from the nearest airports that have
// some, in its own country.
func TestAirportWithoutAirlines(t *testing.T) {
	p, ok := PlaceOf("MEA") // Macaé: helicopters to the rigs
	if !ok || p.Airports[0].Airport.IATA != "MEA" || len(p.Airports) < 2 {
		t.Fatalf("PlaceOf(MEA) = %+v, %v", p, ok)
	}
	for i, a := range p.Airports[1:] {
		if !a.Airport.Scheduled || a.Airport.Country != "BR" || a.Km > farthestByRoad || a.Ground <= 0 || i > 0 &&
			a.Km < p.Airports[i].Km {
			t.Errorf("by way of %s, %d km, %s", a.Airport.IATA, a.Km, a.Ground)
		}
	}
	if p, _ := PlaceOf("AMS"); len(p.Airports) != 1 {
		t.Errorf("AMS by way of %d airports; want itself", len(p.Airports))
	}
}
