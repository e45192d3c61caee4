package mapping

// A HelperExample says what a helper makes of a value; both are JSON.
type HelperExample struct{ Program, Of, Makes string }

// HelperExamples are the examples that integrators see: docs/mappings.md has the same.
var HelperExamples = []HelperExample{
	{`date("DMY")`, `"01/02/85"`, `"1985-02-01"`},
	{`date("DMY")`, `"1 Feb 1985"`, `"1985-02-01"`},
	{`date("MDY")`, `"2/1/1985 12:00:00 AM"`, `"1985-02-01"`},
	{`date("YMD")`, `"19850201"`, `"1985-02-01"`},
	{`date("DMY")`, `31079`, `"1985-02-01"`},
	{`date("DMY")`, `"1985-02-01T08:00:00Z"`, `"1985-02-01"`},
	{`date("DMY")`, `"soon"`, `"soon"`},
	{`country`, `"Philippines"`, `"PH"`},
	{`country`, `"PHL"`, `"PH"`},
	{`country`, `"Filipino"`, `"PH"`},
	{`country`, `"T.C."`, `"TR"`},
	{`gender`, `"Male"`, `"M"`},
	{`gender`, `"Mrs"`, `"F"`},
	{`gender`, `1`, `"M"`},
	{`name`, `"O'Neill-Smith"`, `"ONeill Smith"`},
	{`family_name`, `"DELA CRUZ, Maria Elena"`, `"DELA CRUZ"`},
	{`given_names`, `"DELA CRUZ, Maria Elena"`, `"Maria Elena"`},
	{`family_name`, `"Maria Elena DELA CRUZ"`, `"DELA CRUZ"`},
	{`given_names`, `"Maria Elena DELA CRUZ"`, `"Maria Elena"`},
	{`family_name`, `"Pieter van der Berg"`, `"van der Berg"`},
	{`airport`, `"Manila"`, `"MNL"`},
	{`airport`, `"Hamburg (HAM)"`, `"HAM"`},
	{`airport`, `"London"`, `"London"`},
	{`airport`, `"St. John's"`, `"St. John's"`},
	{`airport(.city; .country)`, `{"city":"St. John's","country":"AG"}`, `"ANU"`},
	{`phone`, `"0049 (0)40 123456"`, `"+4940123456"`},
	{`fromxml`, `"<a><b>1</b></a>"`, `{"a":{"b":"1"}}`},
	{`fromcsv`, `"a,b\n1,2"`, `[{"a":"1","b":"2"}]`},
}
