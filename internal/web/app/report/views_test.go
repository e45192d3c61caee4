package report_test

import (
	"encoding/base64"
	"errors"
	"io"
	"log/slog"
	"mime"
	"mime/multipart"
	"net/http"
	netmail "net/mail"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gangway/internal/deliver/notify"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"
)

// TestViewsAreShared: a report is saved under a name, opens for everybody of the account with days that move on, is
// replaced only when that is said, and only by who saved it or an administrator.
func TestViewsAreShared(t *testing.T) {
	storetest.EachInTrial(t, func(t *testing.T, db *store.DB) {
		s := apptest.NewSiteOn(t, db)
		booker, approver := s.SignedIn(t, gangway.Booker), s.SignedIn(t, gangway.Approver)
		form := booker.Get("/report?field=rank").Sent("/report/views")
		form.Set("view", "Fleet by rank")
		booker.Post("/report/views", form).Shows("/report?field=rank&period=12-months", `aria-current="true">Fleet by rank</a>`)
		const link = `href="/report?field=rank&amp;period=12-months"`
		approver.Get("/report").Has(link).Lacks("Delete view")
		other := s.SignedIn(t, gangway.Booker)
		other.Post("/environment", url.Values{"environment": {"development"}, "back": {"/"}})
		other.Get("/report").Lacks("Fleet by rank")
		s.Passed.Add(int64(40 * 24 * time.Hour)) // for which nobody stays signed in
		booker, approver = s.SignedIn(t, gangway.Booker), s.SignedIn(t, gangway.Approver)
		admin := s.SignedIn(t, gangway.Admin)
		approver.Get("/report?field=rank&period=12-months").Has(`value="Wed 31 Dec 2036"`)

		form = approver.Get("/report?from=&to=&vessel=Aurora").Sent("/report/views")
		form.Set("view", "Fleet by rank")
		taken := approver.Post("/report/views", form).Has("There is a view “Fleet by rank”.", `name="replace"`)
		form = taken.Sent("/report/views")
		form.Set("replace", "yes")
		approver.Post("/report/views", form).Is(http.StatusForbidden)
		admin.Post("/report/views", form).Shows("/report?period=all&vessel=Aurora", "Saved as “Fleet by rank”")
		for _, c := range []*apptest.Client{booker, approver} {
			c.Post("/report/views/delete", url.Values{"view": {"Fleet by rank"}}).Is(http.StatusForbidden)
		}
		this := url.Values{"view": {"Fleet by rank"}}
		admin.Post("/report/views/delete", this).Shows("/report", "was deleted").Lacks(link)
		admin.Post("/report/views/delete", this).Is(http.StatusNotFound)
		for _, name := range []string{"", " ", strings.Repeat("x", 61)} {
			form.Set("view", name)
			booker.Post("/report/views", form).Is(http.StatusBadRequest, "a name of 1 to 60 characters")
		}
		saved, gone := s.Audit(t, gangway.ReportViewSaved), s.Audit(t, gangway.ReportViewDeleted)
		if len(saved) != 2 || len(gone) != 1 {
			t.Errorf("the audit log has %d views saved and %d deleted; want 2 and 1", len(saved), len(gone))
		}
	})
}

