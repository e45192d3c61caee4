package outlets_test

import (
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"gangway/internal/deliver"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"
)

// delivered reports whether nothing waits at an outlet.
func delivered(t *testing.T, o gangway.Outlet) func(store.Scoped) bool {
	return func(in store.Scoped) bool {
		h, err := in.OutletHealth(t.Context(), o.ID)
		if err != nil {
			t.Fatal(err)
		}
		return h.Waiting == 0
	}
}

// failing reports whether an outlet fails.
func failing(t *testing.T, name string) func(store.Scoped) bool {
	return func(in store.Scoped) bool {
		o, err := in.Outlet(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		return !o.FailingSince.IsZero()
	}
}

// TestOutletPages: an admin sees how an outlet is doing, what was sent and answered, and steers it; nobody else does.
func TestOutletPages(t *testing.T) {
	s := apptest.NewSite(t)
	admin := s.SignedIn(t, gangway.Admin)
	admin.Get("/settings/outlets").Has("No outlets yet", "gangway outlet set")
	theirs := apptest.Receive(t, s, "erp")
	o := s.Outlet(t, "erp")
	admin.Get("/settings/outlets").Has("on, nothing sent yet")
	admin.Get("/settings/outlets/"+o.ID).Shows("/settings/outlets/erp", "Signing secret")
	booking := strings.TrimPrefix(s.SignedIn(t, gangway.Booker).Booked("fare=marine"), "/bookings/")
	delivery := "/settings/outlets/erp/deliveries/" + booking + "/1"

	t.Run("what waits is counted, and a refused network is told with how to allow it", func(t *testing.T) {
		s.Deliver(t, s.Now(), nil, failing(t, "erp"))
		page := admin.In(t).Get("/settings/outlets")
		page.Has("1 outlet does not deliver", "failing", "The address lies in a network",
			"gangway serve --allow-network 10.20.0.0/16",
			`href="/settings/integrator?find=erp&amp;show=deliveries&amp;state=waiting">1<`)
		admin.In(t).Get("/settings/outlets/erp").Has("1 waiting", "no answer", "the oldest made")
		admin.In(t).Get("/settings/outlets").Has("oldest made")
		page = admin.In(t).Get(delivery)
		page.Has("It is tried again at ", "&#34;locator&#34;", "msg_")
		page.Has("webhook-timestamp", "webhook-signature", "application/json")
		page.Lacks("Deliver it again", "whsec_")
	})
	t.Run("each try has its answer, and times are told of how many deliveries", func(t *testing.T) {
		theirs.Status.Store(http.StatusBadGateway)
		s.Deliver(t, s.Now().Add(time.Hour), apptest.Private, func(in store.Scoped) bool {
			last, err := in.LastFailure(t.Context(), o.ID)
			return err == nil && last.Status == http.StatusBadGateway
		})
		page := admin.In(t).Get("/settings/outlets")
		page.Has("It answered 502 Bad Gateway.", "It is one booking")
		if n := strings.Count(page.Body, "502 Bad Gateway"); n != 1 {
			t.Errorf("what was answered is said %d times; want once", n)
		}
		theirs.Status.Store(http.StatusOK)
		s.Deliver(t, s.Now().Add(2*time.Hour), apptest.Private, delivered(t, o))
		admin.In(t).Get("/settings/outlets/erp").Has("Web address · on", "Nothing is waiting",
			"The latest delivery took ", "delivered", "502 Bad Gateway", "no answer")
		admin.In(t).Get(delivery).Has("delivered", "by the crew system", "Deliver it again", "502 Bad Gateway")
	})
	t.Run("one delivery, or a span of time, is delivered again, and that is noted", func(t *testing.T) {
		form := admin.In(t).Get(delivery).Form(delivery + "/replay")
		admin.In(t).Post(delivery+"/replay", form).Shows(delivery, "It is delivered once more",
			"It is on its way. It was accepted before, as "+form.Get("was"))
		history := admin.In(t).Get("/bookings/" + booking)
		history.Has("waiting; accepted before")
		history.Lacks("failing", "so far", "answered 200")
		s.Deliver(t, s.Now().Add(3*time.Hour), apptest.Private, delivered(t, o))
		admin.In(t).Post(delivery+"/replay", form).Shows(delivery, "It was delivered once more since",
			"Deliver it again")
		admin.In(t).Get(delivery).Has(`title="webhook-id">` + form.Get("was") + `<`)
		if n := len(s.Audit(t, gangway.DeliveriesReplayed)); n != 1 {
			t.Errorf("it was replayed %d times; want once, as the same form was sent twice", n)
		}
		at := s.Now().UTC()
		span := url.Values{"from": {at.Add(-time.Hour).Format("2006-01-02T15:04")}, // where the seconds are 0
			"to": {at.Add(time.Hour).Format("2006-01-02T15:04:05")}}
		asked := admin.In(t).Get("/settings/outlets/erp/replay?" + span.Encode())
		asked.Has("Deliver 1 action again")
		_, asked.Body, _ = strings.Cut(asked.Body, "went to this outlet") // the form that counts is before it
		form = asked.Form("/settings/outlets/erp/replay")
		admin.In(t).Post("/settings/outlets/erp/replay", form).Shows("/settings/outlets/erp",
			"1 delivery is sent once more")
		if e := apptest.LastEntry(t, s); e.What != gangway.DeliveriesReplayed || e.After["from"] == nil {
			t.Errorf("the audit log ends with %+v; want the replay of a span", e)
		}
		s.Deliver(t, s.Now().Add(4*time.Hour), apptest.Private, delivered(t, o))
		admin.In(t).Post("/settings/outlets/erp/replay", form).Shows("/settings/outlets/erp",
			"1 delivery is sent once more. That was just done")
		form.Set("to", at.Add(2*time.Hour).Format("2006-01-02T15:04"))
		if a := admin.In(t).Post("/settings/outlets/erp/replay", form); a.Status != http.StatusUnprocessableEntity {
			t.Errorf("another span with what was counted of this one is answered with %d; want 422", a.Status)
		}
		if n := len(s.Audit(t, gangway.DeliveriesReplayed)); n != 2 {
			t.Errorf("there are %d replays; want that of one and that of a span", n)
		}
		for _, wrong := range []url.Values{{"from": {"soon"}, "to": span["to"]}, {"from": span["from"], "to": {"late"}},
			{"from": span["to"], "to": span["from"]}} {
			a := admin.In(t).Post("/settings/outlets/erp/replay", wrong)
			if a.Status != http.StatusUnprocessableEntity || !strings.Contains(a.Body, "must be") {
				t.Errorf("%v is answered with %d; want 422 and what is wanted", wrong, a.Status)
			}
		}
	})
	t.Run("a paused outlet has waiting what happens, and sends it when it goes on", func(t *testing.T) {
		admin.In(t).Post("/settings/outlets/erp/pause", url.Values{"to": {"paused"}}).Shows("/settings/outlets/erp",
			"paused", "Resume")
		s.SignedIn(t, gangway.Booker).Booked("")
		admin.In(t).Get("/settings/outlets").Has("paused", `state=waiting">1<`)
		admin.In(t).Post(delivery+"/replay", nil).Shows(delivery, "delivered once more, once the outlet is resumed.")
		admin.In(t).Get("/bookings/" + booking).Has("waiting: the outlet is paused; accepted before")
		admin.In(t).Post(delivery+"/replay", nil).Shows(delivery, "It waits to be delivered already, once the outlet")
		admin.In(t).Post("/settings/outlets/erp/pause", url.Values{"to": {"on"}}).Shows("/settings/outlets/erp",
			"Pause")
		if n := len(s.Audit(t, gangway.OutletSet)); n < 3 {
			t.Errorf("the audit log has %d entries of the outlet; want it set, paused and resumed", n)
		}
		s.Deliver(t, s.Now().Add(5*time.Hour), apptest.Private, delivered(t, o))
	})
	t.Run("one whose system asked for an hour is tried before that if somebody wants it", func(t *testing.T) {
		theirs.Status.Store(http.StatusTooManyRequests)
		admin.In(t).Post(delivery+"/replay", nil)
		s.Deliver(t, s.Now().Add(6*time.Hour), apptest.Private, failing(t, "erp"))
		for _, path := range []string{"/settings/outlets", "/settings/outlets/erp", delivery} {
			admin.In(t).Get(path).Has("othing is sent there until ")
		}
		theirs.Status.Store(http.StatusOK)
		admin.In(t).Post("/settings/outlets/erp/pause", url.Values{"to": {"banana"}}).Has("To must be paused or on")
		page := admin.In(t).Get("/settings/outlets/erp")
		page.Has("Try now", "Of the latest 2 deliveries half were delivered within ", "(p99)")
		admin.In(t).Post("/settings/outlets/erp/pause", page.Form("/settings/outlets/erp/pause")).
			Shows("/settings/outlets/erp", "goes on: what waits is sent now")
		if e := apptest.LastEntry(t, s); e.What != gangway.OutletSet || e.After["tried_now"] != true {
			t.Errorf("the audit log ends with %+v; want that it was tried", e)
		}
		s.Deliver(t, s.Now().Add(7*time.Hour), apptest.Private, delivered(t, o))
	})
	t.Run("one that was switched off says so everywhere, until it is switched on", func(t *testing.T) {
		theirs.Status.Store(http.StatusGone)
		admin.In(t).Post(delivery+"/replay", nil)
		s.Deliver(t, s.Now().Add(8*time.Hour), apptest.Private,
			func(in store.Scoped) bool { return s.Outlet(t, "erp").Off })
		admin.In(t).Get(delivery).Has("The outlet is switched off.")
		s.SignedIn(t, gangway.Booker).Get("/bookings/" + booking).Has("so far; the outlet is switched off")
		theirs.Status.Store(http.StatusOK)
		s.Passed.Add(int64(8*time.Hour + time.Minute))
		later := s.SignedIn(t, gangway.Admin)
		page := later.Get("/settings/outlets/erp")
		page.Has("Switch on")
		later.Post("/settings/outlets/erp/pause", page.Form("/settings/outlets/erp/pause")).Shows(
			"/settings/outlets/erp", "goes on: what waits is sent now")
		page = later.Get("/settings/outlets/erp")
		page.Has("</time>, before it was switched on: It answered 410 Gone.")
		page.Lacks("It is one booking") // which 410 does not say
		s.Passed.Add(-int64(8*time.Hour + time.Minute))
		s.Deliver(t, s.Now().Add(9*time.Hour), apptest.Private, delivered(t, o))
	})
	t.Run("a new secret is shown once, beside the old one until that is dropped", func(t *testing.T) {
		page := admin.In(t).Get("/settings/outlets/erp")
		form := page.Form("/settings/outlets/erp/secret")
		fresh := admin.In(t).Post("/settings/outlets/erp/secret", form)
		secrets, err := apptest.Production(s).OutletSecrets(t.Context(), o.ID)
		if err != nil || len(secrets) != 2 {
			t.Fatalf("there are %d secrets, %v; want two", len(secrets), err)
		}
		fresh.Body = html.UnescapeString(fresh.Body)
		fresh.Has(secrets[0], "no page shows it again")
		fresh.Lacks(secrets[1])
		again := admin.In(t).Post("/settings/outlets/erp/secret", form) // by whoever pressed twice
		again.Body = html.UnescapeString(again.Body)
		again.Has(secrets[0], "no page shows it again")
		s.Passed.Add(int64(2 * time.Minute))
		if a := admin.In(t).Post("/settings/outlets/erp/secret", form); a.Status != http.StatusConflict {
			t.Errorf("the same form later is answered with %d; want 409", a.Status)
		}
		page = admin.In(t).Get("/settings/outlets/erp")
		page.Has("Two secrets are valid")
		page.Lacks("whsec_")
		page = admin.In(t).Get("/settings/outlets/erp/secret?drop=old")
		page.Has("signed with the newest secret alone")
		for range 2 { // as by whoever presses twice
			admin.In(t).Post("/settings/outlets/erp/secret/drop", page.Form("/settings/outlets/erp/secret/drop")).
				Shows("/settings/outlets/erp", "with its newest secret alone")
		}
		left, err := apptest.Production(s).OutletSecrets(t.Context(), o.ID)
		if err != nil || len(left) != 1 || left[0] != secrets[0] {
			t.Errorf("%d secrets are left, %v; want the new one alone", len(left), err)
		}
		a := admin.In(t).Get("/settings/outlets/erp/secret?drop=old")
		if a.Has("has one signing secret alone"); a.Status != http.StatusConflict {
			t.Errorf("to drop the only secret is answered with %d; want 409", a.Status)
		}
		if n := len(s.Audit(t, gangway.OutletRotated)); n != 2 {
			t.Errorf("the audit log has %d changes of secrets; want two", n)
		}
	})
	t.Run("what is parked is counted above the list, and named there with the reason", func(t *testing.T) {
		mapped, err := apptest.Production(s).SetOutlet(t.Context(), storetest.Operator, "mapped",
			func(was store.StoredOutlet) (gangway.Outlet, error) {
				o, err := storetest.PushTo(theirs.URL)(was)
				o.Mapping = `if .state == "confirmed" then error("no vessel") else . end`
				return o, err
			}, []string{deliver.NewSecret()}, s.Now())
		if err != nil {
			t.Fatal(err)
		}
		c := s.SignedIn(t, gangway.Booker)
		path := c.Booked("fare=marine")
		c.Post(path+"/issue", c.Get(path+"/issue").Form(path+"/issue"))
		s.Deliver(t, s.Now().Add(10*time.Hour), apptest.Private, delivered(t, mapped))
		admin.In(t).Get("/settings/outlets").Has("2 outlets, none is failing; 1 has parked deliveries.",
			"on, but one delivery is parked", "</a>, parked, at <time", "no vessel", `state=parked">1 parked<`,
			`<span class="unseen"> at mapped</span></a>, parked`)
		const how = "Whoever runs Gangway mends the mapping, as in gangway outlet set --customer … --environment … " +
			"--name mapped --url … --mapping-file mapping.jq."
		admin.In(t).Get("/settings/outlets/mapped").Has(how +
			" Once the reason is mended, somebody has to deliver again what is parked.")
		parked := admin.In(t).Get("/settings/outlets/mapped/deliveries" + strings.TrimPrefix(path, "/bookings") + "/1")
		parked.Has(how, "no vessel")
		_, given, _ := strings.Cut(parked.Body, `aria-label="What the mapping is given">`)
		given, _, _ = strings.Cut(given, "</pre>")
		if !strings.Contains(given, "&#34;state&#34;: &#34;confirmed&#34;") {
			t.Errorf("the parked delivery shows %.300s; want the record that its mapping fails on", given)
		}
		admin.In(t).Get("/settings/integrator?find=mapped&show=deliveries&state=parked").
			Has("/settings/outlets/mapped/deliveries"+strings.TrimPrefix(path, "/bookings")+"/1",
				`confirmed<span class="unseen"> to mapped</span></a>`)
		admin.In(t).Get("/settings/outlets/mapped").Has(`, action 1</span></a>`, `, action 2</span></a>`)
		for _, said := range []string{"1 delivery is sent once more.", "once more. That was just done"} {
			admin.In(t).Post("/settings/outlets/mapped/parked", nil).Shows("/settings/outlets/mapped", said)
		}
	})
	t.Run("what leaves unsigned has no secret to show", func(t *testing.T) {
		_, err := apptest.Production(s).SetOutlet(t.Context(), storetest.Operator, "files",
			func(store.StoredOutlet) (gangway.Outlet, error) {
				return gangway.Outlet{Format: gangway.JSONFormat, Batch: time.Hour, Transport: gangway.Transport{
					Kind: "folder", Settings: []byte(`{"path": "/srv/bookings"}`)}}, nil
			}, []string{deliver.NewSecret()}, s.Now())
		if err != nil {
			t.Fatal(err)
		}
		s.SignedIn(t, gangway.Booker).Booked("")
		page := admin.In(t).Get("/settings/outlets/files")
		page.Has("What waits goes together at ")
		page.Lacks("ecret", "next try")
		asked, made := admin.In(t).Get("/settings/outlets/files/secret"),
			admin.In(t).Post("/settings/outlets/files/secret", nil)
		for _, a := range []apptest.Answer{asked, made} {
			if a.Has("Outlet files has no signing secret"); a.Status != http.StatusConflict {
				t.Errorf("it is answered with %d; want 409", a.Status)
			}
		}
	})
	t.Run("only admins see or do any of it", func(t *testing.T) {
		for _, role := range []gangway.Role{gangway.Booker, gangway.Approver} {
			c := s.SignedIn(t, role)
			for _, path := range []string{"/settings/outlets", "/settings/outlets/erp", delivery,
				"/settings/outlets/erp/replay"} {
				a := c.Get(path)
				if a.Lacks("Settings › Outlets"); a.Status != http.StatusForbidden {
					t.Errorf("%s got %s with %d; want 403", role, path, a.Status)
				}
			}
			for _, path := range []string{"/pause", "/secret", "/secret/drop", "/parked", "/replay",
				"/deliveries/" + booking + "/1/replay"} {
				if a := c.Post("/settings/outlets/erp"+path, nil); a.Status != http.StatusForbidden {
					t.Errorf("%s did %s with %d; want 403", role, path, a.Status)
				}
			}
		}
	})
	t.Run("another environment has none of it", func(t *testing.T) {
		c := s.SignedIn(t, gangway.Admin)
		c.Post("/environment", url.Values{"environment": {"development"}, "back": {"/"}})
		for _, path := range []string{"/settings/outlets/erp", delivery} {
			a := c.Get(path)
			if a.Has(`href="/settings/outlets">Settings › Outlets<`); a.Status != http.StatusNotFound {
				t.Errorf("%s is answered with %d; want 404", path, a.Status)
			}
		}
	})
}

// TestOutletTriesArePaged: what was tried is read page by page, each try once.
func TestOutletTriesArePaged(t *testing.T) {
	s := apptest.NewSite(t)
	theirs := apptest.Receive(t, s, "erp")
	o := s.Outlet(t, "erp")
	s.SignedIn(t, gangway.Booker).Booked("fare=marine")
	theirs.Status.Store(http.StatusInternalServerError)
	for i := range 30 {
		at := s.Now().Add(time.Duration(i+1) * 2 * time.Hour)
		s.Deliver(t, at, apptest.Private, func(in store.Scoped) bool {
			last, err := in.LastFailure(t.Context(), o.ID)
			return err == nil && last.At.Equal(at)
		})
	}
	admin := s.SignedIn(t, gangway.Admin)
	first := admin.Get("/settings/outlets/erp")
	_, after, more := strings.Cut(first.Body, `href="/settings/outlets/erp?action=`)
	query, _, _ := strings.Cut(after, `"`)
	if !more {
		t.Fatal("30 tries are on one page")
	}
	second := admin.Get("/settings/outlets/erp?action=" + strings.ReplaceAll(query, "&amp;", "&"))
	row := func(a apptest.Answer) int { return strings.Count(a.Body, `data-label="Outcome"`) }
	if row(first) != 25 || row(second) != 5 {
		t.Errorf("the pages have %d and %d tries; want 25 and 5", row(first), row(second))
	}
	second.Has("Newest")
}

// TestDeliveryIsShownAsSent: what is sent to an outlet is shown as it is sent.
func TestDeliveryIsShownAsSent(t *testing.T) {
	s := apptest.NewSite(t)
	got := make(chan []byte, 1)
	theirs := apptest.Receive(t, s, "erp")
	theirs.Config.Handler = http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- body
	})
	booking := strings.TrimPrefix(s.SignedIn(t, gangway.Booker).Booked("fare=marine"), "/bookings/")
	s.Deliver(t, s.Now(), apptest.Private, delivered(t, s.Outlet(t, "erp")))
	page := s.SignedIn(t, gangway.Admin).Get(fmt.Sprintf("/settings/outlets/erp/deliveries/%s/1", booking))
	_, shown, _ := strings.Cut(page.Body, `aria-label="What is sent">`)
	shown, _, _ = strings.Cut(shown, "</pre>")
	if want := string(<-got); compact(shown) != compact(want) {
		t.Errorf("shown is %s; want what was sent: %s", shown, want)
	}
}

