package notify_test

import (
	"strings"
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// hold makes a booking whose seats are held for a while.
func (s *scene) hold(t *testing.T, in store.Scoped, id string, left time.Duration, edit func(*gangway.Booking)) {
	t.Helper()
	b := gangway.Booking{ID: id, Locator: id, CreatedAt: s.Now(), CreatedBy: "ana@example.com",
		Passenger: gangway.Traveller{LastName: "Santos", FirstName: "Maria", DOB: "1985-03-12",
			DocNumber: "P7654321", DocExpire: "2039-12-31"},
		Purpose: gangway.Purpose{Vessel: "Ocean Tern"},
	}
	b.PriceUntil, b.TicketBy = s.Now().Add(left), s.Now().Add(left)
	b.HoldUntil, b.Price.Total = b.TicketBy, gangway.Money{Minor: 64020, Currency: "USD"}
	if edit != nil {
		edit(&b)
	}
	storetest.Book(t, in, b)
}

// choose has a person choose mails.
func (s *scene) choose(t *testing.T, email string, m gangway.Mails) {
	t.Helper()
	in := time.UTC
	if m.Zone != "" {
		in = time.FixedZone(m.Zone, 3600)
	}
	_, err := s.db.UpdateUser(t.Context(), storetest.Operator, s.account.Customer.ID, email, gangway.UserMails, s.Now(),
		func(u *gangway.User, _ []gangway.User) error {
			u.Mails, u.MailDue = m, m.Next(s.Now(), in)
			return nil
		})
	calltest.Done(t, err)
}

// unpersonal holds that no mail has anything of a passport, a birth date, or of another environment.
func unpersonal(t *testing.T, mails []string) {
	t.Helper()
	for _, mail := range mails {
		for _, not := range []string{"P7654321", "1985", "2039", "TRIAL1"} {
			if strings.Contains(mail, not) {
				t.Errorf("the mail has %q:\n%s", not, mail)
			}
		}
	}
}

// TestUnattendedEndings has something end while two replicas look: people are mailed once for each booking, and only
// when none of them is at work.
func TestUnattendedEndings(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		s := newScene(t, db)
		one, other := s.notifier(t, s.office.Port), s.notifier(t, s.office.Port)
		_, development, err := db.Accounts(t.Context(), s.account.Customer.ID)
		calltest.Done(t, err)
		s.hold(t, s.in(), "ENDS01", 3*time.Hour, nil)
		s.hold(t, s.in(), "ITSELF", 3*time.Hour, func(b *gangway.Booking) { b.AutoIssue = true })
		s.hold(t, db.In(development.Scope()), "TRIAL1", 3*time.Hour, nil)
		s.choose(t, "dov@example.com", gangway.Mails{NoEndings: true})
		wantMails(t, s.look(t, one, other), "more than two hours are left")

		s.in().NoteUse(s.Now().Add(35 * time.Minute)) // somebody is at work
		calltest.Done(t, db.KeepUses(t.Context()))
		s.forward(61 * time.Minute)
		wantMails(t, s.look(t, one, other), "somebody was there 26 minutes ago")
		s.forward(5 * time.Minute)
		down := s.notifier(t, freePort(t))
		wantMails(t, s.look(t, down), "the mail server is down")
		s.forward(time.Minute)
		mails := s.look(t, one, other)
		wantMails(t, mails, "ENDS01: seats until Mon 2 Nov 12:00 UTC", "ana@example.com", "ben@example.com",
			"cas@example.com")
		unpersonal(t, mails)
		for _, want := range []string{"Santos, Maria (ENDS01) · Ocean Tern · USD 640.20",
			"https://gangway.example/bookings/ENDS01", "https://gangway.example/mails"} {
			if !strings.Contains(mails[0], want) {
				t.Errorf("the mail lacks %q:\n%s", want, mails[0])
			}
		}
		s.forward(20 * time.Minute)
		wantMails(t, s.look(t, one, other), "told once")
		s.forward(54 * time.Minute) // the other was to be issued six minutes ago
		wantMails(t, s.look(t, one, other), "ITSELF: seats until", "ana@example.com", "ben@example.com",
			"cas@example.com")

		t.Run("what is over before it can be mailed is not mailed", func(t *testing.T) {
			s.hold(t, s.in(), "ENDS02", time.Hour, nil)
			wantMails(t, s.look(t, down), "the mail server is down")
			s.forward(2 * time.Hour)
			wantMails(t, s.look(t, one, other), "it has ended")
		})
	})
}

