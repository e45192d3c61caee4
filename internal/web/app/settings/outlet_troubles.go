package settings

import (
	"context"
	"fmt"
	"time"

	"gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// unwell is how long an outlet may fail before admins are told: shorter breaks
// repair themselves.
const unwell = time.Hour

// OutletTroubles tells an admin which of the account's bookings do not reach the
// customer's system. Nobody else can do anything about it.
//
// Decided: docs/choices.md, "Push (B5)".
func OutletTroubles(db *store.DB, now func() time.Time) func(context.Context, shell.Visitor) ([]string, error) {
	return func(ctx context.Context, v shell.Visitor) (list []string, err error) {
		if v.User.Role != gangway.Admin {
			return nil, nil
		}
		outlets, err := db.In(v.Account.Scope()).Outlets(ctx)
		if err != nil {
			return nil, err
		}
		for _, o := range outlets {
			switch {
			case o.Off:
				list = append(list, fmt.Sprintf("Bookings are not delivered to %s: %s. They wait, and nothing is "+
					"lost; Settings › Outlets says how it is switched on again.", o.Address(), o.OffReason))
			case !o.FailingSince.IsZero() && now().Sub(o.FailingSince) >= unwell:
				list = append(list, fmt.Sprintf("Bookings have not reached %s since %s. They are tried again every "+
					"minute, and nothing is lost; Settings › Outlets says why.",
					o.Address(), o.FailingSince.UTC().Format("2 Jan 15:04 UTC")))
			}
		}
		return list, nil
	}
}
