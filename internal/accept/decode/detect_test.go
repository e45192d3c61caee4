package decode

import (
	"testing"

	"gangway/internal/gangway"
)

// TestWhatADocumentIs holds that content decides how a document is written, and that its name and
// content type help where it leaves that open.
func TestWhatADocumentIs(t *testing.T) {
	for _, tt := range []struct {
		name, contentType, doc string
		want                   gangway.FormatKind // empty: it cannot be told
	}{
		{"", "", `[{"a":1}]`, "json"},
		{"", "", "\n {\"a\":1}", "json"},
		{"crew.csv", "text/csv", `[{"a":1}]`, "json"},
		{"crew.json", "application/json", "a,b\n1,2\n", "csv"},
		{"", "text/html", "a,b\n1,2\n", "csv"},
		{"", "", "sep=;\na\n1\n", "csv"},
		{"", "", "time,vessel\n08:00,Star\n09:00,Moon\n", "csv"},
		{"", "", "name;born\n\"Santos; M\";1985\n", "csv"},
		{"names.csv", "", "name\nSantos\nCruz\n", "csv"},
		{"", "text/csv; charset=utf-8", "name\nSantos\nCruz\n", "csv"},
		{"", "text/plain", "name\nSantos\nCruz\n", ""},
		{"crew.txt", "", "Santos        Maria     F1985\nCruz          Jose      M1990\n", ""},
		{"crew.json", "", "<crew><m/></crew>", "xml"},
		{"", "", "<!-- x --><c:crew xmlns:c='u'/>", "xml"},
		{"", "", "<Envelope><Letter/></Envelope>", "xml"},
		{"", "", `<?xml version="1.0"?> <S:Envelope xmlns:S="http://schemas.xmlsoap.org/soap/envelope/">` +
			`<S:Body/></S:Envelope>`, "soap"},
		{"", "", "---\nname: Santos\n", "yaml"},
		{"", "", "- name: Santos\n  born: 1985\n- name: Cruz\n", "yaml"},
		{"", "", "# crew\ncrew:\n  - name: Santos\n", "yaml"},
		{"", "", "crew:\n- name: Santos\n", "yaml"},
		{"", "", "Name: Santos\nBorn: 1985\n", "pairs"},
		{"crew.yml", "", "Name: Santos\nBorn: 1985\n", "yaml"},
		{"", "application/yaml", "Name: Santos\nBorn: 1985\n", "yaml"},
		{"", "", "Name = Santos, Maria\nBorn = 1985\n\nName = Cruz, Jose\n", "pairs"},
		{"", "", "Dear crew office,\nplease book two flights.\n", ""},
	} {
		in := input(tt.name, []byte(tt.doc))
		in.ContentType = tt.contentType
		d, err := Open(in, gangway.DocumentFormat{Kind: gangway.AutoFormat}, Limits{})
		if tt.want == "" {
			if err == nil || err.Error() != "it has no format that is known here; the feed may name one" {
				t.Errorf("%s %s %q: %v; want that it cannot be told", tt.name, tt.contentType, tt.doc, err)
			}
			continue
		}
		if err != nil || d.Format.Kind != tt.want {
			t.Errorf("%s %s %q is %+v, %v; want %s", tt.name, tt.contentType, tt.doc, d, err, tt.want)
		}
	}
}

// TestLetters holds how a document's letters are found out.
func TestLetters(t *testing.T) {
	far := make([]byte, 200_000) // beyond what is looked at when a document is opened
	for i := range far {
		far[i] = "x\n"[i%2]
	}
	for _, tt := range []struct {
		what, contentType, said, doc, want, encoding string
	}{
		{"UTF-8", "", "", "a,b\né,1\n", "é", "utf-8"},
		{"UTF-8, whatever the content type says", "text/csv; charset=iso-8859-1", "", "a,b\né,1\n", "é", "utf-8"},
		{"not UTF-8", "", "", "a,b\n\xE9\x80,1\n", "é€", "windows-1252"},
		{"not UTF-8, as the content type says", "text/csv; charset=windows-1250", "", "a,b\n\xB9,1\n", "ą",
			"windows-1250"},
		{"not UTF-8, as the feed says", "text/csv; charset=windows-1250", "windows-1251", "a,b\n\xE9,1\n", "й",
			"windows-1251"},
		{"a mark is certain", "", "windows-1252", "\xEF\xBB\xBFa,b\né,1\n", "é", "utf-8"},
		{"Japanese, as the feed says", "", "shift_jis", "a,b\n\x93\xFA,1\n", "日", "shift_jis"},
		{"far behind", "", "", "a,b\n" + string(far) + "\n\xE9,1\n", "é", "windows-1252"},
		{"one letter of many is wrong", "", "", "a,b\né,1\nü,1\n\xE9,1\n", "é", "utf-8"},
	} {
		in := input("x.csv", []byte(tt.doc))
		in.ContentType = tt.contentType
		d, err := Open(in, gangway.DocumentFormat{Encoding: tt.said, Delimiter: ","}, Limits{})
		if err != nil {
			t.Errorf("%s: %v", tt.what, err)
			continue
		}
		got := ""
		for err == nil {
			var item Item
			if item, err = d.Next(); err == nil {
				if cell := item.Value.(map[string]any)["a"].(string); cell != "x" && got == "" {
					got = cell
				}
			}
		}
		if got != tt.want || d.Format.Encoding != tt.encoding {
			t.Errorf("%s: it says %q in %s; want %q in %s", tt.what, got, d.Format.Encoding, tt.want, tt.encoding)
		}
	}
	for doc, want := range map[string]string{
		"<?xml version='1.0' encoding='ebcdic-cp-us'?><a/>":   `its encoding "ebcdic-cp-us" is unknown`,
		"<?xml version='1.0' encoding='utf-8'?><a>\xE9 x</a>": "it is not well formed: invalid UTF-8, at line 1",
	} {
		if got := says(text(doc), gangway.DocumentFormat{}, Limits{}); got != "not opened: "+want+"\n" &&
			got != "broken: "+want+"\n" {
			t.Errorf("%q: %s; want %s", doc, got, want)
		}
	}
}
