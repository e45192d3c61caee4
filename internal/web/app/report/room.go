// Package report has the report (A7) as pages for people: its figures as charts and tables, and what leads
// to the same figures in other programs.
//
// Every figure is the answer to a request of OData, and each chart offers the address at which other programs get it.
// The page adds up the answers to all of them in one reading of the bookings; a test holds the two against each other.
package report

import (
	"context"
	"embed"
	"errors"
	"math"

	"gangway/internal/background"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// Room holds what the pages need. Each page is one of its methods.
type Room struct {
	*shell.Shell
	db     *store.DB
	root   string            // the address of the OData service, with its last slash
	people *background.Slots // of each person, whatever pages they have open
	mails  bool              // there is a mail server
}

// reportsOfPerson is how many reports are read for one person at a time: others of the account always find a turn.
const reportsOfPerson = store.ReportsOfOne - 1

//go:embed templates
var templates embed.FS

// New returns the room and adds its pages to the shell. Other programs read the report at
// reportingURL. mails says whether views can be mailed.
func New(sh *shell.Shell, db *store.DB, reportingURL string, mails bool) (*Room, error) {
	room := &Room{sh, db, reportingURL + "/v2/odata/", background.NewSlots(math.MaxInt64, reportsOfPerson), mails}
	return room, sh.AddPages(templates)
}

// turn waits until one more report may be read for a person; end ends that.
func (room *Room) turn(ctx context.Context, person string) (end func(), err error) {
	end, err = room.people.Take(ctx, person, 1)
	if errors.Is(err, context.DeadlineExceeded) {
		err = store.ErrReportTooLong
	}
	return end, err
}
