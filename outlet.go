package gangway

import "time"

// An Outlet is one way out for an account's booking records: an address of the
// customer's that each action is pushed to.
type Outlet struct {
	ID           string
	URL          string
	Secrets      []string // signing secrets, newest first; each "whsec_…"
	Off          bool     // switched off, because the customer answered 410
	OffReason    string   // why, in words
	CreatedAt    time.Time
	FailingSince time.Time // of the first failed push since the last that went well; zero when all is well
}
