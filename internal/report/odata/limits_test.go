package odata

import (
	"errors"
	"fmt"
	"net/url"
	"runtime"
	"strings"
	"testing"

	"gangway/internal/calltest"
)

// cost is what reading a request took.
type cost struct {
	tokens int
	bytes  uint64 // allocated
}

// read reads a query of the set and returns what it cost.
func read(t *testing.T, query string) (cost, error) {
	t.Helper()
	r := newReading(bookings(t), testOptions)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := r.request("FlightBookingDetailed", query)
	runtime.ReadMemStats(&after)
	return cost{r.work.tokens, after.TotalAlloc - before.TotalAlloc}, err
}

// TestHostile checks that requests made to be costly are refused early: after
// how many tokens, and with how much memory.
func TestHostile(t *testing.T) {
	filter := func(s string) string { return "$filter=" + url.QueryEscape(s) }
	many := strings.Repeat
	depth, terms := DefaultLimits.Depth, DefaultLimits.Terms
	laughs := "$filter=@a0"
	for i := range 20 {
		laughs += fmt.Sprintf("&@a%d=@a%d%%20eq%%20@a%d", i, i+1, i+1)
	}
	const texts = "puts more than 300 texts together"
	aliases, doubled := "", func(n int) (stages string) {
		for i := range n {
			stages += fmt.Sprintf("/compute(concat(x%d,x%[1]d)%%20as%%20x%d)", i, i+1)
		}
		return stages
	}
	for i := range 20 {
		aliases += fmt.Sprintf("&@a%d=concat(@a%d,@a%[2]d)", i, i+1)
	}
	aliases += "&@a20=State"
	tests := []struct {
		name, query string
		tokens      int
		want        string
	}{
		{"10,000 parentheses", filter(many("(", 10000) + "NoShow" + many(")", 10000)), depth + 5, "nested " +
			"more than 100"},
		{"10,000 open parentheses", filter(many("(", 10000)), depth + 5, "nested more than 100"},
		{"10,000 times not", filter(many("not ", 10000) + "NoShow"), depth + 5, "nested more than 100"},
		{"10,000 signs", filter(many("- ", 10000) + "Bytes eq 1"), depth + 5, "nested more than 100"},
		{"10,000 calls", filter(many("trim(", 10000) + "State" + many(")", 10000)), 2*depth + 5, "nested more " +
			"than 100"},
		{"10,000 cases", filter(many("case(NoShow:", 10000)), 4*depth + 5, "nested more than 100"},
		{"10,000 sums", filter("Bytes" + many(" add Bytes", 10000) + " eq 1"), 2*depth + 5, "nested more than 100"},
		{"10,000 comparisons of comparisons", filter("NoShow" + many(" eq NoShow", 10000)), 2*depth + 5,
			"nested more"},
		{"1 MB", filter(many("NoShow or ", 100000)), 0, "the query is longer than"},
		{"1 MB of one text", filter("State eq '" + many("x", 1<<20) + "'"), 0, "the query is longer than"},
		{"1 MB of parentheses", many("(", 1<<20), 0, "the query is longer than"},
		{"as many conditions as fit", filter("NoShow" + many(" or NoShow", 20000)), 2*terms + 5, "more than " +
			"5000 terms"},
		{"as many members as fit", filter("Bytes in (1" + many(",1", 60000) + ")"), 25000, "more than 10000 members"},
		{"aliases of aliases", laughs, 3 * terms, "more than 5000 terms"},
		{"an alias used often", "$filter=@a" + many("%20or%20@a", 6000) + "&@a=NoShow", 2*terms + 5, "more " +
			"than 5000 " +
			"terms"},
		{"a long list used often", "$filter=State%20in%20@a" + many("%20or%20State%20in%20@a", 4000) + "&@a=('" +
			many("x", 100000) + "')", 100, "aliases with long values are used too often"},
		{"aliases in a circle", "$filter=@a&@a=not%20@b&@b=not%20@a", 20, "stands for itself"},
		{"a long number", filter("Bytes eq " + many("9", 200000)), 10, ""},
		{"a long fraction", filter("Bytes eq 0." + many("9", 200000)), 10, "more than 18 digits"},
		{"a long exponent", filter("Bytes eq 1e" + many("9", 200000)), 10, ""},
		{"a long name", filter(many("x", 200000) + " eq 1"), 10, "there is no property"},
		{"a long text", filter("State eq '" + many("''", 40000) + "'"), 10, ""},
		{"a text that does not end", filter("State eq '" + many("''", 40000)), 10, "no closing quote"},
		{"many names to select", "$select=State" + many(",State", 30000), 500, "more than 200 names"},
		{"many names to order by", "$orderby=State" + many(",State", 30000), 500, "more than 200 names"},
		{"many computed", "$compute=Bytes%20as%20A" + many(",Bytes%20as%20A", 10000), 20, "the name A is taken"},
		{"many stages", "$apply=identity" + many("/identity", 20000), 500, "more than 200 transformations"},
		{"deep expansion", "$expand=" + many("Segments($expand=", 10000), 20, ""},
		{"wide expansion", "$expand=*($expand=*($expand=*))" + many(",Segments", 10000), 100, "is there twice"},
		{"lambdas within lambdas", filter(many("Segments/any(s:", 100) + "NoShow" + many(")", 100)), 40, "more than " +
			"3 levels of any and all"},
		{"many lambdas", filter("NoShow" + many(" or Segments/any(s:s/Km gt 5)", 2000)), 700, "looks at related rows " +
			"more than 50 times"},
		{"many related counts", filter("NoShow" + many(" or Segments/$count gt 5", 2000)), 400, "more than 50 times"},
		{"lambdas behind an alias", "$filter=@a" + many("%20or%20@a", 60) + "&@a=Segments/any()", 150,
			"more than 50 times"},
		{"lambdas behind aliases within each other", "$filter=@a&@a=Segments/any(s:@b)&@b=Segments/any(s:@c)" +
			"&@c=Segments/" +
			"any(s:@d)&@d=Segments/any(s:true)", 60, "more than 3 levels of any and all"},
		{"open parentheses to expand", "$expand=Segments(" + many("(", 200000), 20, "is not closed"},
		{"a text put together of itself", "$apply=compute(concat(State,State)%20as%20x0)" + doubled(25), 200, texts},
		{"the same of one row", "$apply=filter(BookingId%20eq%20'a')/compute(concat(State,State)%20as%20x0)" +
			doubled(25) + "/aggregate(x25%20with%20max%20as%20m)", 200, texts},
		{"in all other functions", "$compute=" + url.QueryEscape("toupper(case(NoShow:"+many("concat(State,trim(", 40)+
			"State"+many("))", 40)+",true:'a')) as x"), 400, texts},
		{"through max", "$apply=compute(concat(State,State)%20as%20x0)" + doubled(4) + "/aggregate(x4%20with%20max" +
			"%20as%20y0)" + strings.ReplaceAll(doubled(5), "x", "y"), 250, texts},
		{"through groups", "$apply=compute(concat(State,State)%20as%20x0)" + doubled(4) + "/groupby((x4))/compute(" +
			"concat(x4,x4)%20as%20y0)" + strings.ReplaceAll(doubled(5), "x", "y"), 250, texts},
		{"to order by", "$orderby=" + many("concat(State,", 40) + "State" + many(")", 40), 200, texts},
		{"of aliases", "$orderby=@a0" + aliases, 200, texts},
		{"of related rows", filter("Segments/any(s:" + many("concat(s/Carrier,", 40) + "'a'" + many(")", 40) +
			" eq 'a')"), 400, texts},
		{"a long text in each row", "$compute='" + many("x", 200000) + "'%20as%20x", 10, texts},
		{"a long text to order by", "$orderby='" + many("x", 200000) + "'", 10, texts},
		{"a long text in each row, behind a case", "$orderby=case(NoShow:'" + many("x", 200000) + "')", 20, texts},
		{"words to search for", "$search=" + many("x+", 100000), 0, "more than 5000 terms"},
		{"parentheses to search for", "$search=" + many("(", 4000), 0, "nested more than 100"},
		{"many options", many("x=1&", 60000), 0, ""},
		{"many aliases", many("@x=1&", 50000), 0, "given twice"},
		{"blanks", filter(many(" ", 200000) + "NoShow"), 10, ""},
		{"escapes", filter("State in [\"" + many(`\"`, 40000) + "\"]"), 20, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := read(t, tt.query)
			var e *Error
			if tt.want != "" && (!errors.As(err, &e) || e.Status >= 500 || !strings.Contains(e.Message, tt.want)) {
				t.Errorf("err = %v; want %s", err, tt.want)
			}
			if err != nil && len(err.Error()) > 400 {
				t.Errorf("the message has %d characters", len(err.Error()))
			}
			if c.tokens > tt.tokens {
				t.Errorf("%d tokens were read; want at most %d", c.tokens, tt.tokens)
			}
			// Decoding copies the query once; 5,000 terms and 10,000 members have some hundred bytes each.
			if most := uint64(5*len(tt.query) + 3<<20); c.bytes > most {
				t.Errorf("%d bytes were allocated for %d of the query; want at most %d", c.bytes, len(tt.query), most)
			}
		})
	}
}

