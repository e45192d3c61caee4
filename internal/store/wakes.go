package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"gangway/internal/store/internal/gate"

	"github.com/jackc/pgx/v5"
)

// A Topic is something that workers wait for.
type Topic string

const (
	Deliveries Topic = "deliveries" // an action waits to be delivered
	Work       Topic = "work"       // the automated user has something to do
	Batches    Topic = "batches"    // a batch was left by whoever worked on it
	Feeds      Topic = "feeds"      // a feed has changed, or is to be fetched at once
)

// NewsTopic is what those wait for who look at a search: that somebody chooses a flight in it, or
// that a booking of it changes. All searches of one crew change have one topic, as they show the
// same bookings.
func NewsTopic(account, change, search string) Topic {
	if change != "" {
		return Topic("change " + account + " " + change)
	}
	return Topic("search " + account + " " + search)
}

// notify has other replicas wake those who wait for topic once tx is written.
func (db *DB) notify(ctx context.Context, tx *sql.Tx, topic Topic) error {
	if db.dialect != postgres {
		return nil
	}
	_, err := tx.ExecContext(ctx, `SELECT pg_notify($1, $2)`, channel, string(topic))
	return wrapf(err, "notify %s", topic)
}

// channel is the PostgreSQL channel that wake-ups travel by.
const channel = "gangway"

// wakes tells workers of this process that there is something to do. On
// PostgreSQL other replicas' commits arrive by LISTEN, on SQLite a server looks
// whether a command has written; a wake-up can still be lost, so workers also
// look on their own from time to time.
type wakes struct {
	mu      sync.Mutex
	waiting map[Topic][]chan struct{}
	hearing map[string][]func(message string) // by subject; see Broadcast
	numbers map[Topic]uint64                  // how often those of a counted topic were woken
	self    string                            // identifies this process to the others
	stop    context.CancelFunc
	done    chan struct{}
}

func newWakes() *wakes {
	return &wakes{waiting: map[Topic][]chan struct{}{}, hearing: map[string][]func(string){},
		numbers: map[Topic]uint64{}, self: rand.Text()}
}

// Wakes returns a channel that holds a value whenever there may be work on topic.
func (db *DB) Wakes(topic Topic) <-chan struct{} {
	w := db.wakes
	c := make(chan struct{}, 1)
	w.mu.Lock()
	w.waiting[topic] = append(w.waiting[topic], c)
	w.mu.Unlock()
	return c
}

// Await is Wakes for a caller that waits only until it calls stop.
func (db *DB) Await(topic Topic) (wake <-chan struct{}, stop func()) {
	c := db.Wakes(topic)
	return c, func() { db.wakes.forget(topic, c) }
}

func (w *wakes) forget(topic Topic, c <-chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	left := slices.DeleteFunc(w.waiting[topic], func(other chan struct{}) bool { return other == c })
	if w.waiting[topic] = left; len(left) == 0 {
		delete(w.waiting, topic)
	}
}

func (w *wakes) wake(topic Topic) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.wakeLocked(topic)
}

func (w *wakes) wakeLocked(topic Topic) {
	if topic.counted() {
		w.numbers[topic]++
	}
	for _, c := range w.waiting[topic] {
		select {
		case c <- struct{}{}:
		default:
		}
	}
}

// wakeAll wakes those who wait for one of topics, and all who look at pages: something was written by another
// process, and nobody knows what.
func (w *wakes) wakeAll(topics ...Topic) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, topic := range append(topics, People) {
		w.wakeLocked(topic)
	}
	for topic := range w.numbers {
		if topic != People {
			w.wakeLocked(topic)
		}
	}
}

