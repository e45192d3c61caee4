package flights_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"gangway/internal/web/app/apptest"

	"gangway/internal/gangway"
)

// A passport number from the customer's system is shown only on request. The audit log
// says who saw it, and the airline gets all of it.
func TestPassportNumbersAreShownOnRequest(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	const number, masked = "P1234567A", `value="••••67A"`

	t.Run("on the page of a hold", func(t *testing.T) {
		search := s.Keep(t, apptest.Maria)
		path := "/searches/" + search.ID
		form := c.In(t).Get(path + "/stream").Form(path + "/book")
		page := c.In(t).Get(path+"/hold?member=0&offer="+url.QueryEscape(form.Get("offer"))).
			Has(masked, "Show<span").Lacks(number)

		fields := page.Form(path+"/book", "show", "document", "phone", "0917 555 0101")
		page = c.In(t).Post(path+"/book", fields).Shows(path+"/book", `value="`+number+`"`, "0917 555 0101")
		list := s.Audit(t, gangway.DocumentShown)
		if len(list) != 1 || list[0].After["search"] != search.ID || list[0].After["traveller"] != apptest.Maria.ID ||
			strings.Contains(page.Body, "Show<span") {
			t.Fatalf("the log says %+v; want that a booker saw Maria's passport", list)
		}
		apptest.IsEntry(t, s, list[0], gangway.DocumentShown, "booker@example.com (Ingrid Holm)")

		part := c.In(t).Get(path+"/hold?member=0&offer="+url.QueryEscape(form.Get("offer"))).
			Form(path+"/book", "doc_number", "••••678")
		c.In(t).Post(path+"/book", part).Is(http.StatusUnprocessableEntity, "Type the whole number, or show it first.",
			"To correct: Passport number.", masked, "Show<span").Lacks("••••678", "missing")
		part.Set("dob", "2099-01-01")
		part.Set("doc_expire", "2036-11-01") // before the flight
		part = c.In(t).Post(path+"/book", part).Is(http.StatusUnprocessableEntity,
			"To correct: Born on, Passport number.", "The date of birth must not be in the future.",
			"Type the whole number", "The passport, valid to 1 Nov 2036,").Form(path + "/book")
		part.Set("dob", string(apptest.Maria.DOB))
		part.Set("doc_expire", string(apptest.Maria.DocExpire))
		part.Set("doc_number", "••••67A")
		booked := c.In(t).Post(path+"/book", part).Has("Held as").Lacks(number)
		b, err := apptest.Production(s).Booking(t.Context(), strings.TrimPrefix(booked.Path, "/bookings/"))
		if err != nil || b.Passenger.DocNumber != number {
			t.Fatalf("booked with %q, %v; want the whole number", b.Passenger.DocNumber, err)
		}
	})
	t.Run("on the page that corrects a member", func(t *testing.T) {
		search := s.Keep(t, apptest.Maria)
		at := "/searches/" + search.ID + "/members/0"
		page := c.In(t).Get(at).Has(masked).Lacks(number)
		fields := page.Form(at)
		c.In(t).Post(at, with(fields, "show", "document")).Shows(at, `value="`+number+`"`)
		if list := s.Audit(t, gangway.DocumentShown); len(list) != 2 {
			t.Fatalf("the log says %+v; want that it was shown once more", list)
		}
		c.In(t).Post(at, with(with(fields, "show", "document"), "doc_number", "zz••••")).Lacks(number)
		if list := s.Audit(t, gangway.DocumentShown); len(list) != 2 {
			t.Fatalf("the log says %+v; want nothing of a number that was not shown", list)
		}
		c.In(t).Post(at, fields)
		kept, err := apptest.Production(s).Search(t.Context(), search.ID)
		if err != nil || kept.Members[0].Traveller.DocNumber != number {
			t.Fatalf("the search has %q, %v; want the number as it was", kept.Members[0].Traveller.DocNumber, err)
		}
		c.In(t).Post(at, with(fields, "doc_number", "X7654321"))
		kept, err = apptest.Production(s).Search(t.Context(), search.ID)
		if err != nil || kept.Members[0].Traveller.DocNumber != "X7654321" {
			t.Fatalf("the search has %q, %v; want what was typed", kept.Members[0].Traveller.DocNumber, err)
		}
	})
}

// with returns the form with another value in one field.
func with(form url.Values, name, value string) url.Values {
	out := url.Values{}
	for n, values := range form {
		out[n] = values
	}
	out.Set(name, value)
	return out
}
