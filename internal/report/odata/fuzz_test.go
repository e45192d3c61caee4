package odata

import (
	"errors"
	"math"
	"slices"
	"testing"
	"time"
)

// FuzzParse looks for requests that are answered with anything but a sound tree
// or a clear refusal.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"$filter=State%20eq%20'a'%20and%20not%20(PriceTotal%20gt%205.005%20or%20Bytes%20in%20(1,2.5,null))",
		"$filter=CreatedAt+ge+2024-02-29T10:00:00.1234567%2B01:00&$orderby=length(State)%20desc,CreatedAt&$top=5",
		"$apply=filter(NoShow)/groupby((State),aggregate(PriceTotal%20with%20average%20as%20A,$count%20as%20N))" +
			"&$filter=A%20gt%201",
		"$compute=PriceTotal%20mul%20-2%20as%20T&$filter=T%20mod%203%20ne%20@a&@a=case(NoShow:1,true:2.5)&$select=T,*",
		"$expand=Segments($filter=Km%20gt%205;$top=1),Actions&$search=a%20OR%20NOT%20(b%20%22c%20d%22)&$count=true",
		"$filter=Segments/any(s:s/Booking/State%20eq%20'a')%20or%20Actions/$count%20gt%202",
		"$filter=Segments/$count($filter=Km%20gt%205%20and%20Booking%20ne%20null;$search=a)%20gt%20@a&@a=1",
		"$filter=Wait%20gt%20duration'-P1DT2H3M4.5S'%20and%20Clock%20lt%2010:30%20and%20Guid%20eq" +
			"%20a1234567-89ab-cdef-0123-456789abcdef",
		"$filter=cast('5',Edm.Int64)%20divby%203%20lt%20round(PriceTotal%20div%200)%20or%20isof(State,Edm.String)",
		"$filter=substring(trim(concat(toupper(State),'%C3%9F')),-2,1)%20in%20[%22a%22]%20eq%20true",
		"$filter=year(DepartureAt%20add%20(DepartureAt%20sub%20CreatedAt)%20mul%201.5)%20gt%202024%20and" +
			"%20now()%20lt" +
			"%20maxdatetime()",
		"$filter=1e300%20gt%20PriceTotal%20or%20INF%20lt%20NaN%20or%20-0.00%20eq%20Bytes",
		"$skiptoken=a%2Bb&format=json&sap-client=100&%24COUNT=true", "$filter=((((((NoShow", "$filter=%zz",
		"$filter=@a&@a=@a",
	} {
		f.Add("FlightBookingDetailed", s)
	}
	for _, p := range []string{"", "$metadata", "FlightBookingDetailed('a%20b')/State/$value",
		"FlightBookingDetailed/$count",
		"Actions(Nr=5,BookingId=@k)", "FlightBookingDetailed('a')/Segments", "$crossjoin(a,b)", "%ff"} {
		f.Add(p, "@k='x'")
	}
	s := bookings(f)
	f.Fuzz(func(t *testing.T, path, query string) {
		r, err := Parse(s, path, query, testOptions)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || !slices.Contains([]int{400, 404, 414, 501}, e.Status) || e.Message == "" {
				t.Fatalf("%q ? %q: %#v", path, query, err)
			}
			return
		}
		if r.Path.Set != nil {
			soundQuery(t, r.Query)
		}
	})
}

// soundQuery checks all that the package promises of the trees in a query.
func soundQuery(t *testing.T, q *Query) {
	t.Helper()
	for _, s := range q.Apply {
		switch s := s.(type) {
		case *FilterStage:
			sound(t, s.By)
		case *ComputeStage:
			soundComputed(t, s.Computed)
		case *GroupStage:
			for _, a := range s.Aggregates {
				if a.Of != nil {
					sound(t, a.Of)
				}
			}
		}
	}
	soundComputed(t, q.Compute)
	if q.Filter != nil {
		sound(t, q.Filter)
	}
	for _, o := range q.OrderBy {
		sound(t, o.By)
	}
	for _, e := range q.Expand {
		soundQuery(t, e.Query)
	}
}

func soundComputed(t *testing.T, all []Computed) {
	for _, c := range all {
		sound(t, c.By)
		if c.Property.Type != c.By.Info().Type {
			t.Fatalf("%s is an %v, made of an %v", c.Property.Name, c.Property.Type, c.By.Info().Type)
		}
	}
}

// sound checks an expression and what it is made of.
func sound(t *testing.T, e Expr) {
	t.Helper()
	n := e.Info()
	if n.Type.Kind == Null || n.Type.Kind == beyond {
		t.Fatalf("%s has the type %s", show(e), n.Type.Kind)
	}
	if n.Type.Kind.number() && (n.Type.Precision < 1 || n.Type.Precision > maxDigits || n.Type.Scale > maxDigits ||
		n.Max < 0 || math.IsNaN(n.Max) || n.Max >= 1e39) {
		t.Fatalf("%s has the type %v and the bound %g", show(e), n.Type, n.Max)
	}
	switch e := e.(type) {
	case *Literal:
		soundLiteral(t, e)
	case *Compare:
		l, r := e.Left.Info().Type, e.Right.Info().Type
		if l.Kind != r.Kind && !(l.Kind.number() && r.Kind.number()) || l.Scale != r.Scale {
			t.Fatalf("%s compares %v with %v", show(e), l, r)
		}
		if isNull(e.Left) || isNull(e.Right) && e.Op != Eq && e.Op != Ne {
			t.Fatalf("%s compares with null", show(e))
		}
	case *In:
		for _, l := range e.List {
			if x := e.X.Info().Type; l.Type.Scale != x.Scale || l.Value == nil {
				t.Fatalf("%s has a member of %v", show(e), l.Type)
			}
		}
	case *Arithmetic:
		l, r := e.Left.Info().Type, e.Right.Info().Type
		if (e.Op == Add || e.Op == Sub || e.Op == Mod) && l.Scale != r.Scale {
			t.Fatalf("%s has sides of %v and %v", show(e), l, r)
		}
	}
	for _, c := range Children(e) {
		sound(t, c)
	}
}

// soundLiteral checks that a literal has a value of its type.
func soundLiteral(t *testing.T, l *Literal) {
	ok := l.Value == nil && l.Nullable
	switch v := l.Value.(type) {
	case bool:
		ok = l.Type.Kind == Boolean
	case string:
		ok = l.Type.Kind == String || l.Type.Kind == GUID
	case int64:
		ok = (l.Type.Kind.number() || l.Type.Kind == TimeOfDay || l.Type.Kind == Duration) &&
			(l.Type.Kind == TimeOfDay || math.Abs(float64(v)) <= l.Max)
	case time.Time:
		ok = v.Location() == time.UTC && (l.Type.Kind == Date && v.Equal(v.Truncate(24*time.Hour)) ||
			l.Type.Kind == DateTimeOffset && v.Equal(v.Truncate(time.Millisecond)))
	}
	if !ok {
		t.Fatalf("a literal %v of %v, at most %g", l.Value, l.Type, l.Max)
	}
}
