package world

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"gangway/internal/calltest"
)

func TestFactorsGiveThePublishedExamples(t *testing.T) {
	f := calltest.Must(os.Open("testdata/co2_examples.csv"))(t)
	defer f.Close()
	examples := calltest.Must(csv.NewReader(f).ReadAll())(t)
	if len(examples) != 13 {
		t.Fatalf("%d lines of examples; want a heading and 12", len(examples))
	}
	within := func(got, want float64) bool { return math.Abs(got-want) <= want*0.005 }
	for _, ex := range examples[1:] {
		t.Run(fmt.Sprintf("example %s: %s %s", ex[0], ex[1], ex[2]), func(t *testing.T) {
			cabin := ex[2]
			if cabin == "premium" {
				cabin = "premium_economy"
			}
			var kg, kgRF float64
			var hauls []string
			for _, flight := range strings.Split(ex[1], "+") {
				e := DefaultFactors().Flight(airport(t, flight[:3]), airport(t, flight[4:]), cabin)
				kg, kgRF, hauls = kg+e.Kg, kgRF+e.KgRF, append(hauls, e.Haul)
				if e.Method != MethodDESNZ || e.FactorSet != "desnz-2025" || e.KgWTT <= 0 || e.KgWTT >= e.Kg {
					t.Errorf("%s: %+v; want the method, the set and a well-to-tank figure", flight, e)
				}
			}
			if !within(kg, number(ex[6])) || !within(kgRF, number(ex[5])) || strings.Join(hauls, "+") != ex[3] {
				t.Errorf("%.1f kg, %.1f with radiative forcing, %v; want %s, %s, %s", kg, kgRF, hauls, ex[6], ex[5],
					ex[3])
			}
		})
	}
}

func TestHaul(t *testing.T) {
	at := func(country string, km float64) Airport {
		return Airport{Country: country, Lon: km / earthKm * 180 / math.Pi}
	}
	tests := []struct {
		name     string
		from, to string
		km       float64
		haul     string
	}{
		{"within the United Kingdom", "GB", "GB", 647, "domestic"},
		{"within the United Kingdom, however far", "GB", "GB", 12_000, "domestic"},
		{"from the United Kingdom up to 3,700 km", "GB", "GR", 3700.4, "short"},
		{"to the United Kingdom up to 3,700 km", "GR", "GB", 3700.4, "short"},
		{"from the United Kingdom beyond 3,700 km", "GB", "EG", 3700.6, "long"},
		{"to the United Kingdom beyond 3,700 km", "EG", "GB", 3700.6, "long"},
		{"near, between other countries", "NL", "BE", 150, "intl"},
		{"within another country", "US", "US", 150, "intl"},
		{"far, between other countries", "PH", "AE", 6906, "intl"},
		{"nowhere", "", "", 0, "intl"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := DefaultFactors().Flight(at(tt.from, 0), at(tt.to, tt.km), "economy")
			if e.Haul != tt.haul || e.Km != int(math.Round(tt.km)) {
				t.Errorf("%s–%s over %v km is %s over %d; want %s", tt.from, tt.to, tt.km, e.Haul, e.Km, tt.haul)
			}
		})
	}
}

func TestCabinThatAHaulLacks(t *testing.T) {
	lhr, abz, ath, mnl, dxb := airport(t, "LHR"), airport(t, "ABZ"), airport(t, "ATH"), airport(t, "MNL"),
		airport(t, "DXB")
	tests := []struct {
		name       string
		from, to   Airport
		cabin, as  string
		sameFactor bool
	}{
		{"first on short haul is business", lhr, ath, "first", "business", true},
		{"premium economy on short haul is economy", lhr, ath, "premium_economy", "economy", true},
		{"first on domestic flights is the average", lhr, abz, "first", "", true},
		{"economy on domestic flights is the average", lhr, abz, "economy", "", true},
		{"an unknown cabin is the average", mnl, dxb, "steerage", "", true},
		{"business is not economy", lhr, ath, "business", "economy", false},
		{"first is not business where both are known", mnl, dxb, "first", "business", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, as := DefaultFactors().Flight(tt.from, tt.to, tt.cabin), DefaultFactors().Flight(tt.from, tt.to, tt.as)
			if (got == as) != tt.sameFactor {
				t.Errorf("%q: %+v; %q: %+v", tt.cabin, got, tt.as, as)
			}
		})
	}
}

const heading = "set,haul,cabin,kgco2e_pkm_with_rf,kgco2e_pkm_without_rf,wtt_pkm\n"

