package world

import (
	"fmt"
	"io"
	"math"
	"slices"
	"sync"
)

// FactorSet is the name of the factors embedded in the program.
const FactorSet = "desnz-2025"

// MethodDESNZ multiplies kilometres by a factor for haul and cabin, as published by
// the UK government. Method and factor set are kept with every booking, since both
// change over the years.
const MethodDESNZ = "desnz"

// An Emission is the greenhouse gas that one passenger causes on one flight, in
// kilograms of CO2 equivalent.
type Emission struct {
	Km        int     // great circle, rounded
	Haul      string  // "domestic", "short", "long" or "intl"
	Kg        float64 // without radiative forcing
	KgRF      float64 // with radiative forcing
	KgWTT     float64 // for producing and transporting the fuel (well to tank); 0 if unknown
	Method    string  // MethodDESNZ
	FactorSet string  // "desnz-2025"
}

// Factors is a set of emission factors: kilograms per passenger and kilometre
// for each haul and cabin. It is immutable.
type Factors struct {
	name string
	by   [4][5]factor // by haul and cabin, in the order of hauls and cabins
}

type factor struct{ kg, kgRF, kgWTT float64 }

// hauls lists the kinds of flight that have factors of their own, as seen from the
// United Kingdom; cabins lists the cabins from the lowest up. The average comes before
// them: it is used for a haul without cabins of its own.
var (
	hauls  = []string{"domestic", "short", "long", "intl"}
	cabins = []string{"average", "economy", "premium", "business", "first"}
)

// DefaultFactors returns the factors embedded in the program.
//
// Source: UK DESNZ, "Greenhouse gas reporting: conversion factors 2025",
// business travel by air. They include the 8 % uplift for detours.
var DefaultFactors = sync.OnceValue(func() *Factors {
	f, err := files.Open("data/co2_factors.csv")
	if err != nil {
		panic(fmt.Sprintf("world: open co2_factors.csv: %v", err))
	}
	defer f.Close()
	set, err := ReadFactors(f)
	if err != nil {
		panic(fmt.Sprintf("world: read co2_factors.csv: %v", err))
	}
	return set
})

// ReadFactors reads a set of factors from a CSV file with the columns of
// data/co2_factors.csv. A file holds one set, with at least the average of each
// haul; wtt_pkm may be empty. An error names the line and the column that is wrong.
func ReadFactors(r io.Reader) (*Factors, error) {
	f := &Factors{}
	seen := map[[2]int]int{} // haul and cabin → line
	err := readCSV(r, []string{"set", "haul", "cabin", "kgco2e_pkm_with_rf", "kgco2e_pkm_without_rf", "wtt_pkm"},
		func(row csvRow) error {
			switch set := row.cells[0]; {
			case set == "":
				return row.wrong(0, "the set has no name")
			case f.name != "" && f.name != set:
				return row.wrong(0, "a file must hold one set, and this one began with %q", f.name)
			default:
				f.name = set
			}
			haul, err := row.oneOf(1, hauls)
			if err != nil {
				return err
			}
			cabin, err := row.oneOf(2, cabins)
			if err != nil {
				return err
			}
			if line := seen[[2]int{haul, cabin}]; line > 0 {
				return row.wrong(2, "%s on haul %s is in line %d already", cabins[cabin], hauls[haul], line)
			}
			seen[[2]int{haul, cabin}] = row.line
			f.by[haul][cabin], err = readFactor(row)
			return err
		})
	if err != nil {
		return nil, err
	}
	for h, haul := range hauls {
		if seen[[2]int{h, 0}] == 0 {
			return nil, fmt.Errorf("column cabin: no line has the average of haul %s", haul)
		}
		for c := range cabins {
			if seen[[2]int{h, c}] == 0 {
				f.by[h][c] = f.by[h][c-1] // the next lower cabin's
			}
		}
	}
	return f, nil
}

// readFactor reads the last three columns of a row.
func readFactor(row csvRow) (f factor, err error) {
	// The highest known factor, first class with radiative forcing, is below half a
	// kilogram: anything above 10 is in another unit.
	const most = 10
	if f.kgRF, err = row.number(3, most); err != nil {
		return f, err
	}
	if f.kg, err = row.number(4, most); err != nil {
		return f, err
	}
	if f.kg > f.kgRF {
		return f, row.wrong(3, "%v is less than the factor without radiative forcing", f.kgRF)
	}
	if row.cells[5] != "" {
		f.kgWTT, err = row.number(5, most)
	}
	return f, err
}

// Name returns the name in the set's first column: "desnz-2025".
func (f *Factors) Name() string { return f.name }

// Flight returns the emission of one passenger on a flight in a cabin: economy,
// premium_economy, business or first. A cabin that the haul lacks counts as the
// next lower one; an unknown cabin counts as the average.
func (f *Factors) Flight(from, to Airport, cabin string) Emission {
	km := int(math.Round(DistanceKm(from, to)))
	h := haulIndex(from, to, km)
	by := f.by[h][cabinOf(cabin)]
	return Emission{
		Km: km, Haul: hauls[h], Kg: float64(km) * by.kg, KgRF: float64(km) * by.kgRF, KgWTT: float64(km) * by.kgWTT,
		Method: MethodDESNZ, FactorSet: f.name,
	}
}

// cabinOf returns the index of a cabin in cabins; an unknown one is the average.
func cabinOf(cabin string) int {
	if cabin == "premium_economy" {
		cabin = "premium"
	}
	return max(0, slices.Index(cabins, cabin))
}

// haulIndex returns the index of a flight's haul in hauls.
func haulIndex(from, to Airport, km int) int {
	switch home, away := from.Country == "GB", to.Country == "GB"; {
	case home && away:
		return 0 // domestic
	case !home && !away:
		return 3 // intl
	case km <= 3700:
		return 1 // short
	}
	return 2 // long
}
