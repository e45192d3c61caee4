package backup_test

import (
	"bytes"
	"io"
	"reflect"
	"strings"
	"testing"

	"gangway/internal/backup"

	"filippo.io/age"
)

var rows = [][]any{{"a", int64(-1 << 62), nil}, {"Ŝantos 🚢", int64(0), "<&>\x00\n\u2028"}}

// copyOf writes a copy of two tables.
func copyOf(t *testing.T, to ...age.Recipient) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := backup.NewWriter(&out, backup.Header{Program: "test"}, to...)
	must(t, err)
	must(t, w.Begin(116))
	for _, table := range []string{"one", "two"} {
		must(t, w.Table(table, []string{"x", "y", "z"}))
		for _, row := range rows {
			must(t, w.Row(row))
		}
	}
	must(t, w.Close())
	return out.Bytes()
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// check reads a copy to its end.
func check(copy []byte, with ...age.Identity) error {
	r, err := backup.NewReader(bytes.NewReader(copy), with...)
	if err != nil {
		return err
	}
	return r.Check()
}

// What is read is what was written, for the recipient of an encrypted copy too.
func TestRoundTrip(t *testing.T) {
	me, err := age.GenerateX25519Identity()
	must(t, err)
	for name, copy := range map[string][]byte{"plain": copyOf(t), "encrypted": copyOf(t, me.Recipient())} {
		r, err := backup.NewReader(bytes.NewReader(copy), me)
		must(t, err)
		for _, want := range []string{"one", "two"} {
			table, columns, err := r.Table()
			if err != nil || table != want || strings.Join(columns, "") != "xyz" {
				t.Fatalf("%s: Table = %s, %v, %v", name, table, columns, err)
			}
			var got [][]any
			for r.Next() {
				row, _ := r.Values()
				got = append(got, row)
			}
			if r.Err() != nil || !reflect.DeepEqual(got, rows) {
				t.Errorf("%s: rows %q, %v; want %q", name, got, r.Err(), rows)
			}
		}
		if _, _, err := r.Table(); err != io.EOF {
			t.Errorf("%s: Table at the end = %v; want EOF", name, err)
		}
	}
}

// A copy that lacks its end or in which a byte was changed is refused, wherever that is; so are another's copy and
// what is no copy.
func TestDamage(t *testing.T) {
	me, err := age.GenerateX25519Identity()
	must(t, err)
	other, err := age.GenerateX25519Identity()
	must(t, err)
	plain, sealed := copyOf(t), copyOf(t, me.Recipient())
	for name, copy := range map[string][]byte{"plain": plain, "encrypted": sealed} {
		for i := range copy {
			if check(copy[:i], me) == nil {
				t.Errorf("%s: one of %d bytes, cut after %d, is taken for complete", name, len(copy), i)
			}
			changed := bytes.Clone(copy)
			changed[i] ^= 0x20
			// Compressed data begins with when and where it was made, and its last byte is filled up: nobody's data.
			if check(changed, me) == nil && (name == "encrypted" || i >= 10 && i != len(copy)-9) {
				t.Errorf("%s: a change of byte %d goes unnoticed", name, i)
			}
		}
		if check(append(bytes.Clone(copy), copy...), me) == nil {
			t.Errorf("%s: two copies, one after the other, are taken for one", name)
		}
	}
	for want, err := range map[string]error{
		"give --identity":              check(sealed),
		"for somebody else":            check(sealed, other),
		"no copy that gangway backup ": check([]byte("SQLite format 3\x00 and so on")),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("it is refused with %v; want %q", err, want)
		}
	}
}
