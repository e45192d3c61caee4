package odata

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"
)

// systemOptions are the query options that this service has, by their names in
// lower case without the dollar (P 13.2.1 items 6 and 7: any case, and the
// dollar may be missing).
var systemOptions = map[string]bool{"filter": true, "orderby": true, "select": true, "top": true, "skip": true,
	"count": true, "search": true, "apply": true, "compute": true, "format": true, "expand": true, "skiptoken": true,
	"deltatoken": true}

// otherOptions are those of the standard that it does not have.
var otherOptions = map[string]bool{"id": true, "index": true, "levels": true}

// options are the query options of a request: the values of the system options
// by their names with the dollar, and aliases without their @.
type options struct {
	values  map[string]string
	aliases map[string]string
}

// readOptions splits a query at & and = first, and decodes after that, once
// (U 2.1). Options of our callers' own are ignored (U 5.2).
func readOptions(query string) (options, error) {
	o := options{map[string]string{}, map[string]string{}}
	for query != "" {
		var pair string
		pair, query, _ = strings.Cut(query, "&")
		if pair == "" {
			continue
		}
		rawName, rawValue, _ := strings.Cut(pair, "=")
		name, err := decode(rawName, true)
		if err != nil {
			return o, errorf(http.StatusBadRequest, "", "the name of a query option %v", err)
		}
		into, name, err := o.place(name)
		if err != nil {
			return o, err
		}
		value, err := decode(rawValue, true)
		switch {
		case err != nil:
			return o, errorf(http.StatusBadRequest, name, "it %v", err)
		case into == nil:
			continue
		}
		if _, twice := into[name]; twice {
			if strings.HasPrefix(rawName, "@") || strings.HasPrefix(rawName, "%40") {
				name = "@" + name
			}
			return o, errorf(http.StatusBadRequest, name, "the option is given twice")
		}
		into[name] = value
	}
	return o, nil
}

// place returns where the value of an option belongs, and under which name; nil
// if it is none of the standard's.
func (o options) place(name string) (map[string]string, string, error) {
	if alias, ok := strings.CutPrefix(name, "@"); ok {
		return o.aliases, alias, nil
	}
	bare, dollar := strings.CutPrefix(strings.ToLower(strings.TrimSpace(name)), "$")
	switch {
	case systemOptions[bare], dollar && bare == "schemaversion":
		return o.values, "$" + bare, nil
	case dollar && otherOptions[bare]:
		return nil, "", errorf(http.StatusNotImplemented, "$"+bare, "this option is not supported here")
	case dollar:
		return nil, "", &Error{Status: http.StatusBadRequest, Target: shortened(name),
			Message: "there is no query option " + quote(name)}
	}
	return nil, name, nil
}

// decode returns the text that s is the encoded form of. In a query, a plus is
// a blank, as Python and HTML forms write it.
func decode(s string, inQuery bool) (string, error) {
	unescape := url.PathUnescape
	if inQuery {
		unescape = url.QueryUnescape
	}
	text, err := unescape(s)
	switch {
	case err != nil:
		return "", errors.New("has a % without two hexadecimal digits behind it")
	case !utf8.ValidString(text):
		return "", errors.New("is not UTF-8")
	case strings.IndexByte(text, 0) >= 0:
		return "", errors.New("has a zero byte")
	}
	return text, nil
}
