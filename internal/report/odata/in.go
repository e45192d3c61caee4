package odata

// in reads the list behind in, and returns whether x is a member of it.
func (p *parser) in(x Expr) (Expr, error) {
	at := p.tok.at
	if err := p.spaced(); err != nil {
		return nil, err
	}
	if isNull(x) || x.Info().Type.Kind == beyond {
		return nil, p.badf(x.Info().At, "in needs a property or an expression before it")
	}
	in := &In{Node: Node{Type: Type{Kind: Boolean}, At: x.Info().At}, X: x}
	var err error
	if p.tok.kind == tokAlias {
		err = p.aliasList(in)
	} else {
		err = p.list(in)
	}
	if err != nil {
		return nil, err
	}
	if len(in.List) == 0 && !in.OrNull {
		return truth(at, false), nil
	}
	return in, p.built(in, at)
}

// list reads ('a','b'), or ["a","b"] as JSON has it, into in.
func (p *parser) list(in *In) error {
	end := ")"
	if p.tok.is("[") {
		end = "]"
	} else if !p.tok.is("(") {
		return p.unexpected("a list such as ('a','b')")
	}
	for {
		if err := p.next(); err != nil {
			return err
		}
		t := p.tok
		if t.kind == tokJSON && end == "]" {
			t = p.literal(t.at, Type{Kind: String}, t.text)
			t.at = p.tok.at
		} else if t.kind == tokName && p.operator() == nil || t.is("[") || t.is("{") {
			return p.unsupported(t.at, "a list of anything but literals")
		} else if t.kind != tokLiteral {
			return p.unexpected("a literal")
		}
		if err := p.memberOf(in, t.lit); err != nil {
			return err
		}
		if err := p.next(); err != nil {
			return err
		}
		if p.tok.is(end) {
			return p.next()
		}
		if !p.tok.is(",") {
			return p.unexpected("a comma or " + end)
		}
	}
}

// memberOf adds a literal to the list, as a value of the type of X. One that X
// can never equal, as it has more digits than X, is left out.
func (p *parser) memberOf(in *In, l *Literal) error {
	if err := p.member(l.At); err != nil {
		return err
	}
	if l.Value == nil {
		in.OrNull = true
		return nil
	}
	c, err := p.compare(Eq, l.At, in.X, l)
	if err != nil {
		return err
	}
	if c, ok := c.(*Compare); ok {
		if r, ok := c.Right.(*Literal); ok {
			in.List = append(in.List, r)
		}
	}
	return nil
}
