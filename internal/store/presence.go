package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
)

// A replica says every second that it is there. It may deliver for aliveFor after it last said so, and
// is taken for stopped once the others have heard nothing for silentFor: so nobody has a queue that
// another delivers from. All of them measure how long something takes, none compares its clock with
// another's.
const (
	beatEvery = time.Second
	aliveFor  = 3 * time.Second
	silentFor = 5 * time.Second
)

// orphansEvery is after how many beats a replica looks for queues whose replica nobody remembers, and
// orphanAge for how long their leases must be over.
const (
	orphansEvery = 30
	orphanAge    = 30 * time.Second
)

// A presence shows the other replicas on a PostgreSQL database that this one is there, and gives back the
// queues of those that are not: killed, paused, or cut off from the database.
type presence struct {
	db      *DB
	url, as string

	mu      sync.Mutex // held while the first beat is made, and by close
	stop    context.CancelFunc
	done    chan struct{}
	current atomic.Pointer[life]

	// The rest belongs to the goroutine that beats.
	conn   *pgx.Conn
	beats  int
	looked time.Time           // when it last read the others' beats
	heard  map[string]lastBeat // of the others
	gone   map[string]bool     // those whose queues are still to be given back
}

// A lastBeat is the latest beat of another replica, and when it was first read.
type lastBeat struct {
	beat  int64
	since time.Time
}

// A life is the time in which a replica is known to the others without a break. Nil: on SQLite, where
// there are no others.
type life struct {
	id    string
	until atomic.Pointer[time.Time]
}

// newLifeID identifies a life, and to operators its machine and process. It has no stroke: in a holder it ends there.
func newLifeID() string { return strings.ReplaceAll(newNamedHolder(), "/", ":") }

// replicaOf names the replica of a life to operators; by the life itself, if its machine has no name.
func replicaOf(life string) string {
	return cmp.Or(holderWords(strings.ReplaceAll(life, ":", "/")), life)
}

// lasts reports whether no other replica can have taken over what this life holds.
func (l *life) lasts() bool {
	if l == nil {
		return true
	}
	until := l.until.Load()
	if until == nil {
		return false
	}
	// Both clocks, since the monotonic one stands still while a virtual machine is stopped.
	now := time.Now()
	return now.Before(*until) && now.Round(0).Before(until.Round(0))
}

// now returns the life of this replica. lasts is false before it has begun, too.
func (p *presence) now() (l *life, lasts bool) {
	if p == nil {
		return nil, true
	}
	l = p.current.Load()
	return l, l != nil && l.lasts()
}

func (l *life) holder() string {
	if l == nil {
		return newHolder()
	}
	return l.id + "/" + newHolder()
}

// here returns the life of this replica, which begins with the first call. lasts is false while the
// others may take it for stopped: then it must not take anything.
func (p *presence) here(ctx context.Context) (l *life, lasts bool, err error) {
	if p == nil {
		return nil, true, nil
	}
	if l = p.current.Load(); l != nil {
		return l, l.lasts(), nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done == nil {
		if err := p.beat(ctx); err != nil {
			if p.db.dialect.away(err) {
				err = away(err)
			}
			return nil, false, fmt.Errorf("join the other replicas: %w", err)
		}
		ctx, p.stop = context.WithCancel(context.WithoutCancel(ctx))
		p.done = make(chan struct{})
		go p.run(ctx)
	}
	l = p.current.Load()
	return l, l.lasts(), nil
}

func (p *presence) run(ctx context.Context) {
	defer close(p.done)
	tick := time.NewTicker(beatEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			p.leave(context.WithoutCancel(ctx))
			return
		case <-tick.C:
		}
		// That the database is away is logged where it refuses work.
		if err := p.beat(ctx); err != nil && ctx.Err() == nil && !p.db.dialect.away(err) &&
			!errors.Is(err, context.DeadlineExceeded) {
			p.log().Error("a replica could not tell the others that it is there", "error", err)
		}
	}
}

func (p *presence) log() *slog.Logger { return p.db.guard.Outage.Log() }

// close says farewell to the other replicas.
func (p *presence) close() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done != nil {
		p.stop()
		<-p.done
	}
}

func (p *presence) leave(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, aliveFor)
	defer cancel()
	if p.conn == nil {
		return // the others will notice
	}
	l := p.current.Load()
	_, _ = p.conn.Exec(ctx, `DELETE FROM replica WHERE id = $1`, l.id)
	_ = p.giveBack(ctx, l.id)
	_ = p.conn.Close(ctx)
}

