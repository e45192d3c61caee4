// Command attack measures whether anybody can fill the memory of gangway serve:
//
//	go run ./internal/attack [-database sqlite|postgres] [NAME…]
//
// For each attack it starts the real program on a fresh database, fills its caches with
// ordinary work, measures its memory at rest, attacks, and watches: it may use at most 256 MB
// above rest, and after three minutes at most 64 MB. SQLite is attacked in a temporary folder,
// PostgreSQL on the server named in GANGWAY_TEST_POSTGRES, in a database of its own.
//
// It knows the program only from outside, and its memory as Linux counts it (RssAnon: memory
// that does not belong to a file).
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"text/tabwriter"
	"time"
)

const (
	mostAbove  = 256 << 20 // above rest, ever
	stillAbove = 64 << 20  // above rest, once the attack is over
)

// An attack is something that anybody could send.
type attack struct {
	name   string
	before string // its effect before there were bounds
	run    func(ctx context.Context, s *server) (answers, error)
}

func main() {
	only := flag.String("database", "", "the kind of database to attack: sqlite or postgres; both when it is not given")
	settle := flag.Duration("settle", 3*time.Minute, "how long memory has to come down once an attack is over")
	flag.Parse()
	// Ctrl-C ends what was started, and drops the database; a second one ends this program at once.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	met, err := run(ctx, *only, *settle, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "attack:", err)
		os.Exit(1)
	}
	if !met {
		os.Exit(2)
	}
}

func run(ctx context.Context, only string, settle time.Duration, wanted []string) (met bool, err error) {
	folder, err := os.MkdirTemp("", "gangway-attack.")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(folder)
	program := filepath.Join(folder, "gangway")
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", program, "./cmd/gangway")
	if out, err := build.CombinedOutput(); err != nil {
		return false, fmt.Errorf("build: %w: %s", err, out)
	}
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "attack\tdatabase\tbefore\tat rest\tpeak above\tabove after\t\twhat clients saw")
	met = true
	for _, a := range attacks {
		if len(wanted) > 0 && !slices.Contains(wanted, a.name) {
			continue
		}
		for _, kind := range databases() {
			if only != "" && kind != only {
				continue
			}
			r, err := measure(ctx, a, program, folder, kind, settle)
			if err != nil {
				return false, fmt.Errorf("%s on %s: %w", a.name, kind, err)
			}
			verdict := "met"
			if !r.met() {
				met, verdict = false, "MISSED"
			}
			line := fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t%s in %s\t%s\t%s\n", a.name, kind, a.before, mb(r.rest),
				mb(r.peak), mb(r.after), r.settled.Round(time.Second), verdict, r.saw)
			fmt.Fprint(os.Stderr, line) // immediately; the table comes at the end
			fmt.Fprint(table, line)
		}
	}
	return met, table.Flush()
}

// A result is the effect of an attack: memory in bytes, above rest.
type result struct {
	rest, peak, after int64
	settled           time.Duration
	saw               answers
}

// met reports whether memory stayed within its bounds, and no request failed by our fault.
func (r result) met() bool {
	return r.peak <= mostAbove && r.after <= stillAbove && r.saw.failures() == 0
}

func measure(ctx context.Context, a attack, program, folder, kind string, settle time.Duration) (result, error) {
	s, err := start(ctx, program, folder, kind)
	if err != nil {
		return result{}, err
	}
	defer s.stop()
	if err := s.fill(ctx); err != nil {
		return result{}, fmt.Errorf("fill the caches: %w", err)
	}
	var r result
	if r.rest, err = s.atRest(); err != nil {
		return r, err
	}
	watching := s.watch()
	r.saw, err = a.run(ctx, s)
	r.peak = watching() - r.rest
	if err != nil {
		return r, err
	}
	over := time.Now()
	for {
		now, err := s.memory()
		if err != nil {
			return r, err
		}
		r.after, r.settled = now-r.rest, time.Since(over)
		if r.after <= stillAbove || r.settled >= settle {
			return r, nil
		}
		time.Sleep(time.Second)
	}
}

func mb(bytes int64) string { return fmt.Sprintf("%d MB", bytes/1e6) }
