package world

import (
	"fmt"
	"math"
	"sync"
)

// FactorSet names the emission factors in use. It is kept with every booking,
// for the factors change each year.
//
// Source: UK DESNZ, "Greenhouse gas reporting: conversion factors 2025",
// business travel by air. Its 8 % uplift for detours is in the factors already.
const FactorSet = "desnz-2025"

// An Emission is the greenhouse gas of one passenger on one flight.
type Emission struct {
	Km   int     // great circle
	Haul string  // "domestic", "short", "long" or "intl"
	Kg   float64 // CO2 equivalent, without radiative forcing
	KgRF float64 // with radiative forcing
}

type factor struct{ kg, kgRF float64 }

var factors = sync.OnceValue(func() map[[2]string]factor {
	all := map[[2]string]factor{}
	table("co2_factors.csv", 6, func(row []string) {
		if row[0] != FactorSet {
			panic(fmt.Sprintf("world: co2_factors.csv has factors of %s", row[0]))
		}
		all[[2]string{row[1], row[2]}] = factor{kgRF: number(row[3]), kg: number(row[4])}
	})
	return all
})

// cabins lists what the factors call our cabins.
var cabins = map[string]string{"economy": "economy", "premium_economy": "premium", "business": "business", "first": "first"}

// Emissions returns what one passenger causes on a flight in a cabin: economy,
// premium_economy, business or first.
func Emissions(from, to Airport, cabin string) Emission {
	km := int(math.Round(DistanceKm(from, to)))
	e := Emission{Km: km, Haul: haul(from, to, km)}
	f := factorOf(e.Haul, cabins[cabin])
	e.Kg, e.KgRF = float64(km)*f.kg, float64(km)*f.kgRF
	return e
}

// haul sorts a flight as the factors do, which are written from the United Kingdom's side.
func haul(from, to Airport, km int) string {
	switch home, away := from.Country == "GB", to.Country == "GB"; {
	case home && away:
		return "domestic"
	case !home && !away:
		return "intl"
	case km <= 3700:
		return "short"
	}
	return "long"
}

// factorOf returns the factor of a cabin, of the next lower one where the set
// has no such cabin on that haul, and else the average.
func factorOf(haul, cabin string) factor {
	below := map[string]string{"first": "business", "business": "premium", "premium": "economy", "economy": "average", "": "average"}
	for {
		if f, ok := factors()[[2]string{haul, cabin}]; ok || cabin == "average" {
			return f
		}
		cabin = below[cabin]
	}
}
