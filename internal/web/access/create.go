package access

import (
	"context"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// CreateKey adds an API key to an account of an environment, and returns its identifier and the key itself, which
// follows from 32 random bytes; nil: any.
func CreateKey(ctx context.Context, by gangway.Actor, in store.Scoped, e gangway.Environment, name string,
	random []byte, at time.Time) (id, plain string, err error) {
	plain, hash, shown := KeyOf(e, orNew(random))
	c := store.Credential{Kind: store.APIKey, ID: store.NewID("key"), Name: name, Shown: shown, CreatedAt: at}
	return c.ID, plain, in.CreateCredential(ctx, by, c, hash)
}

// CreateReportLogin adds a report login to an account, and returns its user and its password, which follows from
// random bytes as a key does.
func CreateReportLogin(ctx context.Context, by gangway.Actor, in store.Scoped, name string, random []byte,
	at time.Time) (user, password string, err error) {
	password = PasswordOf(orNew(random))
	c := store.Credential{Kind: store.ReportLogin, ID: store.NewID("report"), Name: name, CreatedAt: at}
	return c.ID, password, in.CreateCredential(ctx, by, c, HashKey(password))
}

func orNew(random []byte) []byte {
	if random == nil {
		return newSeed()
	}
	return random
}
