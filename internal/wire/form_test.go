package wire

import (
	"net/url"
	"strings"
	"testing"
)

// A form is read in its own charset.
func TestReadForm(t *testing.T) {
	const encoded = "application/x-www-form-urlencoded"
	part := func(head, value string) string {
		return "--b\r\nContent-Disposition: form-data; name=\"last_name\"\r\n" + head + "\r\n" + value + "\r\n--b--\r\n"
	}
	tests := []struct {
		name, kind, body string
		want             string // of the field last_name
		note             string
	}{
		{"UTF-8", encoded, "last_name=" + url.QueryEscape("Müller 王"), "Müller 王", ""},
		{"plain letters", encoded, "last_name=Santos", "Santos", ""},
		{"an old page that names no charset", encoded, "last_name=M%FCller", "Müller", "Windows-1252"},
		{"one that says UTF-8 and is not", encoded + "; charset=utf-8", "last_name=M%FCller", "Müller",
			"Windows-1252"},
		{"the field _charset_", encoded, "_charset_=windows-1251&last_name=%CC%E0%F0%E8%FF", "Мария", ""},
		{"ISO-8859-1 by that field", encoded, "_charset_=ISO-8859-1&last_name=M%FCller", "Müller", ""},
		{"ISO-8859-2 by the content type", encoded + "; charset=iso-8859-2", "last_name=Wa%B3%EAsa", "Wałęsa", ""},
		{"GBK", encoded, "_charset_=gbk&last_name=%CD%F5", "王", ""},
		{"the field before the content type", encoded + "; charset=utf-8", "_charset_=iso-8859-2&last_name=Wa%B3%EAsa",
			"Wałęsa", ""},
		{"an unknown charset", encoded, "_charset_=x-klingon&last_name=" + url.QueryEscape("Müller"), "Müller",
			"“x-klingon”"},
		{"an unknown charset, and not UTF-8", encoded, "_charset_=x-klingon&last_name=M%FCller", "Müller",
			"“x-klingon”"},
		{"an empty _charset_", encoded, "_charset_=&last_name=" + url.QueryEscape("Müller"), "Müller", ""},
		{"letters that the page's charset does not have", encoded,
			"_charset_=iso-8859-1&last_name=Wa%26%23322%3B%26%23281%3Bsa", "Wałęsa", ""},
		{"a reference to no letter", encoded, "last_name=A%26%230000007%3B", "A&#0000007;", ""},
		{"bytes that are not text", encoded, "last_name=M%81ller", "M\ufffdller", "Windows-1252"},
		{"bytes that are not text in their charset", encoded, "_charset_=shift_jis&last_name=A%FF", "A\ufffd", ""},
		{"in parts, UTF-8", "multipart/form-data; boundary=b", part("", "Müller"), "Müller", ""},
		{"in parts, one that names its charset", "multipart/form-data; boundary=b",
			part("Content-Type: text/plain; charset=ISO-8859-2\r\n", "Wa\xb3\xeasa"), "Wałęsa", ""},
		{"in parts, none named", "multipart/form-data; boundary=b", part("", "M\xfcller"), "Müller", "Windows-1252"},
		{"a body that is not a form", "text/plain", "last_name=Santos", "", ""},
	}
	for _, tt := range tests {
		form, err := ReadForm(tt.kind, []byte(tt.body))
		if got := form.Values.Get("last_name"); err != nil || got != tt.want {
			t.Errorf("%s: read as %q, %v; want %q", tt.name, got, err, tt.want)
		}
		if notes := strings.Join(form.Notes, " "); (notes == "") != (tt.note == "") ||
			!strings.Contains(notes, tt.note) {
			t.Errorf("%s: the notes are %q; want %q", tt.name, notes, tt.note)
		}
	}
	for name, form := range map[string][2]string{
		"half a percent sign": {encoded, "last_name=%4"},
		"parts without an end": {"multipart/form-data; boundary=b",
			"--b\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\nabc"},
		"parts without a boundary": {"multipart/form-data", "--b--"},
	} {
		if got, err := ReadForm(form[0], []byte(form[1])); err == nil {
			t.Errorf("%s is read as %v; want an error", name, got.Values)
		}
	}
}
