package doctor

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Widths and bounds of a report as text: it fits a terminal, and a mail.
const (
	textWidth = 78
	rawLines  = 12 // of one answer; programs and the page get more
)

// verdictWords are the verdicts as text has them.
var verdictWords = map[Verdict]string{Fine: "fine", Warning: "WARNING", Wrong: "WRONG", NotTried: "not tried"}

// Text is the report for people, in lines of at most 80 columns.
func (r *Report) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", printable("Check of "+r.System))
	fmt.Fprintf(&b, "%s, %s\n\n", r.At.Format("2 January 2006 15:04 UTC"), plural(len(r.Calls), "call")+" in "+
		rounded(time.Duration(r.Took)*time.Millisecond))
	wrapped(&b, "", r.Summary())
	if r.Personal() {
		b.WriteByte('\n')
		wrapped(&b, "", "It shows personal data of crew: send it only to those who may see them.")
	}
	part := ""
	const indent = "           "
	for _, g := range r.Groups() {
		c := g[0]
		if c.Part != part {
			part = c.Part
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%-10s %s  (%s%s)\n", verdictWords[c.Verdict], c.Title, c.ID, callWords(c.Calls))
		for _, words := range g.Sentences() {
			wrapped(&b, indent, words)
		}
	}
	if len(r.Calls) > 0 {
		b.WriteString("\nWhat was asked, what came back, and what was understood\n")
	}
	// The answers worth reading: the first of each part with something in it, and those that show what is the matter.
	telling := map[int]bool{}
	for _, c := range r.Checks {
		for _, n := range c.Calls {
			telling[n] = telling[n] || c.Verdict == Wrong || c.Verdict == Warning || strings.HasSuffix(c.ID, ".answer")
		}
	}
	for _, c := range r.Calls {
		c.text(&b, telling[c.Number])
	}
	return b.String()
}

// Summary is the outcome in one sentence.
func (r *Report) Summary() string {
	rest := fmt.Sprintf("%s, %d fine, %d not tried.", plural(r.Warnings, "warning"), r.Fine, r.NotTried)
	switch r.Verdict {
	case Wrong:
		return r.ToMend() + "; " + rest
	case Warning:
		return "Nothing is wrong; " + rest
	case Fine:
		return "All is well: " + rest
	}
	return "Nothing was tried."
}

// ToMend says how much is wrong.
func (r *Report) ToMend() string {
	return plural(r.Wrong, "thing has", "things have") + " to be mended"
}

// Personal reports whether people's data are in the report.
func (r *Report) Personal() bool {
	return slices.ContainsFunc(r.Calls, func(c Call) bool {
		return len(c.Records) > 0 || c.facts != nil && c.facts.total > 0
	})
}

// callWords names the calls that a check rests on.
func callWords(numbers []int) string {
	const shown = 3
	if len(numbers) == 0 {
		return ""
	}
	list := strings.Fields(strings.Trim(fmt.Sprint(numbers[:min(len(numbers), shown)]), "[]"))
	if len(numbers) > shown {
		list = append(list, "…")
	}
	return ", see " + strings.Join(list, ", ")
}

// valuesShown is how many values a sentence names that is true of several.
const valuesShown = 5

// Sentences are the findings as people read them: what is the matter in several places is said once.
func (c *Check) Sentences() (list []string) {
	of := map[[3]string][]Finding{}
	var order [][3]string
	for _, f := range c.Findings {
		kind := [3]string{anyIndex.ReplaceAllString(f.Field, ""), anyIndex.ReplaceAllString(f.SourceField, ""),
			f.Message}
		if of[kind] == nil {
			order = append(order, kind)
		}
		of[kind] = append(of[kind], f)
	}
	for _, kind := range order {
		list = append(list, toldOnce(of[kind]))
	}
	return list
}

