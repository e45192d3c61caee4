package main

import (
	"fmt"
	"io"
	"os"
	"os/user"
	"strings"
	"text/tabwriter"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"

	"github.com/go-json-experiment/json"
)

// dataFlags are the flags of every command that works on a database.
type dataFlags struct {
	storeFlags
	JSON bool `help:"Answer in JSON, for programs."`
}

// print answers with value as JSON or with text, as requested.
func (f dataFlags) print(t *terminal, value any, text string) error {
	if !f.JSON {
		_, err := fmt.Fprint(t.out, text)
		return err
	}
	return printJSON(t.out, value)
}

// printList answers with values as JSON or with a table of rows.
func (f dataFlags) printList(t *terminal, values any, rows [][]any) error {
	if f.JSON {
		return printJSON(t.out, values)
	}
	return printTable(t, rows)
}

// printTable prints rows in columns, the first row being their headings.
func printTable(t *terminal, rows [][]any) error {
	w := tabwriter.NewWriter(t.out, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		for _, cell := range row {
			fmt.Fprint(w, cell, "\t")
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}

func printJSON(out io.Writer, value any, options ...json.Options) error {
	doc, err := json.Marshal(value, append(options, json.Deterministic(true))...)
	if err != nil {
		return fmt.Errorf("answer in JSON: %w", err)
	}
	_, err = fmt.Fprintf(out, "%s\n", doc)
	return err
}

// customerFlags name a customer.
type customerFlags struct {
	dataFlags
	Customer string `required:"" placeholder:"ID" help:"The customer, as account create and account list name it."`
}

// accountFlags name an account: a customer, and one of its two environments.
type accountFlags struct {
	customerFlags
	Environment string `required:"" enum:"production,development" placeholder:"production|development" help:"Which of the customer's two accounts."`
}

// account opens the database and finds the account.
func (f accountFlags) account(t *terminal) (*store.DB, gangway.Account, error) {
	db, err := f.open(t)
	if err != nil {
		return nil, gangway.Account{}, err
	}
	prod, dev, err := db.Accounts(t.ctx, f.Customer)
	if err != nil {
		return nil, gangway.Account{}, err
	}
	if gangway.Environment(f.Environment) == gangway.Production {
		return db, prod, nil
	}
	return db, dev, nil
}

// scoped opens the database and finds the account for a command that works within it.
func (f accountFlags) scoped(t *terminal) (in store.Scoped, account gangway.Account, err error) {
	db, account, err := f.account(t)
	if err != nil {
		return in, account, err
	}
	return db.In(account.Scope()), account, nil
}

// actor is who runs the command, for the audit log: the operating system's user and
// machine, as far as they are known.
func (t *terminal) actor() gangway.Actor {
	who, machine := "", "command line"
	if u, err := user.Current(); err == nil {
		who = u.Username
	}
	if sudo := os.Getenv("SUDO_USER"); sudo != "" && sudo != who {
		who = sudo + " as " + who
	}
	if name, err := os.Hostname(); err == nil && name != "" {
		machine = name
	}
	return gangway.ByCommand(who, machine)
}

// listWords names words in a line.
func listWords[T ~string](words []T) string {
	return strings.Join(gangway.Texts(words), ", ")
}

// agoWords returns a past instant for reading; "never" for the zero time.
func agoWords(at time.Time) string {
	if at.IsZero() {
		return "never"
	}
	return at.UTC().Format("2006-01-02 15:04 UTC")
}
