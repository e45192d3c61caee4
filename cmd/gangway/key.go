package main

import (
	"context"
	"fmt"
	"time"

	"gangway"
	"gangway/internal/store"
	"gangway/internal/web/access"
)

type keyCommand struct {
	Create keyCreate `cmd:"" help:"Add an API key to an account."`
	List   keyList   `cmd:"" help:"List an account's API keys, without their secrets."`
	Revoke keyRevoke `cmd:"" help:"End the use of an API key: it can write nothing from now on, and within five seconds read nothing."`
}

type keyCreate struct {
	accountFlags
}

// newKey is the answer of key create.
type newKey struct {
	Key    string `json:"key"`
	APIKey string `json:"api_key"`
}

// Run adds a key and prints it.
func (c *keyCreate) Run(t *terminal) error {
	db, account, err := c.account(t)
	if err != nil {
		return err
	}
	defer db.Close()
	id, plain, err := createKey(t.ctx, t.actor(), db.In(account.Scope()), account.Environment, t.now())
	if err != nil {
		return err
	}
	return c.print(t, newKey{id, plain},
		fmt.Sprintf("Key %s for %s, %s\n  API key  %s\n\nKeep it now: it is not shown again.\n", id,
			account.Customer.Name, account.Environment, plain))
}

func createKey(ctx context.Context, by gangway.Actor, in store.Scoped, e gangway.Environment,
	at time.Time) (id, plain string, err error) {
	plain, hash, shown := access.NewKey(e)
	id = store.NewID("key")
	return id, plain, in.CreateKey(ctx, by, store.Key{ID: id, Shown: shown, CreatedAt: at}, hash)
}

type keyList struct {
	accountFlags
}

type listedKey struct {
	Key       string    `json:"key"`
	Shown     string    `json:"shown"`
	CreatedAt time.Time `json:"created_at"`
	UsedAt    time.Time `json:"used_at,omitzero"`
	RevokedAt time.Time `json:"revoked_at,omitzero"`
}

// Run prints the account's keys.
func (c *keyList) Run(t *terminal) error {
	db, account, err := c.account(t)
	if err != nil {
		return err
	}
	defer db.Close()
	keys, err := db.In(account.Scope()).Keys(t.ctx)
	if err != nil {
		return err
	}
	list, rows := []listedKey{}, [][]any{{"KEY", "BEGINS", "CREATED", "LAST USED", "REVOKED"}}
	for _, k := range keys {
		list = append(list, listedKey{k.ID, k.Shown, k.CreatedAt, k.UsedAt, k.RevokedAt})
		rows = append(rows, []any{k.ID, k.Shown, agoWords(k.CreatedAt), agoWords(k.UsedAt), agoWords(k.RevokedAt)})
	}
	return c.printList(t, list, rows)
}

type keyRevoke struct {
	Key string `arg:"" help:"The key's identifier, as key list names it."`
	accountFlags
}

// revokedKey is the answer of key revoke.
type revokedKey struct {
	Key       string    `json:"key"`
	RevokedAt time.Time `json:"revoked_at"`
}

// Run revokes the key.
func (c *keyRevoke) Run(t *terminal) error {
	db, account, err := c.account(t)
	if err != nil {
		return err
	}
	defer db.Close()
	at := t.now().UTC().Truncate(time.Millisecond)
	if err := db.In(account.Scope()).RevokeKey(t.ctx, t.actor(), c.Key, at); err != nil {
		return err
	}
	return c.print(t, revokedKey{c.Key, at}, fmt.Sprintf("Key %s is revoked.\n", c.Key))
}
