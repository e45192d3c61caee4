// Command bench measures the parts of Gangway that customers and bookers wait for, each beside one yardstick: plain
// work on the same kind of database.
//
//	go run ./internal/bench [-database sqlite|postgres] [-write docs/performance.md] [NAME…]
//
// The yardstick and Gangway take turns, and the ratio is the median of all turns. Both meet the same conditions in each
// turn, so other work on the machine changes the ratio less than the times.
//
// SQLite is measured in a temporary folder, PostgreSQL on the server that GANGWAY_TEST_POSTGRES names, in databases
// that are dropped at the end. bench uses the program from outside where it can: its commands and HTTP. Only
// booking.go and outlet.go import what is inside.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"gangway/internal/program"
)

// A measurement is a line of the table.
type measurement struct {
	name    string
	timed   string // the work
	prepare func(ctx context.Context, p *place) (contest, error)
}

// measurements are the lines of the table, in its order.
var measurements = []measurement{
	{"upload", "10,000 new travellers are posted as JSON", uploadContest},
	{"suggestion", "ten of 50,000 travellers are listed for three letters", suggestionContest},
	{"receipt", "from the commit of an action to the customer's system, 100 a second", receiptContest},
	{"push", "500 waiting actions are delivered to one system", pushContest},
	{"pull", "250 bookings are pulled", pullContest},
	{"search", "flights are found for a crew of eight", searchContest},
	{"crew-page", "the page of a crew change of 40, found", pageContest(40)},
	{"results-page", "the page of one traveller's flights, found", pageContest(1)},
	{"report-Q1", "the first 1,000 rows, whole", reportContest(0)},
	{"report-Q2", "three months in a state, 100 rows", reportContest(1)},
	{"report-Q3", "a piece of a surname", reportContest(2)},
	{"report-Q4", "50 rows after 5,000", reportContest(3)},
	{"report-Q5", "counted, by state and price, 100 rows", reportContest(4)},
	{"report-Q6", "five columns of 1,000 rows", reportContest(5)},
	{"report-Q7", "one row by its key", reportContest(6)},
	{"feed", "40,000 travellers are fetched as CSV and mapped by a program", feedContest},
}

// A contest is the work of a measurement, and how many rounds it has.
type contest struct {
	rounds int
	ours   side
}

// A side does its work for a round and returns how long that took.
type side func(ctx context.Context, round int) (time.Duration, error)

// each is a side that does something so many times in a round, with another number each time, and returns how long it
// takes once.
func each(times int, do func(ctx context.Context, n int) error) side {
	return func(ctx context.Context, round int) (time.Duration, error) {
		began := time.Now()
		for i := range times {
			if err := do(ctx, round*times+i); err != nil {
				return 0, err
			}
		}
		return time.Since(began) / time.Duration(times), nil
	}
}

// A result is the outcome of a contest.
type result struct {
	yardstick, ours time.Duration // medians
	ratio           float64       // the median of the rounds' ratios
}

// compare runs a contest. The first of each round alternates, and a round before the first one is not counted.
func compare(ctx context.Context, y *yardstick, c contest) (r result, err error) {
	var times [2][]time.Duration
	var ratios []float64
	sides := [2]side{y.lay, c.ours}
	for round := range c.rounds + 1 {
		var took [2]time.Duration
		for turn := range sides {
			side := (turn + round) % 2
			if took[side], err = sides[side](ctx, round); err != nil {
				return r, err
			}
		}
		if round > 0 {
			times[0], times[1] = append(times[0], took[0]), append(times[1], took[1])
			ratios = append(ratios, took[1].Seconds()/took[0].Seconds())
		}
	}
	return result{median(times[0]), median(times[1]), median(ratios)}, nil
}

// median returns the middle of list, which it sorts.
func median[T time.Duration | float64](list []T) T {
	slices.Sort(list)
	return list[len(list)/2]
}

func main() {
	page := flag.String("write", "", "write the table into `page`, between its markers")
	program.Main("bench", func(ctx context.Context, kinds, names []string) (met bool, err error) {
		return true, run(ctx, kinds, names, *page)
	})
}

// run measures and prints the table.
func run(ctx context.Context, kinds, names []string, page string) error {
	chosen, err := choose(names)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "gangway-bench.")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	path, err := program.Build(ctx, folder)
	if err != nil {
		return err
	}
	results := map[[2]string]result{} // by measurement and database
	fmt.Println("measurement   database   yardstick     Gangway    ratio     in all")
	for _, kind := range kinds {
		if err := measure(ctx, &place{kind: kind, folder: folder, path: path}, chosen, results); err != nil {
			return err
		}
	}
	if page != "" {
		return writePage(ctx, page, chosen, results)
	}
	return nil
}

// choose returns the measurements with the names, or all of them.
func choose(names []string) (chosen []measurement, err error) {
	var known []string
	for _, m := range measurements {
		known = append(known, m.name)
		if len(names) == 0 || slices.Contains(names, m.name) {
			chosen = append(chosen, m)
		}
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("there is no measurement %q: choose from %s", name, strings.Join(known, ", "))
		}
	}
	return chosen, nil
}

// measure runs the contests on one kind of database and prints their results.
func measure(ctx context.Context, p *place, chosen []measurement, results map[[2]string]result) (err error) {
	defer func() { err = errors.Join(err, p.close()) }()
	if err := p.open(ctx); err != nil {
		return fmt.Errorf("prepare %s: %w", p.kind, err)
	}
	for _, m := range chosen {
		began := time.Now()
		c, err := m.prepare(ctx, p)
		if err != nil {
			return fmt.Errorf("prepare %s on %s: %w", m.name, p.kind, err)
		}
		r, err := compare(ctx, p.yardstick, c)
		if err != nil {
			return fmt.Errorf("%s on %s: %w", m.name, p.kind, err)
		}
		results[[2]string{m.name, p.kind}] = r
		fmt.Printf("%-12s  %-8s  %10s  %10s  %7.4f  %9s\n", m.name, p.kind, short(r.yardstick), short(r.ours), r.ratio,
			short(time.Since(began)))
	}
	return nil
}

// short writes d with three digits or so.
func short(d time.Duration) string {
	switch {
	case d >= 10*time.Second:
		return d.Round(100 * time.Millisecond).String()
	case d >= 10*time.Millisecond:
		return d.Round(100 * time.Microsecond).String()
	}
	return d.Round(10 * time.Microsecond).String()
}
