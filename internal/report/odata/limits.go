package odata

import "net/http"

// Limits bound what reading one request can cost, and what its answer can ask
// of a database. A zero means the value of DefaultLimits.
type Limits struct {
	Length  int // bytes of the query, as it came
	Depth   int // of expressions: parentheses, calls, signs, operators within operators
	Terms   int // properties, literals, operators and calls, those within aliases at each use
	List    int // members of lists after in, in all
	Names   int // names in each of $select and $orderby, and members of $apply and $compute
	Expand  int // levels of $expand
	Expands int // navigation properties that $expand names, on all levels
	Lambdas int // levels of any and all
	Related int // uses of any, all, related $count and properties of related rows
	Texts   int // texts of columns that concat puts together in all, those that it is given put together among them
}

// DefaultLimits leave room for what tools send: Power Query writes long chains
// of "or", and people paste lists of some thousand bookings. SQLite refuses
// expressions deeper than 1,000 and more than 32,766 parameters.
var DefaultLimits = Limits{Length: 256 << 10, Depth: 100, Terms: 5000, List: 10000, Names: 200, Expand: 3,
	Expands: 30, Lambdas: 3, Related: 50, Texts: 300}

func (l Limits) withDefaults() Limits {
	for _, v := range []struct{ have, otherwise *int }{
		{&l.Length, &DefaultLimits.Length}, {&l.Depth, &DefaultLimits.Depth}, {&l.Terms, &DefaultLimits.Terms},
		{&l.List, &DefaultLimits.List}, {&l.Names, &DefaultLimits.Names}, {&l.Expand, &DefaultLimits.Expand},
		{&l.Expands, &DefaultLimits.Expands}, {&l.Lambdas, &DefaultLimits.Lambdas},
		{&l.Related, &DefaultLimits.Related}, {&l.Texts, &DefaultLimits.Texts},
	} {
		if *v.have == 0 {
			*v.have = *v.otherwise
		}
	}
	return l
}

// maxDigits is how many digits the numbers of an expression may need; every
// column of Edm.Decimal and PostgreSQL's numeric have room for as many.
const maxDigits = 38

// work counts what a request has cost so far, over all its options.
type work struct {
	tokens   int
	terms    int
	list     int
	aliases  int // bytes of aliases that were read
	expands  int // levels of $expand that are open
	expanded int // navigation properties that $expand has named
	lambdas  int // levels of any and all that are open
	related  int // uses of related rows
	texts    int // texts of columns that were put together
}

// enter counts a level of depth; the caller leaves it by p.depth--.
func (p *parser) enter(at int) {
	if p.depth++; p.depth > p.limits.Depth {
		p.badf(at, "the expression is nested more than %d levels deep", p.limits.Depth)
	}
}

// term counts n terms.
func (p *parser) term(at, n int) {
	if p.work.terms += n; p.work.terms > p.limits.Terms {
		p.badf(at, "the request has more than %d terms", p.limits.Terms)
	}
}

// member counts a member of a list after in.
func (p *parser) member(at int) {
	if p.work.list++; p.work.list > p.limits.List {
		p.badf(at, "the lists of the request have more than %d members", p.limits.List)
	}
}

// relate counts n uses of related rows, each of which is a query within the query.
func (p *parser) relate(at, n int) {
	if p.work.related += n; p.work.related > p.limits.Related {
		p.badf(at, "the request looks at related rows more than %d times", p.limits.Related)
	}
}

// put counts n texts of columns that become one. A database makes the text for each row that it looks at, so
// that one which is put together of itself again and again would fill its memory.
func (p *parser) put(at, n int) {
	if p.work.texts += n; p.work.texts > p.limits.Texts {
		p.badf(at, "the request puts more than %d texts together, of which one of the request counts for each "+
			"%d letters", p.limits.Texts, textLength)
	}
}

// putLiteral counts a literal that each row has.
func (p *parser) putLiteral(e Expr) {
	if _, ok := e.(*Literal); ok {
		p.put(e.Info().At, max(texts(e)-1, 0))
	}
}

// tooLong is the answer to a query beyond the limit.
func tooLong(limit int) error {
	return errorf(http.StatusRequestURITooLong, "", "the query is longer than %d bytes", limit)
}
