package outlets_test

import (
	"encoding/json"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/web/app/apptest"
)

const newOutlet = "/settings/outlets/new"

// fill fills in a form.
func fill(form url.Values, set ...string) url.Values {
	for i := 0; i < len(set); i += 2 {
		form.Set(set[i], set[i+1])
	}
	return form
}

// TestNewOutlet: an admin sets an outlet up on its page, sees its signing secret once, also after a double click, and
// has a test booking accepted.
func TestNewOutlet(t *testing.T) {
	s := apptest.NewSite(t)
	signed := make(chan string, 9)
	theirs := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		signed <- r.Header.Get("webhook-signature") + r.Header.Get("Authorization")
	}))
	t.Cleanup(theirs.Close)
	admin := s.SignedIn(t, gangway.Admin)
	page := admin.Get(newOutlet)
	page.Shows(newOutlet, "Where it goes", "What it gets")
	form := fill(page.Sent(newOutlet), "name", "erp", "transport.url", theirs.URL+"/sync?key=hush", "transport.auth",
		"bearer", "transport.auth.token", "t0ken", "do", "save")
	secret := regexp.MustCompile(`whsec_[^<]+`)
	first := secret.FindString(html.UnescapeString(admin.Post(newOutlet, form).Body))
	again := secret.FindString(html.UnescapeString(admin.Post(newOutlet, form).Body))
	if first == "" || again != first {
		t.Errorf("the secret is %q, and after a double click %q; want one", first, again)
	}
	admin.Get("/settings/outlets/erp").Lacks("whsec_", "hush", "t0ken")
	e := apptest.LastEntry(t, s)
	apptest.IsEntry(t, s, e, gangway.OutletSet, "admin@example.com (Ingrid Holm)")
	if doc, err := json.Marshal(e); err != nil || strings.Contains(string(doc), "hush") ||
		strings.Contains(string(doc), "t0ken") {
		t.Errorf("the entry is %s, %v; want no secret in it", doc, err)
	}
	admin.Post("/settings/outlets/erp/test", nil).Has(`data-state="accepted"`, "CHECK2", "200 OK",
		"webhook-signature", "Bearer, with the token of the outlet").Lacks("t0ken", "v1,", "hush")
	if got := <-signed; !strings.HasPrefix(got, "v1,") || !strings.HasSuffix(got, "Bearer t0ken") {
		t.Errorf("the test booking came with %q; want a signature and the token", got)
	}
	theirs.Close()
	admin.Post("/settings/outlets/erp/test", nil).Has(`data-state="refused"`)

	t.Run("secrets are kept where they are left empty, and only for the same system", func(t *testing.T) {
		edit := admin.In(t).Get("/settings/outlets/erp/edit")
		edit.Lacks("hush", "t0ken")
		form := fill(edit.Sent("/settings/outlets/erp/edit"), "do", "save", "mapping", "{b: .booking}")
		admin.In(t).Post("/settings/outlets/erp/edit", form).Shows("/settings/outlets/erp", "Outlet erp was saved.")
		kept := apptest.Must(apptest.Production(s).OutletToChange(t.Context(), "erp"))(t)
		if secrets := string(kept.Transport.Secrets); !strings.Contains(secrets, "hush") ||
			!strings.Contains(secrets, "t0ken") || kept.Mapping != "{b: .booking}" {
			t.Errorf("it is %+v", kept.Outlet)
		}
		admin.In(t).Post("/settings/outlets/erp/edit", fill(form, "mapping", ".")).Is(http.StatusConflict,
			"omebody has changed this outlet")
		form = admin.In(t).Get("/settings/outlets/erp/edit").Sent("/settings/outlets/erp/edit")
		admin.In(t).Post("/settings/outlets/erp/edit", fill(form, "do", "save", "transport.url",
			"https://8.8.8.8/sync")).Is(http.StatusUnprocessableEntity, "again")
	})
	t.Run("it asks before it sends elsewhere", func(t *testing.T) {
		form := fill(admin.In(t).Get("/settings/outlets/erp/edit").Sent("/settings/outlets/erp/edit"), "do", "save",
			"transport.url", "https://8.8.8.8/sync", "transport.auth.token", "other")
		asked := admin.In(t).Post("/settings/outlets/erp/edit", form)
		asked.Is(http.StatusUnprocessableEntity, "Send to https://8.8.8.8/sync from now on?", `value="save-anyway"`)
		if o := s.Outlet(t, "erp"); o.Address() != theirs.URL+"/sync" {
			t.Errorf("it sends to %s already", o.Address())
		}
		form = fill(asked.Sent("/settings/outlets/erp/edit"), "do", "save-anyway")
		admin.In(t).Post("/settings/outlets/erp/edit", form).Shows("/settings/outlets/erp", "https://8.8.8.8/sync")
		if kept := apptest.Must(apptest.Production(s).OutletToChange(t.Context(), "erp"))(t); !strings.Contains(
			string(kept.Transport.Secrets), "other") {
			t.Error("what was typed is lost when it asks")
		}
	})
	t.Run("another of its name is refused", func(t *testing.T) {
		admin.In(t).Post(newOutlet, fill(admin.In(t).Get(newOutlet).Sent(newOutlet), "name", "erp", "transport.url",
			"https://8.8.8.8/", "do", "save")).Is(http.StatusConflict, "An outlet of this name exists already")
	})
	t.Run("what only an operator may write to is refused", func(t *testing.T) {
		form := fill(admin.In(t).Get(newOutlet).Sent(newOutlet), "transport", "folder", "transport.path", "/srv", "do",
			"save")
		admin.In(t).Post(newOutlet, form).Is(http.StatusUnprocessableEntity, "Only your Gangway operator")
	})
}

