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

const erp = "/settings/outlets/erp"

// A scene is a site with an outlet called erp, a booking, and an admin at its pages.
type scene struct {
	*apptest.Site
	*apptest.Client
	theirs            *apptest.Receiver
	booking, delivery string // the paths of the booking, and of its first delivery
	pushed            time.Duration
}

func newScene(t *testing.T) *scene {
	t.Helper()
	s := &scene{Site: apptest.NewSite(t)}
	s.Client, s.theirs = s.SignedIn(t, gangway.Admin), apptest.Receive(t, s.Site, "erp")
	s.booking, s.delivery = s.book(t)
	return s
}

func (s *scene) book(t *testing.T) (booking, delivery string) {
	t.Helper()
	booking = s.SignedIn(t, gangway.Booker).Booked("fare=marine")
	return booking, strings.Replace(booking, "/bookings/", erp+"/deliveries/", 1) + "/1"
}

// push delivers to erp, an hour after the time before, and is answered with a status until it is so.
func (s *scene) push(t *testing.T, status int, until func(gangway.Outlet, store.OutletBacklog) bool) {
	t.Helper()
	s.theirs.Status.Store(int32(status))
	at := s.Now().Add(s.pushed)
	s.pushed += time.Hour
	s.Deliver(t, at, apptest.Private, func(in store.Scoped) bool {
		o := s.Outlet(t, "erp")
		b := apptest.Must(in.OutletBacklog(t.Context(), o.ID))(t)
		return until(o, b)
	})
}

func accepted(_ gangway.Outlet, b store.OutletBacklog) bool { return b.Waiting == 0 }
func fails(o gangway.Outlet, _ store.OutletBacklog) bool    { return !o.FailingSince.IsZero() }
func off(o gangway.Outlet, _ store.OutletBacklog) bool      { return o.Off }
func held(o gangway.Outlet, _ store.OutletBacklog) bool     { return !o.HeldUntil.IsZero() }

// parked waits until n deliveries are parked, and nothing waits.
func parked(n int) func(gangway.Outlet, store.OutletBacklog) bool {
	return func(_ gangway.Outlet, b store.OutletBacklog) bool { return b.Parked == n && b.Waiting == 0 }
}

// is holds that pages show a state.
func (s *scene) is(t *testing.T, state gangway.ConditionState, paths ...string) {
	t.Helper()
	for _, path := range paths {
		s.Client.In(t).Get(path).Has(`data-state="` + string(state) + `"`)
	}
}

// set changes the mapping of erp.
func (s *scene) set(t *testing.T, mapping string) {
	t.Helper()
	apptest.Must(apptest.Production(s.Site).SetOutlet(t.Context(), storetest.Operator, "erp",
		func(old store.StoredOutlet) (gangway.Outlet, error) {
			old.Mapping = mapping
			return old.Outlet, nil
		}, nil, s.Now()))(t)
}

// twice sends the form of a page for an address, as a double click does, and holds that both times lead to one page.
func (s *scene) twice(t *testing.T, page, action, to, said string) {
	t.Helper()
	form := s.Client.In(t).Get(page).Form(action)
	for range 2 {
		s.Client.In(t).Post(action, form).Shows(to, said)
	}
}

// TestOutlet: an admin sees how an outlet is doing, and what was sent and answered.
func TestOutlet(t *testing.T) {
	s := newScene(t)
	s.is(t, gangway.IsOn, "/settings/outlets", erp)
	s.Get("/settings/outlets/"+s.Outlet(t, "erp").ID).Shows(erp, "Signing secret", "1 waiting", "oldest made")
	s.Get(s.delivery).Has("&#34;locator&#34;", "msg_", "webhook-signature", `data-state="waiting"`).
		Lacks(s.delivery+"/replay", "whsec_")
	s.Get("/settings/outlets").Has(`href="/settings/integrator?find=erp&amp;show=deliveries&amp;state=waiting">1<`)

	t.Run("a refused network is told with how to allow it", func(t *testing.T) {
		s.Deliver(t, s.Now(), nil, func(store.Scoped) bool { return !s.Outlet(t, "erp").FailingSince.IsZero() })
		s.is(t, gangway.IsFailing, "/settings/outlets", erp)
		s.Client.In(t).Get("/settings/outlets").Has("gangway serve --allow-network 10.20.0.0/16", "1 outlet does not")
	})
	t.Run("an answer is told once, and of the one booking that it is about", func(t *testing.T) {
		s.pushed = time.Hour
		s.push(t, http.StatusBadGateway, func(o gangway.Outlet, _ store.OutletBacklog) bool {
			last, err := apptest.Production(s.Site).LastFailure(t.Context(), o.ID)
			return err == nil && last.Status != 0
		})
		page := s.Client.In(t).Get(erp)
		if told, _, _ := strings.Cut(page.Body, `id="tries"`); strings.Count(told, "502 Bad Gateway") != 1 ||
			!strings.Contains(told, s.delivery) {
			t.Errorf("it is told as %s; want once, with the booking", told)
		}
	})
	t.Run("what was delivered has its times, and each try its answer", func(t *testing.T) {
		s.push(t, http.StatusOK, accepted)
		s.is(t, gangway.IsOn, "/settings/outlets", erp)
		s.Client.In(t).Get(erp).Has("Nothing is waiting", "The latest delivery took ", "502 Bad Gateway", "no answer")
		s.Client.In(t).Get(s.delivery).Has("by the crew system", `data-state="delivered"`, s.delivery+"/replay")
	})
	t.Run("another environment has none of it", func(t *testing.T) {
		c := s.SignedIn(t, gangway.Admin)
		c.Post("/environment", url.Values{"environment": {"development"}, "back": {"/"}})
		for _, path := range []string{erp, s.delivery} {
			c.Get(path).Is(http.StatusNotFound)
		}
	})
}

