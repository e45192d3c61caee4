package shell_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/web/app/apptest"
)

// TestFileForms: a form with a file in it is read where one is taken, once its sender was let in, and is bounded.
func TestFileForms(t *testing.T) {
	s := apptest.NewSite(t)
	field := func(name, value string) string {
		return fmt.Sprintf("--b\r\nContent-Disposition: form-data; name=%q\r\n\r\n%s\r\n", name, value)
	}
	file := func(text string) string {
		return "--b\r\nContent-Disposition: form-data; name=\"sample\"; filename=\"crew.csv\"\r\n\r\n" + text + "\r\n"
	}
	admin := s.SignedIn(t, gangway.Admin)
	send := func(c *apptest.Client, at, body string) apptest.Answer {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+at,
			strings.NewReader(body+"--b--\r\n"))
		apptest.Done(t, err)
		req.Header.Set("Content-Type", "multipart/form-data; boundary=b")
		return c.Do(req)
	}
	const at = "/settings/feeds/new"
	flow := field("flow", "travellers")
	for _, tt := range []struct {
		name, at, body string
		status         int
		says           string
	}{
		{"fields and a file, in any order", at, file("last_name,first_name\r\nSantos,Maria") + flow, 200,
			"1 record: all would be stored"},
		{"a file that was not chosen", at, flow +
			"--b\r\nContent-Disposition: form-data; name=\"sample\"; filename=\"\"\r\n" +
			"Content-Type: application/octet-stream\r\n\r\n\r\n", 422, "Address (URL) is missing"},
		{"cut", at, flow + "--b\r\nContent-Disposition: form-data; name=\"every\"\r\n\r\n1", 400,
			"cannot be read as a form"},
		{"a field that is too long", at, flow + field("name", strings.Repeat("x", 2001)), 422, "at most 2000 bytes"},
		{"fields that are too long together", at, field("document", strings.Repeat("x", 1<<20)), 413, ""},
		{"letters that cannot be seen", at, field("name", "a\x00"), 422, "cannot be seen"},
		{"of the other environment", at, field("opened-in", "development") + flow, 409, "opened in development"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := send(admin.In(t), tt.at, tt.body)
			a.Is(tt.status, tt.says)
		})
	}
	if a := send(s.Client(t), at, flow+file("x")); !strings.HasPrefix(a.Path, "/sign-in") {
		t.Errorf("nobody is signed in: %s; want the sign-in page", a.Path)
	}
}

// sendFile posts a form whose boundary is b; it says to be so long where that is not what it is.
func sendFile(t *testing.T, s *apptest.Site, c *apptest.Client, at string, body io.Reader,
	length int64) apptest.Answer {
	t.Helper()
	req := apptest.Must(http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+at, body))(t)
	if length > 0 {
		req.ContentLength = length
	}
	req.Header.Set("Content-Type", "multipart/form-data; boundary=b")
	return c.Do(req)
}

// A file that says itself that it is longer than is taken is refused before any of it has come.
func TestTooLongAFileIsRefusedUnread(t *testing.T) {
	s := apptest.NewSite(t)
	apptest.SetUploadFeed(t, apptest.Production(s), "office", gangway.TravellersFlow)
	held, _ := io.Pipe() // of which nothing ever comes
	t.Cleanup(func() { held.Close() })
	a := sendFile(t, s, s.SignedIn(t, gangway.Booker), "/settings/feeds/office/upload", held, 2<<30)
	a.Is(http.StatusUnprocessableEntity, "at most 1024 MiB")
}
