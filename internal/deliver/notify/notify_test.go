package notify_test

import (
	"bytes"
	"context"
	"crypto/x509"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"mime/quotedprintable"
	"net"
	"net/http"
	"net/http/httptest"
	netmail "net/mail"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/deliver"
	"gangway/internal/deliver/notify"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/transport"
	"gangway/internal/transport/kinds"
	"gangway/internal/transport/mail"
	"gangway/internal/transport/transporttest"
)

// A scene is a customer with people, and an outlet to a system that answers as the test says.
type scene struct {
	db      *store.DB
	account gangway.Account
	outlet  gangway.Outlet
	office  *transporttest.SMTPServer
	read    int // mails that were looked at
	answers atomic.Int32
	now     atomic.Int64
}

func (s *scene) Now() time.Time { return time.UnixMilli(s.now.Load()).UTC() }

func (s *scene) forward(d time.Duration) { s.now.Add(d.Milliseconds()) }

func newScene(t *testing.T, db *store.DB) *scene {
	t.Helper()
	s := &scene{db: db, office: transporttest.ServeSMTP(t, true)}
	s.now.Store(time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC).UnixMilli())
	var err error
	s.account, _, err = db.CreateCustomer(t.Context(), storetest.Operator, "Reederei Köln; Bcc: eve@example.com",
		s.Now())
	calltest.Done(t, err)
	for _, u := range []gangway.User{{Email: "ana@example.com", Role: gangway.Admin},
		{Email: "ben@example.com", Role: gangway.Admin}, {Email: "cas@example.com", Role: gangway.Booker},
		{Email: "dov@example.com", Role: gangway.Approver}, {Email: "eli@example.com", Role: gangway.Admin}} {
		u.ID, u.Customer, u.Name = store.NewID("usr"), s.account.Customer.ID, "Somebody"
		calltest.Done(t, db.CreateUser(t.Context(), storetest.Operator, u, "", s.Now()))
	}
	s.disable(t, "eli@example.com")
	theirs := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(int(s.answers.Load()))
		fmt.Fprint(w, "what they answered")
	}))
	t.Cleanup(theirs.Close)
	s.outlet, err = s.in().SetOutlet(t.Context(), storetest.Operator, "erp", storetest.PushTo(theirs.URL),
		[]string{deliver.NewSecret()}, s.Now())
	calltest.Done(t, err)
	s.book(t, "TELL01")
	return s
}

func (s *scene) in() store.Scoped { return s.db.In(s.account.Scope()) }

func (s *scene) disable(t *testing.T, email string) {
	t.Helper()
	_, err := s.db.UpdateUser(t.Context(), storetest.Operator, s.account.Customer.ID, email,
		gangway.UserDisabled, s.Now(), (*gangway.User).Disable)
	calltest.Done(t, err)
}

// deliver lets a deliverer try what is due, until the outlet is as the test wants it.
func (s *scene) deliver(t *testing.T, answer int, until func(gangway.Outlet) bool) {
	t.Helper()
	s.answers.Store(int32(answer))
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute) // the machine may be busy
	defer stop()
	d := deliver.New(deliver.Config{DB: s.db, Now: s.Now, Kinds: kinds.Outlets, Log: slog.New(slog.DiscardHandler),
		Options: transport.Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}})
	done := make(chan struct{})
	go func() { defer close(done); d.Run(ctx) }()
	defer func() { stop(); <-done }()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		o := calltest.Must(s.in().Outlet(t.Context(), "erp"))(t)
		if until(o) {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("the outlet stays %+v", o)
		}
	}
}

func fails(o gangway.Outlet) bool { return !o.FailingSince.IsZero() }

func delivers(o gangway.Outlet) bool { return !o.Off && o.FailingSince.IsZero() }

