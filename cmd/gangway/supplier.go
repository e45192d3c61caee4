package main

import (
	"cmp"
	"fmt"
	"strings"

	"gangway/internal/book/flight/duffel"
	"gangway/internal/book/flight/sim"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

type accountSupplier struct {
	accountFlags
	Supplier         string `enum:",simulated,duffel" default:"" placeholder:"simulated|duffel" help:"Who sells flights from now on; bookings stay with the supplier that sold them."`
	TokenFile        string `placeholder:"FILE" help:"File with the token for Duffel; - reads it from standard input. It is kept sealed."`
	WebhookFile      string `placeholder:"FILE" help:"File with the secret of Duffel's webhook; - reads it from standard input. It is kept sealed."`
	Currency         string `placeholder:"CODE" help:"Prices in this currency, as in EUR, on the simulated network; - for its own."`
	Phone            string `placeholder:"NUMBER" help:"The company's phone with its country code, for airlines that insist on a number."`
	Disruptions      *int64 `placeholder:"SEED" help:"On the simulated network, have airlines cancel, delay and retime some flights, chosen by this number; 0: none."`
	RadiativeForcing *bool  `name:"radiative-forcing" negatable:"" help:"Show and report emissions with radiative forcing."`
}

// supplierSettings is the answer of account supplier. It contains no secret.
type supplierSettings struct {
	Customer         string              `json:"customer"`
	Environment      gangway.Environment `json:"environment"`
	Account          string              `json:"account"` // as the address of the webhook names it
	Supplier         string              `json:"supplier"`
	Token            string              `json:"token"`   // "none", "test" or "live"
	Webhook          bool                `json:"webhook"` // its secret is known
	Currency         string              `json:"currency"`
	Phone            string              `json:"phone"`
	Disruptions      int64               `json:"disruptions"`
	RadiativeForcing bool                `json:"radiative_forcing"`
}

func (c *accountSupplier) check() error {
	if c.Currency == "" || c.Currency == "-" {
		return nil
	}
	if err := sim.CheckCurrency(strings.ToUpper(c.Currency)); err != nil {
		return gangway.Errorf(gangway.Invalid, "--currency: %v", err)
	}
	return nil
}

// Run changes the given settings and prints the account's supplier.
func (c *accountSupplier) Run(t *terminal) error {
	db, account, err := c.account(t)
	if err != nil {
		return err
	}
	in, settings := db.In(account.Scope()), account.Settings
	if err := account.AdmitsSupplier(c.Supplier); err != nil {
		return err
	}
	if c.TokenFile != "" {
		token, err := readSecret("--token-file", c.TokenFile, t.in)
		if err != nil {
			return err
		}
		if err := checkToken(account, token); err != nil {
			return err
		}
		if err := in.SetSecret(t.ctx, t.actor(), duffel.TokenSecret, []byte(token), t.now()); err != nil {
			return err
		}
	}
	if c.WebhookFile != "" {
		secret, err := readSecret("--webhook-file", c.WebhookFile, t.in)
		if err != nil {
			return err
		}
		if err := in.SetSecret(t.ctx, t.actor(), duffel.WebhookSecret, []byte(secret), t.now()); err != nil {
			return err
		}
	}
	s, err := describeSupplier(t, in, account)
	if err != nil {
		return err
	}
	change := func(settings *gangway.Settings) error { return c.change(settings, s.Token) }
	if err := change(&settings); err != nil {
		return err
	}
	if settings != account.Settings {
		if settings, err = in.UpdateSettings(t.ctx, t.actor(), t.now(), change); err != nil {
			return err
		}
	}
	if settings.Approval.Awaits() {
		fmt.Fprintf(t.err, "The approval limit is still in %s. Until gangway account policy --approval sets it again, "+
			"every booking needs approval.\n", settings.Approval.Above.Currency)
	}
	s.Currency, s.Phone, s.Disruptions, s.RadiativeForcing = settings.Currency, settings.Phone, settings.Disruptions,
		settings.RadiativeForcing
	s.Supplier = cmp.Or(settings.Supplier, sim.Name)
	return c.print(t, s, s.words(account.Customer.Name))
}

// change changes the given settings; token is the kind of token that is stored.
func (c *accountSupplier) change(settings *gangway.Settings, token string) error {
	if c.Supplier != "" {
		settings.Supplier = c.Supplier
		if c.Supplier == sim.Name {
			settings.Supplier = ""
		}
	}
	if settings.Supplier == duffel.Name && token == "none" {
		return gangway.Errorf(gangway.Invalid, "Duffel needs a token: give it with --token-file")
	}
	switch currency := strings.ToUpper(c.Currency); {
	case currency == "-":
		settings.SetCurrency("")
	case currency != "":
		settings.SetCurrency(currency)
	}
	settings.Phone = cmp.Or(c.Phone, settings.Phone)
	if c.Disruptions != nil {
		settings.Disruptions = *c.Disruptions
	}
	if c.RadiativeForcing != nil {
		settings.RadiativeForcing = *c.RadiativeForcing
	}
	return nil
}

// checkToken refuses what is not a Duffel token and, in a development account, a token that can spend
// money.
func checkToken(account gangway.Account, token string) error {
	if _, err := duffel.New(duffel.Config{Token: token}); err != nil {
		return err
	}
	if account.Environment == gangway.Development && !duffel.TestToken(token) {
		return gangway.Errorf(gangway.Denied, "a development account never buys a real ticket: it takes a test token "+
			"only, which begins with duffel_test_")
	}
	return nil
}

func describeSupplier(t *terminal, in store.Scoped, account gangway.Account) (supplierSettings, error) {
	s := supplierSettings{Customer: account.Customer.ID, Environment: account.Environment, Account: account.ID}
	var err error
	s.Token, s.Webhook, err = duffel.Connection(func(name string) ([]byte, error) { return in.Secret(t.ctx, name) })
	return s, err
}

func (s supplierSettings) words(customer string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s\n  supplier     %s\n", customer, s.Environment, s.Supplier)
	if s.Supplier == duffel.Name {
		webhook := "{base_url}/suppliers/duffel/" + s.Account
		if !s.Webhook {
			webhook += ", whose secret is not known: changes are noticed by asking, every six hours"
		}
		fmt.Fprintf(&b, "  token        %s\n  webhook      %s\n  phone        %s\n", s.Token, webhook,
			cmp.Or(s.Phone, "none"))
	} else {
		fmt.Fprintf(&b, "  currency     %s\n", cmp.Or(s.Currency, "the network's own"))
		fmt.Fprintf(&b, "  disruptions  %s\n", map[bool]string{true: "none", false: fmt.Sprintf("by seed %d",
			s.Disruptions)}[s.Disruptions == 0])
	}
	fmt.Fprintf(&b, "  emissions    %s radiative forcing\n", map[bool]string{true: "with",
		false: "without"}[s.RadiativeForcing])
	return b.String()
}
