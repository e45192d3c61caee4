package store

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"gangway/internal/gangway"
)

// sealedOutletColumns are the columns of an outlet o that a sealedOutlet is read from.
const sealedOutletColumns = `o.name, o.kind, o.settings, o.credentials, o.mapping, o.format, o.secrets, o.failing_since`

// A sealedOutlet is what has to be known of an outlet to send to it, as it was read: its secrets are sealed. It is
// opened once, also by several who deliver to it at the same time.
type sealedOutlet struct {
	gangway.Outlet
	in                        Scoped
	settings, hidden, secrets string
	failing                   int64

	once   sync.Once
	opened gangway.Outlet
	err    error
}

func (s Scoped) sealedOutlet(id string) *sealedOutlet {
	return &sealedOutlet{in: s, Outlet: gangway.Outlet{ID: id}}
}

// columns are where sealedOutletColumns are read to.
func (o *sealedOutlet) columns() []any {
	return []any{&o.Name, &o.Transport.Kind, &o.settings, &o.hidden, &o.Mapping, &o.Format, &o.secrets, &o.failing}
}

// open returns the outlet with its secrets.
func (o *sealedOutlet) open() (gangway.Outlet, error) {
	o.once.Do(func() {
		o.opened = o.Outlet
		o.opened.Transport.Settings, o.opened.FailingSince = json.RawMessage(o.settings), instant(o.failing)
		if o.opened.Secrets, o.err = o.in.openOutletSecrets(o.ID, o.secrets); o.err == nil {
			o.opened.Transport.Secrets, o.err = o.in.openOutletSettings(o.ID, o.hidden)
		}
	})
	return o.opened, o.err
}

// An outletKey identifies an outlet.
type outletKey struct{ account, outlet string }

// outletKeyColumns are an outlet as the statement of sealedOutlets is given it.
var outletKeyColumns = givenColumns{{"of_account", textColumn}, {"of_outlet", textColumn}}

// sealedOutlets returns the outlets of queues, but for those that are switched off or paused.
func (db *DB) sealedOutlets(ctx context.Context, queues []DeliveryQueue) (map[outletKey]*sealedOutlet, error) {
	found := map[outletKey]*sealedOutlet{}
	var rows [][]any
	for _, l := range queues {
		key := outletKey{l.Scope.Account, l.Outlet}
		if _, known := found[key]; !known {
			found[key] = nil
			rows = append(rows, []any{key.account, key.outlet})
		}
	}
	for part := range db.dialect.parts(rows) {
		given, args := db.dialect.given(outletKeyColumns, part)
		err := eachRow(ctx, db.reader, outletsOfQueues(given), args, func(row scanner) error {
			var key outletKey
			o := &sealedOutlet{}
			if err := row.Scan(append([]any{&key.account, &key.outlet}, o.columns()...)...); err != nil {
				return err
			}
			o.ID, o.in = key.outlet, db.In(gangway.Scope{Account: key.account})
			found[key] = o
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("read outlets: %w", err)
		}
	}
	return found, nil
}

// outletsOfQueues is the statement of sealedOutlets, on outlets as a table.
func outletsOfQueues(outlets string) string {
	return `
		SELECT o.account, o.id, ` + sealedOutletColumns + `
		FROM ` + outlets + ` g
		CROSS JOIN outlet o
		WHERE o.account = g.of_account AND o.id = g.of_outlet AND o.off = 0 AND o.paused = 0`
}
