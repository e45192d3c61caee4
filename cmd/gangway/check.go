package main

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"gangway/internal/accept/mapping"
	"gangway/internal/doctor"
	"gangway/internal/gangway"
	"gangway/internal/transport"
)

// checkCommand examines a customer's system, or this installation. Only --feed and --installation need the database.
type checkCommand struct {
	Installation bool `help:"Examine this installation instead of a customer's system, with the settings of serve."`
	askFlags
	URL          string         `name:"url" placeholder:"URL" help:"The customer's host, such as https://crewing.example: the documented paths are added to it."`
	AuthFile     string         `placeholder:"FILE" help:"With --url: file with what the system wants to be shown, such as {\"kind\": \"bearer\", \"token\": \"…\"}; - reads it from standard input."`
	CA           string         `name:"ca" placeholder:"FILE" help:"With --url: file with the certificates (PEM) of the authorities that the host's certificate must come from, in place of the usual ones; - reads it from standard input."`
	Flow         []gangway.Flow `placeholder:"FLOW" help:"With --url: traveller-lookup (B1), travel-requests (B3), crew-changes (B4), which are checked where nothing is said; travellers (B2: --url is the whole address then); push (B5: posts an invented booking). Can be given several times."`
	SecretFile   string         `placeholder:"FILE" help:"With --flow push: file with the secret (whsec_…) that the system checks signatures with; - reads it from standard input."`
	Feed         string         `placeholder:"NAME" help:"A feed that is set, with its credentials, in place of --url."`
	Database     string         `placeholder:"URL" help:"With --feed and --installation: where everything is kept, sqlite:PATH or postgres://…"`
	KeyFile      string         `name:"secret-key-file" placeholder:"FILE" help:"With --feed and --installation: the keys that secrets are sealed with. With SQLite, PATH.key unless given."`
	Customer     string         `placeholder:"ID" help:"With --feed: the customer, as account create and account list name it."`
	Environment  string         `enum:"production,development," default:"" placeholder:"production|development" help:"With --feed: which of the customer's two accounts."`
	AllowNetwork []netip.Prefix `placeholder:"CIDR" help:"A private network that the system may be in, as serve was given it. Can be given several times."`
	JSON         bool           `help:"Answer in JSON, for programs."`
	Connections  int            `default:"2048" placeholder:"N" help:"With --installation: the most connections, as serve was given it."`
	TLSCert      string         `name:"tls-cert" placeholder:"FILE" help:"With --installation: the certificate, as serve was given it."`
	TLSKey       string         `name:"tls-key" placeholder:"FILE" help:"With --installation: its key, as serve was given it."`
	mailFlags
	pushFlags
}

// Help says which calls --installation makes.
func (checkCommand) Help() string {
	return "--installation looks at temporary folder, disks, limits, variables, keys, clock, database and schema. " +
		"It calls the database, --listen, --app-url, --base-url, --reporting-url and the mail server, and sends no " +
		"mail. It writes nothing and never updates the schema.\n"
}

func (c *checkCommand) check() error {
	if other := c.URL != "" || c.Feed != ""; c.Installation && other {
		return wrongUsage("--installation examines this installation, --url and --feed a customer's system: give " +
			"one")
	} else if c.Installation {
		return nil
	}
	push := slices.Contains(c.Flow, doctor.PushFlow)
	switch {
	case (c.URL == "") == (c.Feed == ""):
		return wrongUsage("say what to check: --url, --feed with --customer and --environment, or --installation")
	case c.Feed != "" && (c.Database == "" || c.Customer == "" || c.Environment == ""):
		return wrongUsage("--feed needs --database, --customer and --environment")
	case c.Feed != "" && (c.AuthFile != "" || c.CA != "" || len(c.Flow) > 0):
		return wrongUsage("--auth-file, --ca and --flow go with --url: a feed has its own")
	case c.SecretFile != "" && !push:
		return wrongUsage("--secret-file goes with --flow push")
	case standardInputs(c.AuthFile, c.SecretFile, c.CA) > 1:
		return wrongUsage("only one of --auth-file, --secret-file and --ca can be standard input")
	}
	if c.URL != "" {
		if _, err := doctor.AtAddress(doctor.Address{URL: c.URL, Flows: c.Flow}); err != nil {
			return gangway.Errorf(gangway.Invalid, "--%v", err)
		}
	}
	return c.checkDates()
}

// longestAuthorities is more than the certificates of all authorities of the web have together.
const longestAuthorities = 1 << 20

// standardInputs counts the files that are standard input.
func standardInputs(files ...string) (n int) {
	for _, file := range files {
		if file == "-" {
			n++
		}
	}
	return n
}

// Run examines the system and prints the report. Something wrong is an error, for scripts.
func (c *checkCommand) Run(t *terminal) error {
	if c.Installation {
		return c.examine(t)
	}
	plan, err := c.plan(t)
	if err != nil {
		return err
	}
	plan.Ask = gangway.Ask{Surname: c.Surname, From: c.From, To: c.To, Date: c.Date}
	networks, err := c.pushable(c.AllowNetwork)
	if err != nil {
		return err
	}
	d := doctor.New(doctor.Config{Options: transport.Options{Allow: c.AllowNetwork},
		Runner: mapping.NewWorkers().Trial(""),
		Push:   transport.Options{Allow: networks}, Now: t.now})
	report, err := d.Examine(t.ctx, plan)
	if err != nil {
		return err
	}
	if c.JSON {
		err = printJSON(t.out, report)
	} else {
		_, err = fmt.Fprint(t.out, report.Text())
	}
	if err == nil && report.Verdict == doctor.Wrong {
		err = gangway.Errorf(gangway.Invalid, "%s", report.ToMend())
	}
	return err
}

func (c *checkCommand) plan(t *terminal) (plan doctor.Plan, err error) {
	if c.Feed != "" {
		return c.planFeed(t)
	}
	at := doctor.Address{URL: c.URL, Flows: c.Flow}
	if c.AuthFile != "" {
		given, _, err := readCredentials(c.AuthFile, t.in)
		if err != nil {
			return plan, err
		}
		if at.Credentials, err = given.Over(gangway.Credentials{}); err != nil {
			return plan, gangway.Errorf(gangway.Invalid, "--auth-file: %v", err)
		}
	}
	if c.SecretFile != "" {
		if at.Secret, err = readSecret("--secret-file", c.SecretFile, t.in); err != nil {
			return plan, err
		}
	}
	if c.CA != "" {
		if at.CA, err = readPrivate("--ca", c.CA, t.in, longestAuthorities); err != nil {
			return plan, err
		}
		if strings.TrimSpace(at.CA) == "" {
			return plan, gangway.Errorf(gangway.Invalid, "--ca: %s is empty", c.CA)
		}
	}
	return doctor.AtAddress(at)
}

// planFeed notes in the audit log that the feed's credentials are used.
func (c *checkCommand) planFeed(t *terminal) (plan doctor.Plan, err error) {
	data := dataFlags{storeFlags{c.Database, c.KeyFile}, c.JSON}
	db, found, err := accountFlags{customerFlags{data, c.Customer}, c.Environment}.account(t)
	if err != nil {
		return plan, err
	}
	in := db.In(found.Scope())
	f, err := in.Feed(t.ctx, c.Feed)
	if err != nil {
		return plan, err
	}
	if plan, err = doctor.OfFeed(f.Feed); err != nil {
		return plan, err
	}
	return plan, in.Record(t.ctx, t.actor(), gangway.SystemChecked, plan.About(), t.now())
}