// notifier is a replica's, which mails by a server at a port.
func (s *scene) notifier(t *testing.T, port int) *notify.Notifier {
	t.Helper()
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM([]byte(s.office.CA))
	mailer, err := mail.NewMailer(mail.MailerConfig{URL: fmt.Sprintf("smtps://%s@127.0.0.1:%d", s.office.User, port),
		Password: s.office.Password, From: "gangway@gangway.example", Roots: roots})
	calltest.Done(t, err)
	return notify.New(notify.Config{DB: s.db, Mailer: mailer, Now: s.Now, Log: slog.New(slog.DiscardHandler),
		Page: func(path string) string { return "https://gangway.example" + path }})
}

// look has replicas look and send at the same time, and returns the mails that arrived since the last look.
func (s *scene) look(t *testing.T, replicas ...*notify.Notifier) []string {
	t.Helper()
	var all sync.WaitGroup
	for _, n := range replicas {
		all.Go(func() {
			if err := n.Look(t.Context()); err != nil {
				t.Error(err)
			}
			if err := n.Send(t.Context(), t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	mails := s.office.Mails()
	var fresh []string
	for _, mail := range mails[s.read:] {
		fresh = append(fresh, readable(t, mail))
	}
	s.read = len(mails)
	slices.Sort(fresh)
	return fresh
}

// readable is a mail as people read it, after a line with its envelope.
func readable(t *testing.T, mail string) string {
	t.Helper()
	envelope, rest, _ := strings.Cut(mail, "\n")
	m, err := netmail.ReadMessage(strings.NewReader(rest))
	if err != nil {
		t.Fatalf("%v in\n%s", err, mail)
	}
	lines := []string{envelope}
	for name, values := range m.Header {
		for _, value := range values {
			value, err := new(mime.WordDecoder).DecodeHeader(value)
			if err != nil {
				t.Fatalf("%v in\n%s", err, mail)
			}
			lines = append(lines, name+": "+value)
		}
	}
	text, err := io.ReadAll(quotedprintable.NewReader(m.Body))
	if err != nil {
		t.Fatalf("%v in\n%s", err, mail)
	}
	return strings.Join(append(lines, "", string(text)), "\n")
}

// wantMails holds that there is one mail of a subject to each of those who are told.
func wantMails(t *testing.T, mails []string, subject string, to ...string) {
	t.Helper()
	for i, mail := range mails {
		if i >= len(to) || !strings.HasPrefix(mail, "gangway@gangway.example "+to[i]+"\n") ||
			!strings.Contains(mail, subject) {
			t.Errorf("mail %d:\n%s\nwant one with %q, to %q", i, mail, subject, to)
		}
	}
	if len(mails) != len(to) {
		t.Fatalf("%d mails; want %d with %q", len(mails), len(to), subject)
	}
}

// TestFailingIsLogged holds that the log says once that an outlet is failing, and once that it is no more, and nothing
// of one that fails for a moment.
func TestFailingIsLogged(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		s := newScene(t, db)
		var log bytes.Buffer
		n := notify.New(notify.Config{DB: s.db, Now: s.Now, Log: slog.New(slog.NewTextHandler(&log, nil))})
		said := func(want ...string) {
			t.Helper()
			log.Reset()
			for range 2 {
				calltest.Done(t, n.Look(t.Context()))
			}
			lines := strings.Split(strings.TrimSuffix(log.String(), "\n"), "\n")
			if log.Len() == 0 {
				lines = nil
			}
			if !slices.EqualFunc(lines, want, strings.Contains) {
				t.Errorf("the log says\n%s\nwant lines with %q", &log, want)
			}
		}
		s.deliver(t, http.StatusBadGateway, fails)
		said()
		s.forward(29 * time.Second)
		said()
		s.forward(time.Second)
		said(`"an outlet is failing"`)
		if !strings.Contains(log.String(), "502 Bad Gateway") {
			t.Errorf("the log does not say why:\n%s", &log)
		}
		s.forward(time.Minute)
		s.deliver(t, http.StatusOK, delivers)
		said(`"an outlet is failing no more"`)
		s.book(t, "TELL02")
		s.deliver(t, http.StatusBadGateway, fails)
		said()
	})
}

// TestAdminsAreMailed lets an outlet fail, recover and be switched off, with two replicas that look at the same time.
func TestAdminsAreMailed(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		s := newScene(t, db)
		one, other := s.notifier(t, s.office.Port), s.notifier(t, s.office.Port)
		s.deliver(t, http.StatusBadGateway, fails)

		s.forward(59 * time.Minute)
		wantMails(t, s.look(t, one, other), "nobody is told before an hour")
		s.forward(time.Minute)
		mails := s.look(t, one, other)
		wantMails(t, mails, "outlet erp has not accepted one booking for an hour", "ana@example.com", "ben@example.com")
		for _, want := range []string{"Köln; Bcc: eve@example com, production)\n",
			"Message-Id: <mail_", "Auto-Submitted: auto-generated",
			"502 Bad Gateway", "https://gangway.example/settings/outlets/erp", "production"} {
			if !strings.Contains(mails[0], want) {
				t.Errorf("the mail lacks %q:\n%s", want, mails[0])
			}
		}
		for _, not := range []string{"\nBcc:", "what they answered", "TELL01", "whsec_"} {
			if strings.Contains(mails[0], not) {
				t.Errorf("the mail has %q:\n%s", not, mails[0])
			}
		}
		wantMails(t, s.look(t, one, other), "told once")

		t.Run("while the mail server is down nothing is lost, and nothing doubled", func(t *testing.T) {
			down := s.notifier(t, freePort(t))
			s.forward(23 * time.Hour)
			wantMails(t, s.look(t, down), "none can be sent")
			s.forward(time.Second)
			wantMails(t, s.look(t, one, other), "it waits")
			s.disable(t, "ben@example.com")
			s.forward(time.Minute)
			wantMails(t, s.look(t, one, other), "outlet erp has not accepted one booking for a day", "ana@example.com")
		})
		t.Run("a recovery is told once it has lasted", func(t *testing.T) {
			s.deliver(t, http.StatusOK, delivers)
			wantMails(t, s.look(t, one, other), "not yet")
			s.forward(15 * time.Minute)
			wantMails(t, s.look(t, one, other), "outlet erp has recovered", "ana@example.com")
			s.forward(time.Hour)
			wantMails(t, s.look(t, one, other), "told once")
		})
		t.Run("410 is told at once", func(t *testing.T) {
			s.book(t, "TELL02")
			s.deliver(t, http.StatusGone, func(o gangway.Outlet) bool { return o.Off })
			wantMails(t, s.look(t, one, other), "outlet erp is switched off", "ana@example.com")
		})
		t.Run("an outlet that was set again recovers once something was accepted", func(t *testing.T) {
			_, err := s.in().SetOutlet(t.Context(), storetest.Operator, "erp",
				func(old store.StoredOutlet) (gangway.Outlet, error) { return old.Outlet, nil }, nil, s.Now())
			calltest.Done(t, err)
			s.forward(time.Hour)
			wantMails(t, s.look(t, one), "nothing was accepted")
			s.deliver(t, http.StatusOK, func(gangway.Outlet) bool {
				list, err := s.in().DeliveryStatuses(t.Context(), "TELL02")
				return err == nil && len(list) == 1 && list[0].State == "done"
			})
			s.look(t, one)
			s.forward(15 * time.Minute)
			wantMails(t, s.look(t, one), "outlet erp has recovered", "ana@example.com")
		})
		t.Run("of a deleted outlet nothing is told", func(t *testing.T) {
			s.forward(24 * time.Hour)
			s.book(t, "TELL03")
			s.deliver(t, http.StatusGone, func(o gangway.Outlet) bool { return o.Off })
			wantMails(t, s.look(t, s.notifier(t, freePort(t))), "it cannot be sent")
			calltest.Must(s.in().DeleteOutlet(t.Context(), storetest.Operator, s.outlet.ID, true, s.Now()))(t)
			s.forward(time.Hour)
			wantMails(t, s.look(t, one), "it is gone")
		})
	})
}

