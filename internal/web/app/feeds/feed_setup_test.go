package feeds_test

import (
	"bytes"
	"encoding/json"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"
)

// personnel is how a customer's system writes its crew: in its own words, with its own order of dates.
const personnel = "Pers-Nr;Nachname;Vorname;Geb;Geschl;Pass\r\n" +
	"4711;Lindqvist;Astrid;01/02/1985;W;P1234567A\r\n" +
	"4712;Okafor;Chidi;03/04/1986;M;P1234567B\r\n" +
	"4713;;Elena;05/06/1987;W;P1234567C\r\n" +
	"4714;Marquez;Rosa;07/08/1988;q;P1234567D\r\n" +
	"4715;Virtanen;Aino;09/10/1989;W;P1234567E\r\n"

// personnelSystem serves it to those who sign in.
func personnelSystem(t *testing.T) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if user, password, _ := r.BasicAuth(); r.URL.Path == "/closed" && (user != "gangway" || password != "tide") {
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		w.Header().Set("Content-Type", "text/csv")
		w.Write([]byte(personnel))
	}))
	t.Cleanup(s.Close)
	return s
}

// sends posts a form with a file in it, as browsers do.
func sends(t *testing.T, c *apptest.Client, path string, form url.Values, name, file string) apptest.Answer {
	t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for field, values := range form {
		for _, value := range values {
			if err := w.WriteField(field, value); err != nil {
				t.Fatal(err)
			}
		}
	}
	part, err := w.CreateFormFile("sample", name)
	if err == nil {
		_, err = part.Write([]byte(file))
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, c.Site.URL+path, &body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", w.FormDataContentType())
	return c.Do(req)
}

// TestSetUpFeed: without a script, an address leads to what was received, how it was decoded, a mapping that was
// proposed and its records with each problem at its field; and then to a feed.
func TestSetUpFeed(t *testing.T) {
	const at = "/settings/feeds/new"
	s, system := apptest.NewSite(t), personnelSystem(t)
	admin := s.SignedIn(t, gangway.Admin)
	form := admin.Get(at).Sent(at)
	form.Set("transport.url", system.URL+"/closed?key=qu3ry")
	form.Set("do", "fetch")
	a := admin.Post(at, form)
	a.Shows(at, "401")
	a.Lacks("qu3ry")

	form.Set("transport.auth", "basic")
	form.Set("transport.auth.user", "gangway")
	form.Set("transport.auth.password", "tide")
	a = admin.Post(at, form)
	a.Shows(at, "Pers-Nr;Nachname;Vorname", "text/csv", "CSV with semicolons",
		"date(&#34;DMY&#34;)", "5 records: 4 would be stored, 1 refused. In 1 of those stored something is left out.",
		"line 4", "<del>q</del>", "Geschl", "Lindqvist", "1985-02-01")
	a.Lacks("qu3ry", "tide")
	a.Has("No record had:", `<span class="code">home_airport</span>`)

	// What was received is tried again, and the secrets are kept without being shown.
	form = a.Sent(at)
	if got := form.Get("transport.url"); got != system.URL+"/closed" {
		t.Errorf("the address that is shown: %q; want it without its query", got)
	}
	system.Close()
	form.Set("mapping", ".[] | {last_name: .Nachname, first_name: .Vorname")
	form.Set("do", "try")
	admin.Post(at, form).Has("The mapping ends too early, at line 1, column 50.")
	form.Set("mapping", ".[] | {last_name: .Nachname, first_name: .Rufname}")
	admin.Post(at, form).Has("5 records: none would be stored, all are refused.")
	form.Set("mapping", ".[] | {last_name: .Nachname, first_name: .Vorname, gender: (.Geschl | gender)}")
	a = admin.Post(at, form)
	a.Shows(at, "5 records: 4 would be stored")
	a.Has("Not used:", `<span class="code">Geb</span>, <span class="code">Pass</span>, `+
		`<span class="code">Pers-Nr</span>`)

	form = a.Sent(at)
	form.Set("do", "save")
	admin.Post(at, form)
	f, err := apptest.Production(s).Feed(t.Context(), "travellers")
	if err != nil || !strings.Contains(string(f.Transport.Secrets), "tide") ||
		!strings.Contains(string(f.Transport.Secrets), "qu3ry") || !strings.Contains(f.Mapping, ".Geschl | gender") ||
		f.Format.Kind != gangway.AutoFormat || f.Flow != gangway.TravellersFlow {
		t.Fatalf("the feed: %+v, %v; want it as it was tried, with its secrets", f.Feed, err)
	}
}

// TestSetUpFeedFromFile: a file shows as well what comes of it, and is remembered while its mapping is written.
func TestSetUpFeedFromFile(t *testing.T) {
	const at = "/settings/feeds/new"
	s := apptest.NewSite(t)
	admin := s.SignedIn(t, gangway.Admin)
	form := admin.Get(at).Sent(at)
	form.Set("do", "fetch")
	a := sends(t, admin, at, form, "crew.csv", personnel)
	a.Shows(at, "crew.csv", "CSV with semicolons", "5 records: 4 would be stored")
	a.Has("Save for files given by hand")
	form = a.Sent(at)
	form.Set("delimiter", ",")
	form.Set("do", "try")
	admin.Post(at, form).Has("5 records: none would be stored, all are refused.")
	form.Set("delimiter", "xx")
	admin.Post(at, form).Has("Delimiter must be one character")
	form.Del("delimiter")
	form.Set("do", "save")
	if a := admin.Post(at, form); a.Status != http.StatusUnprocessableEntity {
		t.Errorf("saved without an address: %d; want 422", a.Status)
	} else {
		a.Has("Address (URL) is missing", "5 records")
	}
	form.Set("do", "save-upload")
	saved := admin.Post(at, form)
	saved.Shows("/settings/feeds/travellers", "The file was only tried: upload it to the feed now.",
		`<a class="button primary" href="/settings/feeds/travellers/upload">`)
	if f, err := apptest.Production(s).Feed(t.Context(), "travellers"); err != nil || !f.ByHand() || f.Mapping == "" {
		t.Errorf("the feed for the file: %+v, %v; want one for files given by hand, with the mapping", f.Feed, err)
	}
	big := sends(t, admin, at, form, "crew.csv", strings.Repeat("x", 33<<20))
	if big.Status != http.StatusUnprocessableEntity && big.Status != http.StatusRequestEntityTooLarge {
		t.Errorf("33 MB: %d; want a refusal", big.Status)
	}
}

// TestDoubtsAreShown: how a file was read, where that may be wrong, is said where its records are shown.
func TestDoubtsAreShown(t *testing.T) {
	const at = "/settings/feeds/new"
	admin := apptest.NewSite(t).SignedIn(t, gangway.Admin)
	form := admin.Get(at).Sent(at)
	form.Set("do", "file")
	german := "id;last_name;first_name\n1;M\xFCller;J\xF6rg \x80\n"
	sends(t, admin, at, form, "crew.csv", german).Has("read as windows-1252: Müller, Jörg", "1;Müller;Jörg €")
	cyrillic := "id;last_name;first_name\n1;\xC8\xE2\xE0\xED\xEE\xE2;\xC8\xE2\xE0\xED\n" +
		"2;\xCF\xE5\xF2\xF0\xEE\xE2;\xCF\xE5\xF2\xF0\n"
	a := sends(t, admin, at, form, "crew.csv", cyrillic)
	a.Has("windows-1251: Иванов, Иван, Петров")
	form = a.Sent(at)
	form.Set("encoding", "windows-1251")
	form.Set("do", "try")
	a = admin.Post(at, form)
	a.Has("2 records: all would be stored", "1;Иванов;Иван")
	a.Lacks("The encoding was guessed")
}

// TestWrongIsSaidAtItsField: whatever is wrong with what was typed is said at its field and by its label, for a try as
// for saving, and what was received before stays.
func TestWrongIsSaidAtItsField(t *testing.T) {
	const at = "/settings/feeds/new"
	s := apptest.NewSite(t)
	admin := s.SignedIn(t, gangway.Admin)
	form := admin.Get(at).Sent(at)
	form.Set("transport.url", "crew.csv")
	form.Set("do", "fetch")
	a := admin.Post(at, form)
	a.Has(`name="transport.url" rows="1"`, `aria-invalid="true"`)
	a.Lacks("What was received", "Url")

	form = sends(t, admin, at, admin.Get(at).Sent(at), "crew.csv", personnel).Sent(at)
	form.Set("transport.url", "https://hr.corvina.example/crew")
	form.Set("every", "soon")
	form.Set("do", "save")
	admin.Post(at, form).Has("“Fetched” must be", "5 records: 4 would be stored", "crew.csv")
	form.Set("every", "")
	form.Set("name", "new")
	admin.Post(at, form).Has("The name of the feed must be another than", "5 records: 4 would be stored")
}

// TestEditFeed: a feed that there is is changed by the same page, keeps its secrets for its own system only, and
// nobody overwrites what another has changed meanwhile.
func TestEditFeed(t *testing.T) {
	const at = "/settings/feeds/crew/edit"
	s := apptest.NewSite(t)
	admin := s.SignedIn(t, gangway.Admin)
	in := apptest.Production(s)
	first := gangway.Feed{Name: "crew", Flow: gangway.TravellersFlow, RemovalLimit: 50,
		Mapping: ".[] | {last_name: .Name}", Format: gangway.DocumentFormat{Kind: gangway.CSVFormat, Delimiter: ";"},
		Transport: gangway.Transport{Kind: "endpoint", Settings: json.RawMessage(`{"url": ` +
			`"https://hr.corvina.example/crew?key=qu3ry", "headers": {"X-Tenant": "h3ader"}, ` +
			`"auth": {"kind": "basic", "user": "gangway", "password": "tide"}}`)}}
	if _, err := s.Poller.Set(t.Context(), in, storetest.Operator, first); err != nil {
		t.Fatal(err)
	}
	apptest.SetFeed(t, in, gangway.Feed{Name: "files", Flow: gangway.TravellersFlow, Transport: gangway.Transport{
		Kind: "folder", Settings: json.RawMessage(`{"path": "/srv/crew"}`)}}, time.Time{})
	page := admin.Get(at)
	page.Shows(at, ">\nhttps://hr.corvina.example/crew</textarea>", "last_name: .Name", "Kept", "X-Tenant",
		"What follows the question mark is kept")
	page.Lacks("qu3ry", "h3ader", "tide")
	form := page.Sent(at)
	form.Set("mapping", ".[] | {last_name: .Name, first_name: .Vorname}")
	form.Set("do", "save")
	admin.Post(at, form)
	f, err := in.Feed(t.Context(), "crew")
	if err != nil || f.Version != 2 || f.RemovalLimit != 50 || f.Format.Delimiter != ";" ||
		!strings.HasPrefix(f.Mapping, ".[] | {last_name") {
		t.Fatalf("the feed: %+v, version %d, %v", f.Feed, f.Version, err)
	}
	for _, secret := range []string{"qu3ry", "h3ader", "tide"} {
		if !strings.Contains(string(f.Transport.Secrets), secret) {
			t.Errorf("saving without %s has not kept it", secret)
		}
	}
	other := admin.Get(at).Sent(at)
	other.Set("transport.url", "https://elsewhere.example/crew")
	other.Set("do", "save")
	admin.Post(at, other).Has("Address (URL) is another than before: give")
	if a := admin.Post(at, form); a.Status != http.StatusConflict {
		t.Errorf("an older page: %d; want 409", a.Status)
	} else {
		a.Has("Somebody has changed this feed")
	}
	form = admin.Get("/settings/feeds/new").Sent("/settings/feeds/new")
	form.Set("name", "crew")
	form.Set("transport.url", "https://hr.corvina.example/crew")
	form.Set("do", "save")
	if a := admin.Post("/settings/feeds/new", form); a.Status != http.StatusConflict {
		t.Errorf("a second feed of a name: %d; want 409", a.Status)
	} else {
		a.Has("There is a feed of this name already")
	}

	admin.Get("/settings/feeds/files/edit").Has("gangway feed set", "Only whoever operates Gangway")
	form.Set("transport", "database")
	form.Set("transport.url", "sqlite:///etc/crew.db")
	form.Set("transport.query", "SELECT 1")
	admin.Post("/settings/feeds/new", form).Has("whoever operates Gangway sets such a feed")
	form.Set("transport", "folder")
	admin.Post("/settings/feeds/new", form).Has("Only whoever operates Gangway")
	if a := admin.Get("/settings/feeds/gone/edit"); a.Status != http.StatusNotFound {
		t.Errorf("no such feed: %d; want 404", a.Status)
	}
	for _, role := range []gangway.Role{gangway.Booker, gangway.Approver} {
		if a := s.SignedIn(t, role).Get(at); a.Status != http.StatusForbidden {
			t.Errorf("%s: %d; want 403", role, a.Status)
		}
	}
}

// TestEveryKindHasItsForm: each kind of transport that a page may set has a field for each of its settings.
func TestEveryKindHasItsForm(t *testing.T) {
	s := apptest.NewSite(t)
	admin := s.SignedIn(t, gangway.Admin)
	for _, kind := range s.Poller.Kinds() {
		page := admin.Get("/settings/feeds/new?kind=" + kind.Name)
		if kind.Name == "folder" {
			page.Has("Only whoever operates Gangway")
			continue
		}
		for _, setting := range kind.Settings {
			page.Has(`name="transport.` + setting.Name)
		}
	}
}

// TestTriesAreBounded: an account whose system hangs tries two feeds at a time, and holds up no other page.
func TestTriesAreBounded(t *testing.T) {
	const at = "/settings/feeds/new"
	asked, over := make(chan struct{}, 2), make(chan struct{})
	system := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		asked <- struct{}{}
		<-over
	}))
	t.Cleanup(system.Close)
	s := apptest.NewSite(t)
	admin := s.SignedIn(t, gangway.Admin)
	form := admin.Get(at).Sent(at)
	form.Set("transport.url", system.URL)
	form.Set("do", "fetch")
	var trying sync.WaitGroup
	for range 2 {
		trying.Go(func() { admin.Post(at, form) })
	}
	<-asked
	<-asked
	if a := admin.Post(at, form); a.Status != http.StatusTooManyRequests || a.Head.Get("Retry-After") == "" {
		t.Errorf("a third try: %d; want 429 with Retry-After", a.Status)
	}
	admin.Get(at).Shows(at, "Where it comes from")
	admin.Get("/settings/feeds").Shows("/settings/feeds", "No feeds yet")
	close(over)
	trying.Wait()
	form.Set("transport", "upload")
	form.Set("do", "save")
	a := admin.Post(at, form)
	a.Shows("/settings/feeds/travellers", "Feed travellers was saved.")
	a.Lacks("It is being fetched now.")
}

// TestSavingAFeedOfNothingAsks: a feed that would store nothing of its sample is saved only when that is said again.
func TestSavingAFeedOfNothingAsks(t *testing.T) {
	const at = "/settings/feeds/new"
	s := apptest.NewSite(t)
	admin := s.SignedIn(t, gangway.Admin)
	form := admin.Get(at).Sent(at)
	form.Set("do", "fetch")
	a := sends(t, admin, at, form, "crew.csv", personnel)
	form = a.Sent(at)
	form.Set("mapping", ".[] | {last_name: .Nachname}")
	form.Set("do", "save-upload")
	a = admin.Post(at, form)
	if a.Status != http.StatusUnprocessableEntity {
		t.Errorf("saved at once: %d", a.Status)
	}
	a.Has("Not saved: nothing of the sample would be stored.", "Save all the same",
		"5 records: none would be stored, all are refused.")
	if _, err := apptest.Production(s).Feed(t.Context(), "travellers"); gangway.KindOf(err) != gangway.NotFound {
		t.Errorf("the feed is there: %v", err)
	}
	form = a.Sent(at)
	form.Set("do", "save-upload-anyway")
	admin.Post(at, form).Shows("/settings/feeds/travellers", "was saved")
}
