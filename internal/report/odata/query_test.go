package odata

import (
	"fmt"
	"strings"
	"testing"
)

func parse(t testing.TB, path, query string) (*Request, error) {
	t.Helper()
	return Parse(bookings(t), path, query, testOptions)
}

// showQuery writes what a query asks for, but for the key at the end of its order.
func showQuery(q *Query) string {
	var b strings.Builder
	for _, s := range q.Apply {
		b.WriteString(showStage(s) + " ")
	}
	for _, c := range q.Compute {
		fmt.Fprintf(&b, "%s:%s=%s ", c.Property.Name, c.Property.Type.Kind, show(c.By))
	}
	if q.Search != nil {
		fmt.Fprintf(&b, "search%s ", showSearch(q.Search))
	}
	if q.Filter != nil {
		fmt.Fprintf(&b, "filter%s ", show(q.Filter))
	}
	for _, o := range q.OrderBy {
		fmt.Fprintf(&b, "by %s%s ", show(o.By), map[bool]string{true: " desc"}[o.Descending])
	}
	if q.Skip != 0 {
		fmt.Fprintf(&b, "skip %d ", q.Skip)
	}
	if q.Top != nil {
		fmt.Fprintf(&b, "top %d ", *q.Top)
	}
	if q.Select != nil {
		b.WriteString("select")
		for _, p := range q.Select {
			b.WriteString(" " + p.Name)
		}
		b.WriteString(" ")
	}
	for _, e := range q.Expand {
		form := []string{"", "/$ref", "/$count"}[e.Form]
		fmt.Fprintf(&b, "%s%s(%s) ", e.Navigation.Name, form, showQuery(e.Query))
	}
	if q.Count {
		b.WriteString("count ")
	}
	for name, v := range map[string]string{"format": q.Format, "skiptoken": q.SkipToken, "deltatoken": q.DeltaToken} {
		if v != "" {
			fmt.Fprintf(&b, "%s %s ", name, v)
		}
	}
	return strings.TrimSuffix(b.String(), " ")
}

func showStage(s Stage) string {
	switch s := s.(type) {
	case *FilterStage:
		return "filter" + show(s.By)
	case *ComputeStage:
		out := "compute"
		for _, c := range s.Computed {
			out += fmt.Sprintf(" %s=%s", c.Property.Name, show(c.By))
		}
		return out
	case *GroupStage:
		out := "group("
		for _, k := range s.Keys {
			out += k.Name + " "
		}
		for _, a := range s.Aggregates {
			of := "rows"
			if a.Of != nil {
				of = show(a.Of)
			}
			t := a.Property.Type
			out += fmt.Sprintf("%s=%d:%s:%s(%d,%d) ", a.Property.Name, a.Method, of, t.Kind, t.Precision, t.Scale)
		}
		return strings.TrimSuffix(out, " ") + ")"
	}
	return "?"
}

