package main

import (
	"cmp"
	"context"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/samplebookings"
	"gangway/internal/store"

	"golang.org/x/sync/errgroup"
)

type sampleCommand struct {
	Bookings sampleBookings `cmd:"" help:"Make up bookings of three years, in development only; nobody is told of them."`
	Remove   sampleRemove   `cmd:"" help:"Remove all bookings that were made up."`
}

type sampleBookings struct {
	accountFlags
	Count int          `default:"5000" placeholder:"N" help:"How many (${default})."`
	Seed  int64        `default:"1" placeholder:"S" help:"Another seed makes up other bookings (${default})."`
	Until gangway.Date `placeholder:"YYYY-MM-DD" help:"The day before which everything happens; without it, today."`
}

// What sample bookings can be made: up to so many at a time, and from the first day on whose prices are known.
const (
	mostSamples  = 10_000_000
	firstSamples = gangway.Date("2000-01-01")
)

func (c *sampleBookings) check() error {
	switch {
	case c.Count < 1 || c.Count > mostSamples:
		return wrongUsage("--count is a number from 1 to %d", mostSamples)
	case c.Until != "" && (!c.Until.Valid() || c.Until < firstSamples):
		return wrongUsage("--until is a date as in 2026-12-01, from %s on", firstSamples)
	}
	return gangway.Account{Environment: gangway.Environment(c.Environment)}.AdmitsSamples()
}

// samplesAtOnce is how many bookings are made up and written in one go.
const samplesAtOnce = 200

// samplesMemory is what a maker and a writer get by with. Without a limit, garbage doubles it.
const samplesMemory = 110 << 20

// A sampleAnswer is the answer of sample bookings.
type sampleAnswer struct {
	Customer    string              `json:"customer"`
	Environment gangway.Environment `json:"environment"`
	Seed        int64               `json:"seed"`
	Count       int                 `json:"count"`
	Until       gangway.Date        `json:"until"`
	Made        int                 `json:"made"`
	There       int                 `json:"there"` // already
}

// Run makes up the bookings that are not there yet, and writes them while the next ones are made up.
func (c *sampleBookings) Run(t *terminal) error {
	today := gangway.DateOf(t.now().UTC())
	c.Until = cmp.Or(c.Until, today)
	if c.Until > today {
		return gangway.Errorf(gangway.Invalid, "--until is %s at the latest: nothing has happened after that", today)
	}
	db, account, err := c.account(t)
	if err != nil {
		return err
	}
	in := db.In(account.Scope())
	plan := samplebookings.Plan{Account: account, Seed: c.Seed, Count: c.Count, Until: c.Until}
	maker, err := samplebookings.New(plan)
	if err != nil {
		return err
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(samplesMemory))
	answer := sampleAnswer{Customer: account.Customer.ID, Environment: account.Environment, Seed: c.Seed,
		Count: c.Count, Until: c.Until}
	done := progress{t: t, what: "bookings", of: c.Count}
	err = eachBatch(t.ctx, maker, in, func(b samplebookings.Batch) error {
		if err := in.AddSamples(t.ctx, b.New); err != nil {
			return err
		}
		answer.Made, answer.There = answer.Made+len(b.New), answer.There+b.There
		done.show(answer.Made + answer.There)
		return nil
	})
	done.clear()
	if t.ctx.Err() != nil && answer.Made+answer.There < c.Count {
		return gangway.Errorf(gangway.Unavailable, "it was interrupted after %d of %d bookings: run again, it makes "+
			"the others", answer.Made+answer.There, c.Count)
	}
	if err == nil && answer.Made > 0 {
		err = db.RefreshStatistics(t.ctx)
	}
	if err != nil {
		return err
	}
	return c.print(t, answer, answer.words(account))
}

// eachBatch makes up batches while write writes the one before.
func eachBatch(ctx context.Context, maker *samplebookings.Maker, in store.Scoped,
	write func(samplebookings.Batch) error) error {
	both, ctx := errgroup.WithContext(ctx)
	batches := make(chan samplebookings.Batch, 2) // neither waits for the other's slow ones
	both.Go(func() error {
		defer close(batches)
		there := func(ids []string) (map[string]bool, error) { return in.BookingsThere(ctx, ids) }
		for b, err := range maker.Batches(ctx, samplesAtOnce, there) {
			if err != nil {
				return err
			}
			select {
			case batches <- b:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	both.Go(func() error {
		for b := range batches {
			if err := write(b); err != nil {
				return err
			}
		}
		return nil
	})
	return both.Wait()
}

// words are the answer for people.
func (a sampleAnswer) words(account gangway.Account) string {
	whose := fmt.Sprintf("%s, %s", account.Customer.Name, account.Environment)
	switch {
	case a.Made == 0:
		return fmt.Sprintf("These %d bookings are there already in %s: another seed adds others.\n", a.There, whose)
	case a.There > 0:
		return fmt.Sprintf("%d bookings were made up for %s; %d were there already.\n", a.Made, whose, a.There)
	}
	return fmt.Sprintf("%d bookings were made up for %s.\n", a.Made, whose)
}

type sampleRemove struct {
	accountFlags
}

// A removedSamples is the answer of sample remove.
type removedSamples struct {
	Customer    string              `json:"customer"`
	Environment gangway.Environment `json:"environment"`
	Removed     int                 `json:"removed"`
}

// Run removes the bookings some at a time.
func (c *sampleRemove) Run(t *terminal) error {
	db, account, err := c.account(t)
	if err != nil {
		return err
	}
	answer := removedSamples{account.Customer.ID, account.Environment, 0}
	done := progress{t: t, what: "bookings"}
	err = db.In(account.Scope()).RemoveSamples(t.ctx, func(n int) {
		answer.Removed += n
		done.show(answer.Removed)
	})
	done.clear()
	if t.ctx.Err() != nil {
		return gangway.Errorf(gangway.Unavailable, "it was interrupted after %d bookings: run again, it removes the "+
			"others", answer.Removed)
	}
	if err != nil {
		return err
	}
	return c.print(t, answer, fmt.Sprintf("%d sample bookings of %s, %s, were removed.\n", answer.Removed,
		account.Customer.Name, account.Environment))
}

// A progress says on a terminal how far a command is, in one line that is written over again.
type progress struct {
	t     *terminal
	what  string // as in "bookings"
	of    int    // how many in all; 0: nobody knows
	shown time.Time
	width int
}

// show says that n are done, a few times a second at most.
func (p *progress) show(n int) {
	if terminalWidth(p.t.err) == 0 || time.Since(p.shown) < time.Second/4 {
		return
	}
	p.shown = time.Now()
	text := fmt.Sprintf("%d %s", n, p.what)
	if p.of > 0 {
		text = fmt.Sprintf("%d of %d %s", n, p.of, p.what)
	}
	p.width = max(p.width, len(text))
	fmt.Fprintf(p.t.err, "\r%-*s", p.width, text)
}

// clear takes the line away.
func (p *progress) clear() {
	if p.width > 0 {
		fmt.Fprintf(p.t.err, "\r%s\r", strings.Repeat(" ", p.width))
	}
}
