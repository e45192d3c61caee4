package decode

import (
	"strings"
	"testing"
)

// TestStringsEnd holds that a string ends at the first quotation mark that no
// backslash takes the meaning from, and nothing in it counts as a value.
func TestStringsEnd(t *testing.T) {
	for _, tt := range []struct {
		doc  string
		ends int
	}{
		{`""`, 1},
		{`"a"`, 2},
		{`"a\"b"`, 5},
		{`"a\\"`, 4},
		{`"a\\\"b"`, 7},
		{`"\"\\\\" ,"b"`, 7},
		{`"open`, 5},
		{`"open\"`, 7},
		{`"`, 1},
	} {
		if got := closing([]byte(tt.doc), 0); got != tt.ends {
			t.Errorf("closing(%s) = %d; want %d", tt.doc, got, tt.ends)
		}
	}
	if _, err := JSON([]byte(`["`+strings.Repeat(`[{\"`, 50)+`"]`), 3); err != nil {
		t.Errorf("brackets in a string: %v; want them to be text", err)
	}
	if _, err := JSON([]byte(`["\\",[[[]]]]`), 3); err == nil {
		t.Error("brackets behind a string that ends with a backslash are taken for text")
	}
}

// TestWeight holds that a document is never thought to weigh less than its
// values, nor much for what only looks like values.
func TestWeight(t *testing.T) {
	record := `{"last_name":"Santos","first_name":"Maria"},`
	for _, n := range []int{1, 1000, 200_000} {
		doc := `[` + strings.Repeat(record, n) + `{}]`
		want := int64(len(doc)) + int64(n+1)*500 + int64(n)*4*24
		if got := Weight([]byte(doc)); got != want {
			t.Errorf("%d records weigh %d; want %d", n, got, want)
		}
	}
	text := `["` + strings.Repeat(`{\"`, 1<<20) + `"]`
	if got, most := Weight([]byte(text)), int64(len(text)+24); got > most {
		t.Errorf("a text of braces weighs %d; want at most %d", got, most)
	}
}
