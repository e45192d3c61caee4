package reporting

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"gangway/internal/report/odata"
	"gangway/internal/report/query"
)

// A rowWriter writes rows as objects of JSON. Where control information, or another form of numbers, is
// asked for, it writes them member by member.
type rowWriter struct {
	c      *call
	q      *odata.Query
	apart  bool
	linked bool // each row says where what it leads to is
	bare   bool // of each row nothing but its address
	known  bool // each row says which it is
	shown  []*odata.Property
	before [][]byte // what stands before the value of each
	quotes []bool   // which values are put into quotes
	buf    []byte
}

// rowWriter returns what writes the rows of a query of a call.
func (s *Reporting) rowWriter(c *call, q *odata.Query) *rowWriter {
	w := &rowWriter{c: c, q: q, shown: query.Shown(q), linked: c.format.level == full && extended(q),
		apart: c.format.level == full || c.omitNulls}
	w.bare = c.Path.Refs && q == c.Query
	w.known = c.format.level == full
	if c.changed && !w.showsKey() {
		w.known, w.apart = true, true
	}
	for _, p := range w.shown {
		before := ""
		dynamic := !slices.Contains(q.Set.Properties, p)
		if (c.format.level == full || dynamic && c.format.level == minimal) && !inferred(p.Type.Kind) {
			before, w.apart = `"`+p.Name+`@odata.type":"`+typeName(p.Type.Kind)+`",`, true
		}
		w.before = append(w.before, []byte(before+`"`+p.Name+`":`))
		quote := c.format.quoted && quotable(p.Type.Kind)
		w.quotes = append(w.quotes, quote)
		w.apart = w.apart || quote
	}
	return w
}

// inferred reports whether a reader of JSON knows the type of such values from their form (J 4.6.3).
func inferred(k odata.Kind) bool { return k == odata.Boolean || k == odata.String }

// typeName returns a type as annotations have it.
func typeName(k odata.Kind) string { return "#" + strings.TrimPrefix(k.String(), "Edm.") }

// quotable reports whether JavaScript may have no room for such numbers.
func quotable(k odata.Kind) bool { return k == odata.Decimal || k == odata.Int64 }

// write writes a row as an element of an array.
func (w *rowWriter) write(r query.Row, further bool) error {
	w.buf = w.buf[:0]
	if further {
		w.buf = append(w.buf, ',')
	}
	w.buf = append(w.appendMembers(append(w.buf, '{'), r), '}')
	_, err := w.c.page.Write(w.buf)
	return err
}

// writeMembers writes a row's members into the object of the answer.
func (w *rowWriter) writeMembers(r query.Row) error {
	w.buf = w.appendMembers(w.buf[:0], r)
	w.c.members(w.buf)
	return w.c.page.full
}

func (w *rowWriter) appendMembers(dst []byte, r query.Row) []byte {
	switch {
	case w.bare:
		return append(append(dst, `"@odata.id":`...), w.address(keyOfRow(w.q, r))...)
	case !w.apart:
		return r.AppendMembers(dst)
	}
	begun := len(dst)
	if w.known {
		dst = w.appendIdentity(dst, r)
	}
	for i, before := range w.before {
		if w.c.omitNulls && r.Value(i) == nil {
			continue
		}
		if len(dst) > begun {
			dst = append(dst, ',')
		}
		dst = append(dst, before...)
		quote := w.quotes[i] && r.Value(i) != nil
		if quote {
			dst = append(dst, '"')
		}
		if dst = r.AppendJSON(dst, i); quote {
			dst = append(dst, '"')
		}
	}
	if w.linked {
		dst = w.appendLinks(dst, r)
	}
	return dst
}

