package book

import (
	"time"

	"gangway/internal/gangway"
	"gangway/internal/world"
)

// A PolicyChange says what changes of an account's policy, each part as people write it. A part that is empty, or nil,
// stays as it is.
type PolicyChange struct {
	Approval      string // as gangway.ParseApprovalPolicy reads it, and so on
	Keep          string
	PaymentMethod string
	Duty          string
	Fares         string
	Avoid         string

	OwnApproval, AutoIssue, LogBodies, AdmitSanctioned, Links *bool
}

// IsZero reports whether nothing changes.
func (c PolicyChange) IsZero() bool { return c == PolicyChange{} }

// Apply changes settings. Invalid: a part cannot be read, or names what there is none of.
func (c PolicyChange) Apply(s *gangway.Settings) (err error) {
	if c.Approval != "" {
		if s.Approval, err = gangway.ParseApprovalPolicy(c.Approval); err != nil {
			return err
		}
	}
	if c.Keep != "" {
		if s.Keep, err = gangway.ParseRetention(c.Keep); err != nil {
			return err
		}
	}
	if c.PaymentMethod != "" {
		if s.PaymentMethod, err = gangway.ParsePaymentMethod(c.PaymentMethod); err != nil {
			return err
		}
	}
	if c.Duty != "" {
		if s.Duty, err = gangway.ParseDuty(c.Duty); err != nil {
			return err
		}
		if _, unknown := world.Zone(s.Duty.Zone); unknown != nil && !s.Duty.IsZero() {
			return gangway.Errorf(gangway.Invalid, "there is no time zone %q", s.Duty.Zone)
		}
	}
	if c.Fares != "" {
		if s.Fares, err = gangway.ParseFareRule(c.Fares); err != nil {
			return err
		}
	}
	if c.Avoid != "" {
		if s.Avoid, err = gangway.ParseAirlines(c.Avoid); err != nil {
			return err
		}
		for _, code := range s.Avoid.Codes() {
			if _, known := world.AirlineOf(code); !known {
				return gangway.Errorf(gangway.Invalid, "there is no airline %q", code)
			}
		}
	}
	for _, of := range []struct{ from, to *bool }{{c.OwnApproval, &s.OwnApproval}, {c.AutoIssue, &s.AutoIssue},
		{c.LogBodies, &s.LogBodies}, {c.AdmitSanctioned, &s.AdmitSanctioned}} {
		if of.from != nil {
			*of.to = *of.from
		}
	}
	if c.Links != nil {
		s.NoLinks = !*c.Links
	}
	return nil
}

// CheckPlaces refuses ports and airports that nobody knows. Invalid.
func CheckPlaces[T ~string](codes []T) error {
	for _, code := range codes {
		if _, known := world.PlaceOf(string(code)); !known && len(code) > len("NL") { // which is a country
			return gangway.Errorf(gangway.Invalid, "there is no port or airport %q", code)
		}
	}
	return nil
}

// PolicyWarnings says in sentences what a change of settings does that cannot be undone, costs money or stops bookings.
// people are the customer's.
func PolicyWarnings(was, is gangway.Settings, people []gangway.User, now time.Time) (list []string) {
	if is.Keep != 0 && (was.Keep == 0 || is.Keep < was.Keep) {
		list = append(list, "Personal data of everybody whose last trip ended before "+
			is.Keep.Until(now).UTC().Format("2 Jan 2006")+" is erased from now on. This cannot be undone.")
	}
	if is.AutoIssue && !was.AutoIssue {
		list = append(list, "Tickets of new holds are issued and paid automatically before the fare ends, unless a "+
			"booker chooses otherwise.")
	}
	if approvers, lacking := is.Approvers(people); lacking && (is.Approval != was.Approval ||
		is.OwnApproval != was.OwnApproval) {
		if len(approvers) == 0 {
			return append(list, "Nobody of your company may approve: bookings that need approval are released when "+
				"their hold ends.")
		}
		list = append(list, "Only "+approvers[0].Email+" may approve, and nobody approves a booking of their own.")
	}
	return list
}