// TestNothingCanBeMade has a mapping fail on one kind of booking, and then on all.
func TestNothingCanBeMade(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		s := newScene(t, db)
		one, other := s.notifier(t, s.office.Port), s.notifier(t, s.office.Port)
		_, err := s.in().SetOutlet(t.Context(), storetest.Operator, "erp",
			func(old store.StoredOutlet) (gangway.Outlet, error) {
				old.Mapping = `if .id | startswith("ODD") then error("no cost centre") else {id} end`
				return old.Outlet, nil
			}, nil, s.Now())
		calltest.Done(t, err)
		settled := func(parked int) func(gangway.Outlet) bool {
			return func(o gangway.Outlet) bool {
				b, err := s.in().OutletBacklog(t.Context(), o.ID)
				return err == nil && b.Waiting == 0 && b.Parked == parked
			}
		}
		failing := func() time.Time {
			t.Helper()
			o := calltest.Must(s.in().Outlet(t.Context(), "erp"))(t)
			return o.FailingSince
		}
		s.book(t, "ODD001")
		s.deliver(t, http.StatusOK, settled(1))
		mails := s.look(t, one, other)
		wantMails(t, mails, "outlet erp has deliveries that are parked", "ana@example.com", "ben@example.com")
		for _, not := range []string{"no cost centre", "ODD001"} {
			if strings.Contains(mails[0], not) {
				t.Errorf("the mail has %q:\n%s", not, mails[0])
			}
		}
		var began time.Time // when the first was tried after which nothing was accepted
		for i, id := range []string{"ODD002", "ODD003", "FINE01", "ODD004", "ODD005"} {
			if s.forward(time.Second); id == "ODD004" {
				began = s.Now()
			}
			s.book(t, id)
			s.deliver(t, http.StatusOK, settled(1+[]int{1, 2, 2, 3, 4}[i]))
		}
		s.forward(time.Minute)
		if wantMails(t, s.look(t, one, other), "nobody is told of each"); !failing().IsZero() {
			t.Error("the outlet is failing, which accepts what is of another kind")
		}
		s.book(t, "ODD006")
		s.deliver(t, http.StatusOK, settled(6))
		if wantMails(t, s.look(t, one, other), "not yet"); !failing().IsZero() {
			t.Error("the outlet is failing, where something may be under way that is accepted")
		}
		s.forward(gangway.TriesKnown)
		if s.look(t, one); !failing().Equal(began) {
			t.Errorf("failing since %s; want %s: nothing leaves the outlet any more", failing(), began)
		}
		s.forward(time.Hour)
		mails = s.look(t, one, other)
		wantMails(t, mails, "outlet erp has sent nothing for an hour", "ana@example.com", "ben@example.com")
		if !strings.Contains(mails[0], "of each record since then nothing could be made") {
			t.Errorf("the mail does not say why:\n%s", mails[0])
		}
		s.book(t, "FINE02")
		s.deliver(t, http.StatusOK, delivers)
		s.look(t, one, other)
		s.forward(15 * time.Minute)
		wantMails(t, s.look(t, one, other), "outlet erp has recovered", "ana@example.com", "ben@example.com")
	})
}

// freePort is one that nobody listens on.
func freePort(t *testing.T) int {
	t.Helper()
	l := calltest.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// book makes a booking, whose first action is confirmed.
func (s *scene) book(t *testing.T, id string) {
	t.Helper()
	storetest.Book(t, s.in(), gangway.Booking{ID: id, Locator: id, CreatedAt: s.Now(), CreatedBy: "ana@example.com"})
}
