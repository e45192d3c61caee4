package reporting

import (
	"context"
	"net/http"
	"strings"

	"gangway/internal/report/odata"
	"gangway/internal/report/query"
	"gangway/internal/store"
)

// entity answers with the one row of a key.
func (s *Reporting) entity(ctx context.Context, c *call) (int, error) {
	rows := s.rowWriter(c, c.Query)
	if c.omitNulls {
		c.applied("omit-values=nulls")
	}
	found, err := s.oneWith(ctx, c, rows)
	switch {
	case err != nil:
		return 0, err
	case !found && len(c.Path.Steps) > 0 && c.Path.Steps[len(c.Path.Steps)-1].Key == nil: // it leads to none (P 11.2.7)
		return http.StatusNoContent, wantParent(ctx, c)
	case !found:
		return 0, noSuchRow(c)
	}
	if _, err := c.page.Write([]byte("}")); err != nil {
		return 0, err
	}
	return http.StatusOK, nil
}

// property answers with one property of a row (P 11.2.4); 204 is null.
func (s *Reporting) property(ctx context.Context, c *call) (int, error) {
	return s.propertyOf(ctx, c, func(p *odata.Property, json []byte, _ any) {
		c.begin()
		if c.format.level == full && !inferred(p.Type.Kind) {
			c.member("@odata.type", quoted(typeName(p.Type.Kind)))
		}
		if c.format.quoted && quotable(p.Type.Kind) {
			json = quoted(string(json))
		}
		c.member("value", json)
		c.page.Write([]byte("}"))
	})
}

// value answers with the bare value of a property (P 11.2.4.1); 204 is null.
func (s *Reporting) value(ctx context.Context, c *call) (int, error) {
	return s.propertyOf(ctx, c, func(_ *odata.Property, json []byte, v any) {
		if text, ok := v.(string); ok {
			c.page.Write([]byte(text))
			return
		}
		c.page.Write([]byte(strings.Trim(string(json), `"`)))
	})
}

// propertyOf finds the property of a call's path, and has it written unless it is null.
func (s *Reporting) propertyOf(ctx context.Context, c *call, write func(*odata.Property, []byte, any)) (int, error) {
	p := c.Path.Property
	one := *c.Query
	one.Select = []*odata.Property{p}
	c.Query = &one
	isNull := false
	found, err := s.one(ctx, c, true, func(r query.Row) error {
		c.key = keyOfRow(c.Query, r)
		if isNull = r.Value(0) == nil; !isNull {
			write(p, r.AppendJSON(nil, 0), r.Value(0))
		}
		return nil
	})
	switch {
	case err != nil:
		return 0, err
	case !found:
		return 0, noSuchRow(c)
	case isNull:
		return http.StatusNoContent, nil
	}
	return http.StatusOK, nil
}

// oneWith writes the members of the row that the path leads to, and what it leads to itself.
func (s *Reporting) oneWith(ctx context.Context, c *call, rows *rowWriter) (found bool, err error) {
	if len(c.Query.Expand) == 0 {
		return s.one(ctx, c, rows.apart, func(r query.Row) error {
			c.begin()
			return rows.writeMembers(r)
		})
	}
	req, err := query.For(c.Request)
	if err != nil {
		return false, err
	}
	req.Limit, req.Apart = 2, rows.apart
	_, _, err = s.expanded(ctx, c, req, rows, store.ReportAnswer{}, func(x *expansion, nodes []*node) error {
		found = true
		c.begin()
		return x.write(ctx, c.Query, nodes[0])
	})
	return found, err
}

// one reads the row that the path leads to.
func (s *Reporting) one(ctx context.Context, c *call, apart bool, do func(query.Row) error) (found bool, err error) {
	req, err := query.For(c.Request)
	if err != nil {
		return false, err
	}
	req.Limit, req.Apart = 1, apart
	err = report(ctx, c, req, store.ReportAnswer{Row: func(r query.Row) error {
		found = true
		return do(r)
	}})
	return found, err
}
