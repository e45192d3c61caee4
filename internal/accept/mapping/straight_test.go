package mapping

import (
	"reflect"
	"testing"
)

// TestStraightIsWhatTheInterpreterMakes: what a worker runs by itself has the outputs of jq, or is left to jq.
func TestStraightIsWhatTheInterpreterMakes(t *testing.T) {
	records := []any{
		nil, "text", 1, []any{"x"}, map[string]any{},
		map[string]any{"a": "02.03.1990", "b": map[string]any{"c": "Germany"}, "d": false, "e": "männlich"},
		map[string]any{"a": "x", "b": "text", "d": nil}, map[string]any{"b": []any{map[string]any{"c": 1}}},
	}
	for text, want := range map[string]bool{
		`.`: true, `.a`: true, `.b.c`: true, `."a"`: true, `.["a"]`: true, `.b["c"]`: true, `{a, b}`: false,
		`{x: .a, y: {z: .b.c | country}}`: true, `{"x": (.a | date("DMY")), y: (.e | gender)}`: true,
		`.b | {c: .c}`: true, `{x: (.a // .b.c)}`: false, `{x: .a?}`: false, `{x: .b[0]}`: false, `{(.a): 1}`: false,
		`{x: (.a | date(.e))}`: false, `def country: "mine"; {x: (.a | country)}`: false, `{x: .a, x: .e}`: true,
		`{x: [.a]}`: false, `{x: (.a, .b)}`: false, `. as $p | {x: $p.a}`: false, `{x: "\(.a)"}`: false, `{$surname}`: false,
		`{x: airport(.e; "DE")}`: false, `{x: $surname}`: false,
	} {
		p, err := parseProgram(text)
		if err != nil {
			t.Fatal(err)
		}
		guessed := 0
		functions := helpers(today, func(string, string) { guessed++ })
		code, err := p.compile(p.whole, functions)
		if err != nil {
			t.Fatal(err)
		}
		straight := straightening(functions).query(p.whole)
		if (straight != nil) != want {
			t.Errorf("%s is straight: %t; want %t", text, straight != nil, want)
			continue
		}
		for _, record := range records {
			if straight == nil {
				break
			}
			made, ok := straight(record)
			iter := code.Run(record, nil, nil, nil, nil)
			wanted, _ := iter.Next()
			_, failed := wanted.(error)
			if ok == failed || ok && !reflect.DeepEqual(made, wanted) {
				t.Errorf("%s of %v: %v, %t; want %v", text, record, made, ok, wanted)
			}
		}
	}
}
