package odata

import "net/http"

// aliasUse is an alias where names stand for these properties, within so many
// levels of any and all, and of $expand.
type aliasUse struct {
	name    string
	row     *Row
	counted *Lambda
	lambdas int
	expands int
}

// aliased is what an alias stands for, how many terms that is, how often it
// looks at related rows, and how many texts it puts together.
type aliased struct {
	expr    Expr
	terms   int
	related int
	texts   int
}

// alias returns the expression that the alias t stands for (U 5.3); one without
// a value is null. An alias is read once; each use counts all its terms, as the
// tree is that much larger.
func (p *parser) alias(t token) Expr {
	if p.tok.is("/") {
		return p.unsupported(p.tok.at, "a path behind an alias")
	}
	use := aliasUse{t.text, p.row, p.counted, p.work.lambdas, p.work.expands}
	if known := p.parsed[use]; known != nil {
		if p.depth+known.expr.Info().height > p.limits.Depth {
			return p.badf(t.at, "the expression is nested more than %d levels deep", p.limits.Depth)
		}
		p.relate(t.at, known.related)
		p.put(t.at, known.texts)
		p.term(t.at, known.terms)
		return known.expr
	}
	before := p.work
	e := Expr(&Literal{Node: Node{Nullable: true, At: t.at}})
	if text, ok := p.aliases[t.text]; ok {
		sub := p.openAlias(t, text)
		sub.depth = p.depth
		e = sub.whole()
		delete(p.open, t.text)
	}
	p.parsed[use] = &aliased{e, p.work.terms - before.terms + 1, p.work.related - before.related,
		p.work.texts - before.texts}
	p.term(t.at, 1)
	return e
}

// aliasList reads the list that the alias under the cursor stands for into in.
func (p *parser) aliasList(in *In) {
	t := p.tok
	text, ok := p.aliases[t.text]
	if !ok {
		p.badf(t.at, "the alias @%s has no value", t.text)
	}
	sub := p.openAlias(t, text)
	sub.list(in)
	sub.end("the end")
	delete(p.open, t.text)
	p.next()
}

// openAlias returns a parser of what the alias t stands for.
func (p *parser) openAlias(t token, text string) *parser {
	if p.open[t.text] {
		p.fail(http.StatusBadRequest, t.at, "@"+t.text, "the alias @"+t.text+" stands for itself")
	}
	// A list is read at each use, so that long ones could be read very often.
	if p.work.aliases += len(text); p.work.aliases > 2*p.limits.Length {
		p.badf(t.at, "aliases with long values are used too often")
	}
	p.open[t.text] = true
	sub := p.newParser("@"+t.text, text, p.row)
	sub.counted = p.counted
	return sub
}
