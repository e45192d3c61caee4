package feeds_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
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

// setFetched sets the feed crew, which is fetched from a system that answers so.
func setFetched(t *testing.T, s *apptest.Site, next time.Time, answers http.HandlerFunc) {
	system := httptest.NewServer(answers)
	t.Cleanup(system.Close)
	apptest.SetFeed(t, apptest.Production(s), gangway.Feed{Name: "crew", Flow: gangway.TravellersFlow,
		Transport: gangway.Transport{Kind: "endpoint", Settings: []byte(`{"url": "` + system.URL + `"}`)}}, next)
}

// A setup is an admin at a page on which a feed is set up, with its form.
type setup struct {
	*apptest.Site
	*apptest.Client
	at    string
	form  url.Values
	table apptest.Answer // the page that has it
}

func newSetup(t *testing.T) *setup {
	s := apptest.NewSite(t)
	p := &setup{Site: s, Client: s.SignedIn(t, gangway.Admin)}
	p.open("/settings/feeds/new")
	return p
}

// open opens a page, whose form it is from now on.
func (p *setup) open(at string) apptest.Answer {
	p.at = at
	return p.follow(p.Get(at))
}

// follow takes the form that a page has.
func (p *setup) follow(page apptest.Answer) apptest.Answer {
	p.form, p.table = page.Sent(p.at), page
	return page
}

// set fills in fields: their names and values alternate.
func (p *setup) set(pairs ...string) {
	for i := 0; i < len(pairs); i += 2 {
		p.form.Set(pairs[i], pairs[i+1])
	}
}

// send sends the form with further fields.
func (p *setup) send(pairs ...string) apptest.Answer {
	p.set(pairs...)
	return p.Post(p.at, p.form)
}

// sendFile sends it with a sample, crew.csv.
func (p *setup) sendFile(file string, pairs ...string) apptest.Answer {
	p.set(pairs...)
	return p.PostFile(p.at, p.form, "sample", "crew.csv", file)
}

// keeps returns the feed of a name, which has the secrets.
func (p *setup) keeps(t *testing.T, name string, secrets ...string) store.StoredFeed {
	t.Helper()
	f := apptest.Must(apptest.Production(p.Site).Feed(t.Context(), name))(t)
	for _, secret := range secrets {
		if !strings.Contains(string(f.Transport.Secrets), secret) {
			t.Errorf("feed %s does not keep %s", name, secret)
		}
	}
	return f
}

// TestSetUpFeed: without a script, an address leads to what was received, how it was decoded, a mapping that was
// proposed and its records with each problem at its field; and then to a feed.
func TestSetUpFeed(t *testing.T) {
	p, system := newSetup(t), personnelSystem(t)
	p.send("transport.url", system.URL+"/closed?key=qu3ry", "do", "fetch").Shows(p.at, "401").Lacks("qu3ry")
	p.follow(p.send("transport.auth", "basic", "transport.auth.user", "gangway", "transport.auth.password", "tide")).
		Shows(p.at, "Pers-Nr;Nachname;Vorname", "text/csv", "CSV with semicolons", "date(&#34;DMY&#34;)",
			"5 records: 4 would be stored, 1 refused. In 1 of those stored something is left out.", "line 4",
			"<del>q</del>", "Geschl", "Lindqvist", "1985-02-01", "No record had:", "<span>home airport</span>",
			"<th>date of birth</th>").
		Lacks("qu3ry", "tide")

	// What was received is tried again, and the secrets are kept without being shown.
	if got := p.form.Get("transport.url"); got != system.URL+"/closed" {
		t.Errorf("the address that is shown: %q; want it without its query", got)
	}
	system.Close()
	p.send("mapping", ".[] | {last_name: .Nachname, first_name: .Vorname", "do", "try").
		Has("The mapping ends too early, at line 1, column 50.")
	p.send("mapping", ".[] | {last_name: .Nachname, first_name: .Rufname}").
		Has("5 records: none would be stored, all are refused.")
	p.follow(p.send("mapping", ".[] | {last_name: .Nachname, first_name: .Vorname, gender: (.Geschl | gender)}")).
		Shows(p.at, "5 records: 4 would be stored", "Not used:", `<span class="code">Geb</span>, `+
			`<span class="code">Pass</span>, <span class="code">Pers-Nr</span>`)
	p.send("do", "save")
	if f := p.keeps(t, "travellers", "tide", "qu3ry"); !strings.Contains(f.Mapping, ".Geschl | gender") ||
		f.Format.Kind != gangway.AutoFormat || f.Flow != gangway.TravellersFlow {
		t.Errorf("the feed: %+v; want it as it was tried", f.Feed)
	}
}

