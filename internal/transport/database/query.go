package database

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"gangway/internal/gangway"
)

// A query is the customer's SELECT, with the system's own marks for its parameters.
type query struct {
	text  string
	names []string // of the parameters, in order, one for each time that one stands there

	source string // as the customer wrote it
	marks  []mark // of the parameters
}

// A mark is where one stands in a query's text, and how much longer the parameter is in its
// source, in bytes.
type mark struct{ at, longer int }

// place says where a character of the text, counted from 1, is in what the customer wrote.
func (q query) place(character int) string {
	at := len(q.text)
	for i := range q.text {
		if character--; character == 0 {
			at = i
			break
		}
	}
	for i := len(q.marks) - 1; i >= 0; i-- { // the last one first: each stands after those before it
		if q.marks[i].at < at {
			at += q.marks[i].longer
		}
	}
	before := q.source[:min(at, len(q.source))]
	line := before[strings.LastIndexByte(before, '\n')+1:]
	return fmt.Sprintf("line %d, column %d of the query", strings.Count(before, "\n")+1,
		utf8.RuneCountInString(line)+1)
}

// parameterNames are those of what is asked for.
var parameterNames = []string{"surname", "from", "to", "date"}

// readQuery finds the parameters in a SELECT: not within texts, quoted names and
// comments. It refuses what is no SELECT, and more than one statement. This is for
// clear errors: that nothing is changed is up to the session.
func readQuery(text string, y *system) (query, error) {
	q := query{source: text}
	var out strings.Builder
	first := ""
	ended := false
	for rest := text; rest != ""; {
		n := lexeme(rest, y.backslash)
		word := rest[:n]
		rest = rest[n:]
		blank := strings.TrimSpace(word) == "" || isComment(word)
		switch {
		case blank:
		case ended:
			return query{}, invalid("query", "must be one statement")
		case word == ";":
			ended = true
			continue
		case first == "":
			first = strings.ToUpper(word)
		}
		if name, ok := strings.CutPrefix(word, ":"); ok && slices.Contains(parameterNames, name) {
			q.names = append(q.names, name)
			word = y.mark(len(q.names))
			q.marks = append(q.marks, mark{out.Len(), len(":"+name) - len(word)})
		}
		out.WriteString(word)
	}
	if first != "SELECT" && first != "WITH" {
		return query{}, invalid("query", "must be a SELECT")
	}
	q.text = out.String()
	return q, nil
}

// values are what the parameters are for an ask: NULL where nothing is asked.
func (q query) values(ask gangway.Ask, y *system) (list []any) {
	for _, name := range q.names {
		var date gangway.Date
		switch name {
		case "surname":
			if ask.Surname == "" {
				list = append(list, nil)
			} else {
				list = append(list, ask.Surname)
			}
			continue
		case "from":
			date = ask.From
		case "to":
			date = ask.To
		case "date":
			date = ask.Date
		}
		if date == "" {
			list = append(list, nil)
		} else {
			list = append(list, y.date(date))
		}
	}
	return list
}

func isComment(word string) bool {
	return strings.HasPrefix(word, "--") || strings.HasPrefix(word, "/*") || strings.HasPrefix(word, "#")
}

// lexeme returns the length of what a statement begins with: a text, a quoted name, a
// comment, a word, a parameter, white space, or one other character.
func lexeme(s string, backslash bool) int {
	switch c := s[0]; {
	case c == '\'':
		return quoted(s, '\'', backslash)
	case c == '"', c == '`':
		return quoted(s, c, backslash && c == '"')
	case c == '[':
		return bracketed(s)
	case (c == 'E' || c == 'e') && strings.HasPrefix(s[1:], "'"):
		return 1 + quoted(s[1:], '\'', true)
	case strings.HasPrefix(s, "--"), c == '#' && backslash:
		return until(s, "\n")
	case strings.HasPrefix(s, "/*"):
		return until(s, "*/")
	case c == '$':
		return dollarQuoted(s)
	case strings.HasPrefix(s, "::"):
		return len("::")
	case c == ':':
		return 1 + wordLength(s[1:])
	case wordLength(s) > 0:
		return wordLength(s)
	case c == ' ', c == '\t', c == '\r', c == '\n':
		return len(s) - len(strings.TrimLeft(s, " \t\r\n"))
	}
	_, n := utf8.DecodeRuneInString(s)
	return n
}

// quoted returns the length of a text in quotes, which are doubled in it, or follow a
// backslash where the system knows that.
func quoted(s string, quote byte, backslash bool) int {
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\' && backslash:
			i++
		case s[i] == quote && i+1 < len(s) && s[i+1] == quote:
			i++
		case s[i] == quote:
			return i + 1
		}
	}
	return len(s)
}

// bracketed returns the length of a name as SQL Server quotes it; elsewhere a bracket
// begins an index, in which there may be a parameter.
func bracketed(s string) int {
	end := strings.IndexByte(s, ']')
	if end < 0 || strings.ContainsAny(s[:end], ":'\"") {
		return 1
	}
	return end + 1
}

// dollarQuoted returns the length of a text as in $tag$text$tag$, or 1.
func dollarQuoted(s string) int {
	tag := 1 + wordLength(s[1:])
	if tag >= len(s) || s[tag] != '$' || tag > 1 && s[1] >= '0' && s[1] <= '9' {
		return 1
	}
	opening := s[:tag+1]
	return len(opening) + until(s[len(opening):], opening)
}

func until(s, end string) int {
	if i := strings.Index(s, end); i >= 0 {
		return i + len(end)
	}
	return len(s)
}

func wordLength(s string) int {
	for i := range len(s) {
		c := s[i]
		if c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c < utf8.RuneSelf {
			return i
		}
	}
	return len(s)
}