// TestReplay: one delivery, a span of time, or all that is parked is delivered again, once for a form that is sent
// twice, and the log has each.
func TestReplay(t *testing.T) {
	s := newScene(t)
	s.push(t, http.StatusOK, accepted)
	before := s.Get(s.delivery).Body
	s.twice(t, s.delivery, s.delivery+"/replay", s.delivery, "It is delivered once more.")
	id := before[strings.Index(before, "msg_"):][:len("msg_")+8]
	s.Get(s.delivery).Has("It was accepted before, as " + id)
	s.Get(s.booking).Has("waiting; accepted before")
	s.push(t, http.StatusOK, accepted)
	s.Get(s.delivery).Has(`title="webhook-id">` + id)

	at := s.Now().UTC()
	span := url.Values{"from": {at.Add(-time.Hour).Format("2006-01-02T15:04")},
		"to": {at.Add(time.Hour).Format("2006-01-02T15:04:05")}}
	asked := s.Get(erp + "/replay?" + span.Encode())
	asked.Has("Deliver 1 action again")
	_, asked.Body, _ = strings.Cut(asked.Body, "went to this outlet") // the form that counts is before it
	form := asked.Form(erp + "/replay")
	for range 2 {
		s.Post(erp+"/replay", form).Shows(erp, "1 delivery is sent once more.")
	}
	for _, wrong := range []string{"soon", "", form.Get("from")} {
		form.Set("to", wrong)
		s.Post(erp+"/replay", form).Is(http.StatusUnprocessableEntity)
	}

	s.push(t, http.StatusOK, accepted)
	s.set(t, `error("no vessel")`)
	s.book(t)
	s.push(t, http.StatusOK, parked(1))
	s.twice(t, erp, erp+"/parked", erp, "1 delivery is sent once more.")
	if list := s.Audit(t, gangway.DeliveriesReplayed); len(list) != 3 {
		t.Errorf("there are %d replays; want one each", len(list))
	}
}

// TestSteering: an outlet is paused, resumed, tried at once and switched on again, and says so until then.
func TestSteering(t *testing.T) {
	s := newScene(t)
	s.push(t, http.StatusOK, accepted)
	steer := func(to string) {
		t.Helper()
		s.Post(erp+"/pause", url.Values{"to": {to}}).Shows(erp)
	}
	steer("paused")
	s.is(t, gangway.IsPaused, "/settings/outlets", erp)
	s.Post(s.delivery+"/replay", nil).Shows(s.delivery, "once the outlet is resumed.")
	s.Get(s.booking).Has("waiting: the outlet is paused; accepted before")
	s.Post(s.delivery+"/replay", nil).Shows(s.delivery, "It waits to be delivered already")
	s.Post(erp+"/pause", url.Values{"to": {"banana"}}).Is(http.StatusBadRequest)
	steer("on")

	s.push(t, http.StatusTooManyRequests, held)
	for _, path := range []string{"/settings/outlets", erp, s.delivery} {
		s.Get(path).Has("othing is sent there until ")
	}
	s.Post(erp+"/pause", s.Get(erp).Form(erp+"/pause")).Shows(erp) // "Try now"
	if e := apptest.LastEntry(t, s.Site); e.What != gangway.OutletSet || e.After["tried_now"] != true {
		t.Errorf("the audit log ends with %+v; want that it was tried", e)
	}
	s.push(t, http.StatusGone, off)
	s.is(t, gangway.IsOff, "/settings/outlets", erp)
	s.Get(s.delivery).Has("The outlet is switched off.")
	s.SignedIn(t, gangway.Booker).Get(s.booking).Has("so far; the outlet is switched off")

	s.Passed.Add(int64(s.pushed + time.Minute))
	s.Client = s.SignedIn(t, gangway.Admin)
	s.Post(erp+"/pause", s.Get(erp).Form(erp+"/pause")).Shows(erp) // "Switch on"
	s.Get(erp).Has("</time>, before it was resumed: It answered 410 Gone.")
}