func TestReadFactorsTakesAnotherSet(t *testing.T) {
	set, err := ReadFactors(strings.NewReader("\ufeff# ours\n" + heading +
		"house-2027,domestic,average,0.2,0.1,\nhouse-2027,short, " +
		"average,0.2,0.1,0.02\nhouse-2027,long,average,0.2,0.1,0.02\n" +
		"house-2027,intl,average,0.2,0.1,0.02\nhouse-2027,intl,business,0.6,0.3,0.06\n"))
	calltest.Done(t, err)
	mnl, dxb := airport(t, "MNL"), airport(t, "DXB")
	e := set.Flight(mnl, dxb, "first")
	km := float64(e.Km)
	want := Emission{Km: e.Km, Haul: "intl", Kg: km * 0.3, KgRF: km * 0.6, KgWTT: km * 0.06, Method: MethodDESNZ,
		FactorSet: "house-2027"}
	if e != want || set.Name() != "house-2027" {
		t.Errorf("%s: %+v; want %+v", set.Name(), e, want)
	}
	if e := set.Flight(airport(t, "LHR"), airport(t, "ABZ"), "economy"); e.KgWTT != 0 || e.Kg == 0 {
		t.Errorf("without a well-to-tank factor: %+v; want none added", e)
	}
	if ours := DefaultFactors().Flight(mnl, dxb, "first"); ours.FactorSet != FactorSet || ours.Kg == e.Kg {
		t.Errorf("reading another set changed the default one: %+v", ours)
	}
}

func TestReadFactorsRefuses(t *testing.T) {
	averages := "s,domestic,average,2,1,1\ns,short,average,2,1,1\ns,long,average,2,1,1\ns,intl,average,2,1,1\n"
	tests := []struct{ name, text, want string }{
		{"an empty file", "", "the file is empty"},
		{"other columns", "set,haul,cabin\n", "line 1: the columns are set,haul,cabin; want set,haul,cabin,kgco2e"},
		{"a set without a name", heading + ",intl,average,2,1,1\n", "line 2, column set: the set has no name"},
		{"two sets", heading + averages + "other,intl,economy,2,1,1\n",
			`line 6, column set: a file must hold one set, and this one began with "s"`},
		{"an unknown haul", heading + averages + "s,medium,economy,2,1,1\n",
			`line 6, column haul: "medium" is not one of domestic, short, long, intl`},
		{"an unknown cabin", heading + "# a remark\n" + averages + "s,intl,Economy,2,1,1\n",
			`line 7, column cabin: "Economy" is not one of average`},
		{"a word", heading + averages + "s,intl,economy,2,much,1\n",
			`line 6, column kgco2e_pkm_without_rf: "much" is not a number`},
		{"a number with a comma", heading + averages + "s,intl,economy,\"2,5\",1,1\n",
			`line 6, column kgco2e_pkm_with_rf: "2,5" is not a number`},
		{"NaN", heading + averages + "s,intl,economy,NaN,1,1\n",
			`line 6, column kgco2e_pkm_with_rf: "NaN" is not a number`},
		{"infinity", heading + averages + "s,intl,economy,2,1,Inf\n", `line 6, column wtt_pkm: "Inf" is not a number`},
		{"zero", heading + averages + "s,intl,economy,0,0,0\n",
			`line 6, column kgco2e_pkm_with_rf: "0" is not a number`},
		{"a negative number", heading + averages + "s,intl,economy,2,-1,1\n",
			`line 6, column kgco2e_pkm_without_rf: "-1" is not a number`},
		{"grams", heading + averages + "s,intl,economy,109,64,16\n",
			`line 6, column kgco2e_pkm_with_rf: "109" is not a number above 0 and up to 10`},
		{"swapped columns", heading + averages + "s,intl,economy,1,2,1\n",
			"line 6, column kgco2e_pkm_with_rf: 1 is less than"},
		{"a column too few", heading + averages + "s,intl,economy,2,1\n", "line 6, column wtt_pkm: missing"},
		{"a column too many", heading + averages + "s,intl,economy,2,1,1,1\n", "line 6, column 7: there are only 6"},
		{"a broken quotation", heading + averages + "s,intl,\"economy,2,1,1\n", "line 6"},
		{"a cabin twice", heading + averages + "s,intl,average,2,1,1\n",
			"line 6, column cabin: average on haul intl is in line 5 already"},
		{"a haul without an average", heading + "s,intl,average,2,1,1\n",
			"column cabin: no line has the average of haul domestic"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if set, err := ReadFactors(strings.NewReader(tt.text)); err == nil || set != nil ||
				!strings.Contains(err.Error(), tt.want) {
				t.Errorf("ReadFactors = %v, %v; want an error with %q", set, err, tt.want)
			}
		})
	}
}

func airport(t *testing.T, code string) Airport {
	t.Helper()
	a, ok := AirportOf(code)
	if !ok {
		t.Fatalf("there is no airport %s", code)
	}
	return a
}
