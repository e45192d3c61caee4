package main

import (
	"bufio"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gangway/internal/need"
	"gangway/internal/store"
)

// TestTrialBatchKilled has a crew of 40 booked with one replica, watches it at another, and kills
// the first in the middle. The other takes over the batch while it is watched, and everybody
// is booked exactly once, including those whose request was in progress.
func TestTrialBatchKilled(t *testing.T) {
	need.Trial(t)
	t.Parallel() // it waits for leases of whoever was killed
	const crew = 40
	r := searchAtTwo(t, crew)
	here, there := r.here, r.there
	if _, err := here.open(r.search + "?wait=1"); err != nil {
		t.Fatal(err)
	}
	review, err := here.open(r.search + "/book-all")
	if err != nil {
		t.Fatal(err)
	}
	to, form, ok := review.form("/book-all")
	if !ok {
		t.Fatalf("nobody can be booked: %d %.500s", review.status, review.text())
	}
	begun, err := here.send(to, form)
	if err != nil || !strings.Contains(begun.path, "/batches/") {
		t.Fatalf("booking all ended at %s with %d, %v", begun.path, begun.status, err)
	}

	seen, over := watchBatch(t, there, begun.path)
	for n := range seen {
		if n >= 5 {
			break
		}
	}
	r.first.kill()
	eventually(t, "the other replica finishes the batch", func() bool {
		select {
		case <-over:
			return true
		default:
			return false
		}
	})
	db := openStore(t, r.database)
	production, _, err := db.Accounts(t.Context(), r.customer)
	if err != nil {
		t.Fatal(err)
	}
	in := db.In(production.Scope())
	id := begun.path[strings.LastIndex(begun.path, "/")+1:]
	list, _, err := in.Bookings(t.Context(), store.BookingQuery{Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	times := map[string]int{}
	for _, b := range list {
		times[b.Passenger.ID]++
	}
	b, err := in.Batch(t.Context(), id)
	if err != nil || len(b.Items) != crew {
		t.Fatalf("the batch has %d items, %v; want %d", len(b.Items), err, crew)
	}
	for _, item := range b.Items {
		id := fmt.Sprintf("H-%03d", item.Member)
		if item.Made == nil || times[id] != 1 {
			t.Errorf("%s is booked %d times, item %s %q, %+v", id, times[id], item.State, item.Outcome, item.Intent)
		}
	}
	page, err := there.open(begun.path)
	if want := fmt.Sprintf("%d of %d booked", crew, crew); err != nil || !strings.Contains(page.text(), want) {
		t.Errorf("the page says %.300s, %v; want %q", page.text(), err, want)
	}
}

var doneOf = regexp.MustCompile(`(\d+) of \d+ done`)

// watchBatch follows a batch's stream. seen has the number of finished items each time the
// stream reports it; over is closed when the stream has reported that all are finished.
func watchBatch(t *testing.T, b *browser, path string) (seen <-chan int, over <-chan struct{}) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.app+path+"/stream", nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := (&http.Client{Jar: b.client.Jar}).Do(req) // for as long as it takes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { res.Body.Close() })
	counts, end := make(chan int, 1000), make(chan struct{})
	go func() {
		defer close(counts)
		lines := bufio.NewScanner(res.Body)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			if n := doneOf.FindStringSubmatch(lines.Text()); n != nil {
				done, _ := strconv.Atoi(n[1])
				counts <- done
			}
			if lines.Text() == "event: end" {
				close(end)
				return
			}
		}
	}()
	return counts, end
}
