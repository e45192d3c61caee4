package api_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web/api"
)

// What counts for an upload is whether its key and its account exist when it is stored,
// not whether they did when it began or a few seconds ago.
func TestUploadOfAKeyOrCustomerThatHasGone(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		for name, end := range map[string]func(t *testing.T, s *surface){
			"key revoked":      revoke,
			"customer removed": removeCustomer,
		} {
			t.Run(name+" while the body arrives", func(t *testing.T) {
				s := surfaceOn(t, db, api.Limits{})
				finish := s.begin(t, "/passenger", crew(1))
				end(t, s)
				if status := finish(); status != http.StatusUnauthorized {
					t.Errorf("the upload is answered %d; want 401", status)
				}
				s.holdsNothing(t)
			})
			t.Run(name+" a moment ago", func(t *testing.T) {
				s := surfaceOn(t, db, api.Limits{})
				if res := s.do(t, "GET", "/bookings/pulls", nil); res.status != http.StatusOK {
					t.Fatalf("the key is answered %d", res.status)
				}
				end(t, s)
				for _, once := range []string{"", "once"} {
					res := s.post(t, "/passenger", crew(1), "Idempotency-Key", once)
					if res.status != http.StatusUnauthorized || res.header.Get("Www-Authenticate") == "" {
						t.Errorf("the upload is answered %d %s; want 401", res.status, res.body)
					}
				}
				s.holdsNothing(t)
			})
		}
	})
}

func revoke(t *testing.T, s *surface) {
	t.Helper()
	keys, err := s.in.Credentials(t.Context(), store.APIKey)
	if err != nil || len(keys) != 1 {
		t.Fatalf("Keys = %v, %v; want one", keys, err)
	}
	must(t, s.in.RevokeCredential(t.Context(), storetest.Operator, store.APIKey, keys[0].ID, now))
}

func removeCustomer(t *testing.T, s *surface) {
	t.Helper()
	account, err := s.in.Account(t.Context())
	must(t, err)
	must(t, did(s.db.RemoveCustomer(t.Context(), storetest.Operator, account.Customer.ID, now)))
}

// begin sends the first half of an upload, which the server has begun to read by then,
// and returns a function that sends the rest.
func (s *surface) begin(t *testing.T, path string, records []any) (finish func() (status int)) {
	t.Helper()
	doc, err := json.Marshal(records)
	must(t, err)
	conn := s.beginPost(t, path, len(doc), "Expect: 100-continue\r\n")
	answers := bufio.NewReader(conn)
	if res, err := http.ReadResponse(answers, nil); err != nil || res.StatusCode != http.StatusContinue {
		t.Fatalf("the headers are answered %+v, %v; want 100", res, err)
	}
	conn.Write(doc[:50])
	return func() int {
		t.Helper()
		conn.Write(doc[50:])
		res, err := http.ReadResponse(answers, nil)
		must(t, err)
		defer res.Body.Close()
		io.Copy(io.Discard, res.Body)
		return res.StatusCode
	}
}

func (s *surface) holdsNothing(t *testing.T) {
	t.Helper()
	if _, err := s.in.Traveller(t.Context(), "id:C-0"); gangway.KindOf(err) != gangway.NotFound {
		t.Errorf("Traveller = %v; want none stored", err)
	}
}
