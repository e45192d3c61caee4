package main

import (
	"fmt"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/transport/kinds"
	"gangway/internal/wire"
)

type feedSet struct {
	feedFlags
	File   string `required:"" placeholder:"FEED.json" help:"The feed: {\"name\": …, \"flow\": …, \"every\": …, \"transport\": {\"kind\": …}, \"format\": …, \"mapping\": …}; - reads it from standard input. Secrets are kept sealed, and stay where they are left out."`
	Sample string `placeholder:"FILE" help:"A document to try the feed with first: where all of its records would be refused, nothing is set; - reads it from standard input."`
}

// Run sets the feed and says what it did.
func (c *feedSet) Run(t *terminal) error {
	f, err := readFeed(c.File, t.in)
	if err != nil {
		return err
	}
	poller, in, account, err := c.poller(t)
	if err != nil {
		return err
	}
	if c.Sample != "" {
		sample, done, err := openSample(c.Sample, t.in)
		if err != nil {
			return err
		}
		defer done()
		if trial, err := poller.Try(t.ctx, in, f, sample, gangway.Ask{}); err != nil {
			return err
		} else if trial.StoresNothing() {
			return gangway.Errorf(gangway.Invalid, "nothing was set: nothing of the sample would be stored (gangway "+
				"feed test says why). Leave out --sample to set the feed all the same")
		}
	}
	created, err := poller.Set(t.ctx, in, t.actor(), f)
	if err != nil {
		return err
	}
	stored, err := in.Feed(t.ctx, f.Name)
	if err != nil {
		return err
	}
	did := "replaced"
	if created {
		did = "created"
	}
	return c.print(t, setFeed{f.Name, created, stored.Due}, fmt.Sprintf("Feed %s of %s, %s, was %s: %s by %s, %s.\n",
		f.Name, account.Customer.Name, account.Environment, did, f.Flow, f.Transport.Kind, whenWords(stored.Feed)))
}

// setFeed is the answer of feed set.
type setFeed struct {
	Feed    string    `json:"feed"`
	Created bool      `json:"created"`
	Due     time.Time `json:"due,omitzero"` // when it is fetched by itself
}

// whenWords says when a feed is fetched.
func whenWords(f gangway.Feed) string {
	kind, err := kinds.Find(f.Transport.Kind)
	switch {
	case f.Off:
		return "off"
	case err != nil:
		return "of a kind that this program does not know"
	case f.ByHand():
		return "when somebody gives a document"
	case f.Asked(kind.Live):
		return "asked when somebody needs it"
	}
	return "every " + wire.Interval(f.Interval(kind.Live))
}

type feedDelete struct {
	Name string `arg:"" help:"The feed's name."`
	feedFlags
}

// Run deletes the feed and says how many records went with it.
func (c *feedDelete) Run(t *terminal) error {
	poller, in, _, err := c.poller(t)
	if err != nil {
		return err
	}
	n, err := poller.Delete(t.ctx, in, t.actor(), c.Name)
	if err != nil {
		return interrupted(t.ctx, err)
	}
	deleted := struct {
		Deleted string `json:"deleted"`
		Removed int    `json:"removed"`
	}{c.Name, n}
	return c.print(t, deleted, fmt.Sprintf(
		"Feed %s was deleted, and %s that only it had brought. Bookings stay.\n", c.Name, countOf(n, "record")))
}

// countOf says how many things of a kind there are.
func countOf(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprint(n, " ", what, "s")
}
