package main

import (
	"cmp"
	"fmt"
	"strings"

	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

type accountPolicy struct {
	accountFlags
	Approval    string `placeholder:"POLICY" help:"Bookings that wait for an approver: none, always, or for instance \"above 500.00 USD\"."`
	OwnApproval *bool  `name:"own-approval" negatable:"" help:"Let approvers approve bookings that they made themselves."`
	AutoIssue   *bool  `name:"auto-issue" negatable:"" help:"Issue the tickets of new holds automatically before the price ends; people can still choose for each."`

	Keep string `placeholder:"TIME" help:"Erase personal data this long after the last arrival, as in 24mo or 2y, at most 100y; off: only on request."`

	PaymentMethod string `placeholder:"TEXT" help:"How bookings are paid for from now on, in the report's column PaymentMethod: \"invoice\" unless given."`

	LogBodies *bool `name:"log-bodies" negatable:"" help:"Keep bodies of requests for 24 hours, sealed."`

	Links *bool `negatable:"" help:"Let people make links that open an itinerary without sign-in; --no-links closes those that there are."`

	Duty string `placeholder:"HOURS" help:"When people are at work, for instance \"Mon-Fri 08:00-18:00 Europe/Oslo\": Today lists what ends before the next duty is over; off: what ends within 24 hours."`

	Fares string `placeholder:"NEEDS" help:"What crew need of a fare: bag, changeable, \"bag,changeable\", or any."`
	Avoid string `placeholder:"AIRLINES" help:"Airlines that nobody may hold, by IATA codes as in \"QR,SU\"; none: all may be used."`

	AdmitSanctioned *bool `negatable:"" help:"Offer and book airlines that sanctions name, at public fares."`
}

// policy is the answer of account policy.
type policy struct {
	Customer    string              `json:"customer"`
	Environment gangway.Environment `json:"environment"`
	Approval    string              `json:"approval"`
	OwnApproval bool                `json:"own_approval"`
	AutoIssue   bool                `json:"auto_issue"`

	AdmitSanctioned bool `json:"admit_sanctioned"`

	Keep string `json:"keep"`

	PaymentMethod string `json:"payment_method"`

	LogBodies bool `json:"log_bodies"`

	Links bool `json:"links"`

	Duty gangway.Duty `json:"duty"`

	Fares gangway.FareRule `json:"fares"`
	Avoid string           `json:"avoid"`

	Approvers int    `json:"approvers"`         // approvers and admins
	Warning   string `json:"warning,omitempty"` // a sentence about whose bookings nobody can approve
}

func (c *accountPolicy) check() error { return c.change().Apply(new(gangway.Settings)) }

// change is what the flags change.
func (c *accountPolicy) change() book.PolicyChange {
	return book.PolicyChange{Approval: c.Approval, Keep: c.Keep, PaymentMethod: c.PaymentMethod, Duty: c.Duty,
		Fares: c.Fares, Avoid: c.Avoid, OwnApproval: c.OwnApproval, AutoIssue: c.AutoIssue, LogBodies: c.LogBodies,
		AdmitSanctioned: c.AdmitSanctioned, Links: c.Links}
}

// Run changes the given settings and prints the policy.
func (c *accountPolicy) Run(t *terminal) error {
	db, account, err := c.account(t)
	if err != nil {
		return err
	}
	settings := account.Settings
	if change := c.change(); !change.IsZero() {
		if c.LogBodies != nil && *c.LogBodies {
			if err := db.CanSeal(); err != nil {
				return err
			}
		}
		if settings, err = db.In(account.Scope()).UpdateSettings(t.ctx, t.actor(), t.now(), change.Apply); err != nil {
			return err
		}
	}
	p := policy{
		Customer: account.Customer.ID, Environment: account.Environment, Approval: settings.Approval.String(),
		OwnApproval: settings.OwnApproval, AutoIssue: settings.AutoIssue, AdmitSanctioned: settings.AdmitSanctioned,
		Keep: settings.Keep.String(), PaymentMethod: cmp.Or(settings.PaymentMethod, gangway.ByInvoice),
		LogBodies: settings.LogBodies, Links: !settings.NoLinks, Duty: settings.Duty, Fares: settings.Fares,
		Avoid: settings.Avoid.String(),
	}
	if c.LogBodies != nil {
		fmt.Fprintln(t.err, "What programs ask is kept so after five seconds, when every server knows of it.")
	}
	if err := p.countApprovers(t, db, account, settings); err != nil {
		return err
	}
	return c.print(t, p, p.words(account.Customer.Name))
}

// countApprovers counts who may approve, and warns if nobody could approve some
// people's bookings.
func (p *policy) countApprovers(t *terminal, db *store.DB, account gangway.Account, s gangway.Settings) error {
	users, err := db.Users(t.ctx, account.Customer.ID)
	if err != nil {
		return err
	}
	approvers, lacking := s.Approvers(users)
	p.Approvers = len(approvers)
	switch {
	case !lacking:
	case p.Approvers == 0:
		p.Warning = "Nobody of this customer may approve: add an approver with gangway user create."
	default:
		p.Warning = "Only " + approvers[0].Email + " may approve, and nobody approves a booking of their own: add " +
			"another approver with gangway user create, or allow it with --own-approval."
	}
	return nil
}

func (p policy) words(customer string) string {
	var b strings.Builder
	own, issue := "not allowed: another approver decides",
		"people issue them; a hold that nobody issues is let go, unless chosen otherwise at hold"
	if p.OwnApproval {
		own = "allowed"
	}
	if p.AutoIssue {
		issue = "issued automatically before the price ends, unless chosen otherwise at hold"
	}
	airlines := "those that sanctions name are not offered"
	if p.AdmitSanctioned {
		airlines = "those that sanctions name are offered too, never at marine fares"
	}
	if p.Avoid != "none" {
		airlines += "; not to be used: " + p.Avoid
	}
	fares := "crew may use any"
	if p.Fares != (gangway.FareRule{}) {
		fares = "crew need: " + p.Fares.String()
	}
	keeping := "kept until somebody erases it"
	if p.Keep != "off" {
		keeping = "erased " + p.Keep + " after the last arrival"
	}
	bodies := "the request log keeps no bodies; any it kept go within a day"
	if p.LogBodies {
		bodies = "the request log keeps what programs send and are answered, for 24 hours"
	}
	links := "anybody with a link opens an itinerary, until 48 hours after the last landing"
	if !p.Links {
		links = "nobody opens an itinerary without signing in"
	}
	duty := p.Duty.String()
	if p.Duty.IsZero() {
		duty = "not known: what ends within 24 hours is to be seen to"
	}
	fmt.Fprintf(&b, "%s, %s\n  approval      %s\n  own bookings  %s\n  tickets       %s\n  airlines      %s\n  "+
		"fares         %s\n  personal data %s\n  paid by       %s\n  requests      %s\n  links         %s\n  "+
		"duty          %s\n",
		customer, p.Environment, p.Approval, own, issue, airlines, fares, keeping, p.PaymentMethod, bodies,
		links, duty)
	if p.Warning != "" {
		fmt.Fprintf(&b, "\n%s\n", p.Warning)
	}
	return b.String()
}
