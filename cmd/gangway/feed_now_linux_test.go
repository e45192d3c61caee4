package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"

	"golang.org/x/sys/unix"
)

func init() { eitherTests["TestFeedShowsTheRunUnderWay"] = TestFeedShowsTheRunUnderWay }

// feed list and feed show tell of the run under way: since when, how far and by which process; and why a feed fails in
// the whole sentence. Only at a terminal the list is as wide as that.
func TestFeedShowsTheRunUnderWay(t *testing.T) {
	onEither(t, func(t *testing.T, database string) {
		db := openStore(t, database)
		account, _, err := db.CreateCustomer(t.Context(), gangway.ByCommand("test", "test"), "Halcyon Tankers",
			time.Now())
		must(t, err)
		in := db.In(account.Scope())
		_, err = in.SetFeed(t.Context(), storetest.Operator, "crew", func(store.StoredFeed) (gangway.Feed, error) {
			return gangway.Feed{Name: "crew", Flow: gangway.TravellersFlow, Transport: gangway.Transport{
				Kind: "endpoint", Settings: []byte(`{"url":"https://hr.halcyon.example/crew"}`)}}, nil
		}, time.Now(), time.Now())
		must(t, err)
		because := "the system answered 503, " + strings.Repeat("and again, ", 20) + "which is the whole of it"
		take := func() store.FeedLease {
			t.Helper()
			return sure(in.TakeFeed(t.Context(), "crew", time.Now(), time.Now().Add(time.Hour)))(t)
		}
		must(t, did(in.EndFeedRun(t.Context(), take(), gangway.FeedRun{Error: because}, store.FeedRunEnd{},
			time.Now())))
		since := time.Now().UTC()
		l := take()
		must(t, in.NoteFeedProgress(t.Context(), l, store.FeedProgress{Read: 2_000_000, Size: 8_000_000,
			Records: 41_234}))
		db.Close()
		of := []string{"--database", database, "--customer", account.Customer.ID, "--environment", "production"}
		machine := sure(os.Hostname())(t)
		by := fmt.Sprintf("%s, process %d", machine, os.Getpid())
		for _, command := range [][]string{{"feed", "list"}, {"feed", "show", "crew"}} {
			said, err := gangwayCommand(t, append(command, of...)...).Output()
			for _, want := range []string{because, "being fetched since " + since.Format("2006-01-02 15:04:"),
				" by " + by, ": 41234 records read, 2000000 of 8000000 bytes"} {
				if err != nil || !strings.Contains(string(said), want) {
					t.Errorf("%q says %s, %v; want %q", command, said, err, want)
				}
			}
		}
		type listed struct {
			State struct {
				LastRun struct {
					Error string `json:"error"`
				} `json:"last_run"`
				Now runNow `json:"run_under_way"`
			} `json:"state"`
		}
		for _, f := range append(answer[[]listed](t, append([]string{"feed", "list"}, of...)...),
			answer[listed](t, append([]string{"feed", "show", "crew"}, of...)...)) {
			now := f.State.Now
			if f.State.LastRun.Error != because || now.By != by || now.Read != 2_000_000 || now.Size != 8_000_000 ||
				now.Records != 41_234 || now.Since.Before(since.Truncate(time.Second)) {
				t.Errorf("as JSON: %+v; want the whole sentence, and the run under way", f)
			}
		}
		screen, line := newTerminal(t)
		must(t, unix.IoctlSetWinsize(int(screen.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 90}))
		cmd := gangwayCommand(t, append([]string{"feed", "list"}, of...)...)
		cmd.Stdout = line
		must(t, cmd.Run())
		for lines, in := 0, bufio.NewReader(screen); lines < 2; lines++ {
			text, err := in.ReadString('\n')
			if text = strings.TrimRight(text, "\r\n"); err != nil || len([]rune(text)) > 90 ||
				lines == 1 && !strings.HasSuffix(text, "…") {
				t.Errorf("at a terminal of 90 letters: %q, %v; want that cut", text, err)
			}
		}
	})
}