// TestQuery checks what the options of an address become.
func TestQuery(t *testing.T) {
	const usual = "by CreatedAt desc by BookingId desc"
	tests := []struct{ name, query, want string }{
		{"nothing", "", usual},
		{"top and skip", "$top=5&$skip=10", usual + " skip 10 top 5"},
		{"no rows", "$top=0", usual + " top 0"},
		{"count", "$count=true", usual + " count"},
		{"no count", "$count=False", usual},
		{"without dollar, any case", "TOP=5&Skip=1&$COUNT=true", usual + " skip 1 top 5 count"},
		{"format", "$format=application/json;odata.metadata=none", usual + " format application/json" +
			";odata.metadata=none"},
		{"tokens are as they came", "$skiptoken=a%2Bb%3D", usual + " skiptoken a+b="},
		{"deltatoken", "$deltatoken=x", usual + " deltatoken x"},
		{"custom options", "sap-client=100&sap-language=EN&sap-client=200&x=%20", usual},
		{"empty parts", "&&$top=1&", usual + " top 1"},

		// U 2.1: split first, decode once.
		{"encoded names", "%24filter=NoShow", "filterNoShow " + usual},
		{"a plus is a blank", "$filter=State+eq+'a+b'", "filter(eq State 'a b') " + usual},
		{"%2B is a plus", "$filter=State%20eq%20'a%2Bb'", "filter(eq State 'a+b') " + usual},
		{"decoded once", "$filter=State%20eq%20'a%2525'", "filter(eq State 'a%25') " + usual},
		{"& and = within a text", "$filter=State%20eq%20'a%26b%3Dc'", "filter(eq State 'a&b=c') " + usual},
		{"= not encoded", "$filter=State%20eq%20'a=c'", "filter(eq State 'a=c') " + usual},
		{"encoded quotes", "$filter=State%20eq%20%27O%27%27B%27", "filter(eq State 'O'B') " + usual},
		{"encoded colons and commas", "$filter=CreatedAt%20gt%202021-02-03T04%3A05%3A06Z&$select=State%2CBookingId",
			"filter(gt CreatedAt 2021-02-03T04:05:06Z) " + usual + " select State BookingId"},

		// Aliases (U 5.3).
		{"alias", "$filter=State eq @s&@s='a'", "filter(eq State 'a') " + usual},
		{"alias of an alias", "$filter=@c&@c=State eq @s&@s='a'", "filter(eq State 'a') " + usual},
		{"alias without value", "$filter=State eq @s", "filter(eq State null:String) " + usual},
		{"alias used twice", "$filter=Bytes gt @b or Bytes lt @b&@b=Bytes add 1",
			"filter(or (gt Bytes (add Bytes 1)) (lt Bytes (add Bytes 1))) " + usual},
		{"alias takes a type at each use", "$filter=CreatedAt gt @d or Day eq @d&@d=2024-01-01",
			"filter(or (gt CreatedAt 2024-01-01T00:00:00Z) (eq Day 2024-01-01)) " + usual},
		{"alias of a list", "$filter=State in @s&@s=['a',\"b\"]", "filter(in State 'a' 'b') " + usual},
		{"alias in order", "$orderby=@o&@o=State", "by State by BookingId"},

		// $orderby
		{"order", "$orderby=State,PriceTotal desc,CreatedAt ASC", "by State by PriceTotal desc by CreatedAt " +
			"by BookingId"},
		{"order by an expression", "$orderby=length(State) add 1 desc",
			"by (add (length State) 1) desc by BookingId desc"},
		{"order by the key", "$orderby=BookingId desc,State", "by BookingId desc by State"},
		{"order by a condition", "$orderby=PriceTotal gt 5", "by (gt PriceTotal 500e-2) by BookingId"},

		// $select
		{"select", "$select=State, BookingId ,State", usual + " select State BookingId"},
		{"select all", "$select=*", usual},
		{"select all and more", "$select=State,*", usual},
		{"select a link", "$select=State,Segments", usual + " select State"},

		// $compute
		{"compute", "$compute=PriceTotal mul 2 as Twice,year(CreatedAt) as Year&$filter=Twice gt 5&$select=Year" +
			"&$orderby=Twice",
			"Twice:Edm.Decimal=(mul PriceTotal 2) Year:Edm.Int32=(year CreatedAt) filter(gt Twice 500e-2) by Twice " +
				"by BookingId select Year"},

		// $expand
		{"expand", "$expand=Segments,Actions", usual + " Segments(by SegmentId) Actions(by BookingId by Nr)"},
		{"expand all", "$expand=*", usual + " Segments(by SegmentId) Actions(by BookingId by Nr)"},
		{"expand with options", "$expand=Segments($select=Carrier;$filter=Km gt 5 and Carrier ne ');(';$orderby=Km " +
			"desc;$top=3;count=true),Actions",
			usual + " Segments(filter(and (gt Km 5000e-3) (ne Carrier ');(')) by Km desc by SegmentId desc " +
				"top 3 select " +
				"Carrier count) " +
				"Actions(by BookingId by Nr)"},

		{"references and counts", "$expand=Segments/$ref($top=2),Actions/$count($filter=Nr gt 1;$search=a)",
			usual + " Segments/$ref(by SegmentId top 2) Actions/$count(search[a] filter(gt Nr 1) by BookingId by Nr)"},

		// $search (U 5.1.7)
		{"a word", "$search=maria", "search[maria] " + usual},
		{"words", "$search=maria santos", "search(and [maria] [santos]) " + usual},
		{"operators", "$search=a OR b AND NOT c", "search(or [a] (and [b] (not [c]))) " + usual},
		{"parentheses and phrases", `$search=(a OR "b c") "OR" d`, "search(and (or [a] [b c]) [OR] [d]) " + usual},
		{"single quotes", `$search='b c' O'Brien`, "search(and [b c] [O'Brien]) " + usual},
		{"operators in quotes are words", `$search="AND" "OR"`, "search(and [AND] [OR]) " + usual},
		{"small letters are words", "$search=a or b", "search(and [a] [or] [b]) " + usual},

		// $apply (A 3)
		{"aggregate", "$apply=aggregate(PriceTotal with sum as Total,$count as N)",
			"group(Total=0:PriceTotal:Edm.Decimal(21,2) N=5:rows:Edm.Int64(19,0))"},
		{"group", "$apply=groupby((State,VesselName))&$orderby=VesselName", "group(State VesselName) by " +
			"VesselName by " +
			"State"},
		{"group and aggregate", "$apply=groupby((State),aggregate(PriceTotal with average as A,Bytes with " +
			"countdistinct as B," +
			"CreatedAt with max as C,PriceTotal add MileageKm with min as D))&$filter=A gt 5",
			"group(State A=3:PriceTotal:Edm.Decimal(17,6) B=4:Bytes:Edm.Int64(19,0) " +
				"C=2:CreatedAt:Edm.DateTimeOffset(3,0) " +
				"D=1:(add (scale3 PriceTotal) MileageKm):Edm.Decimal(14,3)) filter(gt A 5000000e-6) by State"},
		{"pipeline", "$apply=filter(NoShow)/compute(year(CreatedAt) as Y)/groupby((Y),aggregate($count as " +
			"N))/filter(N " +
			"gt 5)" +
			"&$orderby=N desc&$top=3", "filterNoShow compute Y=(year CreatedAt) group(Y N=5:rows:Edm.Int64(19,0)) " +
			"filter(gt N 5) " +
			"by N desc by Y desc top 3"},
		{"identity", "$apply=identity/filter(NoShow)", "filterNoShow " + usual},
		{"groups of groups", "$apply=groupby((State,VesselName),aggregate($count as N))/groupby((State),aggregate(N " +
			"with max as M))",
			"group(State VesselName N=5:rows:Edm.Int64(19,0)) group(State M=2:N:Edm.Int64(19,0)) by State"},
		{"sum of integers", "$apply=aggregate(TotalConnectionDuration with sum as M,Bytes with sum as N)",
			"group(M=0:TotalConnectionDuration:Edm.Int64(19,0) N=0:Bytes:Edm.Decimal(27,0))"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			query := strings.ReplaceAll(tt.query, " ", "%20")
			r, err := parse(t, "FlightBookingDetailed", query)
			if err != nil {
				t.Fatalf("%s: %v", tt.query, err)
			}
			if got := showQuery(r.Query); got != tt.want {
				t.Errorf("%s\n becomes %s\n    want %s", tt.query, got, tt.want)
			}
		})
	}
}

