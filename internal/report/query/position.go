package query

import (
	"encoding/json"
	"errors"
	"math/big"
	"strconv"

	"gangway/internal/report/odata"
)

// A Position is a row's place in an order: what it is ordered by. Its values are nil, a bool, a
// string, an int64 or a wide number.
type Position []any

// wideNumber is a number that is wide in SQL.
type wideNumber struct{ *big.Int }

// Text returns the position as a text without blanks, to be put into a link.
func (p Position) Text() string {
	list := make([]any, len(p))
	for i, v := range p {
		switch v := v.(type) {
		case int64: // as texts: a number of JSON may be read as a float
			list[i] = map[string]string{"n": strconv.FormatInt(v, 10)}
		case wideNumber:
			list[i] = map[string]string{"n": v.String()}
		default:
			list[i] = v
		}
	}
	text, err := json.Marshal(list)
	if err != nil { // such values can always be written
		panic(err)
	}
	return string(text)
}

// errPosition says that a link was changed, or belongs to another query.
var errPosition = errors.New("it does not belong to this query")

// ParsePosition reads a position in the order of the query. It checks that each value has the type
// of what it is the value of, since links come from outside.
func ParsePosition(q *odata.Query, text string) (Position, error) {
	var types []*odata.Node
	for _, o := range q.OrderBy {
		if _, constant := o.By.(*odata.Literal); !constant {
			types = append(types, o.By.Info())
		}
	}
	return parsePosition(types, text)
}

// parsePosition reads a position of values of these types.
func parsePosition(types []*odata.Node, text string) (Position, error) {
	var list []any
	if err := json.Unmarshal([]byte(text), &list); err != nil || len(list) != len(types) {
		return nil, errPosition
	}
	p := Position{}
	for i, n := range types {
		v, ok := positionValue(n, list[i])
		if !ok {
			return nil, errPosition
		}
		p = append(p, v)
	}
	return p, nil
}

func positionValue(n *odata.Node, v any) (any, bool) {
	switch v := v.(type) {
	case nil:
		return nil, n.Nullable
	case bool:
		return v, n.Type.Kind == odata.Boolean
	case string:
		return v, isText(n.Type.Kind)
	case map[string]any:
		digits, _ := v["n"].(string)
		if len(v) != 1 || len(digits) > wideDigits-1 || n.Type.Kind == odata.Boolean || isText(n.Type.Kind) {
			return nil, false
		}
		number, ok := new(big.Int).SetString(digits, 10)
		switch {
		case !ok:
			return nil, false
		case isWide(n):
			return wideNumber{number}, true
		}
		return number.Int64(), number.IsInt64()
	}
	return nil, false
}
