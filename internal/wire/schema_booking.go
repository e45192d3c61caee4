package wire

import (
	"reflect"

	"gangway/internal/gangway"
	"gangway/internal/schema"

	"github.com/go-json-experiment/json/jsontext"
)

// bookingWords say what each member of a booking record is.
var bookingWords = map[string]string{
	"": "A booking with one or more actions on it, as it was right after the last of them. Ignore members that you " +
		"do not know: there may be more one day.",
	"actions":             "What happened: exactly one in a push; in a pull all since the last pull, in order.",
	"actions.action":      "The state that the booking entered.",
	"actions.timestamp":   "When, in seconds since 1970.",
	"actions.user":        "Who did it: a user's e-mail address, or system.",
	"passenger":           "Who flies, under the name that you sent.",
	"passenger.last_name": "The surname.", "passenger.first_name": "The given names.",
	"passenger.id":                  "Your identifier of the traveller; empty if you sent none.",
	"durations":                     "How long each segment takes, in minutes.",
	"segments":                      "The flights, in order.",
	"segments.carrier":              "The airline's code.",
	"segments.flight_number":        "Airline and number, as in SQ321.",
	"segments.origin":               "Where the flight begins.",
	"segments.destination":          "Where the flight ends.",
	"segments.departure_date":       "The day of departure, at the airport.",
	"segments.departure_time":       "The local time of departure.",
	"segments.arrival_date":         "The day of arrival, at the airport.",
	"segments.arrival_time":         "The local time of arrival.",
	"segments.destination_terminal": "The terminal at which the flight arrives; left out if it is not known.",
	"segments.connecting":           "Whether the journey goes on from there on the same leg.",
	"segments.cabin_class":          "The cabin.",
	"baggage":                       "What may be checked in, by leg, as in MNL-AMS; only legs of which it is known.",
	"baggage.checked":               "The bags that are included.",
	"baggage.checked.pcs":           "How many.",
	"baggage.checked.weight": "Kilograms of each or, where there is one piece of more than 32 kg, of all together; 0 " +
		"if it is not known.",
	"baggage.checked.url": "A page about the allowance, or empty.",
	"tickets":             "The numbers of the tickets; empty while none is issued.",
	"id":                  "The booking's identifier; its page is {app_url}/bookings/{id}.",
	"locator":             "Six characters that people can read out to each other.",
	"terms":               "The rules of the fare.",
	"terms.fare_type":     "marine: for people who work on or for a vessel.",
	"terms.splitting":     "Whether the journey is two separate reservations.",
	"terms.cancellations": "What cancelling before departure costs: nothing, something or all.",
	"terms.changes":       "What changing before departure costs.",
	"metadata":            "What the booking is for, and how it got to its state.",
	"state":               "The booking's state after the last action.",
	"price":               "Once issued, all that was paid; before, what the tickets would cost.",
	"price.total":         "The amount, with the decimals of its currency.",
	"price.ccy":           "The currency (ISO 4217).",
	"created_at":          "When it was booked, in seconds since 1970.",
	"created_by":          "Who booked.",
	"created_by.name":     "Their name.",
	"created_by.email":    "Their e-mail address, or system.",
}

func bookingSchema() schema.Schema {
	words := func(list []string) schema.Schema { return schema.Schema{Type: "string", Enum: list} }
	day := schema.Schema{Type: "string", Format: "date"}
	clock := schema.Schema{Type: "string", Pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$"}
	s := schema.Describer{
		Words: bookingWords,
		Types: map[reflect.Type]schema.Schema{
			reflect.TypeFor[gangway.State]():      words(texts(gangway.States)),
			reflect.TypeFor[gangway.Airport]():    {Type: "string", Pattern: "^[A-Z]{3}$"},
			reflect.TypeFor[gangway.Cabin]():      words(texts(gangway.Cabins)),
			reflect.TypeFor[gangway.FareType]():   words(texts(gangway.FareTypes)),
			reflect.TypeFor[gangway.CancelRule](): words(texts(gangway.CancelRules)),
			reflect.TypeFor[gangway.ChangeRule](): words(texts(gangway.ChangeRules)),
			reflect.TypeFor[jsontext.Value]():     {Type: "number"},
		},
		At: map[string]schema.Schema{
			"segments.departure_date": day, "segments.arrival_date": day,
			"segments.departure_time": clock, "segments.arrival_time": clock,
			"price.ccy": {Type: "string", Pattern: "^[A-Z]{3}$"},
			"locator":   {Type: "string", Pattern: "^[A-Z2-9]{6}$"},
			"metadata":  metadataSchema(),
		},
	}.Of(reflect.TypeFor[booking]())
	s.Properties.Of("actions").MinItems = 1
	return s
}

// metadataSchema is of what metadata may have. All that is not required is left out where it is not known.
//
// Decided: docs/choices.md, "Booking record".
func metadataSchema() schema.Schema {
	text, amount := schema.Schema{Type: "string"}, schema.Schema{Type: "number"}
	words := func(list ...string) schema.Schema { return schema.Schema{Type: "string", Enum: list} }
	entries := schema.Schema{Type: "object", AdditionalProperties: &text}
	s := schema.Schema{Type: "object", Required: []string{"simulated"}}
	for _, m := range []told{
		{name: "simulated", about: "Whether nobody can fly on this booking: always in development.",
			form: schema.Schema{Type: "boolean"}},
		{name: "sequence", about: "Counts the booking's actions from 1, without " +
			"gaps.", form: schema.Schema{Type: "integer",
			Minimum: 1}},
		{name: "previous_state", about: "The state before the action; left out for the first.",
			form: words(texts(gangway.States)...)},
		{name: "reject_reason", about: "Why a booking was declined.", form: text},
		{name: "attention", about: "What somebody has to look into, for as long as nobody has.", form: text},
		{name: "ticket_name", about: "The name as printed on tickets, where it differs from the one you " +
			"sent.", form: text},
		{name: "crew_change_member", about: "Whether the traveller joins or leaves.",
			form: words(string(gangway.OnSigner), string(gangway.OffSigner))},
		{name: "crew_change_airport", about: "The airport of the crew change.", form: text},
		{name: "crew_change_port", about: "Its port (UN/LOCODE), if flights were searched to or from a " +
			"port.", form: text},
		{name: "crew_change_date", about: "Its day.", form: schema.Schema{Type: "string", Format: "date"}},
		{name: "vessel", about: "The vessel's name.", form: text},
		{name: "vessel_flag", about: "The country of its flag.", form: text},
		{name: "request_id", about: "Your identifier of the travel request (requestId).", form: text},
		{name: "sub_request_id", about: "Its subRequestId.", form: text},
		{name: "travel_request_id", about: "Your identifier of the crew change.", form: text},
		{name: "change_fees", about: "How much of price.total was paid for changes.", form: amount},
		{name: "refund_total", about: "The refund: promised in refund_pending, paid in cancelled.", form: amount},
		{name: "refund_ccy", about: "The refund's currency.", form: text},
		{name: "metadata", about: "The crew member's own metadata.", form: entries},
		{name: "custom_fields", about: "The crew member's or the traveller's own fields.", form: entries},
	} {
		form := m.form
		form.Description = m.about
		s.Properties = append(s.Properties, schema.Property{Name: m.name, Schema: form})
	}
	s.PatternProperties = schema.Properties{{Name: "_flight_id$", Schema: schema.Schema{Type: "string",
		Description: "Your identifier of a leg's flight, under the name that it came with: MNL-AMS_flight_id."}}}
	return s
}
