package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gangway/internal/gangway"

	"github.com/go-json-experiment/json"
)

// A sentBooking is a booking record, pushed or pulled, as far as these tests read it.
type sentBooking struct {
	ID      string        `json:"id"`
	Locator string        `json:"locator"`
	State   gangway.State `json:"state"`
	Tickets []string      `json:"tickets"`
	Actions []struct {
		Action gangway.State `json:"action"`
		User   string        `json:"user"`
		At     int64         `json:"timestamp"`
	} `json:"actions"`
	Passenger struct {
		ID string `json:"id"`
	} `json:"passenger"`
}

func (b sentBooking) actions() []gangway.State {
	var names []gangway.State
	for _, a := range b.Actions {
		names = append(names, a.Action)
	}
	return names
}

// A receiver receives pushes (B5) as a customer's system does, and remembers them in the order in
// which they arrived.
type receiver struct {
	*httptest.Server
	taking   func()      // called while a push is in progress
	refusing atomic.Bool // pushes are answered with 500 and not remembered
	refused  atomic.Int64

	mu     sync.Mutex
	pushes []push
}

type push struct {
	id      string // the webhook-id
	booking string
	action  gangway.State
	ahead   time.Duration // by how much the action is later than the push was signed
}

func newReceiver(t testing.TB, taking func()) *receiver {
	t.Helper()
	c := &receiver{taking: taking}
	c.Server = httptest.NewServer(http.HandlerFunc(c.receive))
	t.Cleanup(c.Close)
	return c
}

func (c *receiver) receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // cut off: the sender was killed
	}
	if c.refusing.Load() {
		c.refused.Add(1)
		http.Error(w, "the crewing system is being repaired", http.StatusInternalServerError)
		return
	}
	var b sentBooking
	if err := json.Unmarshal(body, &b); err != nil || len(b.Actions) != 1 {
		http.Error(w, fmt.Sprintf("%v, with %d actions; want one", err, len(b.Actions)), http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	signed, _ := strconv.ParseInt(r.Header.Get("Webhook-Timestamp"), 10, 64)
	c.pushes = append(c.pushes, push{r.Header.Get("Webhook-Id"), b.ID, b.Actions[0].Action,
		time.Duration(b.Actions[0].At-signed) * time.Second})
	c.mu.Unlock()
	c.taking()
}

// received returns the pushes of one booking: each action once, in the order in which they first
// arrived, and how often one was repeated. A repetition after a later action fails the test.
func (c *receiver) received(t testing.TB, booking string) (actions []gangway.State, again int) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	var ids []string
	for _, p := range c.pushes {
		if p.booking != booking {
			continue
		}
		switch i := slices.Index(ids, p.id); {
		case i < 0:
			ids, actions = append(ids, p.id), append(actions, p.action)
		case i == len(ids)-1:
			again++
		default:
			t.Errorf("booking %s: %s came again after a later action", booking, p.action)
		}
	}
	return actions, again
}

// look gets what is at an address, with headers in pairs.
func look(t testing.TB, address string, headers ...string) (*http.Response, string) {
	t.Helper()
	req := sure(http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil))(t)
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res := sure((&http.Client{Timeout: hang}).Do(req))(t)
	defer res.Body.Close()
	return res, string(sure(io.ReadAll(res.Body))(t))
}

// call makes a request to the integration surface as a customer's program does.
func call(method, url, key string, body any) (*http.Response, []byte, error) {
	var doc []byte
	if body != nil {
		var err error
		if doc, err = json.Marshal(body); err != nil {
			return nil, nil, err
		}
	}
	return sendDocument(method, url, key, "application/json", doc)
}

// sendDocument calls the integration surface with a document of a media type. Another answer than 200 is an error.
func sendDocument(method, url, key, media string, doc []byte) (*http.Response, []byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), hang)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(doc))
	if err != nil {
		return nil, nil, err
	}
	req.Header.Set("X-Api-Key", key)
	req.Header.Set("Content-Type", media)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, nil, err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s %s: %d %s", method, url, res.StatusCode, answer)
	}
	return res, answer, err
}

// pulled reads bookings from the integration surface.
func pulled(url, key string) ([]sentBooking, error) {
	_, doc, err := call(http.MethodGet, url, key, nil)
	if err != nil {
		return nil, err
	}
	return readBookings(doc)
}

func readBookings(doc []byte) (list []sentBooking, err error) {
	err = json.Unmarshal(doc, &list)
	return list, err
}

// crewOf returns a crew change of n invented people who join a vessel in
// Singapore ten days from now.
func crewOf(n int, now time.Time) map[string]any {
	homes := []string{"MNL", "BOM", "CGK", "WAW", "ATH", "IST"}
	date := now.AddDate(0, 0, 10).Format(time.DateOnly)
	var joining []map[string]any
	for i := range n {
		joining = append(joining, map[string]any{
			"id": fmt.Sprintf("H-%03d", i), "last_name": "Sailor" + string(rune('a'+i/26)) + string(rune('a'+i%26)),
			"first_name": "Robin",
			"dob":        "1990-04-30", "nationality": "PH", "gender": "M", "doc_country": "PH",
			"doc_number": fmt.Sprintf("P%07dA", i), "doc_expire": "2035-01-01",
			"home_airport": homes[i%len(homes)], "arrive": map[string]any{"port": "SIN", "date": date},
		})
	}
	return map[string]any{"vessel": "Halcyon Dawn", "flag": "PA", "change_date": date, "travel_request_id": "CC-1",
		"onsigners": joining}
}
