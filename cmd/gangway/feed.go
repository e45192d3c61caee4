package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"time"

	"gangway/internal/accept/poll"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/transport/kinds"
	"gangway/internal/wire"
)

type feedCommand struct {
	Set    feedSet    `cmd:"" help:"Create a feed, or replace the one of its name."`
	List   feedList   `cmd:"" help:"List an account's feeds."`
	Show   feedShow   `cmd:"" help:"Show a feed and how it is doing."`
	Delete feedDelete `cmd:"" help:"Delete a feed. What it has brought is no longer suggested or shown; bookings stay."`
	Run    feedRun    `cmd:"" help:"Fetch a feed now, and say what became of it."`
	Test   feedTest   `cmd:"" help:"Say what a feed would bring. Nothing is stored."`
}

// feedFlags are the flags of every command that may connect to customers' systems.
type feedFlags struct {
	accountFlags
	AllowNetwork []netip.Prefix `placeholder:"CIDR" help:"A private network that customers' systems may be in, as serve was given it. Can be given several times."`
}

// poller opens the account and what fetches its feeds.
func (f feedFlags) poller(t *terminal) (_ *poll.Poller, in store.Scoped, _ gangway.Account, _ error) {
	db, account, err := f.account(t)
	if err != nil {
		return nil, in, account, err
	}
	// What went wrong at the customer's side is said in the command's one sentence.
	log := slog.New(slog.NewTextHandler(t.err, &slog.HandlerOptions{Level: slog.LevelError}))
	return newPoller(db, f.AllowNetwork, t.now, log), db.In(account.Scope()), account, nil
}

// longestFeed bounds the size of a feed in JSON: a mapping, and a transport with certificates.
const longestFeed = 1 << 20

// readFeed reads a feed from a file, or from standard input if the file is "-".
func readFeed(file string, in io.Reader) (gangway.Feed, error) {
	text, err := readPrivate("--file", file, in, longestFeed)
	if err != nil {
		return gangway.Feed{}, err
	}
	f, err := wire.ReadFeed([]byte(text))
	if err != nil {
		return f, gangway.Errorf(gangway.Invalid, "--file: %v", err)
	}
	return f, nil
}

// askFlags say what a customer's system is asked for.
type askFlags struct {
	Surname string       `placeholder:"TEXT" help:"Ask for travellers whose surname begins so."`
	From    gangway.Date `placeholder:"YYYY-MM-DD" help:"With --to: ask for the travel requests of a period."`
	To      gangway.Date `placeholder:"YYYY-MM-DD" help:"The last day of the period."`
	Date    gangway.Date `placeholder:"YYYY-MM-DD" help:"Ask for the crew changes, or the travel requests, of a day."`
}

func (a askFlags) check() error {
	if err := a.checkDates(); err != nil {
		return err
	}
	given := 0
	for _, is := range []bool{a.Surname != "", a.From+a.To != "", a.Date != ""} {
		if is {
			given++
		}
	}
	if given > 1 {
		return wrongUsage("a feed is asked by --surname, by --from and --to, or by --date")
	}
	return nil
}

// checkDates checks the days, whatever else is asked for.
func (a askFlags) checkDates() error {
	for _, d := range []struct {
		flag string
		date gangway.Date
	}{{"--from", a.From}, {"--to", a.To}, {"--date", a.Date}} {
		if d.date != "" && !d.date.Valid() {
			return wrongUsage("%s is a date as in 2026-12-01", d.flag)
		}
	}
	switch {
	case (a.From == "") != (a.To == ""):
		return wrongUsage("--from and --to go together")
	case a.From > a.To:
		return wrongUsage("--from %s is after --to %s", a.From, a.To)
	}
	return nil
}

// of returns what a feed of a flow is asked for. Of travel requests, a day is a period. Invalid: such a feed is asked
// for something else.
func (a askFlags) of(flow gangway.Flow) (gangway.Ask, error) {
	ask := gangway.Ask{Surname: a.Surname, From: a.From, To: a.To, Date: a.Date}
	way := "is fetched whole: it is asked for nothing"
	switch flow {
	case gangway.TravellerLookupFlow:
		if ask == (gangway.Ask{Surname: ask.Surname}) {
			return ask, nil
		}
		way = "is asked with --surname"
	case gangway.TravelRequestsFlow:
		if ask.Date != "" {
			ask = gangway.Ask{From: ask.Date, To: ask.Date}
		}
		if ask.Surname == "" {
			return ask, nil
		}
		way = "is asked with --from and --to, or with --date"
	case gangway.CrewChangesFlow:
		if ask == (gangway.Ask{Date: ask.Date}) {
			return ask, nil
		}
		way = "is asked with --date"
	}
	if ask == (gangway.Ask{}) {
		return ask, nil
	}
	return ask, gangway.Errorf(gangway.Invalid, "a feed of flow %s %s", flow, way)
}

// openSample opens a document to try a feed with, or standard input if the file is "-".
func openSample(file string, in io.Reader) (*poll.Sample, func(), error) {
	d, done, err := openDocument("--sample", file, in)
	return &poll.Sample{Name: d.Name, Body: d.Body}, done, err
}

// openDocument opens a document that a flag names, or standard input if the file is "-".
func openDocument(flag, file string, in io.Reader) (d poll.Document, done func(), err error) {
	if file == "-" {
		return poll.Document{Body: in}, func() {}, nil
	}
	f, err := os.Open(file)
	if err != nil {
		return d, nil, gangway.Errorf(gangway.Invalid, "%s cannot be read: %v", flag, err)
	}
	d = poll.Document{Name: filepath.Base(file), Body: f}
	if about, err := f.Stat(); err == nil && about.Mode().IsRegular() { // a pipe has no size yet
		d.Size = about.Size()
	}
	return d, func() { f.Close() }, nil
}

// asked reports whether a feed is asked when somebody needs it, instead of being fetched by itself.
func asked(f gangway.Feed) bool {
	kind, err := kinds.Find(f.Transport.Kind)
	return err == nil && f.Asked(kind.Live)
}

// How long a command waits for a feed that is being fetched, and how often it looks again. A server fetches a feed as
// soon as it is set, and scripts set one and run it.
const (
	feedBusy = 2 * time.Minute
	feedLook = 200 * time.Millisecond
)

// whenFree does what needs a feed for itself, once nobody else fetches it.
func whenFree(t *terminal, name string, do func() error) error {
	for end, told := t.now().Add(feedBusy), false; ; told = true {
		err := do()
		if gangway.KindOf(err) != gangway.Conflict || errors.Is(err, store.ErrFeedLost) || t.now().After(end) {
			return err
		}
		if !told {
			fmt.Fprintf(t.err, "gangway: feed %s is being fetched; waiting for that to end\n", name)
		}
		select {
		case <-t.ctx.Done():
			return err
		case <-time.After(feedLook):
		}
	}
}

// interrupted returns why a command was ended before it was done.
func interrupted(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return gangway.Errorf(gangway.Unavailable, "it was interrupted; what was fetched goes on with the next run")
	}
	return err
}
