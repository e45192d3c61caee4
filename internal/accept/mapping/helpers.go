package mapping

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"gangway/internal/accept/decode"
	"gangway/internal/gangway"
)

// A helper makes of a text what we store; it returns what it does not understand
// unchanged, so that the check can quote it. Unsure is the kind of guess that it made; empty: none.
type helper func(text string) (made, unsure string)

// sure makes a helper that never guesses.
func sure(of func(text string) string) helper {
	return func(text string) (string, string) { return of(text), "" }
}

// A function is what a program calls: with a value, and what stands in its brackets.
type function struct {
	arguments int
	call      func(value any, args []any) any
}

// dateOrders are the orders of a date's parts that date takes.
var dateOrders = []string{"DMY", "MDY", "YMD"}

// helpers are the functions that programs have beside those of jq, by name, with the number of arguments where there
// are several of one name. What one makes of a text is remembered: the same texts come again with every record. What
// they guess is noted.
//
// Decided: docs/choices.md, "Mappings".
func helpers(now time.Time, note func(why, example string)) map[string]function {
	orders := map[string]helper{}
	for _, order := range dateOrders {
		orders[order] = remembered(sure(func(text string) string { return dateOf(text, order, now) }))
	}
	functions := map[string]function{
		"date": {1, func(value any, args []any) any {
			order, _ := args[0].(string)
			of, ok := orders[strings.ToUpper(order)]
			if !ok {
				return errors.New(`date wants "DMY", "MDY" or "YMD"`)
			}
			return helped(value, of, note)
		}},
		"fromxml": {0, fromText(gangway.XMLFormat)},
		"fromcsv": {0, fromText(gangway.CSVFormat)},
	}
	for name, of := range map[string]helper{
		"country": guessCountry, "gender": sure(genderOf), "name": sure(nameOf), "airport": anyAirport,
		"phone": sure(phoneOf), "family_name": guessFamily,
		"given_names": sure(func(text string) string { _, given, _ := splitName(text); return given }),
	} {
		of = remembered(of)
		functions[name] = function{0, func(value any, _ []any) any { return helped(value, of, note) }}
	}
	functions["airport/2"] = function{2, func(_ any, args []any) any {
		country, _ := args[1].(string)
		return helped(args[0], func(text string) (string, string) { return airportOf(text, country) }, note)
	}}
	return functions
}

// helped applies a helper to a value: to a text, or to a number as a text.
func helped(value any, of helper, note func(why, example string)) any {
	text, ok := value.(string)
	if !ok {
		text, ok = textOf(value)
	}
	if !ok {
		text, ok = numberText(value)
	}
	if !ok {
		return value
	}
	made, unsure := of(text)
	if unsure != "" {
		example := fmt.Sprintf("%.100q", text)
		if made != strings.TrimSpace(text) {
			example += fmt.Sprintf(" as %.100q", made)
		}
		note(unsure, example)
	}
	if made == "" {
		return nil
	}
	return made
}

// What is remembered of a helper.
const (
	mostRemembered    = 4096
	longestRemembered = 64
)

// remembered returns a helper that remembers what it made of short texts. It is
// for one goroutine.
func remembered(of helper) helper {
	known := map[string][2]string{}
	return func(text string) (made, unsure string) {
		if both, ok := known[text]; ok {
			return both[0], both[1]
		}
		made, unsure = of(text)
		if len(text) <= longestRemembered {
			if len(known) == mostRemembered {
				clear(known)
			}
			known[strings.Clone(text)] = [2]string{strings.Clone(made), unsure} // without what they are part of
		}
		return made, unsure
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
var genders = byWord(map[string]string{
	"M": `m male mr man boy 1 mannlich maennlich herr mann hombre masculino varon homme masculin monsieur
			maschio uomo maschile signor sig masc homem senhor mannelijk dhr mannlig mann mand mies mezczyzna
			pan sr muzhskoy`,
	"F": `f female mrs ms miss woman girl 2 weiblich w frau mujer femenino femme feminin madame mme mlle
			femmina donna femminile signora fem feminino mulher senhora vrouw vrouwelijk mevr mw kvinne kvinna
			kvinde kvinnelig nainen kobieta pani sra zhenskiy`,
})

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
