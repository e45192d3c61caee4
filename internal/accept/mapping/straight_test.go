package mapping

import (
	"encoding/json"
	"testing"

	"gangway/internal/accept/decode"
	"gangway/internal/gangway"

	"github.com/google/go-cmp/cmp"
)

// TestStraightProgramsDoWhatTheInterpreterDoes runs programs both ways, on records that
// they expect and on others.
func TestStraightProgramsDoWhatTheInterpreterDoes(t *testing.T) {
	records := []any{
		map[string]any{"a": "1 Feb 1985", "b": map[string]any{"c": "Filipino", "d e": json.Number("7.50")},
			"f": false, "l": []any{"x"}, "n": nil},
		map[string]any{"b": map[string]any{"c": map[string]any{"#text": "PHL", "@x": "y"}}, "a": json.Number("31079")},
		map[string]any{"a": "", "b": nil}, map[string]any{}, map[string]any{"b": "a text"}, nil, "a text",
		[]any{"list"},
		map[string]any{"a": []any{"1985"}, "b": []any{"c"}, "f": true},
	}
	for program, isStraight := range map[string]bool{
		`{x: .a | date("DMY"), y: .b.c | country, z: .b["d e"], w: ."a"}`:  true,
		`{x: (.f // .a // "none"), y: {z: .n, w: $surname}, "q r": .l, a}`: true,
		`{x: .a, x: .b.c}`:           true,
		`.b | {c, d: .["d e"]}`:      true,
		`{x: .a | date("Y" + "DM")}`: false,
		`{x: null, y: "text", z: ., w: .a | name | phone | airport}`: true,
		`{x: .a | family_name, y: .a | given_names, z: .f | gender}`: true,
		`{x: .a | fromcsv}`: true,
		`{x: .l[0]}`:        false,
		`{x: .a?}`:          false,
		`{x: "\(.a)"}`:      false,
		`{x: .l[]}`:         false,
		`{x: .l[0:1]}`:      false,
		`{x: (.a, .b)}`:     false,
		`{x: .a | length}`:  false,
		`{(.a): 1}`:         false,
		`{x: 1}`:            false,
		`{$surname}`:        false,
		`def country: "mine"; {x: .b.c | country}`:   false,
		`{x: (def country: "mine"; .b.c | country)}`: false,
		`.a as $surname | {x: $surname}`:             false,
		`. as {a: $a} | {x: $a}`:                     false,
		`.a`:                                         false,
		`select(.a) | {x: .a}`:                       false,
		`{x: .a} | {y: .x}`:                          true,
		`{x: {y: .a}} | {z: .x, w: .x.y}`:            true,
		`{x: .a} // {y: .b}`:                         false,
		`{x: .a | date($surname)}`:                   false,
		`{x: .a | date("DM" + "Y")}`:                 false,
		`if .a then {x: .a} else {} end`:             false,
		`{x: (if .f then "yes" else "no" end)}`:      false,
		`{x: .a | if . == "" then null else . end}`:  false,
		`{"H": "M", "M": "F"}[.a]`:                   false,
		`{x: {"H": "M"}.H, y: {z: .a}["z"], "@w": @text, v: {"#text": .a}["#text"]}`: false,
		`{x: {"H": "M"}.H, y: {z: .a}["z"]}`:                                         true,
	} {
		p, err := parseProgram(".[] | " + program)
		if err != nil {
			t.Fatal(program, err)
		}
		r := newRunning(t.Context(), &Mapping{program: p, now: compiled(t, ".", gangway.TravellersFlow).now},
			unreadList{}, gangway.Ask{Surname: "Santos"})
		if (r.straight != nil) != isStraight {
			t.Errorf("%s: straight %t; want %t", program, r.straight != nil, isStraight)
		}
		for _, record := range records {
			got, gotErr := ran(r, record)
			straight := r.straight
			r.straight = nil
			want, wantErr := ran(r, record)
			r.straight = straight
			if diff := cmp.Diff(want, got); diff != "" || gotErr != wantErr {
				t.Errorf("%s of %v: interpreted −, straight +: %q, %q\n%s", program, record, wantErr, gotErr, diff)
			}
		}
	}
}

// ran returns what a program makes of a record, as JSON, and its error.
func ran(r *running, record any) (made, failed string) {
	if err := r.run(record); err != nil {
		return "", err.Error()
	}
	doc, err := json.Marshal(r.outputs)
	if err != nil {
		return "", err.Error()
	}
	return string(doc), ""
}

// unreadList is a list of which nothing is read.
type unreadList struct{}

func (unreadList) List() bool                 { return true }
func (unreadList) Next() (decode.Item, error) { return decode.Item{}, nil }
