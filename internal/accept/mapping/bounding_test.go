package mapping

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/itchyny/gojq"
)

// TestBoundedProgramsDoWhatTheyDidBefore runs programs as they are and bounded.
func TestBoundedProgramsDoWhatTheyDidBefore(t *testing.T) {
	value := map[string]any{"a": "x,y", "n": 3, "f": 1.5, "l": []any{3, 1, 2, 1}, "e": "",
		"o": map[string]any{"p": nil, "q": "Q"}, "t": "2026-11-20T10:00:00Z",
		"r": []any{map[string]any{"k": "b", "v": 1}, map[string]any{"k": "a", "v": 2}}}
	for _, program := range []string{
		`.n + 1, .a + "z", .l + [9], .o + {z: 1}, null + .n`, `.n - 1, .l - [1], .n * 2.5, "ab" * 2, .o * {q: {w: 1}}, .n / 2, .a / ",", .n % 2`,
		`.n += 1, .a *= 2, .l -= [1], .n /= 3, .n %= 2, .z //= 5`, `.n == 3, .l == [3,1,2,1], .a < .t, .o != {}, .n >= .f`,
		`"\(.a)-\(.n)\("in \(.f)")"`, `@json "v \(.o)", @base64, (.a | @uri), @text`, `.l | sort, unique, add, min, max, reverse, length`,
		`.r | sort_by(.k), group_by(.v), unique_by(.k), min_by(.v), map(.v), add(.[].v), INDEX(.k), any(.v == 1), all(.v > 0)`,
		`[.r[] | select(.k | test("^a$")) | .v]`, `.a | split(","), split(",";null), ascii_upcase, explode, ltrimstr("x"), [match(",").offset]`,
		`.a | sub(",";"-"), gsub("(?<w>[a-z])";"<\(.w)>"), gsub("";"."), sub("(?<u>zzz)?x"; "[\(.u)]"), [gsub("x,y"; "1", "2")]`,
		`.a | capture("(?<one>.),(?<two>.)"), [scan(".")], [splits(",")]`, `.o | to_entries, with_entries(.value |= tostring), keys, has("p"), map_values(1)`,
		`path(..), [paths], del(.o.p, .l[0]), pick(.o.q)`, `.l |= map(. + 1), .o.q |= ascii_downcase, (.r[] | .v) |= . * 2`,
		`.l[1:3] = ["s"], .l[-1] = 7, .l[.n - 1], .o["q"], .["a"]`, `getpath(["o","q"]), setpath(["o","x","y"]; 1), delpaths([["a"],["o","q"]])`,
		`reduce .l[] as $x (0; . + $x), [foreach .l[] as $x (0; . + $x; [$x, .])]`, `. as {a: $a, l: [$b]} | [$a, $b]`, `[limit(2; .l[])], first(.l[]), [range(3)]`,
		`try error("x") catch ., (.a.b? // "none"), [.l[] | if . > 1 then "big" elif . == 1 then "one" else . end]`,
		`.t | fromdate | todate, (.t | strptime("%Y-%m-%dT%H:%M:%SZ") | mktime)`, `[.l, .l] | transpose, flatten, (.[0] | join("-")), contains([[1]])`,
		`tojson | fromjson | .n, (.n | tostring | tonumber)`, `def f(x): x + 1; def g: f(.n); g, ([recurse(if . < 3 then . + 1 else empty end; true)?] | length)`,
		`[.l | until(length < 2; .[1:])], label $out | .l[] | if . == 2 then break $out else . end`, `.l | index(1), rindex(1), indices(1), inside([1,2,3])`,
		`walk(if type == "string" then length else . end)`, `.a | ltrimstr("x") | @html "<\(.)>"`, `[.[] | scalars], (.f | floor, sqrt), infinite`,
	} {
		plain, err := gojq.Parse(program)
		if err != nil {
			t.Fatal(program, err)
		}
		p, err := parseProgram(program)
		if err != nil {
			t.Errorf("%s: %v", program, err)
			continue
		}
		m := newMeter(t.Context(), nil)
		m.now = compiled(t, ".", "travellers").now
		code, err := p.compile(m)
		if err != nil {
			t.Errorf("%s: %v", program, err)
			continue
		}
		m.start(mostTime)
		want, got := outputs(plain.Run(value)), outputs(code.RunWithContext(m, value, nil, nil, nil, nil))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: plain −, bounded +:\n%s", program, diff)
		}
	}
}

// outputs are what a program puts out; an error as its text.
func outputs(iter gojq.Iter) (list []any) {
	for {
		v, ok := iter.Next()
		if !ok {
			return list
		}
		if err, failed := v.(error); failed {
			return append(list, err.Error())
		}
		if f, ok := v.(float64); ok && f != f {
			v = "NaN"
		}
		list = append(list, v)
	}
}
