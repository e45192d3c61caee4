package web

import (
	"context"
	"log/slog"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// Refusals records what was refused: failed sign-ins, bad keys, requests beyond a
// person's role, and limits. A flood of them fills neither the audit log nor the
// server's.
//
// The same refusal from the same network within an hour is written down ten times, then for the
// hundredth, the thousandth and so on, with the count. Refusals to one person from more than a few
// networks count as one kind; so each person gets entries, however many there are about others.
// Everybody unknown counts as one person.
//
// Decided: docs/choices.md, "The audit log".
type Refusals struct {
	db  *store.DB
	log *slog.Logger
	now func() time.Time

	mu    sync.Mutex
	seen  map[string]*repeat
	fresh map[bool]int // kinds that were new in this minute: of known people, and of all others
	until time.Time    // the end of this minute
}

// A repeat counts one kind of refusal.
type repeat struct {
	times    int
	since    time.Time
	networks int // that have a kind of their own; of somebody's kind for all other networks
}

const (
	refusalPeriod    = time.Hour
	newAtMost        = 60 // kinds in a minute
	networksOfPerson = 10 // in an hour
	elsewhere        = "many addresses"
)

// NewRefusals returns Refusals that write to the audit log in db and to log.
func NewRefusals(db *store.DB, log *slog.Logger, now func() time.Time) *Refusals {
	return &Refusals{db: db, log: log, now: now, seen: map[string]*repeat{}, fresh: map[bool]int{}}
}

// Audit writes a refusal to the audit log, and a line to the server's log that names people by
// identifier only. If the entry cannot be written nothing has to be undone, as nothing was done.
// It is written even if the refused caller has left meanwhile.
func (x *Refusals) Audit(ctx context.Context, e gangway.AuditEntry) {
	ctx, e.At = context.WithoutCancel(ctx), x.now()
	if !x.fold(&e) {
		return
	}
	x.write(ctx, e)
	if err := x.db.Record(ctx, e); err != nil {
		x.log.ErrorContext(ctx, "a refusal is not in the audit log", "event", string(e.What), "error", err)
	}
}

// Log writes a refusal that concerns no person, such as a limit that a program has
// reached, to the server's log only.
func (x *Refusals) Log(ctx context.Context, e gangway.AuditEntry) {
	if x.fold(&e) {
		x.write(ctx, e)
	}
}

func (x *Refusals) write(ctx context.Context, e gangway.AuditEntry) {
	attrs := []slog.Attr{slog.String("event", string(e.What)), slog.String("client", e.By.From)}
	for _, name := range slices.Sorted(maps.Keys(e.After)) {
		attrs = append(attrs, slog.Any(name, e.After[name]))
	}
	x.log.LogAttrs(ctx, slog.LevelWarn, "refused", attrs...)
}

// fold counts e and reports whether to write it down. If so, it puts the count into e. An entry
// that stands for many networks keeps only whom it was about.
func (x *Refusals) fold(e *gangway.AuditEntry) bool {
	times, many := x.count(*e)
	if !WorthNoting(times) {
		return false
	}
	about := maps.Clone(e.After)
	if about == nil {
		about = map[string]any{}
	}
	if many && times > NotedEach {
		e.By.From = elsewhere
		maps.DeleteFunc(about, func(name string, _ any) bool { return name != "user" })
	}
	if times > 1 && (!many || times > NotedEach) {
		about["times"] = times
	}
	e.After = about
	return true
}

// count returns how many there were of e's kind, and whether that kind covers many networks.
func (x *Refusals) count(e gangway.AuditEntry) (times int, many bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	now := x.now()
	x.sweep(now)
	whose := strings.Join([]string{string(e.What), e.Customer, e.By.ID}, "\n")
	rest := x.repeatOf(whose, now)
	kind, person := whose+"\n"+fromNetwork(e.By.From), e.By.ID != gangway.Unknown
	if x.seen[kind] == nil {
		if x.fresh[person] >= newAtMost || person && rest.networks >= networksOfPerson {
			rest.times++
			return rest.times, true
		}
		x.fresh[person]++
		rest.networks++
	}
	r := x.repeatOf(kind, now)
	r.times++
	return r.times, false
}

// repeatOf returns the counter for a kind.
func (x *Refusals) repeatOf(kind string, now time.Time) *repeat {
	r := x.seen[kind]
	if r == nil {
		r = &repeat{since: now}
		x.seen[kind] = r
	}
	return r
}

// sweep forgets what is an hour old. An hour brings at most twice newAtMost kinds a minute, and one
// for each person and event besides.
func (x *Refusals) sweep(now time.Time) {
	if now.Before(x.until) {
		return
	}
	clear(x.fresh)
	x.until = now.Add(time.Minute)
	for name, r := range x.seen {
		if now.Sub(r.since) >= refusalPeriod {
			delete(x.seen, name)
		}
	}
}

// NotedEach is how many refusals of a kind are written down one by one.
const NotedEach = 10

// WorthNoting reports whether what was refused so many times is written down once more: the first ten times, and then
// at each power of ten.
func WorthNoting(times int) bool { return times <= NotedEach || powerOfTen(times) }

func powerOfTen(n int) bool {
	for n%10 == 0 {
		n /= 10
	}
	return n == 1
}

// fromNetwork returns the network of an address in words, as limits use it.
func fromNetwork(from string) string {
	at, err := netip.ParseAddr(from)
	if err != nil {
		return from
	}
	return Network(at)
}
