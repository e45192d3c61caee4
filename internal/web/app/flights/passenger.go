package flights

import (
	"net/http"
	"slices"
	"strings"

	"gangway/internal/web/app/shell"

	"gangway/internal/gangway"
)

// A PassengerForm is a passenger's details exactly as typed, and what is missing or
// wrong. An error loses nothing that was typed.
type PassengerForm struct {
	TypedDetails
	Known   string            // the passport number on record
	Shown   bool              // all of that number is shown
	Longest int               // how many letters a name on the ticket may have; 0: any number
	Travel  gangway.Date      // of the last flight, where known; a passport should outlast it
	Agreed  string            // the expiry date of a passport that somebody agreed to hold with anyway
	Wrong   map[string]string // by field: a sentence
}

// PassengerOf is the form filled in from the customer's records. A name that is longer
// than the airline takes is cut, for a person to see and agree to.
func PassengerOf(t gangway.Traveller, longest int) PassengerForm {
	f := PassengerForm{TypedDetails: HandOf(t), Known: t.DocNumber, Longest: longest, Wrong: map[string]string{}}
	for _, p := range t.TicketProblems(longest) {
		*f.OnTicket(p.Field) = p.Cut
		f.Wrong[TicketField[p.Field]] = NameSentence(p)
	}
	return f
}

// TicketField is the field for how a name is to stand on the ticket.
var TicketField = map[string]string{"last_name": "ticket_last", "first_name": "ticket_first"}

// OnTicket is the text of that field.
func (h *TypedDetails) OnTicket(name string) *string {
	if name == "first_name" {
		return &h.TicketFirst
	}
	return &h.TicketLast
}

// NameSentence says, beside the field for the name on the ticket, why the name cannot
// stand there as it is.
func NameSentence(p gangway.NameProblem) string {
	if p.Cut == "" {
		return "Tickets have the letters A to Z only. Type it as in the passport's machine-readable lines."
	}
	return "It has " + shell.Number(p.Letters) + " letters on a ticket and the airline takes " +
		shell.Number(p.Longest) + ": this is how it will be cut, or shorten it otherwise."
}

// Refused reports whether a field is missing or wrong.
func (f PassengerForm) Refused() bool { return len(f.Wrong) > 0 }

// ReadPassenger reads the form over what is known of t. Fields that the form did not
// have stay as they were; prefix tells the forms of several people apart.
func ReadPassenger(r *http.Request, t gangway.Traveller, prefix string, longest int,
	today gangway.Today) PassengerForm {
	f := PassengerForm{TypedDetails: HandOf(t), Known: t.DocNumber, Longest: longest, Wrong: map[string]string{}}
	for name, value := range map[string]*string{
		"last_name": &f.LastName, "first_name": &f.FirstName, "dob": &f.DOB, "gender": &f.Gender,
		"nationality": &f.Nationality,
		"doc_country": &f.DocCountry, "doc_number": &f.DocNumber, "doc_expire": &f.DocExpire, "email": &f.Email,
		"phone": &f.Phone, "frequent_flyer": &f.FrequentFlyer,
		"ticket_last": &f.TicketLast, "ticket_first": &f.TicketFirst,
	} {
		if typed, ok := r.PostForm[prefix+name]; ok {
			*value = strings.TrimSpace(typed[0])
		}
	}
	f.readDates()
	f.Agreed = r.PostForm.Get(prefix + agreedField)
	f.DocNumber = UnmaskedNumber(f.DocNumber, f.Known)
	f.check(t, today)
	if f.Known != "" && masked(f.DocNumber) {
		f.DocNumber, f.Wrong["doc_number"] = f.Known, retype
	}
	return f
}

// check notes what is missing or wrong for booking the passenger. A name, an e-mail
// address or a phone number that the customer's system sent is accepted as it is.
//
// Decided: docs/choices.md, "Uploads".
func (f *PassengerForm) check(sent gangway.Traveller, today gangway.Today) {
	form := BookForm{Hand: f.TypedDetails, Wrong: f.Wrong}
	form.ReadByHand()
	if f.LastName != "" && f.LastName == sent.LastName {
		delete(f.Wrong, "last_name")
	}
	if f.FirstName != "" && f.FirstName == sent.FirstName {
		delete(f.Wrong, "first_name")
	}
	if f.Email == sent.Email {
		delete(f.Wrong, "email")
	}
	if f.Phone == sent.Phone {
		delete(f.Wrong, "phone")
	}
	for _, p := range f.Traveller().TicketProblems(f.Longest) {
		if f.Wrong[TicketField[p.Field]] = NameSentence(p); p.Cut != "" {
			*f.OnTicket(p.Field) = p.Cut
		}
	}
	if _, err := gangway.ParseFrequentFlyer(f.FrequentFlyer); err != nil && f.FrequentFlyer != "" {
		f.Wrong["frequent_flyer"] = "The airline's two letters and the number, as in SQ 8001234567."
	}
	if born := gangway.Date(f.DOB); born.Valid() && today.Birth(born) != "" {
		f.Wrong["dob"] = "The date of birth " + today.Birth(born) + "."
	}
	if f.DOB == "" {
		f.Wrong["dob"] = "The airline wants the date of birth, as in 12 mar 1985."
	}
	if f.Gender == "" {
		f.Wrong["gender"] = "M or F, as in the passport."
	}
}

