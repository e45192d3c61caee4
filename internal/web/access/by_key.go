package access

import (
	"context"
	"errors"
	"net/http"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web"
)

const (
	// noting is how long it may take to note that a credential was used.
	noting = time.Second

	challenge = `ApiKey header="X-Api-Key"`
)

// A Program is a customer's program that has shown a key.
type Program struct {
	Scope    gangway.Scope
	Settings gangway.Settings // of its account, some seconds old at most
}

// Why a request has no account by its key.
var (
	ErrTwoKeys = gangway.Errorf(gangway.Invalid, "the header X-Api-Key was sent more than once")
	ErrNoKey   = web.Unauthorized(challenge, "the header X-Api-Key is missing")
	ErrBadKey  = web.Unauthorized(challenge,
		"the header X-Api-Key does not hold a key; it may have been cut off or mistyped")
	ErrUnknownKey = web.Unauthorized(challenge, "the key in X-Api-Key is not known, or was revoked")
)

// ByKey returns a function that finds the account whose key a request carries
// in X-Api-Key.
//
// Spec: Authentication.
func ByKey(db *store.DB, now func() time.Time) func(*http.Request) (Program, error) {
	k := &keys{db: db, now: now}
	return k.program
}

// keys are the keys of all accounts.
type keys struct {
	db       *store.DB
	now      func() time.Time
	believed trusted[Program]
}

func (k *keys) program(r *http.Request) (Program, error) {
	if len(r.Header.Values("X-Api-Key")) > 1 { // which one counts must not depend on the reader
		return Program{}, ErrTwoKeys
	}
	plain := r.Header.Get("X-Api-Key")
	if plain == "" {
		return Program{}, ErrNoKey
	}
	if !WellFormed(plain) {
		return Program{}, ErrBadKey
	}
	hash, now := HashKey(plain), k.now()
	if known, ok := k.believed.recall(hash, now); ok {
		return known, nil
	}
	key, err := k.db.KeyByHash(r.Context(), hash)
	if gangway.KindOf(err) == gangway.NotFound {
		return Program{}, ErrUnknownKey
	}
	if err != nil {
		return Program{}, err
	}
	scope := gangway.Scope{Account: key.Account, Key: key.ID}
	if err := noteUse(r.Context(), k.db.In(scope), key, now, nil); err != nil {
		return Program{}, err
	}
	account, err := k.db.Account(r.Context(), key.Account)
	if gangway.KindOf(err) == gangway.NotFound {
		return Program{}, Ended(store.ErrNoAccount)
	}
	if err != nil {
		return Program{}, err
	}
	known := Program{scope, account.Settings}
	k.believed.believe(hash, known, now)
	return known, nil
}

// noteUse notes that a credential was used, and calls also, unless it is nil. On a full disk, or while others write,
// requests that only read are answered nevertheless.
func noteUse(ctx context.Context, in store.Scoped, c store.Credential, now time.Time,
	also func(context.Context) error) (err error) {
	ctx, cancel := context.WithTimeout(ctx, noting)
	defer cancel()
	if now.Sub(c.UsedAt) >= time.Minute {
		err = in.MarkCredentialUsed(ctx, c.ID, now)
	}
	if err == nil && also != nil {
		err = also(ctx)
	}
	if errors.Is(err, store.ErrAway) || errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return nil
	}
	return err
}

// Ended turns err into the answer to an invalid key if it says that the key or its
// account was removed since the request came in.
func Ended(err error) error {
	if errors.Is(err, store.ErrKeyRevoked) || errors.Is(err, store.ErrNoAccount) {
		return ErrUnknownKey
	}
	return err
}
