package apptest

import (
	"bytes"
	"fmt"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"gangway/internal/accept/poll"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/transport/kinds"
)

// Maya gives files to feeds.
var Maya = gangway.Actor{ID: "maya@corvina.example", Name: "Maya Ortiz-Valderrama"}

// SetUploadFeed sets a feed to which people give files.
func SetUploadFeed(t *testing.T, in store.Scoped, name string, flow gangway.Flow) {
	t.Helper()
	SetFeed(t, in, gangway.Feed{Name: name, Flow: flow, Transport: gangway.Transport{
		Kind: gangway.UploadTransport, Settings: []byte("{}")}}, time.Time{})
}

// GiveFile gives a feed a file as Maya does, and returns the run that is to read it.
func GiveFile(t *testing.T, s *Site, feed, text string) (run int64) {
	t.Helper()
	return Must(Production(s).GiveFeedDocument(t.Context(), feed, store.GivenDocument{By: Maya, Name: "crew.csv"},
		strings.NewReader(text), s.Now))(t)
}

// ReadFile has the run of a file that was given end, as a server does.
func ReadFile(t *testing.T, s *Site, feed string, run int64) gangway.FeedRun {
	t.Helper()
	p := poll.New(poll.Config{DB: s.DB, Kinds: kinds.All, Now: s.Now, Log: slog.New(slog.DiscardHandler)})
	return Must(p.Finish(t.Context(), Production(s), feed, run))(t)
}

// UploadPath is the page of what becomes of a file.
func UploadPath(feed string, run int64) string {
	return fmt.Sprintf("/settings/feeds/%s/upload/%d", feed, run)
}

// PostFile posts a form with a file in a field of it, as a browser does.
func (c *Client) PostFile(path string, form url.Values, field, file, text string) Answer {
	c.t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for name, values := range form {
		for _, value := range values {
			Done(c.t, w.WriteField(name, value))
		}
	}
	Must(Must(w.CreateFormFile(field, file))(c.t).Write([]byte(text)))(c.t)
	Done(c.t, w.Close())
	req := Must(http.NewRequestWithContext(c.t.Context(), http.MethodPost, c.Site.URL+path, &body))(c.t)
	req.Header.Set("Content-Type", w.FormDataContentType())
	return c.Do(req)
}
