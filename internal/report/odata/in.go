package odata

// in reads the list behind in, and returns whether x is a member of it.
func (p *parser) in(x Expr) Expr {
	at := p.tok.at
	p.spaced()
	if isNull(x) || x.Info().Type.Kind == beyond {
		return p.badf(x.Info().At, "in needs a property or an expression before it")
	}
	in := &In{Node: Node{Type: Type{Kind: Boolean}, At: x.Info().At}, X: x}
	if p.tok.kind == tokAlias {
		p.aliasList(in)
	} else {
		p.list(in)
	}
	if len(in.List) == 0 && !in.OrNull {
		return truth(at, false)
	}
	return p.built(in, at)
}

// list reads ('a','b'), or ["a","b"] as JSON has it, into in.
func (p *parser) list(in *In) {
	end := ")"
	if p.tok.is("[") {
		end = "]"
	} else if !p.tok.is("(") {
		p.unexpected("a list such as ('a','b')")
	}
	for p.err == nil {
		p.next()
		t := p.tok
		switch {
		case t.kind == tokJSON && end == "]":
			t = p.literal(t.at, Type{Kind: String}, t.text)
		case t.kind == tokName && p.operator() == nil, t.is("["), t.is("{"):
			p.unsupported(t.at, "a list of anything but literals")
			return
		case t.kind != tokLiteral:
			p.unexpected("a literal")
			return
		}
		p.memberOf(in, t.lit)
		p.next()
		if p.tok.is(end) {
			p.next()
			return
		}
		if !p.tok.is(",") {
			p.unexpected("a comma or " + end)
		}
	}
}

// memberOf adds a literal to the list, as a value of the type of X. One that X
// can never equal, as it has more digits than X, is left out.
func (p *parser) memberOf(in *In, l *Literal) {
	p.member(l.At)
	if l.Value == nil {
		in.OrNull = true
		return
	}
	if c, ok := p.compare(Eq, l.At, in.X, l).(*Compare); ok {
		if r, ok := c.Right.(*Literal); ok {
			in.List = append(in.List, r)
		}
	}
}
