package samplecustomer

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// A client calls Gangway's integration surface.
type client struct {
	base, key string
	http      *http.Client
}

func newClient(base, key string) *client {
	return &client{strings.TrimRight(base, "/"), key, &http.Client{Timeout: time.Minute}}
}

// A reply is what Gangway answered.
type reply struct {
	status int
	header http.Header
	body   []byte
}

func (c *client) call(ctx context.Context, method, path string, body any) (reply, error) {
	var doc []byte
	if body != nil {
		var err error
		if doc, err = json.Marshal(body); err != nil {
			return reply{}, fmt.Errorf("%s %s: %w", method, path, err)
		}
	}
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(doc))
	if err != nil {
		return reply{}, fmt.Errorf("%s %s: %w", method, path, err)
	}
	req.Header.Set("X-Api-Key", c.key)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := c.http.Do(req)
	if err != nil {
		return reply{}, err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		return reply{}, fmt.Errorf("%s %s: %w", method, path, err)
	}
	return reply{res.StatusCode, res.Header, answer}, nil
}

// refusal returns the reason for a refused call, from its problem document.
func (r reply) refusal() error {
	var problem struct{ Title, Detail string }
	if err := json.Unmarshal(r.body, &problem); err != nil || problem.Title == "" {
		return fmt.Errorf("the service answered %d", r.status)
	}
	return fmt.Errorf("the service answered %d: %s", r.status, strings.TrimSpace(problem.Title+" "+problem.Detail))
}

// An upload is one of the company's record sets on its way to Gangway.
type upload struct {
	What    string
	Records int
	At      time.Time // when it was accepted
	Result  string    // its outcome in words
	path    string
	body    any
}

// send uploads one record set, and tries again until Gangway answers.
//
// It shows how a customer uses A1, A2 and A4.
func (s *System) send(ctx context.Context, i int) error {
	u := s.uploads[i]
	for wait := 200 * time.Millisecond; ; wait = min(2*wait, 5*time.Second) {
		res, err := s.gangway.call(ctx, "POST", u.path, u.body)
		if err == nil && res.status < 500 && res.status != http.StatusTooManyRequests {
			return s.sent(i, res)
		}
		s.change(func() { s.uploads[i].Result = "waiting for Gangway to answer" })
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
}

func (s *System) sent(i int, res reply) error {
	if res.status != http.StatusOK {
		err := res.refusal()
		s.change(func() { s.uploads[i].Result = err.Error() })
		return err
	}
	var counts struct {
		Created, Updated, Unchanged int
		Warnings                    map[string][]string
	}
	if err := json.Unmarshal(res.body, &counts); err != nil {
		return fmt.Errorf("read answer: %w", err)
	}
	s.change(func() {
		s.uploads[i].At = s.now()
		s.uploads[i].Result = fmt.Sprintf("%d new, %d changed, %d as before", counts.Created, counts.Updated,
			counts.Unchanged)
		if n := len(counts.Warnings); n > 0 {
			s.uploads[i].Result += fmt.Sprintf(", %d fields with warnings", n)
		}
	})
	return nil
}

// takeBack deletes a travel request at Gangway (A3) and here.
func (s *System) takeBack(ctx context.Context, request, sub string) error {
	query := url.Values{"requestId": {request}}
	if sub != "" {
		query.Set("subRequestId", sub)
	}
	res, err := s.gangway.call(ctx, "DELETE", "/travelers-requests?"+query.Encode(), nil)
	if err != nil {
		return errors.New("the service does not answer")
	}
	if res.status != http.StatusNoContent && res.status != http.StatusNotFound {
		return res.refusal()
	}
	s.change(func() {
		for i, r := range s.requests {
			if r.ExternalInfo.RequestID == request && r.ExternalInfo.SubRequestID == sub {
				s.requests = append(s.requests[:i:i], s.requests[i+1:]...)
				return
			}
		}
	})
	return nil
}

// pulled is the result of one pull.
type pulled struct {
	ID       string
	At       time.Time
	Bookings []record
	Actions  int
	More     bool // there is more for another pull
	Raw      string
}

// pullBookings asks by A5 for what has happened since the last pull.
//
// The name of a pull is ours, and stored before we ask: an answer that does not reach
// us, or that we cannot read, is asked for again under the same name.
func (s *System) pullBookings(ctx context.Context) (*pulled, error) {
	s.mu.Lock()
	if s.pulling == "" {
		s.pulling = "crewing-" + strings.ToLower(rand.Text())
	}
	name := s.pulling
	s.mu.Unlock()
	res, err := s.gangway.call(ctx, "GET", "/bookings?pull="+name, nil)
	if err != nil {
		return nil, errors.New("the service does not answer")
	}
	if res.status != http.StatusOK {
		return nil, res.refusal()
	}
	p := &pulled{ID: name, At: s.now(), More: res.header.Get("Pull-More") == "true", Raw: indented(res.body)}
	if err := json.Unmarshal(res.body, &p.Bookings); err != nil {
		return nil, fmt.Errorf("the pull could not be read: %w", err)
	}
	for _, b := range p.Bookings {
		p.Actions += len(b.Actions)
	}
	s.change(func() { s.pull, s.pulling = p, "" })
	return p, nil
}

func indented(doc []byte) string {
	var out bytes.Buffer
	if json.Indent(&out, doc, "", "  ") != nil {
		return string(doc)
	}
	return out.String()
}
