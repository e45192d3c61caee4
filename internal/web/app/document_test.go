package app_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"gangway"
)

// The passport number that a customer's system has sent is shown on request
// only, whoever saw it is in the audit log, and the airline gets all of it.
func TestPassportNumbersAreShownOnRequest(t *testing.T) {
	s := newSite(t)
	c := s.signedIn(t, gangway.Booker)
	const number, masked = "P1234567A", `value="••••67A"`

	t.Run("on the page of a hold", func(t *testing.T) {
		search := s.keep(t, maria)
		path := "/searches/" + search.ID
		form := c.in(t).get(path + "/stream").form(path + "/book")
		page := c.in(t).get(path + "/hold?member=0&offer=" + url.QueryEscape(form.Get("offer")))
		page.has(masked, "Show<span")
		page.lacks(number)

		fields := page.form(path + "/book")
		fields.Set("show", "document")
		fields.Set("phone", "0917 555 0101")
		page = c.in(t).post(path+"/book", fields)
		page.shows(path+"/book", `value="`+number+`"`, "0917 555 0101")
		list := s.audit(t, gangway.DocumentShown)
		if len(list) != 1 || list[0].After["search"] != search.ID || list[0].After["traveller"] != maria.ID || strings.Contains(page.body, "Show<span") {
			t.Fatalf("the log says %+v; want that a booker saw Maria's passport", list)
		}
		isEntry(t, s, list[0], gangway.DocumentShown, "booker@example.com (Ingrid Holm)")

		part := c.in(t).get(path + "/hold?member=0&offer=" + url.QueryEscape(form.Get("offer"))).form(path + "/book")
		part.Set("doc_number", "••••678")
		if a := c.in(t).post(path+"/book", part); a.status != http.StatusUnprocessableEntity {
			t.Fatalf("a number of which a part was typed is answered %d; want 422", a.status)
		} else {
			a.has("Type the whole number, or show it first.", "To look at: Passport number.", masked, "Show<span")
			a.lacks("••••678", "missing")
		}
		part.Set("dob", "2099-01-01")
		part.Set("doc_expire", "2036-11-01") // before the flight
		if a := c.in(t).post(path+"/book", part); a.status != http.StatusUnprocessableEntity {
			t.Fatalf("several mistakes are answered %d; want 422", a.status)
		} else {
			a.has("To look at: Born on, Passport number.", "The date of birth must not be in the future.", "Type the whole number", "The passport, valid to 2036-11-01,")
			part = a.form(path + "/book")
			part.Set("dob", string(maria.DOB))
			part.Set("doc_expire", string(maria.DocExpire))
		}
		part.Set("doc_number", "••••67A")
		booked := c.in(t).post(path+"/book", part)
		booked.has("Held as")
		booked.lacks(number)
		b, err := production(s).Booking(t.Context(), strings.TrimPrefix(booked.path, "/bookings/"))
		if err != nil || b.Passenger.DocNumber != number {
			t.Fatalf("booked with %q, %v; want the whole number", b.Passenger.DocNumber, err)
		}
	})
	t.Run("on the page that mends a member", func(t *testing.T) {
		search := s.keep(t, maria)
		at := "/searches/" + search.ID + "/members/0"
		page := c.in(t).get(at)
		page.has(masked)
		page.lacks(number)
		fields := page.form(at)
		again := c.in(t).post(at, with(fields, "show", "document"))
		again.shows(at, `value="`+number+`"`)
		if list := s.audit(t, gangway.DocumentShown); len(list) != 2 {
			t.Fatalf("the log says %+v; want that it was shown once more", list)
		}
		c.in(t).post(at, with(with(fields, "show", "document"), "doc_number", "zz••••")).lacks(number)
		if list := s.audit(t, gangway.DocumentShown); len(list) != 2 {
			t.Fatalf("the log says %+v; want nothing of a number that was not shown", list)
		}
		c.in(t).post(at, fields)
		kept, err := production(s).Search(t.Context(), search.ID)
		if err != nil || kept.Members[0].Traveller.DocNumber != number {
			t.Fatalf("the search has %q, %v; want the number as it was", kept.Members[0].Traveller.DocNumber, err)
		}
		c.in(t).post(at, with(fields, "doc_number", "X7654321"))
		kept, err = production(s).Search(t.Context(), search.ID)
		if err != nil || kept.Members[0].Traveller.DocNumber != "X7654321" {
			t.Fatalf("the search has %q, %v; want what was typed", kept.Members[0].Traveller.DocNumber, err)
		}
	})
}

// with is a form with another value in one field.
func with(form url.Values, name, value string) url.Values {
	out := url.Values{}
	for n, values := range form {
		out[n] = values
	}
	out.Set(name, value)
	return out
}