// TestDailyMail holds that each person gets one mail a day, at their hour, with what needs somebody.
func TestDailyMail(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		s := newScene(t, db) // 2 Nov 09:00 UTC
		one, other := s.notifier(t, s.office.Port), s.notifier(t, s.office.Port)
		const subject = "Gangway: "
		s.choose(t, "ana@example.com", gangway.Mails{Hour: 11, Zone: "Europe/Oslo", NoEndings: true})
		s.choose(t, "cas@example.com", gangway.Mails{Hour: 12, Zone: "Europe/Oslo", NoEndings: true})
		s.choose(t, "eli@example.com", gangway.Mails{Hour: 11, Zone: "Europe/Oslo", NoEndings: true}) // is disabled
		for _, email := range []string{"ben@example.com", "dov@example.com"} {
			s.choose(t, email, gangway.Mails{NoEndings: true})
		}
		s.hold(t, s.in(), "ENDS01", 20*time.Hour, nil)
		s.hold(t, s.in(), "ENDS02", 21*time.Hour, func(b *gangway.Booking) { b.Price.Total.Currency = "EUR" })
		s.hold(t, s.in(), "ENDS03", 20*time.Hour, func(b *gangway.Booking) { b.Purpose.Vessel = "" })
		s.hold(t, s.in(), "LATER1", 70*time.Hour, nil)

		s.forward(59 * time.Minute)
		wantMails(t, s.look(t, one, other), "not yet")
		s.forward(time.Minute)
		mails := s.look(t, one, other)
		wantMails(t, mails, subject+"3 things need you", "ana@example.com")
		unpersonal(t, mails)
		for _, want := range []string{"Ocean Tern · USD 640.20 on hold · EUR 640.20 on hold\n- On hold, seats until " +
			"Tue 3 Nov 06:00 CET, USD 640.20: Santos, Maria (ENDS01)\n  https://gangway.example/bookings/ENDS01\n",
			"No vessel · USD 640.20 on hold\n",
			"3 things need you before Tue 3 Nov 11:00 CET", "ENDS02", "ENDS03", "https://gangway.example/mails"} {
			if !strings.Contains(strings.ReplaceAll(mails[0], "\r\n", "\n"), want) {
				t.Errorf("the mail lacks %q:\n%s", want, mails[0])
			}
		}
		if strings.Contains(mails[0], "LATER1") {
			t.Errorf("the mail has what ends after the next duty:\n%s", mails[0])
		}
		wantMails(t, s.look(t, one, other), "once a day")
		s.forward(time.Hour)
		wantMails(t, s.look(t, other, one), subject, "cas@example.com")

		t.Run("after two days without a mail server there is one", func(t *testing.T) {
			down := s.notifier(t, freePort(t))
			for range 2 {
				s.forward(24 * time.Hour)
				wantMails(t, s.look(t, down), "the mail server is down")
			}
			s.forward(10 * time.Minute)
			wantMails(t, s.look(t, one, other), subject, "ana@example.com", "cas@example.com")
		})
		t.Run("whoever wants none any more gets none", func(t *testing.T) {
			s.choose(t, "ana@example.com", gangway.Mails{NoEndings: true})
			s.forward(24 * time.Hour)
			wantMails(t, s.look(t, one, other), subject+"4 things need you", "cas@example.com")
		})
	})
}
