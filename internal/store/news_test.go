package store_test

import (
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestNewsOfAnAccount holds that whatever is written for an account is news for those who look at its pages, on every
// replica, and for nobody else.
func TestNewsOfAnAccount(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		here := openURL(t, url)
		there := here
		if url[:6] != "sqlite" {
			there = openURL(t, url)
		}
		mine, theirs := storetest.Accounts(t, here)
		of := func(db *store.DB, account gangway.Account) store.News { return db.News(store.AccountNews(account.ID)) }
		wake, stop := there.Await(store.AccountNews(mine.ID))
		defer stop()
		others := of(there, theirs)
		for name, write := range map[string]func(store.Scoped) error{
			"an upload": func(in store.Scoped) error {
				_, err := in.UpsertTravellers(t.Context(), []gangway.Traveller{{ID: "T-1", LastName: "Adeyemi"}})
				return err
			},
			"a change": func(in store.Scoped) error {
				toggle := func(s *gangway.Settings) error {
					s.AutoIssue = !s.AutoIssue
					return nil
				}
				_, err := in.UpdateSettings(t.Context(), storetest.Operator, time.Now(), toggle)
				return err
			},
		} {
			before := of(there, mine)
			must(t, write(here.In(mine.Scope())))
			select {
			case <-wake:
			case <-time.After(5 * time.Minute): // the machine may be busy
				t.Fatalf("%s was no news", name)
			}
			if now := of(there, mine); before.Since(now) || !now.Since(before) {
				t.Errorf("after %s there is %s; want more than %s", name, now, before)
			}
		}
		if now := of(there, theirs); now != others {
			t.Errorf("another account has news: %s, %s before", now, others)
		}
		if there != here && of(there, mine).Since(of(here, mine)) {
			t.Error("what another process counts is taken for this one's")
		}
		before := of(here, mine)
		_, err := here.In(mine.Scope()).BeginOnce(t.Context(), store.FormRoute, "key", "", time.Now())
		must(t, err)
		if now := of(here, mine); there == here && now != before {
			t.Error("what no page shows is news")
		}
	})
}
