package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

type accountCommand struct {
	Create accountCreate `cmd:"" help:"Add a customer, with an API key and a report login for either environment."`
	List   accountList   `cmd:"" help:"List the customers."`
	Policy accountPolicy `cmd:"" help:"Show or change which bookings need approval, by whom, and whether tickets are issued automatically."`

	Supplier accountSupplier `cmd:"" help:"Show or change who sells flights to an account."`
}

type accountCreate struct {
	Name string `arg:"" help:"The company's name."`
	dataFlags
}

func (c *accountCreate) check() error { return gangway.CheckName(strings.TrimSpace(c.Name)) }

// Run creates the customer and prints the secrets of both accounts.
func (c *accountCreate) Run(t *terminal) error {
	db, err := c.openOrBegin(t)
	if err != nil {
		return err
	}
	made, err := createCustomer(t.ctx, t.actor(), db, c.Name, t.now())
	if err != nil {
		return err
	}
	var text strings.Builder
	fmt.Fprintf(&text, "Customer %s: %s\n", made.Customer, strings.TrimSpace(c.Name))
	for _, e := range []struct {
		environment gangway.Environment
		credentials
	}{{gangway.Production, made.Production}, {gangway.Development, made.Development}} {
		fmt.Fprintf(&text, "\n%s\n  API key          %s\n  report user      %s\n  report password  %s\n",
			e.environment, e.APIKey, e.ReportUser, e.ReportPassword)
	}
	text.WriteString("\nKeep the keys and passwords now: they are not shown again.\n")
	return c.print(t, made, text.String())
}

// newCustomer is the answer of account create.
type newCustomer struct {
	Customer    string      `json:"customer"`
	Production  credentials `json:"production"`
	Development credentials `json:"development"`

	prod, dev gangway.Account
}

func createCustomer(ctx context.Context, by gangway.Actor, db *store.DB, name string,
	at time.Time) (newCustomer, error) {
	prod, dev, err := db.CreateCustomer(ctx, by, name, at)
	if err != nil {
		return newCustomer{}, err
	}
	made := newCustomer{Customer: prod.Customer.ID, prod: prod, dev: dev}
	if made.Production, err = createCredentials(ctx, by, db.In(prod.Scope()), prod, at); err != nil {
		return newCustomer{}, err
	}
	made.Development, err = createCredentials(ctx, by, db.In(dev.Scope()), dev, at)
	return made, err
}

func createCredentials(ctx context.Context, by gangway.Actor, in store.Scoped, a gangway.Account,
	at time.Time) (credentials, error) {
	key, err := createKey(ctx, by, in, a.Environment, "", at)
	if err != nil {
		return credentials{}, err
	}
	both, err := createReportLogin(ctx, by, in, a.Environment, "", at)
	both.APIKey = key.APIKey
	return both.credentials, err
}

type accountList struct {
	dataFlags
}

type listedCustomer struct {
	Customer  string    `json:"customer"`
	Name      string    `json:"name"`
	CreatedAt time.Time `json:"created_at"`
	Removing  time.Time `json:"removing_since,omitzero"`
}

// Run prints all customers.
func (c *accountList) Run(t *terminal) error {
	db, err := c.open(t)
	if err != nil {
		return err
	}
	customers, err := db.Customers(t.ctx)
	if err != nil {
		return err
	}
	list, rows := []listedCustomer{}, [][]any{{"CUSTOMER", "NAME", "CREATED", "STATE"}}
	for _, customer := range customers {
		list = append(list, listedCustomer{customer.ID, customer.Name, customer.CreatedAt, customer.Removing})
		state := "active"
		if !customer.Removing.IsZero() {
			state = "being removed since " + agoWords(customer.Removing)
		}
		rows = append(rows, []any{customer.ID, customer.Name, agoWords(customer.CreatedAt), state})
	}
	return c.printList(t, list, rows)
}
