package tariff

import (
	"math"
	"testing"
	"time"

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
