package app

import (
	"net/http"
	"slices"
	"strings"

	"gangway/internal/web/app/shell"

	"gangway"
)

// A passengerForm is what is known of a passenger, letter by letter, and what
// is missing or wrong. Nothing that was typed into it is lost on an error.
type passengerForm struct {
	hand
	Known   string            // the passport number on record
	Shown   bool              // it may be read
	Longest int               // how many letters a name on the ticket may have; 0: any number
	Travel  gangway.Date      // of the last flight, where it is known: a passport should outlast it
	Agreed  string            // the end of a passport with which the traveller is to be held all the same
	Wrong   map[string]string // by field: a sentence
}

// passengerOf is the form as the customer's records fill it in. A name that is
// longer than the airline takes is cut there, for a person to see and agree to.
func passengerOf(t gangway.Traveller, longest int) passengerForm {
	f := passengerForm{hand: handOf(t), Known: t.DocNumber, Longest: longest, Wrong: map[string]string{}}
	for _, p := range t.TicketProblems(longest) {
		*f.onTicket(p.Field) = p.Cut
		f.Wrong[ticketField[p.Field]] = nameSentence(p)
	}
	return f
}

// ticketField is the field for how a name is to stand on the ticket.
var ticketField = map[string]string{"last_name": "ticket_last", "first_name": "ticket_first"}

// onTicket is what stands in that field.
func (h *hand) onTicket(name string) *string {
	if name == "first_name" {
		return &h.TicketFirst
	}
	return &h.TicketLast
}

// nameSentence says why a name cannot stand on the ticket as it is, beside the
// field for how it is to stand there.
func nameSentence(p gangway.NameProblem) string {
	if p.Cut == "" {
		return "Tickets have the letters A to Z only. Type it as in the passport's machine-readable lines."
	}
	return "It has " + shell.Number(p.Letters) + " letters on a ticket and the airline takes " + shell.Number(p.Longest) + ": this is how it will be cut, or shorten it otherwise."
}

// readPassenger reads the form over what is known of t. Fields that the form
// did not have stay as they were; prefix tells apart the forms of several people.
func readPassenger(r *http.Request, t gangway.Traveller, prefix string, longest int, today gangway.Today) passengerForm {
	f := passengerForm{hand: handOf(t), Known: t.DocNumber, Longest: longest, Wrong: map[string]string{}}
	for name, value := range map[string]*string{
		"last_name": &f.LastName, "first_name": &f.FirstName, "dob": &f.DOB, "gender": &f.Gender, "nationality": &f.Nationality,
		"doc_country": &f.DocCountry, "doc_number": &f.DocNumber, "doc_expire": &f.DocExpire, "email": &f.Email, "phone": &f.Phone, "frequent_flyer": &f.FrequentFlyer,
		"ticket_last": &f.TicketLast, "ticket_first": &f.TicketFirst,
	} {
		if typed, ok := r.PostForm[prefix+name]; ok {
			*value = strings.TrimSpace(typed[0])
		}
	}
	f.Agreed = r.PostForm.Get(prefix + agreedField)
	f.DocNumber = unmaskedNumber(f.DocNumber, f.Known)
	f.check(t, today)
	if f.Known != "" && gangway.Masked(f.DocNumber) {
		f.DocNumber, f.Wrong["doc_number"] = f.Known, retype
	}
	return f
}

// check notes what is missing or wrong for a passenger to be booked. A name, an
// e-mail address or a phone number that the customer's system sent is taken as it is.
//
// Decided: docs/choices.md, "Uploads".
func (f *passengerForm) check(sent gangway.Traveller, today gangway.Today) {
	form := bookForm{Hand: f.hand, Wrong: f.Wrong}
	form.byHand()
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
	for _, p := range f.traveller().TicketProblems(f.Longest) {
		if f.Wrong[ticketField[p.Field]] = nameSentence(p); p.Cut != "" {
			*f.onTicket(p.Field) = p.Cut
		}
	}
	if _, err := gangway.ParseFrequentFlyer(f.FrequentFlyer); err != nil && f.FrequentFlyer != "" {
		f.Wrong["frequent_flyer"] = "The airline's two letters and the number, as in SQ 8001234567."
	}
	if born := gangway.Date(f.DOB); born.Valid() && today.Birth(born) != "" {
		f.Wrong["dob"] = "The date of birth " + today.Birth(born) + "."
	}
	if f.DOB == "" {
		f.Wrong["dob"] = "The airline wants the date of birth, as in 1985-03-12."
	}
	if f.Gender == "" {
		f.Wrong["gender"] = "M or F, as in the passport."
	}
}

// whatIsWrong says on top of the page which fields are to be looked at.
func (f passengerForm) whatIsWrong() string {
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
		sentence += " To look at: " + strings.Join(wrong, ", ") + "."
	}
	return sentence
}

// A passengerField is one field of the form.
type passengerField struct {
	Name, Label, Type, Value, Wrong, List string
	Note                                  string // to look at; nothing stands in the way
	Needed                                bool
	Hides                                 bool // the value is not all of it
}

// Fields lists all fields, those that are needed first.
func (f passengerForm) Fields() []passengerField {
	number, hides := maskedNumber(f.DocNumber, f.Known, f.Shown)
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
		return strings.HasPrefix(p.Name, "ticket_") && p.Value == "" && p.Wrong == "" // nobody has to say
	})
}

// Ticket is the name as the ticket will have it, where that is not the name itself.
func (f passengerForm) Ticket() string { return ticketWords(f.traveller()) }

// ticketWords is t's name as the ticket will have it, where it can be written
// and is not the name itself.
func ticketWords(t gangway.Traveller) string {
	name := t.TicketName()
	if !t.TicketDiffers() || name.Last == "" || name.First == "" {
		return ""
	}
	return name.String()
}

// ticketProblems says what of t's name cannot stand on a ticket, in a sentence
// or two; nothing where all can.
func ticketProblems(t gangway.Traveller, longest int) string {
	list := t.TicketProblems(longest)
	if len(list) == 2 && list[0].Letters == 0 && list[1].Letters == 0 {
		return "The names cannot be written in the letters of a ticket, A to Z; type them as in the passport's machine-readable lines."
	}
	var sentences []string
	for _, p := range list {
		sentences = append(sentences, shell.Capital(p.Words())+".")
	}
	return strings.Join(sentences, " ")
}

// Asked lists the fields to show where only what is missing or wrong is asked for.
func (f passengerForm) Asked() []passengerField {
	var list []passengerField
	for _, field := range f.Fields() {
		if field.Wrong != "" || field.Needed && field.Value == "" {
			list = append(list, field)
		}
	}
	return list
}