// TestSetUpFeedFromFile: a file shows as well what comes of it, and is remembered while its mapping is written. A feed
// that would store nothing of it is saved only when that is said again.
func TestSetUpFeedFromFile(t *testing.T) {
	p := newSetup(t)
	p.follow(p.sendFile(personnel, "do", "fetch")).Shows(p.at, "crew.csv", "CSV with semicolons",
		"5 records: 4 would be stored", "Save for files given by hand")
	proposed := p.form.Get("mapping")
	p.send("delimiter", ",", "do", "try").Has("5 records: none would be stored, all are refused.")
	p.send("delimiter", "xx").Has("Delimiter must be one character")
	p.form.Del("delimiter")
	p.send("do", "save").Is(http.StatusUnprocessableEntity, "Address (URL) is missing", "5 records")
	p.follow(p.send("mapping", ".[] | {last_name: .Nachname}", "do", "save-upload")).Is(http.StatusUnprocessableEntity,
		"Not saved: nothing of the sample would be stored.", `value="save-upload-anyway"`)
	p.send("name", "none", "do", "save-upload-anyway").Shows("/settings/feeds/none", "was saved")
	p.send("name", "", "mapping", proposed, "do", "save-upload").Shows("/settings/feeds/travellers",
		"The file was only tried: upload it to the feed now.",
		`<a class="button primary" href="/settings/feeds/travellers/upload">`)
	if f := p.keeps(t, "travellers"); !f.ByHand() || f.Mapping == "" {
		t.Errorf("the feed for the file: %+v; want one for files given by hand, with the mapping", f.Feed)
	}
	if big := p.sendFile(strings.Repeat("x", 33<<20)).Status; big != 422 && big != 413 {
		t.Errorf("33 MB: %d; want a refusal", big)
	}
}

// TestDoubtsAreShown: how a file was read, where that may be wrong, is said where its records are shown.
func TestDoubtsAreShown(t *testing.T) {
	p := newSetup(t)
	p.sendFile("id;last_name;first_name\n1;M\xFCller;J\xF6rg \x80\n", "do", "file").
		Has("read as windows-1252: Müller, Jörg", "1;Müller;Jörg €")
	p.follow(p.sendFile("id;last_name;first_name\n1;\xC8\xE2\xE0\xED\xEE\xE2;\xC8\xE2\xE0\xED\n" +
		"2;\xCF\xE5\xF2\xF0\xEE\xE2;\xCF\xE5\xF2\xF0\n")).Has("windows-1251: Иванов, Иван, Петров")
	p.send("encoding", "windows-1251", "do", "try").Has("2 records: all would be stored", "1;Иванов;Иван").
		Lacks("The encoding was guessed")
}

// TestWrongIsSaidAtItsField: whatever is wrong with what was typed is said at its field and by its label, for a try as
// for saving, and what was received before stays.
func TestWrongIsSaidAtItsField(t *testing.T) {
	p := newSetup(t)
	p.send("transport.url", "crew.csv", "do", "fetch").Has(`name="transport.url" rows="1"`, `aria-invalid="true"`).
		Lacks("What was received", "Url")
	p.open(p.at)
	p.follow(p.sendFile(personnel))
	p.send("transport.url", "https://hr.corvina.example/crew", "every", "soon", "do", "save").
		Has("“Fetched” must be", "5 records: 4 would be stored", "crew.csv")
	p.send("every", "", "name", "new").Has("The name must be another than", "5 records: 4 would be stored")
}

