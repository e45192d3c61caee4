package store

import (
	"context"
	"fmt"
	"strings"
)

// Broadcast tells the other replicas a word about a subject. Nothing is kept of
// it: whoever does not listen at this moment never hears it. With SQLite there
// is nobody else.
func (db *DB) Broadcast(ctx context.Context, subject, word string) error {
	if db.dialect != postgres {
		return nil
	}
	_, err := db.writer.ExecContext(ctx, `SELECT pg_notify($1, $2)`, channel,
		strings.Join([]string{wordMark, db.wakes.self, subject, word}, " "))
	if err != nil {
		return fmt.Errorf("tell other replicas of %s: %w", subject, err)
	}
	return nil
}

// Hear has hear called with every word that another replica tells about a
// subject. It must return soon.
func (db *DB) Hear(subject string, hear func(word string)) {
	db.wakes.mu.Lock()
	defer db.wakes.mu.Unlock()
	db.wakes.hearing[subject] = append(db.wakes.hearing[subject], hear)
}

// wordMark begins what is told by Broadcast; no topic does.
const wordMark = "word"

// notified takes in what has come by the channel: a word of another replica, or
// the topic of a wake-up.
func (w *wakes) notified(payload string) {
	parts := strings.SplitN(payload, " ", 4)
	if len(parts) != 4 || parts[0] != wordMark {
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
