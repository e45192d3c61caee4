package wire

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
)

// A Form is a form that a browser posted from a customer's page, with notes
// about how its text was decoded.
type Form struct {
	Values url.Values
	Notes  []string
}

// ReadForm reads either kind of form that a browser posts. The charset is that of
// the part, else of the field _charset_, else of the content type. Text that should
// be UTF-8 and is not is read as Windows-1252, the charset of old pages that name
// none, and Notes says so. A body of another content type is a form without fields.
//
// Decided: docs/choices.md, "Hand-off".
func ReadForm(contentType string, body []byte) (Form, error) {
	kind, parameters, err := mime.ParseMediaType(contentType)
	if err != nil {
		return Form{Values: url.Values{}}, nil
	}
	var fields []formField
	switch kind {
	case "application/x-www-form-urlencoded":
		values, err := url.ParseQuery(string(body))
		if err != nil {
			return Form{}, fmt.Errorf("read form: %w", err)
		}
		for name, list := range values {
			for _, value := range list {
				fields = append(fields, formField{name: name, value: value})
			}
		}
	case "multipart/form-data":
		if fields, err = readParts(multipart.NewReader(bytes.NewReader(body), parameters["boundary"])); err != nil {
			return Form{}, fmt.Errorf("read form: %w", err)
		}
	}
	return decodeForm(fields, parameters["charset"]), nil
}

// A formField is a field as it was sent, in the bytes of its charset.
type formField struct{ name, value, charset string }

// readParts reads the fields of a multipart form and skips its files.
func readParts(parts *multipart.Reader) ([]formField, error) {
	var fields []formField
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return fields, nil
		}
		if err != nil {
			return nil, err
		}
		value, err := io.ReadAll(part)
		if err != nil {
			return nil, err
		}
		if part.FileName() != "" || part.FormName() == "" {
			continue
		}
		_, parameters, _ := mime.ParseMediaType(part.Header.Get("Content-Type"))
		fields = append(fields, formField{part.FormName(), string(value), parameters["charset"]})
	}
}

// decodeForm turns the fields of a form into text.
func decodeForm(fields []formField, charset string) Form {
	form := Form{Values: url.Values{}}
	for _, f := range fields {
		if f.name == "_charset_" && f.value != "" {
			charset = f.value
		}
	}
	note := func(words string) {
		if len(form.Notes) == 0 {
			form.Notes = append(form.Notes, words)
		}
	}
	for _, f := range fields {
		f.charset = cmp.Or(f.charset, charset)
		letters, known := charsetOf(f.charset)
		if !known {
			note(fmt.Sprintf("The form of your system says that it is written in “%.40s”, an unknown character set. "+
				"It was read as UTF-8; please check the letters of the names.", f.charset))
		}
		name, guessed := decodeText(f.name, letters)
		value, guessedToo := decodeText(f.value, letters)
		if guessed || guessedToo {
			note("The form of your system is not in UTF-8 and does not name its character set. It was read as " +
				"Windows-1252 (Western European); please check the letters of the names.")
		}
		form.Values.Add(name, value)
	}
	return form
}

// charsetOf returns the encoding of a charset by its name. nil is UTF-8, which also stands in for an unknown one.
func charsetOf(name string) (letters encoding.Encoding, known bool) {
	if name == "" {
		return nil, true
	}
	letters, err := htmlindex.Get(name)
	if err != nil {
		return nil, false
	}
	if canonical, _ := htmlindex.Name(letters); canonical == "utf-8" {
		return nil, true
	}
	return letters, true
}

// decodeText reads bytes as text; guessed says that they were not valid UTF-8.
// Bytes that are no letter become U+FFFD, for a person to see and correct.
func decodeText(raw string, letters encoding.Encoding) (text string, guessed bool) {
	if letters == nil && !utf8.ValidString(raw) {
		letters, guessed = charmap.Windows1252, true
	}
	if letters != nil {
		if decoded, err := letters.NewDecoder().String(raw); err == nil {
			raw = decoded
		}
		raw = strings.Map(func(r rune) rune {
			if r >= 0x80 && r < 0xa0 {
				return utf8.RuneError
			}
			return r
		}, strings.ToValidUTF8(raw, string(utf8.RuneError)))
	}
	return characterReference.ReplaceAllStringFunc(raw, referred), guessed
}

// characterReference is how browsers send a letter that the page's charset does
// not have: &#322; is ł.
var characterReference = regexp.MustCompile(`&#[0-9]{2,7};`)

func referred(reference string) string {
	n, err := strconv.ParseInt(reference[2:len(reference)-1], 10, 32)
	if r := rune(n); err == nil && utf8.ValidRune(r) && unicode.IsPrint(r) {
		return string(r)
	}
	return reference
}
