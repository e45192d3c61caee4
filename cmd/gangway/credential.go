package main

import (
	"context"
	"fmt"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/access"
)

type keyCommand struct {
	Create keyCreate `cmd:"" help:"Add an API key to an account."`
	List   keyList   `cmd:"" help:"List an account's API keys, without their secrets."`
	Revoke keyRevoke `cmd:"" help:"End the use of an API key: for writing at once, for reading within five seconds."`
}

type reportLoginCommand struct {
	Create reportLoginCreate `cmd:"" help:"Add a name and a password under which the account's report can be read."`
	List   reportLoginList   `cmd:"" help:"List an account's report logins, without their passwords."`
	Revoke reportLoginRevoke `cmd:"" help:"End the use of a report login: within five seconds it reads nothing."`
}

type (
	keyCreate struct {
		accountFlags
		nameFlag
	}
	keyList           struct{ accountFlags }
	reportLoginCreate struct {
		accountFlags
		nameFlag
	}
	reportLoginList struct{ accountFlags }
)

// nameFlag says what uses a credential.
type nameFlag struct {
	Name string `help:"What uses it, for lists."`
}

type keyRevoke struct {
	Key string `arg:"" help:"The key's identifier, as key list names it."`
	accountFlags
}

type reportLoginRevoke struct {
	ReportUser string `arg:"" help:"The name, as report-login list has it."`
	accountFlags
}

// credentials are the secrets that let a customer's programs in, and are shown once. Those that were
// not made are empty.
type credentials struct {
	APIKey         string `json:"api_key,omitempty"`
	ReportUser     string `json:"report_user,omitempty"`
	ReportPassword string `json:"report_password,omitempty"`
}

// newCredential is the answer of key create and of report-login create.
type newCredential struct {
	Key string `json:"key,omitempty"`
	credentials
}

// A namedCredential is how a list names a credential: a key by its identifier, a login by its user.
type namedCredential struct {
	Key        string `json:"key,omitempty"`
	Shown      string `json:"shown,omitempty"`
	ReportUser string `json:"report_user,omitempty"`
	Name       string `json:"name,omitempty"`
}

func nameOf(c store.Credential) namedCredential {
	if c.Kind == store.ReportLogin {
		return namedCredential{ReportUser: c.ID, Name: c.Name}
	}
	return namedCredential{Key: c.ID, Shown: c.Shown, Name: c.Name}
}

type listedCredential struct {
	namedCredential
	CreatedAt time.Time `json:"created_at"`
	UsedAt    time.Time `json:"used_at,omitzero"`
	RevokedAt time.Time `json:"revoked_at,omitzero"`
}

// revokedCredential is the answer of key revoke and of report-login revoke.
type revokedCredential struct {
	namedCredential
	RevokedAt time.Time `json:"revoked_at"`
}

// Run adds a key and prints it.
func (c *keyCreate) Run(t *terminal) error { return c.create(t, c.Name, createKey) }

// Run adds a login and prints it.
func (c *reportLoginCreate) Run(t *terminal) error {
	return c.create(t, c.Name, createReportLogin)
}

// create adds a credential to the account, by add, and prints it.
func (f *accountFlags) create(t *terminal, name string, add addCredential) error {
	db, account, err := f.account(t)
	if err != nil {
		return err
	}
	made, err := add(t.ctx, t.actor(), db.In(account.Scope()), account.Environment, name, t.now())
	if err != nil {
		return err
	}
	what, secrets := "Key "+made.Key, "  API key  "+made.APIKey
	if made.ReportUser != "" {
		what = "A report login"
		secrets = "  report user      " + made.ReportUser + "\n  report password  " + made.ReportPassword
	}
	return f.print(t, made, fmt.Sprintf("%s for %s, %s\n%s\n\nKeep it now: it is not shown again.\n", what,
		account.Customer.Name, account.Environment, secrets))
}

type addCredential func(ctx context.Context, by gangway.Actor, in store.Scoped, e gangway.Environment, name string,
	at time.Time) (newCredential, error)

func createKey(ctx context.Context, by gangway.Actor, in store.Scoped, e gangway.Environment, name string,
	at time.Time) (newCredential, error) {
	id, plain, err := access.CreateKey(ctx, by, in, e, name, nil, at)
	return newCredential{id, credentials{APIKey: plain}}, err
}

func createReportLogin(ctx context.Context, by gangway.Actor, in store.Scoped, _ gangway.Environment, name string,
	at time.Time) (newCredential, error) {
	user, password, err := access.CreateReportLogin(ctx, by, in, name, nil, at)
	return newCredential{credentials: credentials{ReportUser: user, ReportPassword: password}}, err
}

// Run prints the account's keys.
func (c *keyList) Run(t *terminal) error { return c.list(t, store.APIKey, "KEY", "BEGINS") }

// Run prints the account's report logins.
func (c *reportLoginList) Run(t *terminal) error { return c.list(t, store.ReportLogin, "REPORT USER") }

// list prints the account's credentials of a kind, which columns name.
func (f *accountFlags) list(t *terminal, kind store.CredentialKind, columns ...any) error {
	db, account, err := f.account(t)
	if err != nil {
		return err
	}
	all, err := db.In(account.Scope()).Credentials(t.ctx, kind)
	if err != nil {
		return err
	}
	list, rows := []listedCredential{}, [][]any{append(columns, "CREATED", "LAST USED", "REVOKED", "NAME")}
	for _, c := range all {
		list = append(list, listedCredential{nameOf(c), c.CreatedAt, c.UsedAt, c.RevokedAt})
		row := append([]any{c.ID, c.Shown}[:len(columns)], agoWords(c.CreatedAt), agoWords(c.UsedAt),
			agoWords(c.RevokedAt), c.Name)
		rows = append(rows, row)
	}
	return f.printList(t, list, rows)
}

// Run revokes the key.
func (c *keyRevoke) Run(t *terminal) error { return c.revoke(t, store.APIKey, c.Key, "Key") }

// Run revokes the login.
func (c *reportLoginRevoke) Run(t *terminal) error {
	return c.revoke(t, store.ReportLogin, c.ReportUser, "Report login")
}

// revoke ends the use of a credential of the account, and says so with the noun of its kind.
func (f *accountFlags) revoke(t *terminal, kind store.CredentialKind, id, noun string) error {
	db, account, err := f.account(t)
	if err != nil {
		return err
	}
	at := t.now().UTC().Truncate(time.Millisecond)
	if err := db.In(account.Scope()).RevokeCredential(t.ctx, t.actor(), kind, id, at); err != nil {
		return err
	}
	name := nameOf(store.Credential{Kind: kind, ID: id})
	return f.print(t, revokedCredential{name, at}, fmt.Sprintf("%s %s is revoked.\n", noun, id))
}