// beat says that this replica is there, and looks whether the others are.
func (p *presence) beat(ctx context.Context) (err error) {
	ctx, cancel := context.WithTimeout(ctx, aliveFor)
	defer cancel()
	if p.conn == nil {
		if p.conn, err = connectApart(ctx, p.url, p.as); err != nil {
			return err
		}
	}
	defer func() {
		if err != nil {
			_ = p.conn.Close(context.WithoutCancel(ctx))
			p.conn = nil
		}
	}()
	l := p.current.Load()
	sent := time.Now()
	known, err := p.say(ctx, l)
	if err != nil {
		return err
	}
	if !known {
		if l != nil {
			l.until.Store(&time.Time{})
			p.log().Warn("this replica was not heard of for some seconds, and others have taken over what it was " +
				"delivering; was it paused, or its machine overloaded?")
		}
		l = &life{id: newLifeID()}
		sent = time.Now()
		if _, err := p.conn.Exec(ctx, `INSERT INTO replica (id, beat) VALUES ($1, 1)`, l.id); err != nil {
			return err
		}
	}
	until := sent.Add(aliveFor)
	l.until.Store(&until)
	p.current.Store(l)
	return p.lookAround(ctx, l)
}

// say changes this replica's row; known is false if the others have deleted it.
func (p *presence) say(ctx context.Context, l *life) (known bool, err error) {
	if l == nil {
		return false, nil
	}
	tag, err := p.conn.Exec(ctx, `UPDATE replica SET beat = beat + 1 WHERE id = $1`, l.id)
	return tag.RowsAffected() == 1, err
}

// lookAround gives back the queues of replicas that have stopped.
func (p *presence) lookAround(ctx context.Context, l *life) error {
	began := time.Now()
	if p.heard == nil || began.Sub(p.looked) > aliveFor {
		// It could not look, and nobody could say anything while the database was away: all begin anew.
		p.heard, p.gone = map[string]lastBeat{}, map[string]bool{}
	}
	rows, err := p.conn.Query(ctx, `SELECT id, beat FROM replica WHERE id <> $1`, l.id)
	if err != nil {
		return err
	}
	silent, heard := map[string]int64{}, map[string]lastBeat{}
	var id string
	var beat int64
	_, err = pgx.ForEachRow(rows, []any{&id, &beat}, func() error {
		last, ok := p.heard[id]
		if !ok || last.beat != beat {
			last = lastBeat{beat, time.Now()}
		} else if time.Since(last.since) >= silentFor {
			silent[id] = beat
		}
		heard[id] = last
		return nil
	})
	if err != nil {
		return err
	}
	p.heard, p.looked = heard, time.Now()
	for id, beat := range silent {
		tag, err := p.conn.Exec(ctx, `DELETE FROM replica WHERE id = $1 AND beat = $2`, id, beat)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 1 {
			p.gone[id] = true
			p.log().Warn("another replica has stopped, and what it was delivering is given back", "replica",
				replicaOf(id))
		}
	}
	for id := range p.gone {
		if err := p.giveBack(ctx, id); err != nil {
			return err
		}
	}
	if p.beats++; p.beats%orphansEvery == 1 {
		return p.giveBackOrphans(ctx)
	}
	return nil
}

// giveBack frees the queues of a replica that has stopped. Those that it had locked when it was paused
// stay with it until PostgreSQL ends its transaction, and are given back at a later beat.
func (p *presence) giveBack(ctx context.Context, id string) error {
	if err := p.free(ctx, `starts_with(holder, $1 || '/')`, id); err != nil {
		return err
	}
	var left bool
	err := p.conn.QueryRow(ctx, `
		SELECT EXISTS (
			SELECT 1
			FROM lane
			WHERE pending > 0 AND lease > 0 AND starts_with(holder, $1 || '/'))`,
		id).Scan(&left)
	if err == nil && !left {
		delete(p.gone, id)
	}
	return err
}

// giveBackOrphans frees queues of replicas that nobody knows: whoever was giving them back has stopped too.
func (p *presence) giveBackOrphans(ctx context.Context) error {
	return p.free(ctx, `lease < $1 AND NOT EXISTS (
		SELECT 1
		FROM replica
		WHERE id = split_part(holder, '/', 1))`, millis(time.Now().Add(-orphanAge)))
}

func (p *presence) free(ctx context.Context, which string, arg any) error {
	tag, err := p.conn.Exec(ctx, `
		UPDATE lane
		SET lease = 0, holder = ''
		WHERE ctid = ANY (ARRAY(
			SELECT ctid
			FROM lane
			WHERE pending > 0 AND lease > 0 AND `+which+`
			FOR NO KEY UPDATE SKIP LOCKED))`,
		arg)
	if err != nil || tag.RowsAffected() == 0 {
		return err
	}
	_, err = p.conn.Exec(ctx, `SELECT pg_notify($1, $2)`, channel, string(Deliveries))
	return err
}