// TestQueryErrors checks that wrong options are refused by name.
func TestQueryErrors(t *testing.T) {
	tests := []struct {
		query  string
		status int
		want   string
	}{
		{"$foo=1", 400, `there is no query option "$foo"`},
		{"$Filter%20x=1", 400, "there is no query option"},
		{"$filter=NoShow&filter=NoShow", 400, "$filter: the option is given twice"},
		{"@a=1&@a=2", 400, "@a: the option is given twice"},
		{"$top=-1", 400, `$top: "-1" is not a whole number from 0 up`},
		{"$top=+1", 400, `$top: " 1" is not`},
		{"$top=5.0", 400, "$top"},
		{"$top=", 400, "$top"},
		{"$skip=99999999999999999999", 400, "$skip"},
		{"$count=yes", 400, `$count: it can be true or false, not "yes"`},
		{"$count", 400, "$count"},
		{"$format=foo", 400, `$format: "foo" is neither`},
		{"$skiptoken=", 400, "$skiptoken: it has no value"},
		{"$filter=%zz", 400, "$filter: it has a % without two hexadecimal digits"},
		{"$filter=State%20eq%20'%ff'", 400, "$filter: it is not UTF-8"},
		{"$filter=State%20eq%20'%00'", 400, "$filter: it has a zero byte"},
		{"%zz=1", 400, "the name of a query option has a %"},
		{"$id=1", 501, "$id: this option is not supported here"},
		{"$schemaversion=1", 501, "$schemaversion"},
		{"$filter=@a&@a=@b&@b=@a", 400, "the alias @a stands for itself"},
		{"$filter=State in @s", 400, "the alias @s has no value"},
		{"$filter=State eq @s&@s='a", 400, "@s, at character 1: the text has no closing quote"},
		{"$orderby=", 400, "$orderby, at character 1"},
		{"$orderby=State,", 400, "$orderby, at character 7"},
		{"$orderby=State down", 400, `"down" stands where the end should`},
		{"$orderby=null", 400, "nothing can be ordered by this"},
		{"$search=OR", 400, `$search, at character 1: OR stands between words: to look for it, write "OR"`},
		{"$search=a OR", 400, "at character 3: OR stands between words"},
		{"$search=NOT", 400, "NOT stands between words"},
		{"$orderby=Stat", 400, `$orderby, at character 1: there is no property "Stat"`},
		{"$select=Foo", 400, `$select, at character 1: there is no property "Foo"`},
		{"$select=State,,NoShow", 400, "$select, at character 7"},
		{"$select=State/Name", 400, "the property State has no parts to select"},
		{"$select=", 400, "$select"},
		{"$compute=PriceTotal mul 2", 400, "as and a name"},
		{"$compute=PriceTotal mul 2 as State", 400, "the name State is taken"},
		{"$compute=PriceTotal mul 2 as A.B", 400, "a name"},
		{"$compute=null as A", 400, "this has no type"},
		{"$expand=Foo", 400, `there is no navigation property "Foo"`},
		{"$expand=Segments,Segments", 400, "Segments is there twice"},
		{"$expand=Segments($filter=Foo eq 1)", 400, `$expand=Segments($filter), at character 1: there is no property "Foo"`},
		{"$expand=Segments($foo=1)", 400, "there is no option"},
		{"$expand=Segments($top=1;$top=2)", 400, "$top is there twice"},
		{"$expand=Segments($top=1", 400, "the parenthesis is not closed"},
		{"$expand=Segments($levels=2)", 501, "$levels within $expand"},
		{"$expand=Segments($filter=Carrier eq $it/State)", 501, "$it within $expand"},
		{"$filter=@a eq 'x'&$expand=Segments($expand=Booking($filter=@a eq 'x'))&@a=$it/State", 501,
			"$it within $expand"},
		{"$expand=Segments/Booking", 501, "a path in $expand"},
		{"$expand=Segments/$ref($select=Km)", 400, "$select does not go with $ref or $count"},
		{"$expand=Segments/$count($top=1)", 400, "$top does not go with $ref or $count"},
		{"$search=", 400, "$search"},
		{"$search=(a", 400, "the parenthesis is not closed"},
		{"$search=a)", 400, `")" does not belong here`},
		{"$search=()", 400, "a word should stand before )"},
		{`$search="a`, 400, "the phrase has no closing quote"},
		{"$apply=", 400, "a transformation such as groupby"},
		{"$apply=foo(State)", 400, `there is no transformation "foo"`},
		{"$apply=topcount(2,PriceTotal)", 501, "the transformation topcount"},
		{"$apply=groupby((Foo))", 400, `there is no property "Foo"`},
		{"$apply=groupby((State,State))", 400, "State is there twice"},
		{"$apply=groupby((State),aggregate($count as State))", 400, "the name State is taken"},
		{"$apply=groupby((State),filter(NoShow))", 501, "another transformation than aggregate within groupby"},
		{"$apply=groupby((rollup(State,NoShow)))", 501, "rollup"},
		{"$apply=groupby((State))&$filter=NoShow", 400, `$filter, at character 1: there is no property "NoShow"`},
		{"$apply=groupby((State))&$expand=Segments", 400, "what $apply has grouped leads nowhere"},
		{"$apply=groupby((State))&$search=a", 501, "searching what $apply has grouped"},
		{"$apply=aggregate()", 400, "$apply, at character 11"},
		{"$apply=aggregate(State with sum as A)", 400, "sum and average need a number, and this is an Edm.String"},
		{"$apply=aggregate(NoShow with min as A)", 400, "min and max need something with an order"},
		{"$apply=aggregate(PriceTotal with median as A)", 400, `there is no method "median"`},
		{"$apply=aggregate(PriceTotal with sum)", 400, "as and a name"},
		{"$apply=aggregate(PriceTotal as A)", 400, "with and a method"},
		{"$apply=aggregate(PriceTotal with sum from State with max as A)", 501, "from"},
		{"$apply=aggregate($count as A)/foo", 400, "there is no transformation"},
	}
	for _, tt := range tests {
		t.Run(tt.query, func(t *testing.T) {
			_, err := parse(t, "FlightBookingDetailed", strings.ReplaceAll(tt.query, " ", "%20"))
			wantError(t, err, tt.status, tt.want)
		})
	}
}

