package wire

import (
	"strings"

	"gangway/internal/schema"
)

// HandoffSchema returns the schema of a hand-off's form, whose fields are all texts and may all be left out: what is
// wrong is pointed out to the person who sent it.
func HandoffSchema() schema.Schema {
	text := schema.Schema{Type: "string"}
	s := schema.Schema{Type: "object", Description: "The fields of the form. i counts people from 0."}
	for _, field := range []told{
		{name: "vessel", about: "The vessel's name."},
		{name: "flag", about: "The country of its flag."},
		{name: "change_airport", about: "The airport of the crew change."},
		{name: "change_date", about: "The day of the crew change."},
		{name: "travel_request_id", about: "Your identifier of the crew change, as uploaded."},
		{name: "environment", about: "production or development; left out: the one that the user works in."},
	} {
		of := text
		of.Description = field.about
		s.Properties = append(s.Properties, schema.Property{Name: field.name, Schema: of})
	}
	one := text
	one.Description = "A field of an on-signer or off-signer: those of the traveller record, arrive, depart and rank."
	own := text
	own.Description = "A field of your own."
	const member = `^(on|off)signers\[[0-9]+\]`
	s.PatternProperties = schema.Properties{
		{Name: member + `\[(` + strings.Join(snakeCase, "|") + `|arrive|depart|rank)\]$`, Schema: one},
		{Name: member + `\[custom_fields\]\[.+\]$`, Schema: own},
	}
	return s
}
