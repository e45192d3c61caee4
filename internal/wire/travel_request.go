package wire

import (
	"iter"

	"gangway/internal/gangway"

	"github.com/go-json-experiment/json/jsontext"
)

// TravelRequests reads values as travel request records, one by one. Each record
// and its Reading are valid until the next is read.
//
// Spec: Travel request record.
func TravelRequests(values iter.Seq2[int, jsontext.Value]) iter.Seq2[*gangway.TravelRequest, *Reading] {
	return records(values, func(r *reader, req *gangway.TravelRequest) (whole bool, err error) {
		var external, traveler bool
		record := r.at
		there, err := r.object("", func(name string) (err error) {
			switch name {
			case "externalInfo":
				external, err = r.externalInfo(req)
			case "traveler":
				traveler, err = r.traveler(req)
			case "flight":
				req.Flight, err = r.flight()
			case "hotel":
				req.Hotel, err = r.hotel()
			case "details":
				err = r.details(req)
			default:
				err = r.keepUnknown(name)
			}
			r.at = record
			return err
		})
		req.Extra = r.takeUnknown()
		if there && err == nil {
			r.require("ExternalInfo", external)
			r.require("Traveler", traveler)
		}
		return there && external && traveler, err
	})
}

// require notes that a required member is missing.
func (r *reader) require(field string, there bool) {
	if path := r.at.Field(field); !there && !r.problems.Has(path) {
		r.problems.Add(path, "The %s field is required.", field)
	}
}

// section reads an object that is a section of the record; the paths of its fields
// begin there. Members for which member returns false are kept under "<wire>.<name>".
func (r *reader) section(field, wire string, member func(name string) (known bool, err error)) (there bool, err error) {
	if r.dec.PeekKind() != '{' {
		return false, r.wrong(field, "must be an object")
	}
	r.at.Section = field
	return r.object("", func(name string) error {
		known, err := member(name)
		if !known {
			return r.keepUnknown(wire + "." + name)
		}
		return err
	})
}

func (r *reader) externalInfo(req *gangway.TravelRequest) (bool, error) {
	return r.section("ExternalInfo", "externalInfo", func(name string) (bool, error) {
		switch name {
		case "requestId":
			return true, r.text("RequestId", &req.RequestID)
		case "subRequestId":
			return true, r.text("SubRequestId", &req.SubRequestID)
		case "additionalInfo":
			return true, r.texts("AdditionalInfo", &req.AdditionalInfo)
		}
		return false, nil
	})
}

// travelerNames maps the names of the camelCase traveler record to those of the
// snake_case one, which is otherwise the same.
var travelerNames = map[string]string{
	"id": "id", "lastName": "last_name", "firstName": "first_name", "dob": "dob", "nationality": "nationality",
	"gender":     "gender",
	"docCountry": "doc_country", "docNumber": "doc_number", "homeAirport": "home_airport", "email": "email",
	"phone": "phone",
}

func (r *reader) traveler(req *gangway.TravelRequest) (bool, error) {
	t := &req.Traveller
	there, err := r.section("Traveler", "traveler", func(name string) (bool, error) {
		switch name {
		case "docExpireDate":
			return true, r.expiry("DocExpireDate", &t.DocExpire)
		case "docExpire", "doc_expire":
			return true, r.expiry("DocExpire", &t.DocExpire)
		case "customFields":
			return true, r.texts("CustomFields", &req.CustomFields)
		}
		return r.travellerMember(travelerNames[name], t)
	})
	return there, err
}

// expiry reads the expiry date of a passport. Customers send it under three names;
// a problem names the one that was sent.
func (r *reader) expiry(field string, to *gangway.Date) error {
	var date gangway.Date
	err := r.date(field, &date)
	switch {
	case date == "":
		return err
	case !date.Valid():
		r.problems.Add(r.at.Field(field), "The %s field must be a calendar date written YYYY-MM-DD.", field)
		return err
	case *to != "" && date != *to:
		r.problems.Add(r.at.Field("DocExpireDate"), "The DocExpireDate field was sent under two names with different "+
			"dates; send one of them.")
	}
	*to = date
	return err
}

func (r *reader) flight() (*gangway.FlightNeed, error) {
	var f gangway.FlightNeed
	there, err := r.section("Flight", "flight", func(name string) (bool, error) {
		switch name {
		case "origin":
			return true, r.place("Origin", &f.Origin)
		case "destination":
			return true, r.place("Destination", &f.Destination)
		case "date":
			return true, r.date("Date", &f.Date)
		case "intermediateAirports":
			return true, r.stops(&f)
		}
		return false, nil
	})
	if !there {
		return nil, err
	}
	return &f, err
}

func (r *reader) stops(f *gangway.FlightNeed) error {
	section := r.at
	err := r.list("IntermediateAirports", stops, func(i int) error {
		var stop gangway.Stop
		r.at = gangway.ProblemPath{Record: section.Record, Section: "Flight.IntermediateAirports", Item: i + 1}
		_, err := r.object("", func(name string) error {
			switch name {
			case "airport", "destination": // the interface's table says one, its description the other
				return r.place("Airport", &stop.Airport)
			case "date":
				return r.date("Date", &stop.Date)
			}
			return r.keepUnknown("flight.intermediateAirports." + name)
		})
		f.Via = append(f.Via, stop)
		return err
	})
	r.at = section
	return err
}

func (r *reader) hotel() (*gangway.HotelNeed, error) {
	var h gangway.HotelNeed
	there, err := r.section("Hotel", "hotel", func(name string) (bool, error) {
		switch name {
		case "location":
			return true, r.text("Location", &h.Location)
		case "checkIn":
			return true, r.date("CheckIn", &h.CheckIn)
		case "checkOut":
			return true, r.date("CheckOut", &h.CheckOut)
		}
		return false, nil
	})
	if !there {
		return nil, err
	}
	return &h, err
}

func (r *reader) details(req *gangway.TravelRequest) error {
	_, err := r.section("Details", "details", func(name string) (bool, error) {
		switch name {
		case "rank":
			return true, r.text("Rank", &req.Rank)
		case "remarks":
			return true, r.text("Remarks", &req.Remarks)
		case "vehicle":
			return true, r.vehicle(req)
		}
		return false, nil
	})
	return err
}

func (r *reader) vehicle(req *gangway.TravelRequest) error {
	var v gangway.Vehicle
	there, err := r.object("Vehicle", func(name string) error {
		switch name {
		case "name":
			return r.text("Vehicle.Name", &v.Name)
		case "flag":
			return readCode(r, "Vehicle.Flag", &v.Flag)
		case "vehicleType":
			return r.text("Vehicle.VehicleType", &v.Type)
		}
		return r.keepUnknown("details.vehicle." + name)
	})
	if there {
		req.Vehicle = &v
	}
	return err
}
