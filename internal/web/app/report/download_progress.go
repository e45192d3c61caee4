package report

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// A transfer is how far a download is.
type transfer struct {
	Rows, All int
	State     string // "", sending, sent or broken
}

// The states of a transfer; it has none before it begins.
const (
	sending = "sending"
	sent    = "sent"
	broken  = "broken"
)

// transfers tell the pages from which downloads were begun how far these are, at whatever replica a page is open.
// Nothing of it is stored: a page that is not told shows nothing, and the browser shows the file.
type transfers struct {
	db      *store.DB
	mu      sync.Mutex
	watched map[string][]*watcher // by person and page
}

// A watcher is a page that is open.
type watcher struct {
	changed chan struct{}
	now     transfer
}

// transferNews is the subject of messages between replicas: who watches, and how far it is.
const transferNews = "report-download"

func newTransfers(db *store.DB) *transfers {
	t := &transfers{db: db, watched: map[string][]*watcher{}}
	db.Hear(transferNews, func(message string) {
		var key string
		var now transfer
		if _, err := fmt.Sscan(message, &key, &now.Rows, &now.All, &now.State); err == nil {
			t.hear(key, now)
		}
	})
	return t
}

// transferKey names a page of a person's; "" if it is none of ours.
func transferKey(person, watch string) string {
	if watch == "" || len(watch) > 40 || strings.ContainsFunc(watch, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return ""
	}
	return person + "." + watch
}

// hear tells the pages of this replica, and returns whether there are any.
func (t *transfers) hear(key string, now transfer) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, w := range t.watched[key] {
		w.now = now
		select {
		case w.changed <- struct{}{}:
		default:
		}
	}
	return len(t.watched[key]) > 0
}

// watch returns what a page is told, until it calls stop.
func (t *transfers) watch(key string) (w *watcher, stop func()) {
	w = &watcher{changed: make(chan struct{}, 1)}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.watched[key] = append(t.watched[key], w)
	return w, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		var left []*watcher
		for _, other := range t.watched[key] {
			if other != w {
				left = append(left, other)
			}
		}
		if t.watched[key] = left; len(left) == 0 {
			delete(t.watched, key)
		}
	}
}

func (t *transfers) now(w *watcher) transfer {
	t.mu.Lock()
	defer t.mu.Unlock()
	return w.now
}

// A progress tells of one download.
type progress struct {
	all  *transfers
	key  string
	now  transfer
	told int // rows that other replicas know of
}

// tellEvery is after how many rows other replicas are told.
const tellEvery = 10_000

// begin returns what tells of a download that a person began from a page.
func (t *transfers) begin(person, watch string) *progress {
	return &progress{all: t, key: transferKey(person, watch)}
}

// tell says how many rows were sent, and how many there are.
func (p *progress) tell(rows, all int) {
	p.now = transfer{rows, max(rows, all), sending}
	p.say(rows-p.told >= tellEvery || p.told == 0)
}

// end says that the download is over, broken off by err unless it is nil.
func (p *progress) end(err error) {
	p.now.State = sent
	if err != nil {
		p.now.State = broken
	} else {
		p.now.All = p.now.Rows
	}
	p.say(true)
}

func (p *progress) say(everywhere bool) {
	if p.key == "" || p.all.hear(p.key, p.now) || !everywhere {
		return
	}
	p.told = p.now.Rows
	// Without it a page at another replica shows less.
	_ = p.all.db.Broadcast(context.Background(), transferNews,
		fmt.Sprintf("%s %d %d %s", p.key, p.now.Rows, p.now.All, p.now.State))
}

// DownloadStream tells a page how far the download is that was begun from it.
func (room *Room) DownloadStream(w http.ResponseWriter, r *http.Request, _ store.Scoped) error {
	v, _ := shell.VisitorOf(r.Context())
	key := transferKey(v.User.ID, r.URL.Query().Get("watch"))
	watching, stop := room.transfers.watch(key)
	defer stop()
	return shell.Follow(room.Shell, w, r, shell.Followed[transfer]{
		Changed: watching.changed,
		Now:     func(context.Context) (transfer, error) { return room.transfers.now(watching), nil },
		Live:    func(transfer) bool { return key != "" }, // another download may begin
		Render:  func(part io.Writer, t transfer) error { return room.Part(part, "download", "progress", t) },
	})
}
