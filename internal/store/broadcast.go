package store

import (
	"context"
	"strings"
)

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