// appendLinks appends the addresses of what a row leads to (J 8.1).
func (w *rowWriter) appendLinks(dst []byte, r query.Row) []byte {
	key := ""
	for _, n := range w.q.Set.Navigations {
		asked := w.q.Select == nil || slices.Contains(w.q.Links, n) ||
			slices.ContainsFunc(w.q.Expand, func(e odata.Expand) bool { return e.Navigation == n })
		if !asked {
			continue
		}
		if key == "" {
			key = keyText(w.q.Set, keyOfRow(w.q, r))
		}
		if len(dst) > 0 && dst[len(dst)-1] != '{' && dst[len(dst)-1] != ',' {
			dst = append(dst, ',')
		}
		dst = append(dst, `"`+n.Name+`@odata.navigationLink":`...)
		dst = append(dst, quoted(w.c.root+w.q.Set.Name+key+"/"+n.Name)...)
	}
	return dst
}

// appendIdentity appends the type and the address of a row. A row that stands for a group has none.
func (w *rowWriter) appendIdentity(dst []byte, r query.Row) []byte {
	q := w.q
	var key []any
	if w.c.changed {
		key = r.Key()
	} else if key = keyOfRow(q, r); key == nil {
		return append(dst, `"@odata.id":null`...)
	}
	if w.c.format.level == full {
		dst = append(dst, `"@odata.type":"#`+namespace+"."+q.Set.Name+`",`...)
	}
	return append(append(dst, `"@odata.id":`...), w.address(key)...)
}

// address returns the address of a row as JSON.
func (w *rowWriter) address(key []any) []byte {
	set := w.q.Set
	return quoted(w.c.root + set.Name + keyText(set, key))
}

// showsKey reports whether the key is among what is shown of each row.
func (w *rowWriter) showsKey() bool {
	return !slices.ContainsFunc(w.q.Set.Key, func(k *odata.Property) bool { return !slices.Contains(w.shown, k) })
}

// writeChange writes a changed row: as it is, or as removed if it does not match any more or is gone. Each version of
// OData has its own form for that (J 15).
func (w *rowWriter) writeChange(r query.Row, further bool) error {
	if r.Matches() {
		return w.write(r, further)
	}
	w.buf = w.buf[:0]
	if further {
		w.buf = append(w.buf, ',')
	}
	reason := "changed"
	if r.Gone() {
		reason = "deleted"
	}
	if w.c.version == v40 {
		w.buf = append(w.buf, `{"@odata.context":`...)
		w.buf = append(w.buf, quoted(w.c.root+"$metadata#"+w.c.Query.Set.Name+"/$deletedEntity")...)
		w.buf = append(append(w.buf, `,"id":`...), w.address(r.Key())...)
		w.buf = append(w.buf, `,"reason":"`+reason+`"}`...)
	} else {
		w.buf = append(append(w.buf, `{"@odata.removed":{"reason":"`+reason+`"},"@odata.id":`...), w.address(r.Key())...)
		w.buf = append(w.buf, '}')
	}
	_, err := w.c.page.Write(w.buf)
	return err
}

// keyOfRow returns the values of a row's key, which are part of every order; nil for a row that stands for
// a group.
func keyOfRow(q *odata.Query, r query.Row) (key []any) {
	if !extended(q) {
		return nil
	}
	at := r.Position()
	for _, k := range q.Set.Key {
		n, found := 0, false
		for _, o := range q.OrderBy {
			if _, constant := o.By.(*odata.Literal); constant {
				continue
			}
			if ref, ok := o.By.(*odata.Ref); ok && ref.Property == k {
				found = true
				break
			}
			n++
		}
		if !found {
			return nil
		}
		key = append(key, at[n])
	}
	return key
}

// keyText returns a key as it stands in an address, such as ('B-1').
func keyText(set *odata.EntitySet, key []any) string {
	parts := make([]string, len(key))
	for i, v := range key {
		parts[i] = keyValue(v)
		if len(key) > 1 {
			parts[i] = set.Key[i].Name + "=" + parts[i]
		}
	}
	return "(" + strings.Join(parts, ",") + ")"
}

func keyValue(v any) string {
	switch v := v.(type) {
	case string:
		return "'" + url.PathEscape(strings.ReplaceAll(v, "'", "''")) + "'"
	default:
		return fmt.Sprint(v)
	}
}
