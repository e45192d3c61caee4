package gangway

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// A PortAgent looks after a company's ships in a port.
type PortAgent struct {
	Port  Place
	Name  string
	Phone string
	Mail  []string // where lists of flights may be sent
}

// mostMailTos is how many addresses a list is sent to at most.
const mostMailTos = 10

// Check checks a.
func (a PortAgent) Check() error {
	switch {
	case a.Port == "" || len(a.Port) > 5:
		return Errorf(Invalid, "an agent is of a port")
	case utf8.RuneCountInString(a.Name) > longestName || Unprintable(a.Name):
		return Errorf(Invalid, "an agent's name must have at most %d characters", longestName)
	case a.Phone != "" && !PhoneNumber(a.Phone):
		return Errorf(Invalid, "%q is not a telephone number", a.Phone)
	}
	return nil
}

// Unlisted returns the addresses that are not among the agent's.
func (a PortAgent) Unlisted(to []string) []string {
	return slices.DeleteFunc(slices.Clone(to), func(address string) bool {
		return slices.ContainsFunc(a.Mail, func(listed string) bool { return strings.EqualFold(listed, address) })
	})
}

// ReadMailTos reads addresses, divided by commas, semicolons or blanks.
func ReadMailTos(text string) (list []string, err error) {
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(",; \t\r\n", r) }) {
		if err := CheckEmail(word); err != nil {
			return nil, err
		}
		list = append(list, word)
	}
	if len(list) > mostMailTos {
		return nil, Errorf(Invalid, "a list is sent to at most %d addresses at once", mostMailTos)
	}
	return list, nil
}
