// Command bench measures the parts of Gangway that customers and bookers wait for, each beside a floor: the bare
// work, written here with nothing around it.
//
//	go run ./internal/bench [-database sqlite|postgres] [-write docs/performance.md] [NAME…]
//
// The floor and Gangway take turns, and the ratio is the median of all turns. Both meet the same conditions in each
// turn, so other work on the machine hardly changes the ratio. The times beside it do change.
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
	ours    string  // the work that is timed
	floor   string  // the bare work beside it
	minimum float64 // how much of the floor's speed Gangway has at least; 0: no minimum
	prepare func(ctx context.Context, p *place) (contest, error)
}

// measurements are the lines of the table, in its order.
var measurements = []measurement{
	{"upload", "10,000 new travellers are posted as JSON",
		"decode, encode, write in bulk", 0.30, uploadContest},
	{"suggestion", "ten of 50,000 travellers are listed for three letters",
		"one indexed query, its rows as JSON", 0, suggestionContest},
	{"receipt", "from the commit of an action to the customer's system, 100 a second",
		"post a document after writing it", 0.05, receiptContest},
	{"push", "500 waiting actions are delivered to one system",
		"write and post 500 documents, 16 at a time", 0.05, pushContest},
	{"pull", "250 bookings are pulled",
		"one query, each record decoded and encoded", 0.25, pullContest},
	{"search", "flights are found for a crew of eight",
		"join and sort an invented timetable eight times", 0, searchContest},
	{"crew-page", "the page of a crew change of 40, found",
		"a template with 40 rows of 60 texts", 0, pageContest(40, 40)},
	{"results-page", "the page of one traveller's flights, found",
		"a template with 30 rows of 60 texts", 0, pageContest(1, 30)},
	{"report-Q1", "the first 1,000 rows, whole", "the same query, prepared, rows as JSON", 1.50, reportContest(0)},
	{"report-Q2", "three months in a state, 100 rows", "the same", 0.70, reportContest(1)},
	{"report-Q3", "a piece of a surname", "the same", 0.90, reportContest(2)},
	{"report-Q4", "50 rows after 5,000", "the same", 0.70, reportContest(3)},
	{"report-Q5", "counted, by state and price, 100 rows", "the same", 0.70, reportContest(4)},
	{"report-Q6", "five columns of 1,000 rows", "the same", 0.70, reportContest(5)},
	{"report-Q7", "one row by its key", "the same", 0.70, reportContest(6)},
	{"feed", "40,000 travellers are fetched as CSV and mapped by a program",
		"decode, encode, write in bulk", 0.25, feedContest},
}

// A contest is the bare work and Gangway's, and how many rounds they have.
type contest struct {
	rounds      int
	floor, ours side
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
	floor, ours time.Duration // medians
	ratio       float64       // the median of the rounds' ratios
}

// compare runs a contest. The first of each round alternates, and a round before the first one is not counted.
func compare(ctx context.Context, c contest) (r result, err error) {
	var times [2][]time.Duration
	var ratios []float64
	sides := [2]side{c.floor, c.ours}
	for round := range c.rounds + 1 {
		var took [2]time.Duration
		for turn := range sides {
			side := (turn + round) % 2
			if took[side], err = sides[side](ctx, round); err != nil {
				return r, fmt.Errorf("%s: %w", [2]string{"floor", "ours"}[side], err)
			}
		}
		if round > 0 {
			times[0], times[1] = append(times[0], took[0]), append(times[1], took[1])
			ratios = append(ratios, took[0].Seconds()/took[1].Seconds())
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
		return run(ctx, kinds, names, *page)
	})
}

// run measures, prints the table and reports whether every minimum was met.
func run(ctx context.Context, kinds, names []string, page string) (met bool, err error) {
	chosen, err := choose(names)
	if err != nil {
		return false, err
	}
	folder, err := os.MkdirTemp("", "gangway-bench.")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(folder)
	path, err := program.Build(ctx, folder)
	if err != nil {
		return false, err
	}
	results := map[[2]string]result{} // by measurement and database
	fmt.Println("measurement   database       floor     Gangway  ratio  minimum   in all")
	met = true
	for _, kind := range kinds {
		all, err := measure(ctx, &place{kind: kind, folder: folder, path: path}, chosen, results)
		if err != nil {
			return false, err
		}
		met = met && all
	}
	if page != "" {
		return met, writePage(ctx, page, chosen, results)
	}
	return met, nil
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
func measure(ctx context.Context, p *place, chosen []measurement, results map[[2]string]result) (met bool, err error) {
	defer func() { err = errors.Join(err, p.close()) }()
	if err := p.open(ctx); err != nil {
		return false, fmt.Errorf("prepare %s: %w", p.kind, err)
	}
	met = true
	for _, m := range chosen {
		began := time.Now()
		c, err := m.prepare(ctx, p)
		if err != nil {
			return false, fmt.Errorf("prepare %s on %s: %w", m.name, p.kind, err)
		}
		r, err := compare(ctx, c)
		if err != nil {
			return false, fmt.Errorf("%s on %s: %w", m.name, p.kind, err)
		}
		results[[2]string{m.name, p.kind}] = r
		verdict := ""
		if r.ratio < m.minimum {
			met, verdict = false, "  MISSED"
		}
		fmt.Printf("%-12s  %-8s  %10s  %10s  %5.2f  %7s  %9s%s\n", m.name, p.kind, short(r.floor), short(r.ours),
			r.ratio, m.least(), short(time.Since(began)), verdict)
	}
	return met, nil
}

// least writes the minimum, or a dash if there is none.
func (m measurement) least() string {
	if m.minimum == 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f", m.minimum)
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
