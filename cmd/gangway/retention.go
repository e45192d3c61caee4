package main

import (
	"fmt"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// keepFlags say how long records are kept, in all accounts. The server deletes older ones.
type keepFlags struct {
	KeepActions       gangway.Kept `default:"ever" placeholder:"AGE" help:"How long a booking's earlier versions are kept (${default}): 90d or more, 24mo, 2y. Who did what, and the latest version, stay."`
	KeepDeliveries    gangway.Kept `default:"ever" placeholder:"AGE" help:"How long deliveries that an outlet has accepted are kept, to be sent again (${default}): 30d or more."`
	KeepAudit         gangway.Kept `default:"ever" placeholder:"AGE" help:"How long entries of the audit log are kept (${default}): 30d or more."`
	KeepRequests      gangway.Kept `default:"30d" placeholder:"AGE" help:"How long the log of customers' requests goes back (${default})."`
	KeepSearches      gangway.Kept `default:"60d" placeholder:"AGE" help:"How long searches are kept, after the flight that was booked (${default}): up to 400d."`
	KeepFeedDocuments gangway.Kept `default:"7d" placeholder:"AGE" help:"How long documents of feeds are kept (${default}): up to 80d."`
}

// keep returns the flags; an error of usage if one is out of its bounds.
func (f keepFlags) keep() (store.Keep, error) {
	for _, b := range []struct {
		flag        string
		kept        gangway.Kept
		least, most int // days; 0: for ever
	}{
		{"--keep-actions", f.KeepActions, 90, 0}, {"--keep-deliveries", f.KeepDeliveries, 30, 0},
		{"--keep-audit", f.KeepAudit, 30, 0}, {"--keep-requests", f.KeepRequests, 1, 3660},
		{"--keep-searches", f.KeepSearches, 1, 400}, {"--keep-feed-documents", f.KeepFeedDocuments, 1, 80},
	} {
		days, ever := b.kept.Months*30+b.kept.Days, b.kept == gangway.Kept{}
		if !ever && days < b.least || b.most > 0 && (ever || days > b.most) {
			most := "ever"
			if b.most > 0 {
				most = fmt.Sprintf("%dd", b.most)
			}
			return store.Keep{}, wrongUsage("%s is from %dd to %s", b.flag, b.least, most)
		}
	}
	return store.Keep{Actions: f.KeepActions, Deliveries: f.KeepDeliveries, Audit: f.KeepAudit,
		Requests: f.KeepRequests, Searches: f.KeepSearches, FeedDocuments: f.KeepFeedDocuments}, nil
}

type retentionCommand struct {
	dataFlags
	keepFlags
}

// Help says that nothing is deleted.
func (retentionCommand) Help() string {
	return "Nothing is deleted: the command shows what a server with the same flags, or variables, would delete. " +
		"It counts all rows, and reads the whole file of SQLite.\n"
}

// Run prints what is kept of each kind, and what the flags would remove.
func (c *retentionCommand) Run(t *terminal) error {
	keep, err := c.keep()
	if err != nil {
		return err
	}
	db, err := c.open(t)
	if err != nil {
		return err
	}
	list, err := db.Kept(t.ctx, keep, t.now())
	if err != nil {
		return interrupted(t.ctx, err)
	}
	rows := [][]any{{"KIND", "KEPT", "ROWS", "MIB", "OLDEST", "REMOVES"}}
	for _, k := range list {
		mib := fmt.Sprintf("%.1f", float64(k.Bytes)/(1<<20))
		rows = append(rows, []any{k.Kind, k.Kept, k.Rows, mib, agoWords(k.Oldest), k.Removes})
	}
	return c.printList(t, list, rows)
}