// TestEditFeed: a feed that there is is changed by the same page, keeps its secrets for its own system only, and
// nobody overwrites what another has changed meanwhile.
func TestEditFeed(t *testing.T) {
	const at = "/settings/feeds/crew/edit"
	p := newSetup(t)
	in := apptest.Production(p.Site)
	first := gangway.Feed{Name: "crew", Flow: gangway.TravellersFlow, RemovalLimit: 50,
		Mapping: ".[] | {last_name: .Name}", Format: gangway.DocumentFormat{Kind: gangway.CSVFormat, Delimiter: ";"},
		Transport: gangway.Transport{Kind: "endpoint", Settings: json.RawMessage(`{"url": ` +
			`"https://hr.corvina.example/crew?key=qu3ry", "headers": {"X-Tenant": "h3ader"}, ` +
			`"auth": {"kind": "basic", "user": "gangway", "password": "tide"}}`)}}
	apptest.Must(p.Poller.Set(t.Context(), in, storetest.Operator, first))(t)
	apptest.SetFeed(t, in, gangway.Feed{Name: "files", Flow: gangway.TravellersFlow, Transport: gangway.Transport{
		Kind: "folder", Settings: json.RawMessage(`{"path": "/srv/crew"}`)}}, time.Time{})
	p.open(at).Shows(at, ">\nhttps://hr.corvina.example/crew</textarea>", "last_name: .Name", "Kept", "X-Tenant",
		"What follows the question mark is kept").Lacks("qu3ry", "h3ader", "tide")
	p.send("mapping", ".[] | {last_name: .Name, first_name: .Vorname}", "do", "save")
	if f := p.keeps(t, "crew", "qu3ry", "h3ader", "tide"); f.Version != 2 || f.RemovalLimit != 50 ||
		f.Format.Delimiter != ";" || !strings.HasPrefix(f.Mapping, ".[] | {last_name") {
		t.Errorf("the feed: %+v, version %d", f.Feed, f.Version)
	}
	p.send().Is(http.StatusConflict, "Somebody has changed this feed")
	p.open(at)
	p.send("transport.url", "https://elsewhere.example/crew", "do", "save").
		Has("Address (URL) is another than before: give")

	p.open("/settings/feeds/new")
	p.send("name", "crew", "transport.url", "https://hr.corvina.example/crew", "do", "save").
		Is(http.StatusConflict, "There is a feed of this name already")
	p.send("transport", "database", "transport.url", "sqlite:///etc/crew.db", "transport.query", "SELECT 1").
		Has("whoever operates Gangway sets such a feed")
	p.send("transport", "folder").Has("Only whoever operates Gangway")
	p.Get("/settings/feeds/files/edit").Has("gangway feed set", "Only whoever operates Gangway")
	p.Get("/settings/feeds/gone/edit").Is(http.StatusNotFound)
	for _, role := range []gangway.Role{gangway.Booker, gangway.Approver} {
		p.SignedIn(t, role).Get(at).Is(http.StatusForbidden)
	}
}

// TestEveryKindHasItsForm: each kind of transport that a page may set has a field for each of its settings.
func TestEveryKindHasItsForm(t *testing.T) {
	p := newSetup(t)
	for _, kind := range p.Poller.Kinds() {
		page := p.Get("/settings/feeds/new?kind=" + kind.Name)
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
	asked, over := make(chan struct{}, 2), make(chan struct{})
	system := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		asked <- struct{}{}
		<-over
	}))
	t.Cleanup(system.Close)
	p := newSetup(t)
	p.set("transport.url", system.URL, "do", "fetch")
	var trying sync.WaitGroup
	for range 2 {
		trying.Go(func() { p.send() })
	}
	<-asked
	<-asked
	if a := p.send(); a.Status != http.StatusTooManyRequests || a.Head.Get("Retry-After") == "" {
		t.Errorf("a third try: %d; want 429 with Retry-After", a.Status)
	}
	p.Get(p.at).Shows(p.at, "Where it comes from")
	p.Get("/settings/feeds").Shows("/settings/feeds", "No feeds yet")
	close(over)
	trying.Wait()
	p.send("transport", "upload", "do", "save").Shows("/settings/feeds/travellers", "Feed travellers was saved.").
		Lacks("It is being fetched now.")
}
