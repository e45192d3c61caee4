// Command bench measures what Gangway adds to the bare work: each figure is shown beside its
// floor, a measurement of the same work with nothing around it, written next to it.
//
//	go run ./internal/bench [upload] [document] [feed] [suggest] [receipt] [delivery] [others] [growth] [pull] \
//		[bookings] [report] [flights] [page]
//
// SQLite is measured in a temporary folder; PostgreSQL on the server named in
// GANGWAY_TEST_POSTGRES (scripts/postgres starts a throw-away one), in databases
// of its own that are dropped at the end. Floor and ours take turns, and medians
// are compared, so that other work on the machine slows both alike.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"text/tabwriter"
	"time"

	"gangway/internal/gangway"
)

// measures lists what can be measured, in the order of the table. To add one,
// write a file with a function of this shape and a line here.
var measures = []struct {
	name string
	run  func(ctx context.Context, p place, s scale) ([]line, error)
	once bool // it does not depend on the database
}{
	{"upload", measureUpload, false},
	{"document", measureDocument, false},
	{"feed", measureFeed, false},
	{"suggest", measureSuggest, false},
	{"receipt", measureReceipt, false},
	{"delivery", measureDelivery, false},
	{"others", measureOthers, false},
	{"growth", measureGrowth, false},
	{"pull", measurePull, false},
	{"bookings", measureBookings, false},
	{"report", measureReport, false},
	{"flights", measureFlights, true},
	{"page", measurePage, false},
}

// A scale says how much is measured.
type scale struct {
	repeats    int    // of an upload
	document   int    // records of a long document
	travellers int    // among whom suggestions are looked up
	lookups    int    // of suggestions
	actions    int    // whose time to the customer is measured
	deliveries int    // waiting actions that are delivered
	history    int    // actions that an account has delivered
	waiting    int    // actions that wait to be pulled
	bookings   int    // of the larger account whose lists are read
	looks      int    // queries of each kind on either account's bookings
	rows       int    // of the report
	query      string // the one query of the report to measure; empty: all, and the rest
	only       string // the one kind of database to measure; empty: both
	keep       string // folder for databases that take long to fill
	profile    string // folder for processor profiles of the pages
}

// A line is one row of the table.
type line struct {
	measure     string
	floor, ours time.Duration
	spread      string  // from the fastest to the slowest, floor and ours
	ratio       float64 // ours to the floor's
	target      float64
	atMost      bool          // the target is an upper bound, as for a wait
	orMost      time.Duration // with a ratio: ours may always be this long
	most        time.Duration // instead of a ratio: how much longer than the floor ours may be

	got, want string // instead of the above, if it is not a time
	ok        bool
}

// within is a line for something without a floor that must not take longer than most.
func within(measure string, ours, most time.Duration) line {
	return line{measure: measure, ours: ours, most: most}
}

func (l line) met() bool {
	if l.want != "" {
		return l.ok
	}
	if l.most > 0 {
		return l.ours-l.floor <= l.most
	}
	if l.atMost {
		return l.ratio <= l.target || l.ours <= l.orMost
	}
	return l.ratio >= l.target
}

// compared returns how ours compares with the floor, and the target.
func (l line) compared() (got, want string) {
	switch {
	case l.want != "":
		return l.got, l.want
	case l.most > 0 && l.floor == 0:
		return short(l.ours), "≤ " + short(l.most)
	case l.most > 0:
		return "+" + short(l.ours-l.floor), "≤ +" + short(l.most)
	case l.atMost && l.orMost > 0:
		return fmt.Sprintf("%.2f", l.ratio), fmt.Sprintf("≤ %.2f or %s", l.target, short(l.orMost))
	case l.atMost:
		return fmt.Sprintf("%.2f", l.ratio), fmt.Sprintf("≤ %.2f", l.target)
	}
	return fmt.Sprintf("%.2f", l.ratio), fmt.Sprintf("≥ %.2f", l.target)
}

