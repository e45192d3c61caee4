package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gangway"
	"gangway/internal/store"
	"gangway/internal/web/access"
)

type accountCommand struct {
	Create accountCreate `cmd:"" help:"Add a customer, with an API key and a report login for either environment."`
	List   accountList   `cmd:"" help:"List the customers."`
	Policy accountPolicy `cmd:"" help:"Show or change which bookings need approval, and whether tickets are issued by themselves."`

	Supplier accountSupplier `cmd:"" help:"Show or change who sells flights to an account."`
}

type accountCreate struct {
	Name string `arg:"" help:"The company's name."`
	dataFlags
}

// credentials are the secrets of a new account. They are shown once.
type credentials struct {
	APIKey         string `json:"api_key"`
	ReportUser     string `json:"report_user"`
	ReportPassword string `json:"report_password"`
}

// Run creates the customer and prints the secrets of both accounts.
func (c *accountCreate) Run(t *terminal) error {
	db, err := c.open(t)
	if err != nil {
		return err
	}
	defer db.Close()
	made, err := createCustomer(t.ctx, db, c.Name, t.now())
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

// newCustomer is what account create answers.
type newCustomer struct {
	Customer    string      `json:"customer"`
	Production  credentials `json:"production"`
	Development credentials `json:"development"`

	prod, dev gangway.Account
}

func createCustomer(ctx context.Context, db *store.DB, name string, at time.Time) (newCustomer, error) {
	prod, dev, err := db.CreateCustomer(ctx, name, at)
	if err != nil {
		return newCustomer{}, err
	}
	made := newCustomer{Customer: prod.Customer.ID, prod: prod, dev: dev}
	if made.Production, err = createCredentials(ctx, db.In(prod.Scope()), prod, at); err != nil {
		return newCustomer{}, err
	}
	made.Development, err = createCredentials(ctx, db.In(dev.Scope()), dev, at)
	return made, err
}

func createCredentials(ctx context.Context, in store.Scoped, a gangway.Account, at time.Time) (credentials, error) {
	_, key, err := createKey(ctx, in, a.Environment, at)
	if err != nil {
		return credentials{}, err
	}
	c := credentials{APIKey: key, ReportUser: store.NewID("report"), ReportPassword: access.NewPassword()}
	return c, in.CreateReportLogin(ctx, c.ReportUser, access.HashKey(c.ReportPassword), at)
}

type accountList struct {
	dataFlags
}

type listedCustomer struct {
	Customer  string    `json:"customer"`
	Name      string    `json:"name"`
	CreatedAt time.Time `json:"created_at"`
}

// Run prints all customers.
func (c *accountList) Run(t *terminal) error {
	db, err := c.open(t)
	if err != nil {
		return err
	}
	defer db.Close()
	customers, err := db.Customers(t.ctx)
	if err != nil {
		return err
	}
	list, rows := []listedCustomer{}, [][]any{{"CUSTOMER", "NAME", "CREATED"}}
	for _, customer := range customers {
		list = append(list, listedCustomer{customer.ID, customer.Name, customer.CreatedAt})
		rows = append(rows, []any{customer.ID, customer.Name, ago(customer.CreatedAt)})
	}
	if c.JSON {
		return printJSON(t, list)
	}
	return table(t, rows)
}

type accountPolicy struct {
	accountFlags
	Approval  string `placeholder:"POLICY" help:"Bookings that wait for an approver: none, always, or for instance \"above 500.00 USD\"."`
	AutoIssue *bool  `negatable:"" help:"Issue tickets ahead of the ticketing deadline without being asked."`

	AdmitSanctioned *bool `negatable:"" help:"Offer and book airlines that sanctions name, at public fares."`
}

// policy is what account policy answers.
type policy struct {
	Customer    string              `json:"customer"`
	Environment gangway.Environment `json:"environment"`
	Approval    string              `json:"approval"`
	AutoIssue   bool                `json:"auto_issue"`

	AdmitSanctioned bool `json:"admit_sanctioned"`
}

// Run changes what was given and prints the policy as it is then.
func (c *accountPolicy) Run(t *terminal) error {
	db, account, err := c.account(t)
	if err != nil {
		return err
	}
	defer db.Close()
	settings := account.Settings
	if c.Approval != "" {
		if settings.Approval, err = gangway.ParseApprovalPolicy(c.Approval); err != nil {
			return err
		}
	}
	if c.AutoIssue != nil {
		settings.KeepUnissued = !*c.AutoIssue
	}
	if c.AdmitSanctioned != nil {
		settings.AdmitSanctioned = *c.AdmitSanctioned
	}
	if settings != account.Settings {
		if err := db.In(account.Scope()).SaveSettings(t.ctx, settings); err != nil {
			return err
		}
	}
	p := policy{account.Customer.ID, account.Environment, settings.Approval.String(), !settings.KeepUnissued, settings.AdmitSanctioned}
	issue := "issued by themselves ahead of the deadline"
	if !p.AutoIssue {
		issue = "issued only by people"
	}
	airlines := "those that sanctions name are not offered"
	if p.AdmitSanctioned {
		airlines = "those that sanctions name are offered too, never at marine fares"
	}
	return c.print(t, p, fmt.Sprintf("%s, %s\n  approval  %s\n  tickets   %s\n  airlines  %s\n", account.Customer.Name, p.Environment, p.Approval, issue, airlines))
}
