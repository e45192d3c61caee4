package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// AccountNews is what those wait for who look at pages of an account: that something in it has changed.
func AccountNews(account string) Topic { return Topic(accountMark + account) }

const accountMark = "account "

// People is what open pages wait for besides: that a person was changed or removed, or a session has changed.
const People Topic = "people"

// News says how much has happened: a page that was read at some News is true until there are later ones.
type News struct {
	by     string // the process that counts; News of two processes tell nothing of each other
	number uint64
}

// News returns how often those who wait for topic were woken in this process. It is read before what it is about.
func (db *DB) News(topic Topic) News {
	db.wakes.mu.Lock()
	defer db.wakes.mu.Unlock()
	return News{db.wakes.self[:8], db.wakes.numbers[topic]}
}

// Since reports whether what was read at n shows all that had happened at earlier.
func (n News) Since(earlier News) bool { return n.by == earlier.by && n.number >= earlier.number }

// By names the process that counts.
func (n News) By() string { return n.by }

// String writes News for a page, which compares it with later ones.
func (n News) String() string { return fmt.Sprintf("%s.%d", n.by, n.number) }

// counted reports whether News are told of topic.
func (t Topic) counted() bool { return t == People || strings.HasPrefix(string(t), accountMark) }

// tell wakes those who look at pages of an account, on this replica at once and on others right after.
func (db *DB) tell(account string) {
	db.wakes.wake(AccountNews(account))
	if db.dialect == postgres {
		db.told.add(account, db.tellOthers)
	}
}

// newsSubject is that of the messages in which replicas tell each other which accounts have news.
const newsSubject = "news"

// tellOthers tells the other replicas which accounts have news. What is lost while the database is away is
// told by each listener to itself when it is back.
func (db *DB) tellOthers(accounts []string) {
	ctx, cancel := context.WithTimeout(context.Background(), listening)
	defer cancel()
	for some := range slices.Chunk(accounts, accountsAtOnce) {
		_ = db.Broadcast(ctx, newsSubject, strings.Join(some, " "))
	}
}

// heardNews wakes those of this replica who look at accounts that another one has written for.
func (db *DB) heardNews(accounts string) {
	for account := range strings.FieldsSeq(accounts) {
		db.wakes.wake(AccountNews(account))
	}
}

const (
	// tellPause is the least time between two messages: what is written in between is told together, so that
	// an account that is written for all the time costs ten messages a second.
	tellPause = 100 * time.Millisecond

	accountsAtOnce = 100 // in one message, which PostgreSQL bounds to 8,000 bytes
)

// told collects accounts that have news. The first is passed on at once.
type told struct {
	mu       sync.Mutex
	accounts map[string]bool
	passing  bool
	closing  context.Context
	end      func()
	done     sync.WaitGroup
}

func newTold() *told {
	closing, end := context.WithCancel(context.Background())
	return &told{accounts: map[string]bool{}, closing: closing, end: end}
}

func (t *told) add(account string, pass func(accounts []string)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.accounts[account] = true; t.passing {
		return
	}
	t.passing = true
	t.done.Go(func() {
		for {
			t.mu.Lock()
			accounts := slices.Collect(maps.Keys(t.accounts))
			clear(t.accounts)
			t.passing = len(accounts) > 0
			t.mu.Unlock()
			if len(accounts) == 0 {
				return
			}
			pass(accounts)
			select {
			case <-time.After(tellPause):
			case <-t.closing.Done():
			}
		}
	})
}

// close passes on what is left.
func (t *told) close() {
	t.end()
	t.done.Wait()
}
