package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/report"
)

// A bookingPage is some of an account's bookings, and what belongs to them, at one moment.
type bookingPage struct {
	Scoped
	list    []*keptBooking
	differs map[string]string // by booking: the set of the report that is not what it says
	named   map[string]bool   // what bookings are found by
}

// A keptBooking is a booking as it is kept.
type keptBooking struct {
	gangway.Booking
	columns  []any // of bookingColumns
	snapshot []byte
}

// checkBookings checks the invariants of the account's bookings.
func (s Scoped) checkBookings(ctx context.Context, all []Checked) (err error) {
	for from, n := "", verifiedAtOnce; n == verifiedAtOnce && err == nil; {
		p := &bookingPage{Scoped: s, differs: map[string]string{}, named: map[string]bool{}}
		err = s.db.snapshot(ctx, func(tx *sql.Tx) error { return p.read(ctx, tx, from) })
		for i, v := range invariants {
			for _, b := range p.list {
				if v.booking != nil {
					why := v.booking(p, b)
					(&finding{&all[i], s.account}).look(why != "", why, "booking", b.columns[1])
				}
			}
		}
		if n = len(p.list); n > 0 {
			from = fmt.Sprint(p.list[n-1].columns[1])
		}
	}
	return err
}

func (p *bookingPage) read(ctx context.Context, tx *sql.Tx, from string) error {
	var list []gangway.Booking
	var tickets, others []string
	err := eachRow(ctx, tx, fmt.Sprintf(`
		SELECT coalesce((SELECT a.snapshot FROM action a WHERE a.account = x.account AND a.booking = x.id AND a.seq = x.version), ''), x.%s, x.doc, x.check_at
		FROM booking x WHERE x.account = $1 AND x.id > $2 ORDER BY x.id LIMIT %d`, strings.Join(bookingColumns, ", x."), verifiedAtOnce), []any{p.account, from}, func(row scanner) error {
		b := &keptBooking{columns: make([]any, len(bookingColumns))}
		into := make([]any, len(b.columns))
		for i := range into {
			into[i] = &b.columns[i]
		}
		var err error
		b.Booking, err = scanBooking(prefixedRow{row, append([]any{&b.snapshot}, into...)})
		p.list, list = append(p.list, b), append(list, b.Booking)
		tickets, others = append(tickets, b.Tickets...), append(others, references(b.Booking)...)
		return err
	})
	var building bool // the report is being written
	if err == nil {
		err = tx.QueryRowContext(ctx, `SELECT count(*) > 0 FROM report_build WHERE account = $1`, p.account).Scan(&building)
	}
	if err == nil && !building {
		err = p.reportDiffers(ctx, tx, list, from, func(set report.Set, booking string, _ []reportRow) {
			p.differs[booking] = "its rows of " + set.Name + " are not what it says"
		})
	}
	found := func(row scanner) error {
		name, err := column[string](row)
		p.named[name] = true
		return err
	}
	return errors.Join(err, p.amongIn(ctx, tx, "number || booking FROM booking_ticket", "number", tickets, found),
		p.amongIn(ctx, tx, "reference || booking FROM booking_reference", "reference", others, found))
}

// notCompared are the columns that the document does not have, or that say what was true at the time.
var notCompared = []string{"doc", "check_at", "acted_at", "needs", "issues_at", "compare", "change_to_approve"}

func (p *bookingPage) checkColumns(b *keptBooking) string {
	want, err := p.bookingRow(b.Booking, b.CreatedAt)
	for i, name := range bookingColumns {
		if err != nil || !slices.Contains(notCompared, name) && fmt.Sprint(b.columns[i]) != fmt.Sprint(want[i]) {
			return "its column " + name + " is not what its document says"
		}
	}
	return ""
}

func (p *bookingPage) checkSnapshot(b *keptBooking) string {
	var then gangway.Booking
	if json.Unmarshal(b.snapshot, &then) != nil || then.ID != b.ID || then.Locator != b.Locator ||
		then.State != b.State || then.Version != b.Version ||
		then.Price != b.Price || !then.Itinerary.Departure().Equal(b.Itinerary.Departure()) ||
		then.ErasedAt.IsZero() != b.ErasedAt.IsZero() {
		return "the snapshot of its last action is not of the booking as it is"
	}
	return ""
}

func (p *bookingPage) checkNamed(b *keptBooking) string {
	for _, name := range append(slices.Clone(b.Tickets), references(b.Booking)...) {
		if !p.named[name+b.ID] {
			return "it is not found by a ticket or reference"
		}
	}
	return ""
}