// compact is a text without white space and with quotation marks as they are.
func compact(s string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("&#34;", `"`, "&#39;", "'", "&lt;", "<", "&gt;", ">", "&amp;",
		"&", "&#43;", "+").Replace(s)), "")
}

// TestManyOutlets: however many outlets there are, an admin comes to each, and first to those that need somebody.
func TestManyOutlets(t *testing.T) {
	s := apptest.NewSite(t)
	in := apptest.Production(s)
	for i := range 60 {
		if _, err := in.SetOutlet(t.Context(), storetest.Operator, fmt.Sprintf("ship-%02d", i),
			storetest.PushTo("https://crew.example/api"), []string{deliver.NewSecret()}, s.Now()); err != nil {
			t.Fatal(err)
		}
	}
	if err := in.PauseOutlet(t.Context(), apptest.Maya, "ship-59", s.Now()); err != nil {
		t.Fatal(err)
	}
	admin := s.SignedIn(t, gangway.Admin)
	page := admin.Get("/settings/outlets")
	page.Has("1 to 50 of 60", "ship-59", "ship-48", "?after=ship-48")
	page.Lacks("ship-49")
	page = admin.Get("/settings/outlets?after=ship-48")
	page.Has("51 to 60 of 60", "ship-49", "ship-58", "First")
	page.Lacks("/settings/outlets/ship-48", "ship-59")
	page = admin.Get("/settings/outlets?find=SHIP-4")
	page.Has("ship-40", "ship-49")
	page.Lacks("ship-39", "Next")
	admin.Get("/settings/outlets?find=nowhere").Has("No such outlet")
}