func main() {
	if task := os.Getenv(childTask); task != "" {
		if err := child(context.Background(), task); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	var s scale
	flag.IntVar(&s.repeats, "repeats", 15, "uploads of each kind")
	flag.IntVar(&s.document, "document", 1_000_000, "records of a long document")
	flag.IntVar(&s.travellers, "travellers", 1_000_000, "travellers among whom suggestions are looked up")
	flag.IntVar(&s.lookups, "lookups", 4000, "suggestions looked up")
	flag.IntVar(&s.actions, "actions", 1000, "actions whose time to the customer is measured, a hundred a second")
	flag.IntVar(&s.deliveries, "deliveries", 6000, "waiting actions that are delivered, to one receiver and to fifty")
	flag.IntVar(&s.history, "history", 1_000_000, "delivered actions in the account whose deliveries may cost no "+
		"more; 10000000 take 13 GB and half an hour to write")
	flag.IntVar(&s.waiting, "waiting", 750_000, "actions that wait to be pulled, three for each booking")
	flag.IntVar(&s.bookings, "bookings", 1_000_000, "bookings of the larger account whose lists are read")
	flag.IntVar(&s.looks, "looks", 300, "queries of each kind on either account's bookings")
	flag.IntVar(&s.rows, "rows", 1_000_000, "rows of the report")
	flag.StringVar(&s.query, "query", "", "measure one `query` of the report alone: Q1 to Q8, pages, commits")
	flag.StringVar(&s.only, "only", "", "measure on `sqlite` or postgres alone")
	flag.StringVar(&s.keep, "keep", "", "`folder` that remembers the databases of bookings and of the report, to measure "+
		"them again without filling them")
	flag.StringVar(&s.profile, "profile", "", "`folder` for a processor profile of each kind of page, and of what serves "+
		"the report")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	met, err := run(ctx, s, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	if !met {
		os.Exit(2)
	}
}

// run measures what was requested, prints the table and reports whether every target was met.
func run(ctx context.Context, s scale, wanted []string) (met bool, err error) {
	folder, err := os.MkdirTemp("", "gangway-bench.")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(folder)
	list, made := places(s, folder)
	defer func() {
		// Also after an error or Ctrl-C, which ends ctx.
		err = errors.Join(err, made.drop(context.WithoutCancel(ctx)))
	}()
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "measure\tdatabase\tfloor\tours\tratio\ttarget\t\tfloor, ours from – to")
	met = true
	for _, m := range measures {
		if len(wanted) > 0 && !slices.Contains(wanted, m.name) {
			continue
		}
		for i, p := range list {
			if m.once && i > 0 {
				break
			}
			if m.once {
				p.name = "–"
			}
			lines, err := m.run(ctx, p, s)
			if err != nil {
				return false, fmt.Errorf("%s on %s: %w", m.name, p.name, err)
			}
			for _, l := range lines {
				verdict := "met"
				if !l.met() {
					met, verdict = false, "MISSED"
				}
				compared, target := l.compared()
				fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", l.measure, p.name, orDash(l.floor),
					orDash(l.ours), compared, target, verdict, l.spread)
			}
		}
	}
	return met, table.Flush()
}

// operator is recorded in the audit log as the author of the test data.
var operator = gangway.ByCommand("bench", "bench")

// median returns the middle of list, which it sorts.
func median(list []time.Duration) time.Duration { return quantile(list, 0.5) }

// quantile returns the q quantile of list, which it sorts.
func quantile(list []time.Duration, q float64) time.Duration {
	slices.Sort(list)
	return list[min(len(list)-1, int(q*float64(len(list))))]
}

// spread returns the ranges of the values of floor and ours.
func spread(floor, ours []time.Duration) string {
	return fmt.Sprintf("%s – %s, %s – %s", short(slices.Min(floor)), short(slices.Max(floor)), short(slices.Min(ours)),
		short(slices.Max(ours)))
}

// orDash writes d, or a dash if there is none.
func orDash(d time.Duration) string {
	if d == 0 {
		return "–"
	}
	return short(d)
}

// short writes d with a readable precision.
func short(d time.Duration) string {
	switch {
	case d >= 10*time.Millisecond:
		return d.Round(100 * time.Microsecond).String()
	case d >= time.Millisecond:
		return d.Round(10 * time.Microsecond).String()
	}
	return d.Round(time.Microsecond).String()
}