// TestLinear checks that a query of twice the size costs twice as much.
func TestLinear(t *testing.T) {
	or := strings.Repeat("%20or%20State%20eq%20'a'", 400)
	one := calltest.Must(read(t, "$filter=NoShow"+or))(t)
	two := calltest.Must(read(t, "$filter=NoShow"+or+or))(t)
	if two.tokens > 2*one.tokens+10 || two.bytes > 5*one.bytes/2 {
		t.Errorf("twice the query cost %+v after %+v", two, one)
	}
}

// TestRealSizes checks that what tools and people do send is within the limits.
func TestRealSizes(t *testing.T) {
	var ids, members []string
	for i := range 1500 {
		ids = append(ids, fmt.Sprintf("State%%20eq%%20'%d'", i))
	}
	for i := range 9000 {
		members = append(members, fmt.Sprintf("'%d'", i))
	}
	for name, query := range map[string]string{
		"a chain of or": "$filter=" + strings.Join(ids, "%20or%20"),
		"a list":        "$filter=BookingId%20in%20(" + strings.Join(members, ",") + ")",
		"a name in a thousand conditions": "$filter=" + strings.Repeat("tolower(State)%20eq%20'a'%20or%20", 1000) +
			"NoShow",
		"a text of 20 parts": "$compute=" + strings.Repeat("concat(State,", 19) + "'a'" + strings.Repeat(")", 19) +
			"%20as%20X",
		"90 levels": "$filter=" + strings.Repeat("(", 90) + "NoShow" + strings.Repeat(")", 90),
	} {
		if _, err := read(t, query); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestOwnLimits checks that a caller's limits count.
func TestOwnLimits(t *testing.T) {
	_, err := Parse(bookings(t), "FlightBookingDetailed", "$filter=NoShow%20or%20NoShow",
		Options{Limits: Limits{Terms: 2}})
	wantError(t, err, 400, "more than 2 terms")
	_, err = Parse(bookings(t), "FlightBookingDetailed", "$filter=NoShow", Options{Limits: Limits{Length: 5}})
	wantError(t, err, 414, "longer than 5 bytes")
	_, err = Parse(bookings(t), "FlightBookingDetailed", "$expand=*($expand=*)", Options{Limits: Limits{Expands: 2}})
	wantError(t, err, 400, "more than 2 navigation properties are expanded")
}
