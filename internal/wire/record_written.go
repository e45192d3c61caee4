package wire

import (
	"encoding/json"
	"strings"

	"gangway/internal/gangway"

	"github.com/go-json-experiment/json/jsontext"
)

// Traveller writes a traveller record in the interface's spelling, and the source
// of the stored record where it is known.
//
// Spec: Traveller record.
func Traveller(t gangway.Traveller, from gangway.Source) jsontext.Value {
	w := newObject()
	w.text("source", string(from))
	w.traveller(t, snakeCase)
	w.extra(t.Extra, "")
	return w.end()
}

// The names of a traveller's fields, in the order of travellerFields.
var (
	snakeCase = []string{"last_name", "first_name", "dob", "nationality", "gender", "doc_country", "doc_number",
		"doc_expire", "home_airport", "email", "phone", "id"}
	camelCase = []string{"lastName", "firstName", "dob", "nationality", "gender", "docCountry", "docNumber",
		"docExpireDate", "homeAirport", "email", "phone", "id"}
)

func travellerFields(t gangway.Traveller) []string {
	return []string{t.LastName, t.FirstName, string(t.DOB), string(t.Nationality), t.Gender, string(t.DocCountry),
		t.DocNumber, string(t.DocExpire), string(t.HomeAirport), t.Email, t.Phone, t.ID}
}

func (o *object) traveller(t gangway.Traveller, names []string) {
	for i, value := range travellerFields(t) {
		o.text(names[i], value)
	}
}

// TravelRequest writes a travel request record in the interface's spelling, and
// the source of the stored record where it is known.
//
// Spec: Travel request record.
func TravelRequest(r gangway.TravelRequest, from gangway.Source) jsontext.Value {
	w := newObject()
	w.text("source", string(from))
	w.section("externalInfo", r.Extra, func(o *object) {
		o.text("requestId", r.RequestID)
		o.text("subRequestId", r.SubRequestID)
		o.texts("additionalInfo", r.AdditionalInfo)
	})
	w.section("traveler", r.Extra, func(o *object) {
		o.traveller(r.Traveller, camelCase)
		o.texts("customFields", r.CustomFields)
	})
	if f := r.Flight; f != nil {
		w.section("flight", r.Extra, func(o *object) { o.flight(*f) })
	}
	if h := r.Hotel; h != nil {
		w.section("hotel", r.Extra, func(o *object) {
			o.text("location", h.Location)
			o.text("checkIn", string(h.CheckIn))
			o.text("checkOut", string(h.CheckOut))
		})
	}
	w.section("details", r.Extra, func(o *object) {
		o.text("rank", r.Rank)
		o.text("remarks", r.Remarks)
		if v := r.Vehicle; v != nil {
			vehicle := newObject()
			vehicle.text("name", v.Name)
			vehicle.text("flag", string(v.Flag))
			vehicle.text("vehicleType", v.Type)
			o.member("vehicle", vehicle.end())
		}
	})
	w.extra(r.Extra, "")
	return w.end()
}

func (o *object) flight(f gangway.FlightNeed) {
	o.text("origin", string(f.Origin))
	o.text("destination", string(f.Destination))
	o.text("date", string(f.Date))
	var via []jsontext.Value
	for _, stop := range f.Via {
		s := newObject()
		s.text("airport", string(stop.Airport))
		s.text("date", string(stop.Date))
		via = append(via, s.end())
	}
	if len(via) > 0 {
		o.value("intermediateAirports", via)
	}
}

// section writes an object, with those members that the interface does not name
// and that stood in it, unless it is empty.
func (o *object) section(name string, extra json.RawMessage, write func(*object)) {
	s := newObject()
	write(s)
	s.extra(extra, name+".")
	if !s.empty() {
		o.member(name, s.end())
	}
}

// extra writes the members that the interface does not name: with a section, those
// that stood in it, and without one, those that stood in none.
func (o *object) extra(extra json.RawMessage, section string) {
	for _, m := range objectMembers(jsontext.Value(extra)) {
		name, inside := strings.CutPrefix(m.name, section)
		if inside && (section != "" || !stoodInSection(name)) {
			o.member(name, m.value)
		}
	}
}

func stoodInSection(name string) bool {
	for _, section := range []string{"externalInfo.", "traveler.", "flight.", "hotel.", "details."} {
		if strings.HasPrefix(name, section) {
			return true
		}
	}
	return false
}

// CrewChange writes a crew change record in the interface's spelling, and the
// source of the stored record where it is known.
//
// Spec: Crew change record.
func CrewChange(c gangway.CrewChange) jsontext.Value {
	w := newObject()
	w.text("source", string(c.Origin.Source))
	w.text("vessel", c.Vessel)
	w.text("flag", string(c.Flag))
	w.text("change_date", string(c.ChangeDate))
	w.text("travel_request_id", c.TravelRequestID)
	w.members("onsigners", c.OnSigners)
	w.members("offsigners", c.OffSigners)
	w.extra(c.Extra, "")
	return w.end()
}

func (o *object) members(name string, list []gangway.CrewMember) {
	written := []jsontext.Value{}
	for _, m := range list {
		w := newObject()
		w.traveller(m.Traveller, snakeCase)
		w.portCall("arrive", m.Arrive)
		w.portCall("depart", m.Depart)
		w.text("change_date", string(m.ChangeDate))
		w.texts("metadata", m.Metadata)
		w.texts("custom_fields", m.CustomFields)
		w.extra(m.Extra, "")
		written = append(written, w.end())
	}
	o.value(name, written)
}

// portCall writes a date, or with its airport the form that some customers send.
func (o *object) portCall(name string, p gangway.PortCall) {
	if p.Airport == "" {
		o.text(name, string(p.Date))
		return
	}
	call := newObject()
	call.text("port", string(p.Airport))
	call.text("date", string(p.Date))
	o.member(name, call.end())
}
