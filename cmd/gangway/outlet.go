package main

import (
	"fmt"
	"net/netip"
	"time"

	"gangway"
	"gangway/internal/deliver"
	"gangway/internal/transport/endpoint"
)

type outletCommand struct {
	Set    outletSet    `cmd:"" help:"Say where an account's bookings are pushed to."`
	List   outletList   `cmd:"" help:"List an account's outlets."`
	Rotate outletRotate `cmd:"" help:"Make a new signing secret. The one before it stays valid until the next rotation."`
	Parked outletParked `cmd:"" help:"List what was tried for three days and never accepted."`
	Replay outletReplay `cmd:"" help:"Deliver again what is parked, or one action of a booking."`
}

type outletSet struct {
	accountFlags
	URL          string         `name:"url" required:"" placeholder:"URL" help:"The customer's address, such as https://crewing.example/api/sync_flights."`
	AuthFile     string         `placeholder:"FILE" help:"File with what the customer's system wants to be shown, such as {\"kind\": \"bearer\", \"token\": \"…\"}; - reads it from standard input. It is kept sealed."`
	ShowSecret   bool           `help:"Print the signing secret of an outlet that is there already. Of a new one it is printed in any case."`
	AllowNetwork []netip.Prefix `placeholder:"CIDR" help:"A private network that the address may be in, as serve was given it. Can be given several times."`
	pushFlags
}

// outletSecret is the answer of outlet set and outlet rotate.
type outletSecret struct {
	Outlet string      `json:"outlet"`
	Auth   *listedAuth `json:"auth,omitzero"` // of outlet set; nil for none
	Secret string      `json:"secret,omitzero"`
}

func (c *outletSet) check() error {
	if err := endpoint.CheckForm(c.URL); err != nil {
		return gangway.Errorf(gangway.Invalid, "--url: %v", err)
	}
	return nil
}

// Run sets the address. It prints the signing secret only when it has just made it, because
// addresses are often set again in terminals that others see, and by scripts that write logs. A
// host that has no address yet is accepted with a warning, because somebody may prepare an outlet
// in advance.
func (c *outletSet) Run(t *terminal) error {
	networks, err := c.pushable(c.AllowNetwork)
	if err != nil {
		return err
	}
	warning, err := endpoint.New(endpoint.Config{Allow: networks}).Check(t.ctx, c.URL)
	if err != nil {
		return gangway.Errorf(gangway.Invalid, "--url: %v", err)
	}
	settings := gangway.OutletSettings{URL: c.URL}
	if c.AuthFile != "" {
		if settings.Credentials, err = readCredentials(c.AuthFile, t.in); err != nil {
			return err
		}
	}
	db, account, err := c.account(t)
	if err != nil {
		return err
	}
	defer db.Close()
	fresh := deliver.NewSecret()
	o, err := db.In(account.Scope()).SetOutlet(t.ctx, t.actor(), settings, []string{fresh}, t.now())
	if err != nil {
		return err
	}
	for _, w := range append(o.Warnings(t.now()), warning, c.ownMachineWarning(c.URL, c.AllowNetwork)) {
		if w != "" {
			fmt.Fprintln(t.err, "gangway: warning:", w)
		}
	}
	answer, shown := outletSecret{Outlet: o.ID, Auth: toldOf(o.Credentials)}, "as before (--show-secret prints it)"
	if c.ShowSecret || o.Secrets[0] == fresh {
		answer.Secret, shown = o.Secrets[0], o.Secrets[0]
	}
	return c.print(t, answer, fmt.Sprintf(
		"Bookings of %s, %s, are pushed to %s.\n  outlet          %s\n  authentication  %s\n  signing secret  %s\n",
		account.Customer.Name, account.Environment, o.URL, o.ID, o.Credentials, shown))
}

type outletList struct {
	accountFlags
}

type listedOutlet struct {
	Outlet  string      `json:"outlet"`
	URL     string      `json:"url"`
	Auth    *listedAuth `json:"auth,omitzero"` // nil for none
	Off     bool        `json:"off"`
	Reason  string      `json:"reason,omitzero"`
	Failing time.Time   `json:"failing_since,omitzero"`

	LastError *deliveryError `json:"last_error,omitzero"` // while it fails
}

// A deliveryError is the outcome of the last failed push. The answer is stored without the
// credentials that it may repeat.
type deliveryError struct {
	At     time.Time `json:"at"`
	Status int       `json:"status,omitzero"` // none: there was no answer, and Answer has the reason
	Answer string    `json:"answer"`
}

// listedAuth is the part of credentials that may be shown.
type listedAuth struct {
	Kind gangway.CredentialsKind `json:"kind"`
}

// toldOf returns the part of credentials that may be shown; nil if there are none.
func toldOf(c gangway.Credentials) *listedAuth {
	if !c.Any() {
		return nil
	}
	return &listedAuth{c.Kind}
}

// Run prints the account's outlets, without their secrets, and why pushes fail.
func (c *outletList) Run(t *terminal) error {
	db, account, err := c.account(t)
	if err != nil {
		return err
	}
	defer db.Close()
	outlets, err := db.In(account.Scope()).Outlets(t.ctx)
	if err != nil {
		return err
	}
	list, rows := []listedOutlet{}, [][]any{{"OUTLET", "STATE", "ADDRESS", "AUTH", "LAST ERROR"}}
	for _, o := range outlets {
		last, err := db.In(account.Scope()).LastFailure(t.ctx, o.ID)
		if err != nil {
			return err
		}
		listed := listedOutlet{Outlet: o.ID, URL: o.URL, Auth: toldOf(o.Credentials), Off: o.Off,
			Reason: o.OffReason, Failing: o.FailingSince}
		if !last.At.IsZero() {
			listed.LastError = &deliveryError{last.At, last.Status, last.Answer}
		}
		list = append(list, listed)
		state := "on"
		switch {
		case o.Off:
			state = "off: " + o.OffReason
		case !o.FailingSince.IsZero():
			state = "failing since " + o.FailingSince.Format(time.RFC3339)
		}
		rows = append(rows, []any{o.ID, state, o.URL, o.Credentials, attemptWords(last)})
	}
	return c.printList(t, list, rows)
}

type outletRotate struct {
	Outlet string `arg:"" help:"The outlet's identifier, as outlet list names it."`
	accountFlags
	Now bool `help:"Drop the secret before it at once: because somebody else knows it, or its key is lost."`
}

// Run makes a new secret, keeps the previous one beside it and drops older ones.
func (c *outletRotate) Run(t *terminal) error {
	db, account, err := c.account(t)
	if err != nil {
		return err
	}
	defer db.Close()
	in, fresh := db.In(account.Scope()), deliver.NewSecret()
	secrets, carry := []string{fresh}, "one signature now, with this secret"
	if !c.Now {
		old, err := in.OutletSecrets(t.ctx, c.Outlet)
		if err != nil {
			return err
		}
		secrets, carry = append(secrets, old[:min(1, len(old))]...),
			"two signatures now: with this secret, and with the one before it"
	}
	if err := in.SetOutletSecrets(t.ctx, t.actor(), c.Outlet, secrets, t.now()); err != nil {
		return err
	}
	return c.print(t, outletSecret{Outlet: c.Outlet, Secret: fresh},
		fmt.Sprintf("Pushes of outlet %s carry %s.\n  signing secret  %s\n", c.Outlet, carry, fresh))
}
