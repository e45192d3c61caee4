package gangway

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// A CredentialsChange is somebody's edit of credentials. Members that it leaves
// out keep their value; the zero value leaves out everything.
type CredentialsChange struct {
	kind  CredentialsKind // empty: left out
	given map[string]string
}

// ReadCredentials reads an object such as {"kind": "basic", "user": "u",
// "password": "p"}. A null means that the member is left out; an empty text is
// an empty text. Its errors name the member and never contain a value.
func ReadCredentials(doc []byte) (CredentialsChange, error) {
	members, err := readMembers(bytes.TrimPrefix(doc, []byte("\ufeff")))
	if err != nil {
		return CredentialsChange{}, err
	}
	c := CredentialsChange{kind: CredentialsKind(members["kind"]), given: members}
	delete(members, "kind")
	known, ok := credentialMembers[c.kind]
	if !ok {
		return CredentialsChange{}, Errorf(Invalid, "auth.kind must be none, basic, bearer, header or certificate")
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		i := slices.IndexFunc(known, func(m credentialMember) bool { return m.name == name })
		if i < 0 {
			return CredentialsChange{}, Errorf(Invalid, "auth.%s does not belong to the kind %s", name, c.kind)
		}
		if err := known[i].check(members[name]); err != nil {
			return CredentialsChange{}, Errorf(Invalid, "auth.%s %v", name, err)
		}
	}
	if c.Whole() {
		_, err = c.Over(Credentials{})
	}
	return c, err
}

// Given reports whether there is any edit.
func (c CredentialsChange) Given() bool { return c.kind != "" }

// Whole reports whether nothing is left out, so that Over needs no earlier credentials.
func (c CredentialsChange) Whole() bool {
	return c.Given() && len(c.given) == len(credentialMembers[c.kind])
}

// Over returns the credentials that result when c is applied to those kept until now.
func (c CredentialsChange) Over(kept Credentials) (Credentials, error) {
	if !c.Given() {
		return kept, nil
	}
	made := Credentials{Kind: c.kind}
	if kept.Kind == c.kind {
		made = kept
	}
	for _, m := range credentialMembers[c.kind] {
		text, given := c.given[m.name]
		switch {
		case given:
			*m.in(&made) = text
		case kept.Kind != c.kind:
			return Credentials{}, Errorf(Invalid, "auth.%s %v", m.name, errEmpty)
		}
	}
	return made, made.check()
}

// readMembers reads a JSON object of texts. Unlike encoding/json it refuses
// duplicate names, and its errors repeat nothing of the input but known names.
func readMembers(doc []byte) (map[string]string, error) {
	notJSON := Errorf(Invalid, "auth must be one JSON object in UTF-8, as in %s", `{"kind": "bearer", "token": "…"}`)
	read := json.NewDecoder(bytes.NewReader(doc))
	if begin, err := read.Token(); !utf8.Valid(doc) || err != nil || begin != json.Delim('{') {
		return nil, notJSON
	}
	members := map[string]string{}
	for read.More() {
		token, err := read.Token()
		name, ok := token.(string)
		if err != nil || !ok {
			return nil, notJSON
		}
		if !isMember(name) {
			return nil, Errorf(Invalid, "auth has a member that is none of kind, %s", strings.Join(memberNames(), ", "))
		}
		value, err := read.Token()
		text, isText := value.(string)
		_, twice := members[name]
		switch {
		case err != nil:
			return nil, notJSON
		case twice:
			return nil, Errorf(Invalid, "auth.%s is there twice", name)
		case isText:
			members[name] = text
		case value != nil:
			return nil, Errorf(Invalid, "auth.%s must be a text", name)
		}
	}
	if _, err := read.Token(); err != nil {
		return nil, notJSON
	}
	if _, err := read.Token(); err != io.EOF {
		return nil, notJSON
	}
	return members, nil
}

func isMember(name string) bool { return name == "kind" || slices.Contains(memberNames(), name) }

// memberNames returns the members of all kinds.
func memberNames() (list []string) {
	for _, kind := range []CredentialsKind{BasicCredentials, BearerCredentials, HeaderCredentials,
		CertificateCredentials} {
		for _, m := range credentialMembers[kind] {
			list = append(list, m.name)
		}
	}
	return list
}
