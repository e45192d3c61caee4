package world

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"sync"
)

// What the Travel Impact Model fixes for all flights.
const (
	timSet        = "tim-3.0.0"
	timTTW        = 3.1894 // kg CO2e of burning a kg of fuel (tank to wake): 74 g/MJ × 43.1 MJ/kg
	timWTT        = 0.6465 // kg CO2e of making and bringing it (well to tank): 15 g/MJ × 43.1 MJ/kg
	timDetour     = 1.052  // distance flown, by that of the great circle, where neither route nor country has its own
	timLoadFactor = 0.845  // passengers by seats, where nothing better is known
	timTerminalNM = 17     // part of the way is flown within landing and take-off
	kmPerNM       = 1.852
)

// timWeights tells how much of the aircraft a seat takes: economy, premium
// economy, business, first.
var timWeights = map[string][4]float64{"narrow": {1, 1, 1.5, 1.5}, "wide": {1, 1.5, 4, 5}}

// A TIM works emissions out as the Travel Impact Model 3.0.0 does: from the fuel
// that a type of aircraft burns over a distance, shared out over cargo, cabins
// and seats taken. It knows only the types in its table.
//
// Source: Travel Impact Model, README of 2025-10-16 (CC BY 4.0).
type TIM struct {
	aircraft map[string]fuelTable // by IATA code
}

// A fuelTable is what one type of aircraft burns.
type fuelTable struct {
	body string  // "narrow" or "wide"
	lto  float64 // kg for landing and take-off
	ccd  []burn  // climb, cruise and descent, nearest first
}

type burn struct{ nm, kg float64 }

// DefaultTIM returns the model with the table that the program brings along:
// the few rows that the model's description prints.
var DefaultTIM = sync.OnceValue(func() *TIM {
	f, err := files.Open("data/co2_tim.csv")
	if err != nil {
		panic(fmt.Sprintf("world: open co2_tim.csv: %v", err))
	}
	defer f.Close()
	t, err := ReadTIM(f)
	if err != nil {
		panic(fmt.Sprintf("world: read co2_tim.csv: %v", err))
	}
	return t
})

