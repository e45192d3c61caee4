package access

import (
	"context"
	"slices"
	"strings"
	"time"

	"gangway/internal/web"
)

// SignIns bounds how often passwords are tried, so that none can be guessed, and so
// that an attacker locks nobody else out:
//
//   - a pair of account and network has few tries, as many as one person needs;
//   - an account has more tries than one attacker can use up, so that its owner can
//     still sign in from elsewhere; guessing from many networks is slowed down;
//   - a network has a number of tries for all accounts together, which slows spraying.
//
// From a network or a browser in which somebody has signed in before, only that pair
// counts: what others do elsewhere locks nobody out there.
//
// Decided: docs/choices.md, "Signing in, and towards customers".
type SignIns struct {
	pairs, accounts, networks *web.Limiter
	tell                      func(ctx context.Context, failed string)
}

const (
	pairTries, pairPeriod       = 5, 150 * time.Second
	accountTries, accountPeriod = 15, time.Minute
	networkTries, networkPeriod = 30, 5 * time.Minute
)

// NewSignIns returns the limits. Failures here are passed to tell, for Heard of other
// replicas.
func NewSignIns(now func() time.Time, tell func(ctx context.Context, failed string)) *SignIns {
	return &SignIns{
		pairs:    web.NewLimiter(pairTries, pairPeriod, now),
		accounts: web.NewLimiter(accountTries, accountPeriod, now),
		networks: web.NewLimiter(networkTries, networkPeriod, now),
		tell:     tell,
	}
}

// A Try is one attempt to sign in.
type Try struct {
	Email   string // folded
	Network string // see web.Network
	Browser string // identifies a browser in which the person has signed in before; empty otherwise
	Known   bool   // the person has signed in from this network or in this browser before
}

// A Lockout says that a try is refused without checking its password.
type Lockout struct {
	Wait time.Duration
	By   string // which limit was reached: "network", "account" or "pair"
}

// A tryLimit is one limit that a try counts towards, and its name there.
type tryLimit struct {
	by   string
	of   *web.Limiter
	name string
}

// bounds returns the limits that t counts towards, the widest first, so that a try
// refused for its network uses up nothing of an account's.
func (s *SignIns) bounds(t Try) []tryLimit {
	place := "network " + t.Network
	if t.Browser != "" {
		place = "browser " + t.Browser
	}
	pair := tryLimit{"pair", s.pairs, HashKey(t.Email + "\n" + place)}
	if t.Known {
		return []tryLimit{pair}
	}
	return []tryLimit{
		{"network", s.networks, HashKey(t.Network)},
		{"account", s.accounts, HashKey(t.Email)},
		pair,
	}
}

// Begin counts t before its password is checked, so that parallel tries are limited
// too. If a limit is reached nothing is counted.
func (s *SignIns) Begin(t Try) (Lockout, bool) {
	bounds := s.bounds(t)
	for i, b := range bounds {
		left, ends := b.of.Use(b.name)
		if left >= 0 {
			continue
		}
		for _, counted := range bounds[:i+1] {
			counted.of.GiveBack(counted.name)
		}
		return Lockout{Wait: ends, By: b.by}, true
	}
	return Lockout{}, false
}

// Failed says that the password was wrong: the try stays counted, at the other
// replicas too.
func (s *SignIns) Failed(ctx context.Context, t Try) {
	var words []string
	for _, b := range s.bounds(t) {
		words = append(words, b.by, b.name)
	}
	s.tell(ctx, strings.Join(words, " "))
}

// Heard counts a failure at another replica.
func (s *SignIns) Heard(failed string) {
	limits := map[string]*web.Limiter{"pair": s.pairs, "account": s.accounts, "network": s.networks}
	for words := range slices.Chunk(strings.Fields(failed), 2) {
		if l := limits[words[0]]; l != nil && len(words) == 2 {
			l.Use(words[1])
		}
	}
}

// Withdraw takes t back: its password was not checked.
func (s *SignIns) Withdraw(t Try) {
	for _, b := range s.bounds(t) {
		b.of.GiveBack(b.name)
	}
}

// Succeeded says that the password was right. The pair gets all its tries back. The
// account and the network get only this one back; otherwise anybody with an account
// could go on guessing at others' forever.
func (s *SignIns) Succeeded(t Try) {
	for _, b := range s.bounds(t) {
		if b.by == "pair" {
			b.of.Forget(b.name)
			continue
		}
		b.of.GiveBack(b.name)
	}
}
