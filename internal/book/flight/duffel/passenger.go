package duffel

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

// A passenger is a traveller in Duffel's form.
type passenger struct {
	ID        string             `json:"id"` // from the offer
	Title     string             `json:"title"`
	Gender    string             `json:"gender"`
	Given     string             `json:"given_name"`
	Family    string             `json:"family_name"`
	BornOn    gangway.Date       `json:"born_on"`
	Email     string             `json:"email"`
	Phone     string             `json:"phone_number"`
	Documents []identityDocument `json:"identity_documents,omitempty"`
}

type identityDocument struct {
	Type    string          `json:"type"`
	Number  string          `json:"unique_identifier"`
	Country gangway.Country `json:"issuing_country_code"`
	Expires gangway.Date    `json:"expires_on"`
}

// passenger returns a traveller in Duffel's form for an offer.
//
// Duffel requires a title, an e-mail address and a phone number, which our travellers need
// not have. The title follows from the gender; the booker's address and the agency's number
// stand in for the others.
func (s *Seller) passenger(ask flight.HoldAsk, offer wireOffer) (passenger, error) {
	t := ask.Passenger
	if len(offer.Passengers) != 1 {
		return passenger{}, gangway.Errorf(gangway.Conflict, "this offer is not for one passenger")
	}
	p := passenger{ID: offer.Passengers[0].ID, Given: t.FirstName, Family: t.LastName, BornOn: t.DOB, Email: t.Email,
		Phone: phoneNumber(t.Phone)}
	if err := flight.CheckName(t, longestName); err != nil {
		return p, err
	}
	switch t.Gender {
	case "M":
		p.Gender, p.Title = "m", "mr"
	case "F":
		p.Gender, p.Title = "f", "ms"
	default:
		return p, gangway.Errorf(gangway.Invalid, "the airline needs the passenger's gender")
	}
	if !t.DOB.Valid() {
		return p, gangway.Errorf(gangway.Invalid, "the airline needs the passenger's date of birth")
	}
	if !gangway.EmailAddress(p.Email) { // the customer's system may have sent anything
		p.Email = ask.Contact
	}
	if p.Email == "" {
		return p, gangway.Errorf(gangway.Invalid, "the airline needs an e-mail address")
	}
	p.Phone = cmp.Or(p.Phone, s.phone)
	if p.Phone == "" {
		return p, gangway.Errorf(gangway.Invalid, "the airline needs a phone number with its country code, as in +31 "+
			"20 555 0100")
	}
	return p, s.passport(&p, t, offer)
}

// passport adds the traveller's passport if it is known and the airline accepts it. An expired
// passport does not prevent a booking, unless the airline requires one.
func (s *Seller) passport(p *passenger, t gangway.Traveller, offer wireOffer) error {
	known := t.DocNumber != "" && t.DocCountry != "" && t.DocExpire.Valid() && t.DocExpire > gangway.DateOf(s.now())
	if known && (offer.NeedsPassport || slices.Contains(offer.DocumentTypes, "passport")) {
		p.Documents = []identityDocument{{Type: "passport", Number: t.DocNumber, Country: t.DocCountry,
			Expires: t.DocExpire}}
	}
	if offer.NeedsPassport && !known {
		return gangway.Errorf(gangway.Invalid, "the airline needs the passenger's passport: its number, its country, "+
			"and an expiry date in the future")
	}
	return nil
}

// longestName is how many letters of a name Duffel takes, counting spaces.
const longestName = 20

// LongestName is how many letters a last name or the first names may have.
func (s *Seller) LongestName() int { return longestName }

var e164 = regexp.MustCompile(`^\+[1-9][0-9]{6,14}$`)

// phoneNumber returns a number with its country code in E.164 form; empty if it is not one.
func phoneNumber(s string) string {
	s = strings.Map(func(r rune) rune {
		if strings.ContainsRune(" -().\u00a0/", r) {
			return -1
		}
		return r
	}, strings.Replace(s, "(0)", "", 1))
	if strings.HasPrefix(s, "00") {
		s = "+" + s[2:]
	}
	if !e164.MatchString(s) {
		return ""
	}
	return s
}
