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
func (p *parser) alias(t token) (Expr, error) {
	if p.tok.is("/") {
		return nil, p.unsupported(p.tok.at, "a path behind an alias")
	}
	use := aliasUse{t.text, p.row, p.counted, p.work.lambdas, p.work.expands}
	if known := p.parsed[use]; known != nil {
		if p.depth+known.expr.Info().height > p.limits.Depth {
			return nil, p.badf(t.at, "the expression is nested more than %d levels deep", p.limits.Depth)
		}
		if err := p.relate(t.at, known.related); err != nil {
			return nil, err
		}
		if err := p.put(t.at, known.texts); err != nil {
			return nil, err
		}
		return known.expr, p.term(t.at, known.terms)
	}
	before := p.work
	e := Expr(&Literal{Node: Node{Nullable: true, At: t.at}})
	if text, ok := p.aliases[t.text]; ok {
		sub, err := p.openAlias(t, text)
		if err == nil {
			sub.depth = p.depth
			e, err = sub.whole()
		}
		delete(p.open, t.text)
		if err != nil {
			return nil, err
		}
	}
	p.parsed[use] = &aliased{e, p.work.terms - before.terms + 1, p.work.related - before.related,
		p.work.texts - before.texts}
	return e, p.term(t.at, 1)
}

// aliasList reads the list that the alias under the cursor stands for into in.
func (p *parser) aliasList(in *In) error {
	t := p.tok
	text, ok := p.aliases[t.text]
	if !ok {
		return p.badf(t.at, "the alias @%s has no value", t.text)
	}
	sub, err := p.openAlias(t, text)
	if err == nil {
		err = sub.list(in)
	}
	delete(p.open, t.text)
	if err != nil {
		return err
	}
	if sub.tok.kind != tokEnd {
		return sub.unexpected("the end")
	}
	return p.next()
}

// openAlias returns a parser of what the alias t stands for.
func (p *parser) openAlias(t token, text string) (*parser, error) {
	if p.open[t.text] {
		return nil, p.fail(http.StatusBadRequest, t.at, "@"+t.text, "the alias @"+t.text+" stands for itself")
	}
	// A list is read at each use, so that long ones could be read very often.
	if p.work.aliases += len(text); p.work.aliases > 2*p.limits.Length {
		return nil, p.badf(t.at, "aliases with long values are used too often")
	}
	p.open[t.text] = true
	sub, err := p.newParser("@"+t.text, text, p.row)
	sub.counted = p.counted
	return sub, err
}