// TestViewIsMailedMonthly: a view is mailed on the first of a month, with the rows of the month before, once to each of
// the company's people who were ticked and may sign in when it is sent, however many replicas there are.
func TestViewIsMailedMonthly(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		s, office := apptest.NewMailingSiteOn(t, db)
		in := db.In(s.Production.Scope())
		book(t, in, 0)   // in October
		book(t, in, 300) // in November
		elsewhere, _, err := db.CreateCustomer(t.Context(), storetest.Operator, "Elsewhere", s.Now())
		apptest.Done(t, err)
		if err := db.CreateUser(t.Context(), storetest.Operator, gangway.User{ID: "u_elsewhere", Email: "x@example.com",
			Customer: elsewhere.Customer.ID, Name: "X", Role: gangway.Booker}, "", s.Now()); err != nil {
			t.Fatal(err)
		}
		booker, approver := s.SignedIn(t, gangway.Booker), s.SignedIn(t, gangway.Approver)
		const name = "Fleet & crew, monthly"
		booker.Post("/report/views", url.Values{"view": {name}, "from": {"2036-11-01"}, "to": {"2036-11-30"}})
		page := booker.Get("/report/views/mail?view=" + url.QueryEscape(name))
		page.Has(`value="u_approver"`, "admin@example.com").Lacks("u_elsewhere")
		form := page.Sent("/report/views/mail")
		approver.Post("/report/views/mail", form).Is(http.StatusForbidden)
		approver.Get("/report/views/mail?view=" + url.QueryEscape(name)).Is(http.StatusForbidden)
		for _, stranger := range []string{"u_elsewhere", "u_nobody", "x@example.com"} {
			form["person"] = []string{"u_booker", stranger}
			booker.Post("/report/views/mail", form).Is(http.StatusBadRequest, "people of this company")
		}
		form["person"] = []string{"u_booker", "u_approver", "u_admin"}
		booker.Post("/report/views/mail", form).Shows("/report", "mailed to 3 people", "Mailed to 3 people…")

		n := func() *notify.Notifier {
			return notify.New(notify.Config{DB: db, Mailer: s.Mailer, Now: s.Now, Log: slog.New(slog.DiscardHandler),
				Page: func(path string) string { return s.URL + path }, Workbook: s.App.Report().Workbook})
		}
		replicas, read := []*notify.Notifier{n(), n()}, 0
		look := func(at time.Time) []string {
			s.Passed.Store(int64(at.Sub(apptest.Today)))
			var both sync.WaitGroup
			for _, n := range replicas {
				both.Go(func() {
					if err := errors.Join(n.Look(t.Context()), n.Send(t.Context(), t.Context())); err != nil {
						t.Error(err)
					}
				})
			}
			both.Wait()
			fresh := office.Mails()[read:]
			read += len(fresh)
			slices.Sort(fresh)
			return fresh
		}
		due := time.Date(2036, 12, 1, 6, 0, 0, 0, time.UTC)
		if early := look(due.Add(-time.Minute)); len(early) != 0 {
			t.Errorf("mails before they are due: %v", early)
		}
		office.Refuses.Store(true)
		look(due)
		office.Refuses.Store(false)
		if _, err := db.UpdateUser(t.Context(), storetest.Operator, s.Production.Customer.ID, "approver@example.com",
			gangway.UserDisabled, s.Now(), (*gangway.User).Disable); err != nil {
			t.Fatal(err)
		}
		mails := look(due.Add(10 * time.Minute))
		if len(mails) != 2 || !strings.Contains(mails[0], " admin@") || !strings.Contains(mails[1], " booker@") {
			t.Fatalf("%d mails, want one to the admin and one to the booker: %.80q", len(mails), mails)
		}
		file := attached(t, mails[1])
		if rows := readSheet(t, file, "FlightBookingDetailed"); len(rows) != 1 || rows[0]["BookingId"] != "B0300" {
			t.Errorf("the workbook has %v; want the booking of November", rows)
		}
		if again := look(due.Add(24 * time.Hour)); len(again) != 0 {
			t.Errorf("mails again: %.80q", again)
		}
		if next := look(due.AddDate(0, 1, 0)); len(next) != 2 || len(readSheet(t, attached(t, next[0]),
			"FlightBookingDetailed")) != 0 {
			t.Errorf("%d mails a month later, want two without rows", len(next))
		}
		if taken, set := s.Audit(t, gangway.ReportExported), s.Audit(t, gangway.ReportViewMailed); len(taken) != 4 ||
			len(set) != 1 || taken[0].After["view"] != name {
			t.Errorf("the audit log has %v and %v; want 4 mails and a choice", taken, set)
		}
	})
}

// attached is the file of a mail.
func attached(t *testing.T, mail string) string {
	t.Helper()
	_, mail, _ = strings.Cut(mail, "\n")
	m := apptest.Must(netmail.ReadMessage(strings.NewReader(mail)))(t)
	_, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	apptest.Done(t, err)
	for parts := multipart.NewReader(m.Body, params["boundary"]); ; {
		part := apptest.Must(parts.NextPart())(t)
		if part.FileName() != "" {
			return string(apptest.Must(io.ReadAll(base64.NewDecoder(base64.StdEncoding, part)))(t))
		}
	}
}
