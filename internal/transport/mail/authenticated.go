package mail

import (
	"regexp"
	"strings"
)

// dmarcPass is a verdict about DMARC with its properties.
var dmarcPass = regexp.MustCompile(`^ dmarc(/1)? = pass( [^ =]+ = [^ =]+)* $`)

// passedDMARC reports whether a server has found that a mail really comes from a domain: each of its verdicts about
// DMARC says so. Only the topmost field of that server counts, since the server puts its own above all that a mail
// brings along. A field that cannot be read could be the server's, so that nothing below it counts.
//
// Source: RFC 8601, sections 2.2 and 5; RFC 7489, section 11.1.
func (h header) passedDMARC(server, domain string) (passed bool) {
	for _, field := range h.Values("Authentication-Results") {
		verdicts, ok := readVerdicts(field)
		if !ok {
			return false
		}
		if by := strings.Fields(verdicts[0]); len(by) == 0 || !strings.EqualFold(by[0], server) {
			continue
		}
		for _, v := range verdicts[1:] {
			v = strings.ToLower(" " + strings.Join(strings.Fields(v), " ") + " ")
			if !strings.HasPrefix(v, " dmarc ") && !strings.HasPrefix(v, " dmarc/") {
				continue
			}
			const from = " header.from = "
			passed = dmarcPass.MatchString(v) && strings.Count(v, from) == 1 &&
				strings.Contains(v, from+strings.ToLower(domain)+" ")
			if !passed {
				return false
			}
		}
		return passed
	}
	return false
}

// readVerdicts reads a field: the name of the server first, then its verdicts, with blanks around "=". Comments are
// left out. In quoted texts, signs that mean something elsewhere become question marks. It fails if a comment or a
// quoted text does not end.
func readVerdicts(field string) (list []string, ok bool) {
	var text []byte
	quoted, comments := false, 0
	for i := 0; i < len(field); i++ {
		c := field[i]
		escapes := c == '\\' && (quoted || comments > 0)
		if escapes {
			i++
		}
		switch {
		case quoted && (escapes || strings.IndexByte(" \t;=", c) >= 0):
			text = append(text, '?')
		case c == '"' && comments == 0:
			quoted = !quoted
		case quoted:
			text = append(text, c)
		case c == '(':
			comments++
			text = append(text, ' ')
		case comments > 0:
			if c == ')' {
				comments--
			}
		case c == '=':
			text = append(text, " = "...)
		default:
			text = append(text, c)
		}
	}
	return strings.Split(string(text), ";"), !quoted && comments == 0
}