// listen receives the wake-ups of other replicas until close. It reconnects after a lost
// connection.
func (w *wakes) listen(ctx context.Context, url, as string) error {
	conn, err := connectListener(ctx, url, as)
	if err != nil {
		return err
	}
	ctx, w.stop = context.WithCancel(context.WithoutCancel(ctx))
	w.done = make(chan struct{})
	go func() {
		defer close(w.done)
		for ctx.Err() == nil {
			if conn == nil {
				select {
				case <-ctx.Done():
					return
				case <-time.After(time.Second):
				}
				if conn, err = connectListener(ctx, url, as); err != nil {
					conn = nil
					continue
				}
				w.wakeAll(Deliveries, Work, Batches)
			}
			n, err := conn.WaitForNotification(ctx)
			if err != nil {
				conn.Close(context.WithoutCancel(ctx))
				conn = nil
				continue
			}
			w.notified(n.Payload)
		}
		if conn != nil {
			conn.Close(context.WithoutCancel(ctx))
		}
	}()
	return nil
}

// watchInterval is how often it is looked whether another process has written a SQLite file.
const watchInterval = 50 * time.Millisecond

// watch wakes workers after another process, a command, has written the SQLite file that writer writes, until close.
func (w *wakes) watch(ctx context.Context, writer *gate.Pool) {
	ctx, w.stop = context.WithCancel(context.WithoutCancel(ctx))
	w.done = make(chan struct{})
	written := func() (version int) { // another one once another connection has written; this process has only this one
		_ = writer.QueryRowContext(ctx, `PRAGMA data_version`).Scan(&version)
		return version
	}
	seen := written()
	go func() {
		defer close(w.done)
		tick := time.NewTicker(watchInterval)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
			case <-ctx.Done():
				return
			}
			if now := written(); now != seen {
				seen = now
				w.wakeAll(Deliveries, Work, Batches, Feeds)
			}
		}
	}()
}

func connectListener(ctx context.Context, url, as string) (*pgx.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, listening)
	defer cancel()
	conn, err := connectApart(ctx, url, as)
	if err != nil {
		return nil, fmt.Errorf("connect to listen: %w", err)
	}
	if _, err := conn.Exec(ctx, "LISTEN "+channel); err != nil {
		conn.Close(ctx)
		return nil, fmt.Errorf("listen: %w", err)
	}
	return conn, nil
}

func (w *wakes) close() {
	if w.stop != nil {
		w.stop()
		<-w.done
	}
}

// Watch returns a channel that holds a value whenever there may be news on topic, until ctx ends: when somebody
// wakes those who wait for it, on whatever replica, and every so often besides, for what nobody tells of.
func (db *DB) Watch(ctx context.Context, topic Topic, every time.Duration) <-chan struct{} {
	wake, stop := db.Await(topic)
	changed := make(chan struct{}, 1)
	go func() {
		defer stop()
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-wake:
			case <-tick.C:
			}
			select {
			case changed <- struct{}{}:
			default:
			}
		}
	}()
	return changed
}

// Broadcast sends the other replicas a message about a subject. It is not stored:
// whoever is not listening at this moment never gets it. With SQLite there are
// no other replicas.
func (db *DB) Broadcast(ctx context.Context, subject, message string) error {
	if db.dialect != postgres {
		return nil
	}
	_, err := db.writer.ExecContext(ctx, `SELECT pg_notify($1, $2)`, channel,
		strings.Join([]string{messageMark, db.wakes.self, subject, message}, " "))
	return wrapf(err, "tell other replicas about %s", subject)
}

// Hear has hear called with every message that another replica broadcasts about a
// subject. It must return soon.
func (db *DB) Hear(subject string, hear func(message string)) {
	db.wakes.mu.Lock()
	defer db.wakes.mu.Unlock()
	db.wakes.hearing[subject] = append(db.wakes.hearing[subject], hear)
}

// messageMark begins every payload of Broadcast, and no topic.
const messageMark = "word"

// notified handles a payload from the channel: a message of another replica, or
// the topic of a wake-up.
func (w *wakes) notified(payload string) {
	parts := strings.SplitN(payload, " ", 4)
	if len(parts) != 4 || parts[0] != messageMark {
		w.wake(Topic(payload))
		return
	}
	if parts[1] == w.self {
		return
	}
	w.mu.Lock()
	hearing := w.hearing[parts[2]]
	w.mu.Unlock()
	for _, hear := range hearing {
		hear(parts[3])
	}
}
