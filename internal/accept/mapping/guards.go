package mapping

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"

	"github.com/itchyny/gojq"
)

// How much one step of a program may make.
const (
	longestText  = 16 << 20 // of repeating a text
	longestList  = 1_000_000
	longestPath  = 1_000
	mostDigits   = 400
	mostCompares = 100_000_000 // of the elements of two lists
)

// guards are the functions that bounded programs call before they do what may
// take much.
func guards(m *meter) []gojq.CompilerOption {
	g := guard{m}
	return []gojq.CompilerOption{
		gojq.WithFunction("_guardcharge", 1, 1, g.charge), gojq.WithFunction("_guardindex", 0, 0, g.index),
		gojq.WithFunction("_guardpath", 0, 0, g.path), gojq.WithFunction("_guardadd2", 2, 2, g.add),
		gojq.WithFunction("_guardmul2", 2, 2, g.multiply), gojq.WithFunction("_guardsub2", 2, 2, g.subtract),
		gojq.WithFunction("_guarddiv2", 2, 2, g.divide), gojq.WithFunction("_guardjoin", 1, 1, g.join),
		gojq.WithFunction("_guardcontains", 1, 1, g.compare), gojq.WithFunction("_guardinside", 1, 1, g.compare),
		gojq.WithFunction("_guardtranspose", 0, 0, g.transpose),
		gojq.WithFunction("_guardfromjson", 0, 0, g.digits), gojq.WithFunction("_guardtonumber", 0, 0, g.digits),
	}
}

type guard struct{ *meter }

// take charges for a value: so many bytes for each byte that it takes.
func (g guard) take(value any, factor int) error {
	switch v := value.(type) {
	case string:
		if factor == costs["match"] {
			g.meter.worked(len(v) * (factor + len(v)/2) / bytesPer) // matches are counted in signs from the first on
		}
		if len(v) < 1<<10 {
			return nil
		}
		return g.meter.charge(len(v) * factor)
	case []any, map[string]any:
		return g.meter.charge(weigh(v, mostValue, 0) * factor)
	}
	return nil
}

func (g guard) charge(value any, args []any) any {
	factor, _ := args[0].(int)
	if err := g.take(value, factor); err != nil {
		return err
	}
	return value
}

func (g guard) index(value any, _ []any) any {
	if n, ok := gojq.ToFloat64(value); ok && n > longestList {
		return errIndex
	}
	return value
}

func (g guard) path(value any, _ []any) any {
	path, _ := value.([]any)
	if len(path) > longestPath {
		return errNested
	}
	for _, at := range path {
		if n, ok := gojq.ToFloat64(at); ok && n > longestList {
			return errIndex
		}
	}
	return value
}

// shallow charges for what adding a value takes: a list is copied, what is in it is not.
func (g guard) shallow(value any) error {
	switch v := value.(type) {
	case string:
		if len(v) > 1<<10 {
			return g.meter.charge(len(v))
		}
	case []any:
		if len(v) > 1<<6 {
			return g.meter.charge(16 * len(v))
		}
	case map[string]any:
		if len(v) > 1<<6 {
			return g.meter.charge(48 * len(v))
		}
	}
	return nil
}

func (g guard) both(args []any, charge func(any) error) error {
	for _, a := range args {
		if err := charge(a); err != nil {
			return err
		}
	}
	return nil
}

var add = func() *gojq.Code {
	query, err := gojq.Parse(".[0] + .[1]")
	if err != nil {
		panic(err)
	}
	code, err := gojq.Compile(query)
	if err != nil {
		panic(err)
	}
	return code
}()

// add adds two values as jq does: texts, the commonest, without asking it.
func (g guard) add(_ any, args []any) any {
	if err := g.both(args, g.shallow); err != nil {
		return err
	}
	if l, ok := args[0].(string); ok {
		if r, ok := args[1].(string); ok {
			return l + r
		}
	}
	sum, _ := add.Run(slices.Clone(args)).Next()
	return sum
}

func (g guard) multiply(_ any, args []any) any {
	l, lok := args[0].(string)
	r, rok := args[1].(string)
	switch {
	case lok || rok:
		times, ok := gojq.ToFloat64(args[1])
		if rok {
			l = r
			times, ok = gojq.ToFloat64(args[0])
		}
		if ok && times > 0 && times*float64(len(l)) > longestText {
			return errMemory
		}
		if ok && times > 0 {
			if err := g.meter.charge(int(times * float64(len(l)))); err != nil {
				return err
			}
		}
	case isObject(args[0]) || isObject(args[1]):
		if err := g.both(args, func(v any) error { return g.take(v, 1) }); err != nil {
			return err
		}
	case bits(args[0])+bits(args[1]) > 4096:
		return []any{float(args[0]), float(args[1])}
	}
	return slices.Clone(args) // the interpreter uses args again
}

func isObject(v any) bool { _, ok := v.(map[string]any); return ok }

// bits returns how long a number is.
func bits(v any) int {
	switch v := v.(type) {
	case *big.Int:
		return v.BitLen()
	case json.Number:
		return 4 * len(v)
	}
	return 64
}

func float(v any) any {
	f, ok := gojq.ToFloat64(v)
	if !ok {
		return v
	}
	return f
}

func (g guard) subtract(_ any, args []any) any {
	l, _ := args[0].([]any)
	r, _ := args[1].([]any)
	if len(l)*len(r) > mostCompares {
		return errTime
	}
	g.meter.worked(len(l) * len(r) / comparesPer)
	if len(l) > 0 && len(r) > 0 {
		if err := g.both(args, func(v any) error { return g.take(v, 1) }); err != nil {
			return err
		}
	}
	return slices.Clone(args)
}

func (g guard) divide(_ any, args []any) any {
	if l, ok := args[0].(string); ok {
		if err := g.take(l, 32); err != nil {
			return err
		}
	}
	return slices.Clone(args)
}

// join charges for all texts and what stands between them.
func (g guard) join(value any, args []any) any {
	list, _ := value.([]any)
	between, _ := args[0].(string)
	if err := g.take(value, 4); err != nil {
		return err
	}
	if err := g.meter.charge(len(list) * len(between)); err != nil {
		return err
	}
	return value
}

// compare charges for comparing each part of a value with each of another.
func (g guard) compare(value any, args []any) any {
	l, r := weigh(value, mostValue, 0)/16+1, weigh(args[0], mostValue, 0)/16+1
	if l*r > mostCompares {
		return errTime
	}
	g.meter.worked(l * r / comparesPer)
	return value
}

func (g guard) transpose(value any, _ []any) any {
	rows, _ := value.([]any)
	longest := 0
	for _, row := range rows {
		row, _ := row.([]any)
		longest = max(longest, len(row))
	}
	if err := g.meter.charge(16 * longest * len(rows)); err != nil {
		return err
	}
	return value
}

// digits refuses texts with numbers that nobody means: to read them takes long.
func (g guard) digits(value any, _ []any) any {
	s, ok := value.(string)
	if !ok || len(s) <= mostDigits {
		return value
	}
	if err := g.take(s, 32); err != nil {
		return err
	}
	run, nested := 0, 0
	for i := range len(s) {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			if run++; run > mostDigits {
				return errNumber
			}
			continue
		case strings.IndexByte("[{", c) >= 0:
			if nested++; nested > mostNested {
				return errNested
			}
		case strings.IndexByte("]}", c) >= 0:
			nested--
		}
		run = 0
	}
	return value
}