// toldOnce is what findings say that differ in their places and values alone: where the first is, in their words and in
// ours, what is there, and what is the matter.
func toldOnce(list []Finding) string {
	first, parts := list[0], []string(nil)
	if first.At != "" {
		at := first.At
		if more := len(list) - 1; more > 0 {
			at += fmt.Sprintf(", and %d more", more)
		}
		parts = append(parts, at)
	}
	switch {
	case first.SourceField != "" && first.Field != "" && first.SourceField != first.Field:
		parts = append(parts, first.SourceField+" ("+first.Field+")")
	case first.SourceField+first.Field != "":
		parts = append(parts, first.SourceField+strings.TrimPrefix(first.Field, first.SourceField))
	}
	var values []string
	for _, f := range list {
		value := fmt.Sprintf("%q", f.Value)
		if f.Value == "" || slices.Contains(values, value) {
			continue
		}
		if len(values) == valuesShown {
			values = append(values, "…")
			break
		}
		values = append(values, value)
	}
	if values != nil {
		parts = append(parts, strings.Join(values, ", "))
	}
	return strings.Join(append(parts, first.Message), ": ")
}

// text writes the call, with what came back where it is telling.
func (c *Call) text(b *strings.Builder, telling bool) {
	b.WriteByte('\n')
	wrapped(b, "", fmt.Sprintf("%d. %s", c.Number, c.Question))
	for _, x := range c.Requests {
		wrapped(b, "   ", x.Method+" "+x.Address)
		wrapped(b, "   ", x.Words())
		if telling || len(x.Raw) < textWidth {
			block(b, x.Raw, x.RawCut)
		}
	}
	if c.Error != "" {
		wrapped(b, "   ", c.Error)
	}
	if c.Part == "b5" || !c.answered() {
		return
	}
	wrapped(b, "   ", "Understood: "+c.Words())
	for _, record := range c.Records[:min(2, len(c.Records))] {
		if telling {
			block(b, string(record), false)
		}
	}
}

// Words says what was understood of an answer.
func (c *Call) Words() string {
	words := plural(c.Received, "record")
	if c.Format != "" {
		words += " of " + c.Format
	}
	if c.Refused > 0 {
		words += fmt.Sprintf(", %d refused", c.Refused)
	}
	if c.Passed > 0 {
		words += fmt.Sprintf(", %d passed over", c.Passed)
	}
	return words
}

// Words says how a request was answered, and when.
func (x Request) Words() string {
	if x.Status == 0 {
		return fmt.Sprintf("no answer, after %d ms", x.Took)
	}
	words := fmt.Sprintf("status %d, %s", x.Status, plural(int(x.Bytes), "byte"))
	if kind := first(x.Header["Content-Type"]); kind != "" {
		words += " of " + kind
	}
	switch x.RawEncoding {
	case "":
	case notText:
		words += ", which are no text and not shown"
	default:
		words += ", shown as " + x.RawEncoding
	}
	if x.Connected > 0 {
		words += fmt.Sprintf("; connected after %d ms", x.Connected)
	}
	return words + fmt.Sprintf("; first byte after %d ms, all after %d ms", x.FirstByte, x.Took)
}

// wrapped writes a text in lines, each behind the indent.
func wrapped(b *strings.Builder, indent, text string) {
	room, line := textWidth-len(indent), []rune(nil)
	flush := func(letters []rune) { fmt.Fprintf(b, "%s%s\n", indent, string(letters)) }
	for word := range strings.FieldsSeq(printable(text)) {
		letters := []rune(word)
		switch {
		case line != nil && len(line)+1+len(letters) <= room:
			line = append(append(line, ' '), letters...)
			continue
		case line != nil:
			flush(line)
		}
		for ; len(letters) > room; letters = letters[room:] {
			flush(letters[:room])
		}
		line = letters
	}
	if line != nil {
		flush(line)
	}
}

// block writes the beginning of what came, line by line.
func block(b *strings.Builder, text string, cut bool) {
	const mark = "   | "
	room, lines := textWidth-len(mark), 0
	for line := range strings.Lines(strings.TrimSpace(text)) {
		letters := []rune(printable(strings.TrimRight(line, "\r\n")))
		for {
			if lines == rawLines {
				fmt.Fprintf(b, "%s…\n", mark)
				return
			}
			lines++
			fmt.Fprintf(b, "%s%s\n", mark, string(letters[:min(room, len(letters))]))
			if letters = letters[min(room, len(letters)):]; len(letters) == 0 {
				break
			}
		}
	}
	if cut {
		fmt.Fprintf(b, "%s…\n", mark)
	}
}

// printable shows nothing that would move a terminal's cursor, or hide text.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' {
			return ' '
		}
		if !unicode.IsPrint(r) {
			return '\ufffd'
		}
		return r
	}, text)
}
