package report

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"gangway/internal/background"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// SendCSV sends all bookings of an account. It returns how many were sent, and which time was spent on reading them.
func SendCSV(ctx context.Context, w http.ResponseWriter, db *store.DB, in store.Scoped, now time.Time) (sent int,
	spent time.Duration, err error) {
	room := &Room{Shell: &shell.Shell{Now: func() time.Time { return now }}, db: db,
		people: background.NewSlots(1, 1)}
	c := readChoice(url.Values{"from": {""}, "to": {""}}, gangway.DateOf(now))
	rows, err := room.rowsOf(ctx, in, "", c)
	if err != nil {
		return 0, 0, err
	}
	sent, err = room.sendRows(ctx, w, func() {}, shell.Visitor{}, c, csv, rows)
	return sent, rows.spent, err
}

// SetDownloadTime sets how long a file may be read, until the function returned is called.
func SetDownloadTime(d time.Duration) (back func()) {
	before := downloadTime
	downloadTime = d
	return func() { downloadTime = before }
}
