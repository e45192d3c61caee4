package main

import (
	"context"
	"fmt"
	"time"

	"gangway"
	"gangway/internal/store"
	"gangway/internal/web/access"
)

type reportLoginCommand struct {
	Create reportLoginCreate `cmd:"" help:"Add a name and a password under which the account's report can be read."`
	List   reportLoginList   `cmd:"" help:"List an account's report logins, without their passwords."`
	Revoke reportLoginRevoke `cmd:"" help:"End the use of a report login: within five seconds it reads nothing."`
}

type reportLoginCreate struct {
	accountFlags
}

// newReportLogin is the answer of report-login create.
type newReportLogin struct {
	ReportUser     string `json:"report_user"`
	ReportPassword string `json:"report_password"`
}

// Run adds a login and prints it.
func (c *reportLoginCreate) Run(t *terminal) error {
	db, account, err := c.account(t)
	if err != nil {
		return err
	}
	defer db.Close()
	made, err := createReportLogin(t.ctx, t.actor(), db.In(account.Scope()), t.now())
	if err != nil {
		return err
	}
	return c.print(t, made, fmt.Sprintf("A report login for %s, %s\n  report user      %s\n  report password  %s\n\n"+
		"Keep it now: it is not shown again.\n", account.Customer.Name, account.Environment, made.ReportUser,
		made.ReportPassword))
}

func createReportLogin(ctx context.Context, by gangway.Actor, in store.Scoped, at time.Time) (newReportLogin, error) {
	made := newReportLogin{ReportUser: store.NewID("report"), ReportPassword: access.NewPassword()}
	return made, in.CreateReportLogin(ctx, by, made.ReportUser, access.HashKey(made.ReportPassword), at)
}

type reportLoginList struct {
	accountFlags
}

type listedReportLogin struct {
	ReportUser string    `json:"report_user"`
	CreatedAt  time.Time `json:"created_at"`
	UsedAt     time.Time `json:"used_at,omitzero"`
	RevokedAt  time.Time `json:"revoked_at,omitzero"`
}

// Run prints the account's report logins.
func (c *reportLoginList) Run(t *terminal) error {
	db, account, err := c.account(t)
	if err != nil {
		return err
	}
	defer db.Close()
	logins, err := db.In(account.Scope()).ReportLogins(t.ctx)
	if err != nil {
		return err
	}
	list, rows := []listedReportLogin{}, [][]any{{"REPORT USER", "CREATED", "LAST USED", "REVOKED"}}
	for _, l := range logins {
		list = append(list, listedReportLogin{l.Name, l.CreatedAt, l.UsedAt, l.RevokedAt})
		rows = append(rows, []any{l.Name, agoWords(l.CreatedAt), agoWords(l.UsedAt), agoWords(l.RevokedAt)})
	}
	return c.printList(t, list, rows)
}

type reportLoginRevoke struct {
	ReportUser string `arg:"" help:"The name, as report-login list has it."`
	accountFlags
}

// revokedReportLogin is the answer of report-login revoke.
type revokedReportLogin struct {
	ReportUser string    `json:"report_user"`
	RevokedAt  time.Time `json:"revoked_at"`
}

// Run revokes the login.
func (c *reportLoginRevoke) Run(t *terminal) error {
	db, account, err := c.account(t)
	if err != nil {
		return err
	}
	defer db.Close()
	at := t.now().UTC().Truncate(time.Millisecond)
	if err := db.In(account.Scope()).RevokeReportLogin(t.ctx, t.actor(), c.ReportUser, at); err != nil {
		return err
	}
	return c.print(t, revokedReportLogin{c.ReportUser, at}, fmt.Sprintf("Report login %s is revoked.\n", c.ReportUser))
}