// TestOutletSecrets: a new secret is shown once, beside the old one until that is dropped.
func TestOutletSecrets(t *testing.T) {
	s := newScene(t)
	secrets := func() []string {
		t.Helper()
		list := apptest.Must(apptest.Production(s.Site).OutletSecrets(t.Context(), s.Outlet(t, "erp").ID))(t)
		return list
	}
	form := s.Get(erp).Form(erp + "/secret")
	for range 2 { // as by a double click
		fresh := s.Post(erp+"/secret", form)
		fresh.Body = html.UnescapeString(fresh.Body)
		if list := secrets(); len(list) == 2 {
			fresh.Has(list[0])
			fresh.Lacks(list[1])
		} else {
			t.Fatalf("there are %d secrets; want two", len(list))
		}
	}
	kept, err := apptest.Production(s.Site).BeginOnce(t.Context(), store.FormRoute,
		"u_admin "+erp+"/secret "+form.Encode(), "", s.Now())
	if string(kept) != `{"to":""}` || err != nil {
		t.Errorf("of the form %s is kept, %v; want nothing of the secret", kept, err)
	}
	s.Passed.Add(int64(2 * time.Minute))
	s.Post(erp+"/secret", form).Is(http.StatusConflict)
	s.Get(erp).Lacks("whsec_")
	newest := secrets()[0]
	s.twice(t, erp+"/secret?drop=old", erp+"/secret/drop", erp, "Outlet erp signs with its newest secret only")
	if left := secrets(); len(left) != 1 || left[0] != newest {
		t.Errorf("%d secrets are left; want the new one only", len(left))
	}
	s.Get(erp + "/secret?drop=old").Is(http.StatusConflict)
	if n := len(s.Audit(t, gangway.OutletRotated)); n != 2 {
		t.Errorf("the audit log has %d changes of secrets; want two", n)
	}
}

// TestParked: what is parked is counted, and named with the reason, until it is delivered again.
func TestParked(t *testing.T) {
	s := newScene(t)
	s.push(t, http.StatusOK, accepted)
	s.set(t, `error("no vessel")`)
	_, delivery := s.book(t)
	s.push(t, http.StatusOK, parked(1))
	s.is(t, gangway.IsParked, "/settings/outlets", erp)
	const how = "Settings › Outlets › erp › Change."
	for _, path := range []string{"/settings/outlets", erp, delivery} {
		s.Get(path).Has("no vessel", how)
	}
	s.Get("/settings/outlets").Has(`href="`+delivery+`"`, `state=parked">1 parked<`, "1 has parked deliveries")
	s.Get("/settings/integrator?find=erp&show=deliveries&state=parked").Has(delivery)
	_, given, _ := strings.Cut(s.Get(delivery).Body, `aria-label="What the mapping is given">`)
	if given, _, _ = strings.Cut(given, "</pre>"); !strings.Contains(given, "&#34;state&#34;: &#34;confirmed&#34;") {
		t.Errorf("the parked delivery shows %.300s; want the record that its mapping fails on", given)
	}
	s.Passed.Add(int64(s.pushed))
	s.Client = s.SignedIn(t, gangway.Admin)
	s.set(t, ".")
	for _, path := range []string{erp, delivery} {
		s.Get(path).Has("The outlet was changed since: deliver").Lacks(how)
	}
}

// TestUnsigned: what leaves unsigned has no secret to show.
func TestUnsigned(t *testing.T) {
	s := newScene(t)
	apptest.Must(apptest.Production(s.Site).SetOutlet(t.Context(), storetest.Operator, "files",
		func(store.StoredOutlet) (gangway.Outlet, error) {
			return gangway.Outlet{Format: gangway.JSONFormat, Batch: time.Hour, Transport: gangway.Transport{
				Kind: "folder", Settings: []byte(`{"path": "/srv/bookings"}`)}}, nil
		}, []string{deliver.NewSecret()}, s.Now()))(t)
	s.book(t)
	s.Get("/settings/outlets/files").Has("What waits goes together at ").Lacks("ecret", "next try")
	const secret = "/settings/outlets/files/secret"
	for _, a := range []apptest.Answer{s.Get(secret), s.Post(secret, nil)} {
		a.Is(http.StatusConflict)
	}
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
	s.Deliver(t, s.Now(), apptest.Private, func(in store.Scoped) bool {
		b, err := in.OutletBacklog(t.Context(), s.Outlet(t, "erp").ID)
		return err == nil && b.Waiting == 0
	})
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
		apptest.Must(in.SetOutlet(t.Context(), storetest.Operator, fmt.Sprintf("ship-%02d", i),
			storetest.PushTo("https://crew.example/api"), []string{deliver.NewSecret()}, s.Now()))(t)
	}
	apptest.Done(t, in.PauseOutlet(t.Context(), apptest.Maya, "ship-59", s.Now()))
	admin := s.SignedIn(t, gangway.Admin)
	page := admin.Get("/settings/outlets")
	page.Has("1 to 50 of 60", "ship-59", "ship-48", "?after=ship-48")
	page.Lacks("ship-49")
	admin.Get("/settings/outlets?after=ship-48").Has("51 to 60 of 60", "ship-49", "ship-58", "First").
		Lacks("/settings/outlets/ship-48", "ship-59")
	admin.Get("/settings/outlets?find=SHIP-4").Has("ship-40", "ship-49").Lacks("ship-39", "Next")
	admin.Get("/settings/outlets?find=nowhere").Has("No such outlet")
}
