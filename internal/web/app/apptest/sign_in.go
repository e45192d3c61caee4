package apptest

import (
	"bufio"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// Tries signs in as email from a network address, in a new browser, and returns the answer.
func (s *Site) Tries(t *testing.T, email, password, from string) Answer {
	t.Helper()
	c := s.Client(t)
	c.From = from
	return c.Post("/sign-in", url.Values{"email": {email}, "password": {password}})
}

// OpenStream opens a page's stream and returns it once its first line has arrived.
func (c *Client) OpenStream(path string) *bufio.Scanner {
	c.t.Helper()
	req, err := http.NewRequestWithContext(c.t.Context(), http.MethodGet, c.Site.URL+path, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	req.Header.Set("Accept", "text/event-stream")
	res, err := c.HTTP.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { res.Body.Close() })
	lines := bufio.NewScanner(res.Body)
	lines.Buffer(nil, 1<<20)
	if res.Header.Get("Content-Type") != "text/event-stream" || !lines.Scan() {
		c.t.Fatalf("%s is no stream: %s, %v", path, res.Status, lines.Err())
	}
	return lines
}

// Sent sends a form as browsers do, with the address of its page.
func (c *Client) Sent(page, path string, form url.Values) Answer {
	c.t.Helper()
	req, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, c.Site.URL+path,
		strings.NewReader(form.Encode()))
	if err != nil {
		c.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Referer", c.Site.URL+page)
	return c.Do(req)
}
