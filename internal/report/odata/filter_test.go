package odata

import (
	"net/url"
	"testing"
)

// parseFilter reads a $filter as a client would send it.
func parseFilter(t testing.TB, filter, more string) (Expr, error) {
	t.Helper()
	r, err := Parse(bookings(t), "FlightBookingDetailed", "$filter="+url.QueryEscape(filter)+more, testOptions)
	if err != nil {
		return nil, err
	}
	return r.Query.Filter, nil
}

// TestFilter checks what tree a filter becomes: what binds tighter, which type
// the literals take, and what is known beforehand.
func TestFilter(t *testing.T) {
	tests := []struct{ name, filter, want string }{
		// U 5.1.1.17: precedence.
		{"and before or", "NoShow or NoShow and NoShow", "(or NoShow (and NoShow NoShow))"},
		{"one node for a chain", "NoShow and NoShow and NoShow", "(and NoShow NoShow NoShow)"},
		{"comparison before and", "State eq 'a' and Bytes gt 1", "(and (eq State 'a') (gt Bytes 1))"},
		{"gt before eq", "Bytes gt 1 eq true", "(eq (gt Bytes 1) true)"},
		{"add before gt", "Bytes add 1 gt 2", "(gt (add Bytes 1) 2)"},
		{"mul before add", "Bytes add 2 mul 3 eq 7", "(eq (add Bytes (mul 2 3)) 7)"},
		{"left to right", "Bytes sub 1 sub 2 eq 7", "(eq (sub (sub Bytes 1) 2) 7)"},
		{"parentheses", "(Bytes sub (1 sub 2)) eq 7", "(eq (sub Bytes (sub 1 2)) 7)"},
		{"minus before mul", "-Bytes mul 2 eq 7", "(eq (mul (- Bytes) 2) 7)"},
		{"a sign is part of a number", "Bytes sub -2 eq +7", "(eq (sub Bytes -2) 7)"},
		{"minus of minus", "- -Bytes eq --7", "(eq (- (- Bytes)) 7)"},
		{"not before and", "not NoShow and NoShow", "(and (not NoShow) NoShow)"},
		{"not without a blank", "not(State eq 'a')", "(not (eq State 'a'))"},
		{"in before not", "not State in ('a')", "(not (in State 'a'))"},
		{"blanks", "  ( State\teq 'a' )  ", "(eq State 'a')"},
		{"any case", "NOT (State Eq 'a') aNd TOLOWER(State) NE 'b'",
			"(and (not (eq State 'a')) (ne (tolower State) 'b'))"},
		{"a bare condition", "NoShow", "NoShow"},
		{"the row itself", "$it/State eq 'a'", "(eq State 'a')"},

		// Literals take the type of the other side.
		{"quotes are doubled", "State eq 'O''Brien'", "(eq State 'O'Brien')"},
		{"letters beyond ASCII", "State eq 'Åsa–Ω'", "(eq State 'Åsa–Ω')"},
		{"a literal on the left", "5 lt Bytes", "(gt Bytes 5)"},
		{"scale of the column", "PriceTotal eq 12.5", "(eq PriceTotal 1250e-2)"},
		{"an integer beside decimals", "PriceTotal ge 5", "(ge PriceTotal 500e-2)"},
		{"an exponent", "PriceTotal eq 1.5e3", "(eq PriceTotal 150000e-2)"},
		{"a negative exponent", "MileageKm gt 25E-1", "(gt MileageKm 2500e-3)"},
		{"trailing zeros", "PriceTotal eq 12.50000000000000000000000", "(eq PriceTotal 1250e-2)"},
		{"more digits than the column: gt", "PriceTotal gt 5.005", "(gt PriceTotal 500e-2)"},
		{"more digits than the column: ge", "PriceTotal ge 5.005", "(gt PriceTotal 500e-2)"},
		{"more digits than the column: lt", "PriceTotal lt -5.005", "(le PriceTotal -501e-2)"},
		{"more digits than the column: le", "PriceTotal le -5.005", "(le PriceTotal -501e-2)"},
		{"more digits than the column: eq", "PriceTotal eq 5.005", "false"},
		{"more digits than the column: ne", "PriceTotal ne 5.005", "true"},
		{"a fraction beside integers", "TotalConnectionDuration lt 1.5", "(le TotalConnectionDuration 1e-0)"},
		{"two columns of different scales", "PriceTotal lt MileageKm", "(lt (scale3 PriceTotal) MileageKm)"},
		{"beyond every column", "PriceTotal lt 1e300", "(ne PriceTotal null:Decimal)"},
		{"beyond what is calculated", "Bytes mul Bytes lt 1e37", "(ne (mul Bytes Bytes) null:Decimal)"},
		{"beyond every column: gt", "PriceTotal gt 99999999999999999999", "false"},
		{"below every column", "-1e99 le PriceTotal", "(ne PriceTotal null:Decimal)"},
		{"beyond every column: ne", "Bytes ne 1e300", "true"},
		{"INF", "Bytes lt INF", "(ne Bytes null:Int64)"},
		{"-INF", "Bytes lt -INF", "false"},
		{"NaN", "Bytes eq NaN or Bytes lt NaN or NaN ne NaN", "(or false false true)"},
		{"int64", "Bytes eq 9223372036854775807", "(eq Bytes 9223372036854775807)"},

		// Dates and times.
		{"an instant", "CreatedAt ge 2024-02-29T10:00:00Z", "(ge CreatedAt 2024-02-29T10:00:00Z)"},
		{"without seconds", "CreatedAt ge 2024-02-29T10:00Z", "(ge CreatedAt 2024-02-29T10:00:00Z)"},
		{"as Power Query writes it", "CreatedAt gt 2021-02-03T00:00:00.0000000+01:00",
			"(gt CreatedAt 2021-02-02T23:00:00Z)"},
		{"an offset to the west", "CreatedAt gt 2021-02-03T00:00:00-08:00", "(gt CreatedAt 2021-02-03T08:00:00Z)"},
		{"12 digits, gt", "CreatedAt gt 2021-02-03T00:00:00.123456789012Z", "(gt CreatedAt 2021-02-03T00:00:00.123Z)"},
		{"12 digits, ge", "CreatedAt ge 2021-02-03T00:00:00.123456789012Z", "(gt CreatedAt 2021-02-03T00:00:00.123Z)"},
		{"12 digits, lt", "CreatedAt lt 2021-02-03T00:00:00.123456789012Z", "(le CreatedAt 2021-02-03T00:00:00.123Z)"},
		{"12 digits, eq", "CreatedAt eq 2021-02-03T00:00:00.123456789012Z", "false"},
		{"a date beside instants", "CreatedAt ge 2024-02-29", "(ge CreatedAt 2024-02-29T00:00:00Z)"},
		{"a text beside instants", "CreatedAt ge '2024-02-29T10:00:00+02:00'", "(ge CreatedAt 2024-02-29T08:00:00Z)"},
		{"a date", "Day eq 2024-02-29", "(eq Day 2024-02-29)"},
		{"a text beside dates", "'2024-02-29' eq date(CreatedAt)", "(eq (date CreatedAt) 2024-02-29)"},
		{"a time of day", "Clock lt 10:30 or Clock eq 10:30:01.5", "(or (lt Clock 37800000ms) (eq Clock 37801500ms))"},
		{"a duration", "Wait gt duration'P1DT2H3M4.5S'", "(gt Wait 93784500ms)"},
		{"a negative duration", "Wait gt duration'-PT1H'", "(gt Wait -3600000ms)"},
		{"a duration without prefix", "Wait gt 'PT1H'", "(gt Wait 3600000ms)"},
		{"a GUID", "Guid eq 01234567-89AB-cdef-0123-456789ABCDEF", "(eq Guid '01234567-89ab-cdef-0123-456789abcdef')"},
		{"a GUID that begins with a letter", "Guid eq a1234567-89ab-cdef-0123-456789abcdef",
			"(eq Guid 'a1234567-89ab-cdef-0123-456789abcdef')"},
		{"now", "CreatedAt lt now()", "(lt CreatedAt 2026-03-01T09:30:00.123Z)"},
		{"first and last instant", "CreatedAt ge mindatetime() and CreatedAt le maxdatetime()",
			"(and (ge CreatedAt 0001-01-01T00:00:00Z) (le CreatedAt 9999-12-31T23:59:59.999Z))"},

		// Null (U 5.1.1.1).
		{"eq null", "State eq null", "(eq State null:String)"},
		{"null ne", "null ne PriceTotal", "(ne PriceTotal null:Decimal)"},
		{"gt null", "Bytes gt null", "false"},
		{"null eq null", "null eq null", "true"},
		{"null itself", "null", "null:Boolean"},
		{"null in arithmetic", "Bytes add null eq 1", "(eq (add Bytes null:Int64) 1)"},
		{"null in a function", "contains(null,'a')", "(contains null:String 'a')"},
		{"null and", "null and NoShow", "(and null:Boolean NoShow)"},

		// Arithmetic.
		{"the same scale", "PriceTotal add 2.5 eq 5", "(eq (add PriceTotal 250e-2) 500e-2)"},
		{"the scale of the other", "PriceTotal sub MileageKm eq 5", "(eq (sub (scale3 PriceTotal) MileageKm) " +
			"5000e-3)"},
		{"products", "PriceTotal mul MileageKm eq 5", "(eq (mul PriceTotal MileageKm) 500000e-5)"},
		{"quotients", "PriceTotal div 3 eq 5", "(eq (div PriceTotal 3) 5000000e-6)"},
		{"integer quotients", "Bytes div 2 eq 5", "(eq (div Bytes 2) 5)"},
		{"divby", "Bytes divby 2 eq 2.5", "(eq (divby Bytes 2) 2500000e-6)"},
		{"mod", "PriceTotal mod 5 eq 0", "(eq (mod PriceTotal 500e-2) 0e-2)"},
		{"days ahead", "DepartureAt sub CreatedAt lt duration'P3D'", "(lt (sub DepartureAt CreatedAt) 259200000ms)"},
		{"days ahead as a number", "totalseconds(DepartureAt sub CreatedAt) div 86400 lt 3",
			"(lt (div (totalseconds (sub DepartureAt CreatedAt)) 86400) 3000000e-6)"},
		{"instant and duration", "CreatedAt add 'P1D' gt now()", "(gt (add CreatedAt 86400000ms) " +
			"2026-03-01T09:30:00.123Z)"},
		{"duration and instant", "duration'P1D' add CreatedAt gt now()",
			"(gt (add CreatedAt 86400000ms) 2026-03-01T09:30:00.123Z)"},
		{"duration and number", "2 mul Wait gt Wait div 2", "(gt (mul Wait 2) (div Wait 2))"},

		// in
		{"in", "State in ('a', 'b' ,'c')", "(in State 'a' 'b' 'c')"},
		{"in with null", "State in ('a',null)", "(in State 'a' null)"},
		{"in with numbers", "PriceTotal in (1,2.5,2.555)", "(in PriceTotal 100e-2 250e-2)"},
		{"in what cannot be", "Bytes in (1.5)", "false"},
		{"in as JSON", `State in ["a","b\"c"]`, `(in State 'a' 'b"c')`},
		{"in dates", "Day in (2024-01-01,'2024-01-02')", "(in Day 2024-01-01 2024-01-02)"},
		{"in of an expression", "tolower(State) in ('a')", "(in (tolower State) 'a')"},

		// cast, isof, case
		{"cast of a text", "CreatedAt ge cast('2024-01-01T00:00:00Z',Edm.DateTimeOffset)",
			"(ge CreatedAt 2024-01-01T00:00:00Z)"},
		{"cast to a number", "PriceTotal ge cast('5.25',Edm.Decimal)", "(ge PriceTotal 525e-2)"},
		{"a cast that fails is null", "Bytes eq cast('x',Edm.Int64)", "(eq Bytes null:Int64)"},
		{"cast of a column", "cast(PriceTotal,Edm.Int32) eq 5", "(eq (cast Edm.Int32 PriceTotal) 5)"},
		{"cast to decimals divides", "cast(Bytes,Edm.Decimal) div 2 eq 1", "(eq (div (cast Edm.Decimal Bytes) 2) " +
			"1000000e-6)"},
		{"isof", "isof(State,Edm.String) and isof(State,Edm.Int32)", "(and (ne State null:String) false)"},
		{"case", "case(NoShow:1,Bytes gt 10:2.5,true:null) eq 1",
			"(eq (case NoShow:10e-1 (gt Bytes 10):25e-1 true:null:Decimal) 10e-1)"},

		{"casts of texts", "cast('true',Edm.Boolean) eq NoShow and cast('x',Edm.Boolean) eq null and " +
			"cast('5.50',Edm.Decimal) lt PriceTotal and cast('99999999999',Edm.Int32) eq null and cast(null" +
			",Edm.Date) eq Day " +
			"and cast('x',Edm.Date) eq null and cast('x',Edm.String) eq State",
			"(and (eq NoShow true) true (gt PriceTotal 550e-2) true (eq Day null:Date) true (eq State 'x'))"},
		{"casts of columns", "cast(CreatedAt,Edm.Date) eq Day and cast(CreatedAt,Edm.TimeOfDay) lt Clock and " +
			"cast(Day,Edm.DateTimeOffset) eq CreatedAt and cast(Bytes,Edm.Int64) eq Bytes and cast(Bytes" +
			",Edm.String) eq 'a'",
			"(and (eq (cast Edm.Date CreatedAt) Day) (lt (cast Edm.TimeOfDay CreatedAt) Clock) " +
				"(eq (cast Edm.DateTimeOffset Day) CreatedAt) (eq Bytes Bytes) (eq (cast Edm.String Bytes) 'a'))"},
		{"minus of null", "-null eq Bytes", "(eq Bytes null:Int64)"},
		{"minus of INF", "Bytes gt -INF and Bytes gt -(1e99)", "(and (ne Bytes null:Int64) (ne Bytes null:Int64))"},
		{"only null in case", "case(NoShow:null) eq State", "(eq (case NoShow:null:String) State)"},
		{"case of integers", "case(NoShow:1,true:Bytes) eq 2", "(eq (case NoShow:1 true:Bytes) 2)"},
		{"a time after a condition", "case(Clock gt 10:20:00:1) eq 1", "(eq (case (gt Clock 37200000ms):1) 1)"},
		{"literals only", "5 in (5,6) and 'a' lt 'b' and 5.5 gt 5 and 1e99 gt INF",
			"(and (in 5 5 6) (lt 'a' 'b') (gt 55e-1 50e-1) false)"},
		{"durations", "-Wait lt Wait add 'PT1H' sub duration'PT1S'", "(lt (- Wait) (sub (add Wait 3600000ms) " +
			"1000ms))"},
		{"days", "Day sub 2024-01-01 gt 'P5D' and Day sub duration'P1D' eq Day",
			"(and (gt (sub Day 2024-01-01) 432000000ms) (eq (sub Day 86400000ms) Day))"},
		{"null and instants", "CreatedAt add null eq CreatedAt", "(eq (add CreatedAt null:Duration) CreatedAt)"},

		// Rows that are led to.
		{"any", "Segments/any(s:s/Km gt 5 and State eq 'a')",
			"(any Segments (and (gt Segments:Km 5000e-3) (eq State 'a')))"},
		{"all", "not Segments/all(s:s/Carrier eq $it/State)", "(not (all Segments (eq Segments:Carrier State)))"},
		{"count of some", "Segments/$count($filter=Km gt 5 and Carrier ne ');';$search=KL) eq 2",
			"(eq (count Segments (and (gt Segments:Km 5000e-3) (ne Segments:Carrier ');')) search[KL]) 2)"},
		{"count of some in any", "Actions/any(a:$it/Segments/$count($filter=Km gt a/Nr) gt 1)",
			"(any Actions (gt (count Segments (gt Segments:Km (scale3 Actions:Nr))) 1))"},
		{"what counted rows lead to", "Segments/$count($filter=Booking/NoShow and Booking eq null) gt 1",
			"(gt (count Segments (and Segments:Booking/NoShow (eq Segments:Booking/BookingId null:String))) 1)"},
		{"leads to none", "Segments/any(s:s/Booking eq null)",
			"(any Segments (eq Segments:Booking/BookingId null:String))"},
		{"leads to one", "Segments/any(s:not (s/Booking ne null))",
			"(any Segments (not (ne Segments:Booking/BookingId null:String)))"},
		{"any at all", "Segments/any() or Segments/$count gt 2", "(or (any Segments) (gt (count Segments) 2))"},
		{"to one", "Segments/any(s:s/Booking/State eq 'a')", "(any Segments (eq Segments:Booking/State 'a'))"},
		{"any in any", "Segments/any(s:s/Booking/NoShow and $it/Actions/any(a:a/Nr gt 1 and s/Km gt 1))",
			"(any Segments (and Segments:Booking/NoShow (any Actions (and (gt Actions:Nr 1) (gt Segments:Km " +
				"1000e-3)))))"},

		// Functions.
		{"text", "contains(State,'a') and startswith(State,'a') and endswith(State,'a')",
			"(and (contains State 'a') (startswith State 'a') (endswith State 'a'))"},
		{"functions of functions", "length(trim(concat(toupper(State),'x'))) eq indexof(State,'y')",
			"(eq (length (trim (concat (toupper State) 'x'))) (indexof State 'y'))"},
		{"substring", "substring(State,1) eq substring(State,-2,1)", "(eq (substring State 1) (substring " +
			"State -2 1))"},
		{"parts of an instant", "year(CreatedAt) eq 2024 and fractionalseconds(CreatedAt) lt 0.5",
			"(and (eq (year CreatedAt) 2024) (lt (fractionalseconds CreatedAt) 500e-3))"},
		{"parts of a time", "hour(Clock) add minute(time(CreatedAt)) eq 5",
			"(eq (add (hour Clock) (minute (time CreatedAt))) 5)"},
		{"rounding", "round(PriceTotal) eq 5 and floor(Bytes) eq ceiling(5.5)",
			"(and (eq (round PriceTotal) 5) (eq (floor Bytes) (ceiling 55e-1)))"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, err := parseFilter(t, tt.filter, "")
			if err != nil {
				t.Fatalf("%s: %v; want %s", tt.filter, err, tt.want)
			}
			if got := show(e); got != tt.want {
				t.Errorf("%s\n becomes %s\n    want %s", tt.filter, got, tt.want)
			}
		})
	}
}

