package main

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"gangway/internal/background"
	"gangway/internal/store"
)

// A maintenanceTask is work on the database that runs beside serving. do does a part of it, and
// reports whether there was any.
type maintenanceTask struct {
	what string
	do   func(*store.DB, context.Context) (some bool, err error)
	look time.Duration // how often it looks for more work once it has finished
}

var maintenance = []maintenanceTask{
	{"write the words of travellers' names", (*store.DB).WriteTravellerWords, maintenanceLook},
	{"write the traces of records", (*store.DB).Trace, maintenanceLook},
	{"write reports anew", (*store.DB).BuildReports, maintenanceLook},
	{"chain the audit log", (*store.DB).ChainAudit, maintenanceLook},
	{"pack what reports add up", (*store.DB).SumReports, time.Minute},
	{"announce this server", announce, store.ReplicaBeat},
}

// After each part of a task there is a pause as long as the part took, and at least minimum long,
// so that people who upload or type do not notice; and this is how often most finished tasks look
// for more work.
const (
	maintenanceRest = 20 * time.Millisecond
	maintenanceLook = 2 * time.Second
)

// run does the task until ctx ends.
func (c maintenanceTask) run(ctx context.Context, db *store.DB, log *slog.Logger) {
	for {
		rest, some, began := c.look, false, time.Now()
		err := background.Guard(log, c.what, func() (err error) {
			some, err = c.do(db, ctx)
			return err
		})
		switch {
		case ctx.Err() != nil:
			return
		case errors.Is(err, store.ErrAway): // which the store logs itself
		case err != nil:
			log.Warn("could not "+c.what+"; it is tried again", "error", err)
		case some:
			rest = max(maintenanceRest, time.Since(began))
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(rest):
		}
	}
}
