package wire

import (
	"iter"

	"gangway/internal/gangway"

	"github.com/go-json-experiment/json/jsontext"
)

// CrewChanges reads values as crew change records, one by one. Each record and
// its Reading are valid until the next is read.
//
// Spec: Crew change record.
func CrewChanges(values iter.Seq2[int, jsontext.Value]) iter.Seq2[*gangway.CrewChange, *Reading] {
	return records(values, func(r *reader, c *gangway.CrewChange) (there bool, err error) {
		record := r.at
		there, err = r.object("", func(name string) error {
			switch name {
			case "vessel":
				return r.text("Vessel", &c.Vessel)
			case "flag":
				return readCode(r, "Flag", &c.Flag)
			case "change_date":
				return r.date("ChangeDate", &c.ChangeDate)
			case "travel_request_id":
				return r.text("TravelRequestId", &c.TravelRequestID)
			case "onsigners", "offsigners":
				field, to := "Onsigners", &c.OnSigners
				if name == "offsigners" {
					field, to = "Offsigners", &c.OffSigners
				}
				// A member's unknown fields are kept apart from those of the record.
				outer, names := r.extra, r.names
				r.extra, r.names = nil, nil
				err := r.members(field, to)
				r.extra, r.names, r.at = outer, names, record
				return err
			}
			return r.keepUnknown(name)
		})
		c.Extra = r.takeUnknown()
		return there, err
	})
}

func (r *reader) members(field string, to *[]gangway.CrewMember) error {
	record := r.at
	return r.list(field, people, func(i int) error {
		var m gangway.CrewMember
		r.at = gangway.ProblemPath{Record: record.Record, Section: field, Item: i + 1}
		_, err := r.object("", func(name string) error {
			if known, err := r.travellerMember(name, &m.Traveller); known {
				return err
			}
			switch name {
			case "arrive":
				return r.portCall("Arrive", &m.Arrive)
			case "depart":
				return r.portCall("Depart", &m.Depart)
			case "change_date":
				return r.date("ChangeDate", &m.ChangeDate)
			case "metadata":
				return r.texts("Metadata", &m.Metadata)
			case "custom_fields":
				return r.texts("CustomFields", &m.CustomFields)
			}
			return r.keepUnknown(name)
		})
		m.Extra = r.takeUnknown()
		*to = append(*to, m)
		return err
	})
}

// portCall reads a date, or the form {"port": "SIN", "date": "2026-12-01"}
// that some customers send.
//
// Decided: docs/choices.md, "Uploads".
func (r *reader) portCall(field string, to *gangway.PortCall) error {
	if r.dec.PeekKind() != '{' {
		return r.date(field, &to.Date)
	}
	_, err := r.object(field, func(name string) error {
		switch name {
		case "port":
			return readCode(r, field+".Port", &to.Airport)
		case "date":
			return r.date(field+".Date", &to.Date)
		}
		return r.keepUnknown(field + "." + name)
	})
	return err
}