// TestFilterErrors checks that each mistake is named, with its place.
func TestFilterErrors(t *testing.T) {
	tests := []struct {
		filter string
		status int
		want   string
	}{
		{"", 400, "$filter, at character 1: it ends where a property, a value or a function should follow"},
		{"State eq", 400, "$filter, at character 9: it ends where a property, a value or a function should follow"},
		{"State 'a'", 400, `$filter, at character 7: "'a'" stands where an operator or the end should`},
		{"State eq 'a' or", 400, "$filter, at character 16: it ends where a property, a value or a function " +
			"should follow"},
		{"(State eq 'a'", 400, "$filter, at character 14: it ends where ) should follow"},
		{"State eq 'a')", 400, `$filter, at character 13: ")" stands where an operator or the end should`},
		{"State eq 'a", 400, "$filter, at character 10: the text has no closing quote (a quote within a text is " +
			"written twice)"},
		{"Price eq 5", 400, `$filter, at character 1: there is no property "Price"`},
		{"ÄÖ eq 'a' and Äb eq 1", 400, `$filter, at character 1: there is no property "ÄÖ"`},
		{"State eq 'ÄÖ' and Prise eq 5", 400, `$filter, at character 19: there is no property "Prise"`},
		{"state eq 'a'", 400, `there is no property "state"; did you mean State? (Case matters in names of properties)`},
		{"State/Name eq 'a'", 400, "the property State has no parts"},
		{"foo(State)", 400, `there is no function "foo"`},
		{`State eq "it's"`, 400, "$filter, at character 10: texts stand in single quotes: write 'it''s'"},
		{"State eq issued", 400, `there is no property "issued"; if it is a text, write 'issued'`},
		{"State = 'a'", 400, "at character 7: write eq for =; the other comparisons are ne, gt, ge, lt and le"},
		{"State!='a'", 400, "comparisons are words: write eq, ne, gt, ge, lt or le"},
		{"PriceTotal > 5", 400, "comparisons are words"},
		{"substringof('a',State)", 400, "substringof is of OData versions 2 and 3: write contains(Property,'text')"},
		{"State eq 5", 400, "an Edm.String cannot be compared with an Edm.Int32"},
		{"PriceTotal eq '5'", 400, "an Edm.Decimal cannot be compared with an Edm.String"},
		{"NoShow gt 1", 400, "an Edm.Boolean cannot be compared with an Edm.Int32"},
		{"CreatedAt gt 'yesterday'", 400, `$filter, at character 14: "yesterday" is no instant`},
		{"CreatedAt gt 2024-02-30", 400, `"2024-02-30" is no date between the years 1 and 9999`},
		{"CreatedAt gt 2024-01-01T25:00:00Z", 400, "is no instant between"},
		{"CreatedAt gt 2024-01-01T10:00:00", 400, "it needs a Z or an offset such as -05:00 at its end"},
		{"CreatedAt gt 2024-01-01T10:00:00 05:30", 400, "in an address a plus is written %2B"},
		{"CreatedAt gt 12024-01-01", 400, "is no date between"},
		{"CreatedAt gt -2024-01-01", 400, "is no date between"},
		{"Clock gt 24:00", 400, "is no time of day"},
		{"Wait gt duration'P1Y'", 400, "is not a duration"},
		{"Wait gt duration'P99999999999D'", 400, "is not a duration"},
		{"State", 400, "$filter needs a condition, and this is an Edm.String"},
		{"NoShow and State", 400, "$filter, at character 12: the operator and needs a condition, and this is an " +
			"Edm.String"},
		{"not State eq 'a'", 400, "not binds tighter than comparisons: write not (… eq …)"},
		{"State eq'a'", 400, "there must be a space behind eq"},
		{"('a')eq State", 400, "there must be a space before eq"},
		{"State eq 'a'and NoShow", 400, "there must be a space before and"},
		{"PriceTotal eq 10M", 400, `"10M" is of OData versions 2 and 3`},
		{"CreatedAt gt datetime'2024-01-01T00:00:00'", 400, "datetime'…' is of OData versions 2 and 3"},
		{"Guid eq guid'01234567-89ab-cdef-0123-456789abcdef'", 400, "guid'…' is of OData versions 2 and 3"},
		{"State eq 01234567-89ab-cdef-0123-456789abcdef", 400, "cannot be compared with an Edm.Guid: write it " +
			"between " +
			"quotes"},
		{"PriceTotal eq 5.", 400, `"5." is not a number`},
		{"PriceTotal eq 5abc", 400, `"5abc" is not a number`},
		{"PriceTotal eq .5", 400, "$filter, at character 15"},
		{"PriceTotal add 1e30 eq 5", 400, "can only be compared with"},
		{"PriceTotal add 'x' eq 5", 400, "add does not work with an Edm.Decimal and an Edm.String"},
		{"CreatedAt add CreatedAt gt now()", 400, "add does not work with an Edm.DateTimeOffset and an " +
			"Edm.DateTimeOffset"},
		{"CreatedAt mul 2 gt now()", 400, "mul does not work with"},
		{"PriceTotal mul PriceTotal mul PriceTotal mul PriceTotal eq 1", 400, "could need more than 38 digits"},
		{"Wait mul PriceTotal gt duration'P1D'", 400, "the duration could become too long"},
		{"-State eq 'a'", 400, "a minus needs a number or a duration, and this is an Edm.String"},
		{"length(5) eq 1", 400, "length needs an Edm.String here, and this is an Edm.Int32"},
		{"year(Clock) eq 1", 400, "year needs an Edm.DateTimeOffset or Edm.Date here, and this is an Edm.TimeOfDay"},
		{"length() eq 1", 400, "length takes one argument"},
		{"contains(State) eq true", 400, "contains takes two arguments"},
		{"substring(State,1,2,3) eq 'a'", 400, "substring takes two or three arguments"},
		{"now(1) gt CreatedAt", 400, "now takes no arguments"},
		{"State in ()", 400, `")" stands where a literal should`},
		{"State in 'a'", 400, "stands where a list such as ('a','b') should"},
		{"State in ('a',5)", 400, "$filter, at character 15: an Edm.String cannot be compared with an Edm.Int32"},
		{"cast(State,Edm.Foo) eq 1", 400, `there is no type "Edm.Foo"`},
		{"case(State:1) eq 1", 400, "case needs a condition"},
		{"case(NoShow:1,true:'a') eq 1", 400, "this is an Edm.String, and a value before it is an Edm.Int32"},
		{"State eq #", 400, `"#" does not belong here`},
		{"State eq 'a' ; NoShow", 400, `";" stands where`},
		{"1 eq 1 -- x", 400, `stands where an operator or the end should`},

		{"Segments/any(s:Km gt 5)", 400, `there is no property "Km"`},
		{"Segments/any(s:s/Kilometres gt 5)", 400, `$filter, at character 18: there is no property "Kilometres"`},
		{"Segments/any(s:s/Km)", 400, "a lambda needs a condition"},
		{"Segments/all()", 400, "a name for the rows"},
		{"Segments/any(s:s/Km gt 5) and s/Km gt 5", 400, `there is no property "s"`},

		{"cast(State)", 400, "a comma and a type"},
		{"cast(State,5)", 400, "a type such as Edm.String"},
		{"cast(1e99,Edm.Int32) eq 1", 400, "can only be compared with"},
		{"cast(NoShow,Edm.Int32) eq 1", 400, "an Edm.Boolean cannot be cast to an Edm.Int32"},
		{"case(NoShow:INF) eq 1", 400, "can only be compared with"},
		{"case(NoShow) eq 1", 400, "a colon and a value"},
		{"null in (1)", 400, "in needs a property or an expression before it"},
		{"State in ('a'", 400, "it ends where a comma or ) should follow"},
		{`State in ["a`, 400, "the text has no closing double quote"},
		{`State in ["\x"]`, 400, `after \ there may be`},
		{"Bytes lt 99999999999999999999 add 1", 400, "can only be compared with"},
		{"Bytes add 1 mul 999999999999 mul 999999999999 lt 9223372036854775808", 400, "the number is too large"},

		// The standard knows it, and this service does not.
		{"State has 'a'", 501, "has, which is for enumerations, is not supported here"},
		{"State eq Sales.Pattern'Yellow'", 501, "an enumeration"},
		{"Segments eq null", 501, "the navigation property Segments as a value"},
		{"Segments/Km gt 5", 501, `"Km" of the navigation property Segments`},
		{"Segments/$count($filter=$it/Km gt 5) gt 5", 501, "$it in an expression"},
		{"Segments/$count($top=5) gt 5", 400, "$top does not go with $ref or $count"},
		{"Segments/$count($filter=Miles gt 5) gt 5", 400,
			`$filter=…/Segments/$count($filter), at character 1: there is no property "Miles"`},
		{"Segments/$count($filter=State eq 'a') gt 5", 400, `there is no property "State"`},
		{"Segments/any(s:s/Booking eq 'a')", 501,
			"a comparison of the navigation property Booking with anything but null"},
		{"Segments/any(s:s/Booking gt null)", 501, "the navigation property Booking as a value"},
		{"Segments/any(s:s/Booking)", 501, "the navigation property Booking as a value"},
		{"Segments/any(s:s/Booking/Segments/any())", 501, "a path of two navigation properties"},
		{"matchesPattern(State,'a.*')", 501, "the function matchesPattern is not supported here"},
		{"geo.distance(State,State) lt 5", 501, "the function geo.distance"},
		{"State eq $root/People('a')/Name", 501, "$root in an expression"},
		{"State eq {\"a\":1}", 501, "a collection or an object"},
		{"State in (State)", 501, "a list of anything but literals"},
		{"$it eq 'a'", 501, "$it without a property"},
		{"cast(Edm.String) eq 'a'", 501, "cast of the row itself"},
		{"Segments/any(s:s/Booking/@a eq 1)", 501, `"@a" in an expression`},
		{"cast(PriceTotal,Edm.String) eq 'a'", 501, "a cast of an Edm.Decimal that is no literal"},
		{"@Core.Messages eq 'a'", 501, "an annotation"},
		{"State/@Core.Messages eq 'a'", 501, "an annotation"},
		{"cast(State,Edm.Int32) eq 5", 501, "a cast of an Edm.String that is no literal"},
		{"cast(Bytes,Edm.Double) eq 5", 501, "the type Edm.Double"},
		{"State eq binary'AAAA'", 501, "a literal of binary"},
	}
	for _, tt := range tests {
		t.Run(tt.filter, func(t *testing.T) {
			e, err := parseFilter(t, tt.filter, "")
			wantError(t, err, tt.status, tt.want)
			if err == nil {
				t.Logf("it becomes %s", show(e))
			}
		})
	}
}
