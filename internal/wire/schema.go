package wire

import (
	"fmt"

	"gangway/internal/gangway"
	"gangway/internal/schema"
)

// Schemas returns the schemas of the records that customers send, and of the forms that their members have, in reading
// order.
//
// They are made from the tables that records are read and checked by. They say what to send; what is taken
// besides (blanks around a text, codes in lower case, empty text for what is not known) is said in words.
func Schemas() schema.Properties {
	return append(schema.Properties{
		{Name: "Traveller", Schema: travellerSchema("A traveller, as your system knows them. Other members are kept "+
			"and ignored.", gangway.UploadedTraveller)},
		{Name: "TravelRequest", Schema: travelRequestSchema("Planned travel of one traveller: a flight, a hotel or "+
			"both. Other members are kept and ignored.", gangway.UploadedRequest)},
		{Name: "CrewChange", Schema: crewChangeSchema(gangway.UploadedChange)},
		{Name: "CrewMember", Schema: crewMemberSchema(gangway.UploadedChange)},
		{Name: "TravellerAnswer", Schema: travellerSchema("A traveller, as your system may tell of them when it is "+
			"asked: where a member is missing or cannot be read, people fill it in.", gangway.FedTraveller)},
		{Name: "TravelRequestAnswer", Schema: travelRequestAnswerSchema()},
		{Name: "CrewChangeAnswer", Schema: crewChangeAnswerSchema()},
		{Name: "CrewMemberAnswer", Schema: crewMemberSchema(gangway.FedChange)},
	}, forms()...)
}

// What no short text may have: control characters, and what gangway.Misleading forbids.
const unprintable = "\x00-\x1f\x7f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"

// unseen is what cannot be seen of the other characters, for the usual engines of regular expressions, which
// do not know Unicode's properties all alike.
const unseen = `\s` + "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2060-\u2065\u206a-\u206f\u2800" +
	"\u3164\ufe00-\ufe0f\ufeff\uffa0"

// forms returns the schemas of the forms that members of records have.
func forms() schema.Properties {
	entry := schema.To("FreeText").OrNull()
	return schema.Properties{
		{Name: "FilledText", Schema: schema.Schema{Type: "string", MaxLength: gangway.MostText,
			Description: limited("A text with at least one character that can be seen and without control characters",
				gangway.MostText),
			Pattern: "^[^" + unprintable + "]*[^" + unseen + unprintable + "][^" + unprintable + "]*$"}},
		{Name: "Text", Schema: schema.Schema{Type: "string", MaxLength: gangway.MostText,
			Description: limited("A text without control "+
				"characters", gangway.MostText), Pattern: "^[^" + unprintable + "]*$"}},
		{Name: "FreeText", Schema: schema.Schema{Type: "string", MaxLength: freeText,
			Description: limited("Any text", freeText)}},
		{Name: "Date", Schema: schema.Schema{Type: "string", Format: "date",
			Description: "A calendar date written YYYY-MM-DD, without a time."}},
		{Name: "BirthDate", Schema: schema.Schema{Type: "string", Format: "date",
			Pattern:     "^(19|[2-9][0-9])",
			Description: "A calendar date written YYYY-MM-DD, not before 1900 and not in the future."}},
		{Name: "Country", Schema: schema.Schema{Type: "string", Enum: gangway.Texts(gangway.Countries()),
			Description: "An assigned country code of two letters (ISO 3166-1 alpha-2)."}},
		{Name: "Airport", Schema: schema.Schema{Type: "string", Pattern: "^[A-Z]{3}$",
			Description: "An airport code of three letters (IATA)."}},
		{Name: "Gender", Schema: schema.Schema{Type: "string", Enum: []string{"M", "F"}, Description: "M or F."}},
		{Name: "Entries", Schema: schema.Schema{Type: "object", MaxProperties: entries,
			PropertyNames:        &schema.Schema{MaxLength: entryName},
			AdditionalProperties: &entry,
			Description: fmt.Sprintf("Texts under names of your own: at most %d, with names of at most %d characters.",
				entries, entryName)}},
	}
}

func limited(what string, characters int) string {
	return fmt.Sprintf("%s, of at most %d characters.", what, characters)
}
