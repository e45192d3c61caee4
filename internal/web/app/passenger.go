package app

import (
	"net/http"
	"strings"

	"gangway"
)

// A passengerForm is what is known of a passenger, letter by letter, and what
// is missing or wrong. Nothing that was typed into it is lost on an error.
type passengerForm struct {
	hand
	Wrong map[string]string // by field: a sentence
}

// passengerOf is the form as the customer's records fill it in.
func passengerOf(t gangway.Traveller) passengerForm {
	return passengerForm{hand: handOf(t), Wrong: map[string]string{}}
}

// readPassenger reads the form over what is known of t. Fields that the form
// did not have stay as they were; prefix tells apart the forms of several people.
func readPassenger(r *http.Request, t gangway.Traveller, prefix string) passengerForm {
	f := passengerOf(t)
	for name, value := range map[string]*string{
		"last_name": &f.LastName, "first_name": &f.FirstName, "dob": &f.DOB, "gender": &f.Gender, "nationality": &f.Nationality,
		"doc_country": &f.DocCountry, "doc_number": &f.DocNumber, "doc_expire": &f.DocExpire, "email": &f.Email, "phone": &f.Phone,
	} {
		if typed, ok := r.PostForm[prefix+name]; ok {
			*value = strings.TrimSpace(typed[0])
		}
	}
	f.check(t)
	return f
}

// check notes what is missing or wrong for a passenger to be booked. A name
// that the customer's system sent is taken as it is.
func (f *passengerForm) check(sent gangway.Traveller) {
	form := bookForm{Hand: f.hand, Wrong: f.Wrong}
	form.byHand()
	if f.LastName != "" && f.LastName == sent.LastName {
		delete(f.Wrong, "last_name")
	}
	if f.FirstName != "" && f.FirstName == sent.FirstName {
		delete(f.Wrong, "first_name")
	}
	if f.DOB == "" {
		f.Wrong["dob"] = "The airline wants the date of birth, as in 1985-03-12."
	}
	if f.Gender == "" {
		f.Wrong["gender"] = "M or F, as in the passport."
	}
}

// A passengerField is one field of the form.
type passengerField struct {
	Name, Label, Type, Value, Wrong, List string
	Needed                                bool
}

// Fields lists all fields, those that are needed first.
func (f passengerForm) Fields() []passengerField {
	list := []passengerField{
		{Name: "last_name", Label: "Last name", Value: f.LastName, Needed: true},
		{Name: "first_name", Label: "First names", Value: f.FirstName, Needed: true},
		{Name: "dob", Label: "Born on", Type: "date", Value: f.DOB, Needed: true},
		{Name: "gender", Label: "Gender", Value: f.Gender, Needed: true},
		{Name: "nationality", Label: "Nationality", Value: f.Nationality, List: "countries"},
		{Name: "doc_country", Label: "Passport of", Value: f.DocCountry, List: "countries"},
		{Name: "doc_number", Label: "Passport number", Value: f.DocNumber},
		{Name: "doc_expire", Label: "Passport ends on", Type: "date", Value: f.DocExpire},
		{Name: "email", Label: "E-mail", Type: "email", Value: f.Email},
		{Name: "phone", Label: "Phone", Type: "tel", Value: f.Phone},
	}
	for i := range list {
		list[i].Wrong = f.Wrong[list[i].Name]
	}
	return list
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
