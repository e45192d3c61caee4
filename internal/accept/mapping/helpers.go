package mapping

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"gangway/internal/accept/decode"
	"gangway/internal/gangway"
)

// helperNames are what our functions in programs are called.
var helperNames = set(`date country gender name family_name given_names airport phone fromxml fromcsv`)

// A helper makes of a text what we store; it returns what it does not understand
// unchanged, so that the check can quote it.
type helper func(text string) string

// A function is what a program calls: with a value, and what stands in its brackets.
type function struct {
	arguments int
	call      func(value any, args []any) any
}

// dateOrders are the orders of a date's parts that date takes.
var dateOrders = []string{"DMY", "MDY", "YMD"}

// helpers are the functions that programs have beside those of jq. What one makes of
// a text is remembered: the same texts come again with every record.
//
// Decided: docs/choices.md, "Mappings".
func helpers(now time.Time) map[string]function {
	orders := map[string]helper{}
	for _, order := range dateOrders {
		orders[order] = remembered(func(text string) string { return dateOf(text, order, now) })
	}
	functions := map[string]function{
		"date": {1, func(value any, args []any) any {
			order, _ := args[0].(string)
			of, ok := orders[strings.ToUpper(order)]
			if !ok {
				return errors.New(`date wants "DMY", "MDY" or "YMD"`)
			}
			return helped(value, of)
		}},
		"fromxml": {0, fromText(gangway.XMLFormat)},
		"fromcsv": {0, fromText(gangway.CSVFormat)},
	}
	for name, of := range map[string]helper{
		"country": countryOf, "gender": genderOf, "name": nameOf, "airport": airportOf, "phone": phoneOf,
		"family_name": func(text string) string { family, _ := splitName(text); return family },
		"given_names": func(text string) string { _, given := splitName(text); return given },
	} {
		of = remembered(of)
		functions[name] = function{0, func(value any, _ []any) any { return helped(value, of) }}
	}
	return functions
}

// helped applies a helper to a value: to a text, or to a number as a text.
func helped(value any, of helper) any {
	text, ok := value.(string)
	switch v := value.(type) {
	case map[string]any:
		text, ok = textOf(v)
	case int, json.Number:
		text, ok = fmt.Sprint(v), true
	case float64:
		encoded, err := json.Marshal(v)
		text, ok = string(encoded), err == nil
	}
	if !ok {
		return value
	}
	if text = of(text); text == "" {
		return nil
	}
	return text
}

// What is remembered of a helper.
const (
	mostRemembered    = 4096
	longestRemembered = 64
)

// remembered returns a helper that remembers what it made of short texts. It is
// for one goroutine.
func remembered(of helper) helper {
	known := map[string]string{}
	return func(text string) string {
		made, ok := known[text]
		if ok {
			return made
		}
		made = of(text)
		if len(text) <= longestRemembered {
			if len(known) == mostRemembered {
				clear(known)
			}
			known[strings.Clone(text)] = made
		}
		return made
	}
}

// fromText returns the function that reads a text as a document of a format.
func fromText(kind gangway.FormatKind) func(any, []any) any {
	return func(value any, _ []any) any {
		text, ok := value.(string)
		switch {
		case value == nil || ok && strings.TrimSpace(text) == "":
			return nil
		case !ok:
			return fmt.Errorf("from%s wants a text", kind)
		}
		doc, err := decode.Open(decode.Input{ReaderAt: strings.NewReader(text), Size: int64(len(text))},
			gangway.DocumentFormat{Kind: kind}, decode.Limits{})
		if err != nil {
			return fmt.Errorf("from%s: %w", kind, err)
		}
		defer doc.Close()
		read, err := all(context.Background(), doc)
		if err != nil {
			return fmt.Errorf("from%s: %w", kind, err)
		}
		return read.Value
	}
}

// genders are the words for them, folded.
var genders = func() map[string]string {
	m := map[string]string{}
	for gender, words := range map[string]string{
		"M": `m male mr man boy 1 mannlich maennlich herr mann hombre masculino varon homme masculin monsieur
			maschio uomo maschile signor sig masc homem senhor mannelijk dhr mannlig mann mand mies mezczyzna
			pan sr muzhskoy`,
		"F": `f female mrs ms miss woman girl 2 weiblich w frau mujer femenino femme feminin madame mme mlle
			femmina donna femminile signora fem feminino mulher senhora vrouw vrouwelijk mevr mw kvinne kvinna
			kvinde kvinnelig nainen kobieta pani sra zhenskiy`,
	} {
		for w := range strings.FieldsSeq(words) {
			m[w] = gender
		}
	}
	return m
}()

func genderOf(text string) string {
	folded := strings.Trim(gangway.Fold(text), " .")
	if gender, ok := genders[folded]; ok {
		return gender
	}
	return strings.TrimSpace(text)
}

// phoneOf returns a number in the international form, E.164, if it says its country.
func phoneOf(text string) string {
	text = strings.TrimSpace(text)
	number := strings.ReplaceAll(text, "(0)", "")
	switch {
	case strings.HasPrefix(number, "+"):
		number = number[1:]
	case strings.HasPrefix(number, "00"):
		number = number[2:]
	default:
		return text
	}
	var digits bytes.Buffer
	for i := range len(number) {
		switch c := number[i]; {
		case c >= '0' && c <= '9':
			digits.WriteByte(c)
		case strings.IndexByte(" -()./", c) < 0 && c != 0xC2 && c != 0xA0: // a no-break space
			return text
		}
	}
	if n := digits.Len(); n < 7 || n > 15 || digits.Bytes()[0] == '0' {
		return text
	}
	return "+" + digits.String()
}
