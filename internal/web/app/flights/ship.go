package flights

import (
	"context"
	"net/url"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// PutShip keeps the search's port and day with the crew change, if the customer's
// system has sent one.
func (room *Room) PutShip(ctx context.Context, in store.Scoped, s gangway.Search) error {
	v, _ := shell.VisitorOf(ctx)
	err := in.MoveCrewChange(ctx, s.Change, gangway.ShipMove{Place: s.Airport, Date: s.Date, By: v.User.Email,
		At: room.Now()})
	if gangway.KindOf(err) == gangway.NotFound {
		return nil
	}
	return err
}

// CrewChangePath is the address of a crew change as it is planned.
func CrewChangePath(key string) string {
	return "/crew-changes/plan?" + url.Values{"key": {key}}.Encode()
}

// BoardPath is the address of the page that says what to do about a crew change that moved.
func BoardPath(key string) string { return "/crew-changes/board?" + url.Values{"key": {key}}.Encode() }

// CrewCounts says how many join and leave.
func CrewCounts(c gangway.CrewChange) string {
	return shell.Plural(len(c.OnSigners), "on-signer", "on-signers") + " · " +
		shell.Plural(len(c.OffSigners), "off-signer", "off-signers")
}
