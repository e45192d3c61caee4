package tariff

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"gangway/internal/book/flight/sim/simtest"
)

// The model gives its sample fares, in dollars, before demand, airline, season and surcharge.
func TestFareModel(t *testing.T) {
	tests := []struct {
		km, stops                                  int
		light45, flex45, classic10, light2, marine int
	}{
		{341, 0, 61, 109, 104, 116, 87},
		{2182, 0, 184, 327, 312, 348, 261},
		{6906, 0, 341, 606, 577, 643, 482},
		{9479, 1, 370, 659, 627, 699, 524},
		{10413, 1, 397, 706, 673, 750, 563},
		{14414, 1, 512, 911, 868, 968, 726},
	}
	for _, tt := range tests {
		for _, c := range []struct {
			brand      *Brand
			days, want int
		}{{Light, 45, tt.light45}, {Flex, 45, tt.flex45}, {Classic, 10, tt.classic10}, {Light, 2, tt.light2},
			{Marine, 2, tt.marine}, {Marine, 90, tt.marine}} {
			cents := baseFare(tt.km) * stopsMille[tt.stops] / 1000 * c.brand.mille(advancePercent(c.days), 1000) / 1000
			if got := float64(cents) / 100; math.Abs(got-float64(c.want)) > 1 {
				t.Errorf("%s, %d km, %d days ahead: %.2f; want %d", c.brand.Name, tt.km, c.days, got, c.want)
			}
		}
	}
}

// Rules that always hold for the brands' fares.
func TestFareInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		days := rapid.IntRange(0, 355).Draw(t, "days")
		d := rapid.SampledFrom(demands[:]).Draw(t, "demand").mille
		km := rapid.IntRange(90, 16_000).Draw(t, "km")
		of := func(b *Brand, days int) int { return baseFare(km) * b.mille(advancePercent(days), d) / 1000 }
		if l, m, f := of(Light, 45), of(Marine, days), of(Flex, days); l >= m || m >= f {
			t.Fatalf("Light at 45 days %d, Marine %d, Flex %d; want them in this order", l, m, f)
		}
		if m, f := of(Marine, days), of(Flex, days); m*100 > f*80 || m*100 < f*55 {
			t.Fatalf("Marine %d, Flex %d, %d days ahead; want Marine 20 to 45 %% below", m, f, days)
		}
		if days <= 6 && of(Marine, days) >= of(Light, days) {
			t.Fatalf("Marine %d, Light %d, %d days ahead; want Marine below", of(Marine, days), of(Light, days), days)
		}
		if of(Marine, days) != of(Marine, 0) {
			t.Fatal("a marine fare depends on the days ahead")
		}
	})
}

func TestTicketBy(t *testing.T) {
	tests := []struct {
		brand *Brand
		ahead time.Duration // time before departure
		want  time.Duration // time to the deadline
	}{
		{Light, 30 * 24 * time.Hour, 30 * time.Minute}, {Light, 2 * time.Hour, 30 * time.Minute},
		{Classic, 30 * 24 * time.Hour, 24 * time.Hour}, {Classic, 40 * time.Hour, 16 * time.Hour},
		{Marine, 30 * 24 * time.Hour, 72 * time.Hour}, {Marine, 80 * time.Hour, 56 * time.Hour},
		{Marine, 20 * time.Hour, 2 * time.Hour}, {Flex, 25 * time.Hour, 2 * time.Hour},
		{Flex, 2 * time.Hour, time.Hour},
	}
	for _, tt := range tests {
		if got := tt.brand.TicketBy(simtest.Today, simtest.Today.Add(tt.ahead)).Sub(simtest.Today); got != tt.want {
			t.Errorf("%s, %s before departure: held for %s; want %s", tt.brand.Name, tt.ahead, got, tt.want)
		}
	}
}