// whatIsWrong says at the top of the page which fields to correct.
func (f PassengerForm) whatIsWrong() string {
	var missing, wrong []string
	for _, field := range f.Fields() {
		switch {
		case field.Wrong == "":
		case field.Value == "":
			missing = append(missing, field.Label)
		default:
			wrong = append(wrong, field.Label)
		}
	}
	sentence := "Nothing is held yet."
	if len(missing) > 0 {
		sentence += " Missing: " + strings.Join(missing, ", ") + "."
	}
	if len(wrong) > 0 {
		sentence += " To correct: " + strings.Join(wrong, ", ") + "."
	}
	return sentence
}

// A passengerField is one field of the form.
type passengerField struct {
	Name, Label, Type, Value, Wrong, List string
	Note                                  string // a warning that prevents nothing
	Needed                                bool
	Hides                                 bool // the value shows only a part
}

// Fields lists all fields, needed ones first.
func (f PassengerForm) Fields() []passengerField {
	number, hides := MaskedNumber(f.DocNumber, f.Known, f.Shown)
	list := []passengerField{
		{Name: "last_name", Label: "Last name", Value: f.LastName, Needed: true},
		{Name: "first_name", Label: "First names", Value: f.FirstName, Needed: true},
		{Name: "ticket_last", Label: "Last name on the ticket", Value: f.TicketLast},
		{Name: "ticket_first", Label: "First names on the ticket", Value: f.TicketFirst},
		{Name: "dob", Label: "Born on", Type: "date", Value: f.DOB, Needed: true},
		{Name: "gender", Label: "Gender", Value: f.Gender, Needed: true},
		{Name: "nationality", Label: "Nationality", Value: f.Nationality, List: "countries"},
		{Name: "doc_country", Label: "Passport of", Value: f.DocCountry, List: "countries"},
		{Name: "doc_number", Label: "Passport number", Value: number, Hides: hides},
		{Name: "doc_expire", Label: "Passport ends on", Type: "date", Value: f.DocExpire, Note: f.Passport()},
		{Name: "email", Label: "E-mail", Type: "email", Value: f.Email},
		{Name: "phone", Label: "Phone", Type: "tel", Value: f.Phone},
		{Name: "frequent_flyer", Label: "Frequent flyer number", Value: f.FrequentFlyer},
	}
	for i := range list {
		list[i].Wrong = f.Wrong[list[i].Name]
	}
	return slices.DeleteFunc(list, func(p passengerField) bool {
		return strings.HasPrefix(p.Name, "ticket_") && p.Value == "" && p.Wrong == "" // it is optional
	})
}

// Ticket is the name on the ticket, where it differs from the name itself.
func (f PassengerForm) Ticket() string { return TicketWords(f.Traveller()) }

// TicketWords is t's name on the ticket, where it can be written there and differs
// from the name itself.
func TicketWords(t gangway.Traveller) string {
	name := t.TicketName()
	if !t.TicketDiffers() || name.Last == "" || name.First == "" {
		return ""
	}
	return name.String()
}

// TicketProblems says in a sentence or two what part of t's name cannot stand on a
// ticket, or nothing where all of it can.
func TicketProblems(t gangway.Traveller, longest int) string {
	list := t.TicketProblems(longest)
	if len(list) == 2 && list[0].Letters == 0 && list[1].Letters == 0 {
		return "The names cannot be written in the letters of a ticket, A to Z; type them as in the passport's " +
			"machine-readable lines."
	}
	sentences := gangway.Each(list, func(p gangway.NameProblem) string { return shell.Capital(p.Words()) + "." })
	return strings.Join(sentences, " ")
}

// Asked lists the fields that are missing or wrong, for pages that ask for nothing else.
func (f PassengerForm) Asked() []passengerField {
	var list []passengerField
	for _, field := range f.Fields() {
		if field.Wrong != "" || field.Needed && field.Value == "" {
			list = append(list, field)
		}
	}
	return list
}

// HandOf fills the fields for details typed by hand from a traveller.
func HandOf(t gangway.Traveller) TypedDetails {
	return TypedDetails{
		LastName: t.LastName, FirstName: t.FirstName, DOB: string(t.DOB), Gender: t.Gender,
		Nationality: string(t.Nationality),
		DocCountry:  string(t.DocCountry), DocNumber: t.DocNumber, DocExpire: string(t.DocExpire), Email: t.Email,
		Phone:         t.Phone,
		FrequentFlyer: t.FrequentFlyer.String(),
		TicketLast:    t.OnTicket.Last, TicketFirst: t.OnTicket.First,
	}
}

// CheckTicket notes what cannot stand on a ticket in the names that were typed for it.
// They are optional here, because a search does not need them.
func (f *BookForm) CheckTicket(longest int) {
	for _, problem := range f.Hand.Traveller().TicketProblems(longest) {
		if *f.Hand.OnTicket(problem.Field) != "" {
			f.Wrong[TicketField[problem.Field]] = NameSentence(problem)
		}
	}
}
