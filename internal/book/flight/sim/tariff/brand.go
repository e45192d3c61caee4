package tariff

import (
	"math"
	"time"

	"gangway/internal/gangway"
)

// A Brand is a fare that airlines sell: its price and its rules.
type Brand struct {
	letter   string // used in offer ids
	Name     string
	FareType gangway.FareType
	holds    time.Duration // how long seats are held before payment
	atOnce   bool          // sold for immediate ticketing; holds is only the time to do that
	round    int           // cents added before a fare is cut to whole dollars
	mille    func(advance, demand int) int
}

// The model of fares is plausible, not calibrated. advance and demand are per mille, and so is the
// result, of the base fare. Flex is no cheaper far ahead than a month ahead, so that Marine is always well
// below it; for the same reason one is rounded down and the other up.
var (
	Light = &Brand{
		letter: "l", Name: "Light", FareType: gangway.Public, holds: 30 * time.Minute, atOnce: true,
		mille: func(a, d int) int { return 800 * a / 1000 * d / 1000 },
	}
	Classic = &Brand{
		letter: "c", Name: "Classic", FareType: gangway.Public, holds: 24 * time.Hour, round: 50,
		mille: func(a, d int) int { return a * d / 1000 },
	}
	Flex = &Brand{
		letter: "f", Name: "Flex", FareType: gangway.Public, holds: 72 * time.Hour, round: 99,
		mille: func(a, d int) int { return 1350 * squareRoot(100*max(a, 900)*d) / 10_000 },
	}
	Marine = &Brand{
		letter: "m", Name: "Marine", FareType: gangway.Marine, holds: 72 * time.Hour,
		mille: func(_, d int) int { return 1020 * squareRoot(100_000*d) / 10_000 },
	}
)

// brands lists all brands, with the one that is usually cheapest first.
var brands = []*Brand{Light, Classic, Marine, Flex}

// brandOf returns the brand with a letter.
func brandOf(letter string) (b *Brand, known bool) {
	for _, b := range brands {
		if b.letter == letter {
			return b, true
		}
	}
	return nil, false
}

// BrandNamed returns the brand with a name; for an unknown name, the one that allows least.
func BrandNamed(name string) *Brand {
	for _, b := range brands {
		if b.Name == name {
			return b
		}
	}
	return Light
}

// squareRoot returns the whole part of a square root.
func squareRoot(n int) int { return int(math.Sqrt(float64(n))) } // exact: n is far below 2^53

// TicketBy returns until when a hold made at now must be ticketed: as long as the brand allows, but at the
// latest a day before departure, or two hours from now if less is left. What must be ticketed at once keeps
// its half hour.
func (b *Brand) TicketBy(now, departure time.Time) time.Time {
	by := now.Add(b.holds)
	if last := departure.Add(-24 * time.Hour); !b.atOnce && by.After(last) {
		by = last
		if soon := now.Add(2 * time.Hour); by.Before(soon) {
			by = soon
		}
	}
	if last := departure.Add(-time.Hour); by.After(last) {
		by = last
	}
	return by.Truncate(time.Second).UTC()
}

// PriceUntil returns until when the price of a hold made at now is guaranteed: to the end of the day where
// the journey begins, and never longer than the hold. What must be ticketed at once keeps its price as long
// as its seats.
func (b *Brand) PriceUntil(now, ticketBy time.Time, origin *time.Location) time.Time {
	if end := EndOfDay(now, origin); !b.atOnce && end.Before(ticketBy) {
		return end
	}
	return ticketBy
}

// EndOfDay returns 23:59 of the day at a place; in the last minute of a day, that of the next.
func EndOfDay(now time.Time, loc *time.Location) time.Time {
	y, m, d := now.In(loc).Date()
	end := time.Date(y, m, d, 23, 59, 0, 0, loc)
	if !now.Before(end) {
		end = time.Date(y, m, d+1, 23, 59, 0, 0, loc)
	}
	return end.UTC()
}