// TestDigitsOfCase holds that a value picked by case has no more digits than those it is picked from.
func TestDigitsOfCase(t *testing.T) {
	id := &Property{Name: "ID", Type: Type{Kind: String}}
	price := &Property{Name: "Price", Type: Type{Kind: Decimal, Precision: 18, Scale: 3}, Nullable: true}
	s := NewSchema(&EntitySet{Name: "Sales", Key: []*Property{id}, Properties: []*Property{id, price}})
	for compute, want := range map[string]Type{
		"case(Price gt 1:Price) as It":         {Kind: Decimal, Precision: 18, Scale: 3},
		"case(Price gt 1:Price,true:7) as It":  {Kind: Decimal, Precision: 18, Scale: 3},
		"case(Price gt 1:0.125,true:2) as It":  {Kind: Decimal, Precision: 4, Scale: 3},
		"case(Price gt 1:Price mul 2) as It":   {Kind: Decimal, Precision: 19, Scale: 3},
		"case(Price gt 1:1,true:null) as It":   {Kind: Int32, Precision: 10},
		"case(ID eq 'a':Price,true:1) as It":   {Kind: Decimal, Precision: 18, Scale: 3},
		"case(ID eq 'a':1.5,true:Price) as It": {Kind: Decimal, Precision: 18, Scale: 3},
	} {
		r, err := Parse(s, "/Sales", "$compute="+strings.ReplaceAll(compute, " ", "+"), Options{})
		if err != nil {
			t.Errorf("%s: %v", compute, err)
			continue
		}
		if got := r.Query.Row.Property("It").Type; got != want {
			t.Errorf("%s is an %v; want %v", compute, got, want)
		}
	}
}
