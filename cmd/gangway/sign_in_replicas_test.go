package main

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/need"
	"gangway/internal/store/storetest"
)

// TestTrialSignInAtReplicas guesses passwords at one replica and then at another, and shuts a person out
// by a command in a separate process.
func TestTrialSignInAtReplicas(t *testing.T) {
	need.Trial(t)
	database := storetest.PostgresURL(t)
	here, db := replica(t, database, time.Now)
	there, other := replica(t, database, time.Now)
	made, err := createCustomer(t.Context(), storetest.Operator, db, "Halcyon Tankers", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	hire(t, db, made.Customer, ines, gangway.Booker)
	heard := make(chan string, 100)
	other.Hear("sign-ins", func(word string) { heard <- word })

	t.Run("with no tries left at one replica there are none at the other", func(t *testing.T) {
		guess := func(app string) int {
			t.Helper()
			p, err := newBrowser(t, app).send("/sign-in", url.Values{"email": {ines}, "password": {"wrong"}})
			if err != nil {
				t.Fatal(err)
			}
			return p.status
		}
		for range 5 {
			if status := guess(here.app.String()); status != http.StatusUnprocessableEntity {
				t.Fatalf("a wrong password: status %d; want 422", status)
			}
			select {
			case <-heard:
			case <-time.After(hang):
				t.Fatal("the other replica never learned of it")
			}
		}
		for _, app := range []string{here.app.String(), there.app.String()} {
			if status := guess(app); status != http.StatusTooManyRequests {
				t.Fatalf("at %s: status %d; want 429", app, status)
			}
		}
	})

	for name, change := range map[string][]string{
		"disabled":             {"user", "disable"},
		"given a new password": {"user", "password"},
		"removed":              {"user", "remove"},
	} {
		t.Run("a person who is "+name+" is signed out at every replica", func(t *testing.T) {
			u := hire(t, db, made.Customer, change[1]+"@halcyon.example", gangway.Booker)
			var browsers []*browser
			for _, at := range []addresses{here, there} {
				b := newBrowser(t, at.app.String())
				if err := b.signIn(u.Email, tideTables); err != nil {
					t.Fatal(err)
				}
				browsers = append(browsers, b)
			}
			out, err := gangwayCommand(t, append(change, "--customer", made.Customer, "--email", u.Email, "--database",
				database)...).CombinedOutput()
			if err != nil {
				t.Fatalf("gangway %v: %v, %s", change, err, out)
			}
			for _, b := range browsers {
				if p, err := b.open("/bookings"); err != nil || p.path != "/sign-in" {
					t.Fatalf("at %s the next page is %s, %v; want the sign-in page", b.app, p.path, err)
				}
				if err := b.signIn(u.Email, tideTables); err == nil {
					t.Fatalf("at %s the old password is still good", b.app)
				}
			}
		})
	}
}