// TestMappingIsTried: a mapping is tried on the latest bookings, each beside what is sent of it, and nothing is stored.
func TestMappingIsTried(t *testing.T) {
	s := newScene(t)
	id := strings.TrimPrefix(s.booking, "/bookings/")
	locator := apptest.Must(apptest.Production(s.Site).Booking(t.Context(), id))(t).Locator
	try := func(mapping string) apptest.Answer {
		return s.Post(newOutlet, fill(s.Get(newOutlet).Sent(newOutlet), "mapping", mapping, "do", "try"))
	}
	try(`{seat: .locator}`).Is(http.StatusOK, locator, "&#34;seat&#34;: &#34;"+locator+"&#34;")
	try(`empty`).Is(http.StatusOK, "left out")
	try(`error("no vessel")`).Is(http.StatusOK, "no vessel")
	try(`{`).Is(http.StatusUnprocessableEntity, `aria-invalid="true"`)
	if list := apptest.Must(apptest.Production(s.Site).Outlets(t.Context()))(t); len(list) != 1 {
		t.Errorf("there are %d outlets; want nothing stored", len(list))
	}
}

// TestOutletIsDeleted: an outlet at which something waits is deleted only by its name.
func TestOutletIsDeleted(t *testing.T) {
	s := newScene(t)
	const page = erp + "/delete"
	s.Get(page).Has("1 waiting", `name="typed"`)
	s.Post(page, nil).Is(http.StatusConflict)
	s.Post(page, url.Values{"typed": {"prod"}}).Is(http.StatusUnprocessableEntity)
	s.Outlet(t, "erp")
	s.Post(page, url.Values{"typed": {"erp"}}).Shows("/settings/outlets", "1 delivery was lost")
	if e := apptest.LastEntry(t, s.Site); e.What != gangway.OutletDeleted || e.Before["discarded"] != 1.0 {
		t.Errorf("the entry is %+v; want what was lost", e)
	}
}

// TestCopiedOutlet: an outlet copied from the other environment has no secret of it but signs in as it does, says that
// the address is that one's until it is another, and stays off, whatever is done, until it has accepted a test booking.
func TestCopiedOutlet(t *testing.T) {
	s := newScene(t)
	s.Post(erp+"/edit", fill(s.Get(erp+"/edit").Sent(erp+"/edit"), "do", "save-anyway", "transport.url",
		s.theirs.URL+"/sync?key=hush", "transport.auth", "bearer", "transport.auth.token", "t0ken")).Shows(erp)
	s.Post("/environment", url.Values{"environment": {"development"}, "back": {newOutlet}}).Has("?copy=erp")
	page := s.Get(newOutlet + "?copy=erp")
	const theirAddress = "Address copied from production"
	page.Has(s.theirs.URL+"/sync", "Copied from erp of production", `value="bearer" selected`, theirAddress).
		Lacks("hush", "t0ken")
	form := fill(page.Sent(newOutlet), "name", "copy", "do", "save")
	s.Post(newOutlet, form).Is(http.StatusUnprocessableEntity, `id="s-auth-token"`, "Copied from erp", theirAddress)
	s.Post(newOutlet, fill(form, "transport.auth.token", "other")).Has("whsec_", theirAddress)
	const copied = "/settings/outlets/copy"
	off := func() bool {
		return apptest.Must(s.DB.In(s.Development.Scope()).Outlet(t.Context(), "copy"))(t).Untested()
	}
	s.is(t, gangway.IsUntested, "/settings/outlets", copied)
	s.Post(copied+"/pause", url.Values{"to": {"on"}}).Is(http.StatusConflict)
	s.Get(copied).Has(theirAddress)
	edit := s.Get(copied + "/edit")
	edit.Has(theirAddress)
	s.Post(copied+"/edit", fill(edit.Sent(copied+"/edit"), "do", "save-anyway", "mapping", ".", "transport.url",
		s.theirs.URL+"/development", "transport.auth.token", "other")).Shows(copied).Lacks(theirAddress)
	s.theirs.Status.Store(http.StatusTeapot)
	s.Post(copied+"/test", nil).Has(`data-state="refused"`)
	if !off() {
		t.Fatal("it is on, and has accepted nothing")
	}
	s.theirs.Status.Store(http.StatusOK)
	s.Post(copied+"/test", nil).Has(`data-state="accepted"`, "is switched on")
	if off() {
		t.Error("it is off, and has accepted a test booking")
	}
	s.is(t, gangway.IsNew, copied)
}
