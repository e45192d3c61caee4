package store_test

import (
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"

	"github.com/gofrs/flock"
)

// TestACommandKeepsNoServerOut holds that a command that writes to a SQLite file again and again, as one does that
// writes a report anew, lets a server write between any two of its transactions.
func TestACommandKeepsNoServerOut(t *testing.T) {
	url := storetest.SQLiteURL(t)
	server := sure(store.OpenWith(t.Context(), url, store.Options{Serve: true}))(t)
	defer server.Close()
	command := openURL(t, url)
	account := storetest.Account(t, server)
	for _, id := range []string{"1", "2"} {
		createBooking(t, server.In(account.Scope()), id, nil)
	}
	var order []string
	write := func(db *store.DB, booking string, do func()) {
		_, err := db.In(account.Scope()).UpdateBooking(t.Context(), booking, "",
			func(*gangway.Booking) (gangway.Action, error) { do(); return gangway.Action{}, nil })
		if err != nil {
			t.Error(err)
		}
	}
	for range 5 {
		var both sync.WaitGroup
		writing, goOn := make(chan bool), make(chan bool)
		both.Go(func() {
			write(command, "1", func() { close(writing); <-goOn })
			write(command, "1", func() { order = append(order, "command") })
		})
		<-writing
		both.Go(func() { write(server, "2", func() { order = append(order, "server") }) })
		untilNext(t, strings.TrimPrefix(url, "sqlite:"))
		close(goOn)
		both.Wait()
	}
	if want := slices.Repeat([]string{"server", "command"}, 5); !slices.Equal(order, want) {
		t.Errorf("they wrote in the order %v, want %v", order, want)
	}
}

// TestAServerSeesThatACommandHasWritten holds that what a command writes to a SQLite file wakes the server's workers.
func TestAServerSeesThatACommandHasWritten(t *testing.T) {
	url := storetest.SQLiteURL(t)
	server := sure(store.OpenWith(t.Context(), url, store.Options{Serve: true}))(t)
	defer server.Close()
	woken := server.Wakes(store.Work)
	storetest.Account(t, openURL(t, url))
	<-woken
}

// untilNext waits until somebody is the next to write to a SQLite file.
func untilNext(t *testing.T, file string) {
	t.Helper()
	for began := time.Now(); ; runtime.Gosched() {
		next := flock.New(file + ".next")
		switch free, err := next.TryLock(); {
		case err != nil:
			t.Fatal(err)
		case !free:
			return
		}
		must(t, next.Unlock())
		if time.Since(began) > 5*time.Minute {
			t.Fatal("nobody is the next to write")
		}
	}
}