// ReadTIM reads a table of aircraft from a CSV whose columns are those of
// data/co2_tim.csv: at least two distances for each type, nearest first. The
// error says in which line and column a file is wrong.
func ReadTIM(r io.Reader) (*TIM, error) {
	t := &TIM{aircraft: map[string]fuelTable{}}
	bodies := []string{"narrow", "wide"}
	first := map[string]int{} // aircraft → its first line
	err := readCSV(r, []string{"aircraft", "body", "distance_nm", "lto_kg", "ccd_kg"}, func(row csvRow) error {
		code := row.cells[0]
		if code == "" {
			return row.wrong(0, "the aircraft has no code")
		}
		body, err := row.oneOf(1, bodies)
		if err != nil {
			return err
		}
		var n [3]float64
		for i, most := range []float64{20_000, 100_000, 1_000_000} {
			if n[i], err = row.number(2+i, most); err != nil {
				return err
			}
		}
		a, known := t.aircraft[code]
		switch {
		case !known:
			a, first[code] = fuelTable{body: bodies[body], lto: n[1]}, row.line
		case a.body != bodies[body]:
			return row.wrong(1, "%s was %s before", code, a.body)
		case a.lto != n[1]:
			return row.wrong(3, "%s had %v before", code, a.lto)
		case a.ccd[len(a.ccd)-1].nm >= n[0]:
			return row.wrong(2, "%v comes after %v; the nearest is first", n[0], a.ccd[len(a.ccd)-1].nm)
		}
		a.ccd = append(a.ccd, burn{nm: n[0], kg: n[2]})
		t.aircraft[code] = a
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, code := range slices.Sorted(maps.Keys(t.aircraft)) {
		if len(t.aircraft[code].ccd) < 2 {
			return nil, fmt.Errorf("line %d, column distance_nm: aircraft %s has no other distance; two at least are needed", first[code], code)
		}
	}
	return t, nil
}

// A TIMFlight is a flight as the Travel Impact Model sees it.
type TIMFlight struct {
	Km         int     // great circle
	Aircraft   string  // IATA code
	Seats      Seats   // of the aircraft
	Cargo      float64 // the share of cargo in the mass carried, 0 to 1
	LoadFactor float64 // passengers by seats; 0 is the model's default
	Detour     float64 // distance flown by that of the great circle; 0 is the model's default
}

// Seats counts the seats of an aircraft by cabin.
type Seats struct{ Economy, Premium, Business, First int }

// A TIMEmission is what the Travel Impact Model says of a flight.
type TIMEmission struct {
	Km     int // great circle
	FuelKg int
	// By passenger in each cabin, also in those that the aircraft lacks, for
	// the seller's cabins and the aircraft's are not always called the same.
	Economy, Premium, Business, First TIMPassenger
}

// A TIMPassenger is what one passenger causes, in kg CO2e.
type TIMPassenger struct {
	TTW float64 // burning the fuel: tank to wake
	WTT float64 // making and bringing it: well to tank
	WTW float64 // both: well to wake
}

// Flight works out the emissions of a flight. It is not known, and ok is false,
// where the table lacks the aircraft or stops too far from the distance, or
// where the flight has no seats: the caller then falls back on Factors.
//
// Every step is rounded as in the model's published example, so that its
// figures come out to the last digit: fuel and the whole flight to the
// kilogram, seats and passengers to the gram.
func (t *TIM) Flight(f TIMFlight) (e TIMEmission, ok bool) {
	a, known := t.aircraft[f.Aircraft]
	weights := timWeights[a.body]
	capacity := float64(f.Seats.Economy)*weights[0] + float64(f.Seats.Premium)*weights[1] + float64(f.Seats.Business)*weights[2] + float64(f.Seats.First)*weights[3]
	load, detour := f.LoadFactor, f.Detour
	if load == 0 {
		load = timLoadFactor
	}
	if detour == 0 {
		detour = timDetour
	}
	if !known || capacity <= 0 || load < 0 || load > 1 || f.Cargo < 0 || f.Cargo >= 1 {
		return e, false
	}
	ccd, ok := a.burn(math.Round(max(0, float64(f.Km)/kmPerNM*detour-timTerminalNM)))
	if !ok {
		return e, false
	}
	fuel := a.lto + math.Round(ccd)
	e.Km, e.FuelKg = f.Km, int(fuel)
	seat := func(factor float64) float64 { // grams of a seat in economy
		passengers := math.Round(math.Round(fuel*factor) * (1 - f.Cargo))
		return math.Round(passengers / capacity * 1000)
	}
	ttw, wtt := seat(timTTW), seat(timWTT)
	for i, p := range []*TIMPassenger{&e.Economy, &e.Premium, &e.Business, &e.First} {
		kg := func(grams float64) float64 { return math.Round(math.Round(grams*weights[i])/load) / 1000 }
		*p = TIMPassenger{TTW: kg(ttw), WTT: kg(wtt), WTW: kg(ttw + wtt)}
	}
	return e, true
}

// Emission returns what one passenger causes in one of our cabins, in the form
// that Factors has it. The model has no figure for radiative forcing.
func (e TIMEmission) Emission(cabin string) Emission {
	p := []TIMPassenger{e.Economy, e.Economy, e.Premium, e.Business, e.First}[cabinOf(cabin)]
	return Emission{Km: e.Km, Kg: p.TTW, KgWTT: p.WTT, Method: MethodTIM, FactorSet: timSet}
}

// burn returns the fuel for a distance, on the line through the two rows of the
// table that are next to it. Outside the table that line holds for as far again
// as those rows are apart; further off it would be a guess, and ok is false.
func (a fuelTable) burn(nm float64) (kg float64, ok bool) {
	i, _ := slices.BinarySearchFunc(a.ccd, nm, func(b burn, nm float64) int {
		if b.nm < nm {
			return -1
		}
		return 1
	})
	i = min(max(i, 1), len(a.ccd)-1)
	low, high := a.ccd[i-1], a.ccd[i]
	step := high.nm - low.nm
	if nm < low.nm-step || nm > high.nm+step {
		return 0, false
	}
	return low.kg + (nm-low.nm)/step*(high.kg-low.kg), true
}
