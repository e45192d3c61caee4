package transport

import (
	"encoding/json"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"

	"gangway/internal/gangway"
)

// secretAuth are the members of Auth that are sealed.
var secretAuth = []Setting{{Name: "password", Secret: Whole}, {Name: "token", Secret: Whole},
	{Name: "value", Secret: Whole}, {Name: "key", Secret: Whole}}

// Split divides settings into what may be shown and what is sealed. What is sealed
// is null in what may be shown, so that it can be seen to be there; of an address
// its query is left out. Merge is the way back.
func (k Kind) Split(settings json.RawMessage) (open, secret json.RawMessage, err error) {
	m, err := readObject(settings)
	if err != nil {
		return nil, nil, gangway.Errorf(gangway.Invalid, "the settings of a transport must be one JSON object")
	}
	shown, sealed := split(k.Settings, m)
	if open, err = json.Marshal(shown); err != nil {
		return nil, nil, err
	}
	secret, err = json.Marshal(sealed)
	return open, secret, err
}

func split(table []Setting, m members) (shown, sealed members) {
	shown, sealed = maps.Clone(m), members{}
	maps.DeleteFunc(shown, func(_ string, v json.RawMessage) bool { return isNull(v) })
	for _, s := range table {
		value, there := shown[s.Name]
		if !there {
			continue
		}
		switch below := s.secretMembers(value); {
		case s.Secret == Whole:
			shown[s.Name], sealed[s.Name] = json.RawMessage("null"), value
		case s.Secret == InURL:
			if open := withoutSecrets(value); string(open) != string(value) {
				shown[s.Name], sealed[s.Name] = open, value
			}
		case below != nil:
			inner, err := readObject(value)
			if err != nil {
				continue // Check has refused it
			}
			open, hidden := split(below, inner)
			shown[s.Name] = mustMarshal(open)
			if len(hidden) > 0 {
				sealed[s.Name] = mustMarshal(hidden)
			}
		}
	}
	return shown, sealed
}

// secretMembers are the members of an object, those that are secret among them; nil
// where the value has no members that could be.
func (s Setting) secretMembers(value json.RawMessage) (table []Setting) {
	switch {
	case s.Type == Auth:
		return secretAuth
	case s.Secret == Values:
		m, _ := readObject(value)
		for name := range m {
			table = append(table, Setting{Name: name, Secret: Whole})
		}
		return table
	}
	return s.Members
}

// Merge puts settings together again that were split.
func Merge(open, secret json.RawMessage) (json.RawMessage, error) {
	shown, err := readObject(open)
	if err != nil {
		return nil, err
	}
	if isNull(secret) {
		secret = json.RawMessage("{}")
	}
	sealed, err := readObject(secret)
	if err != nil {
		return nil, gangway.Errorf(gangway.Invalid, "the sealed settings of a transport cannot be read")
	}
	return json.Marshal(merge(shown, sealed))
}

func merge(shown, sealed members) members {
	whole := maps.Clone(shown)
	for name, value := range sealed {
		outer, err := readObject(whole[name])
		inner, err2 := readObject(value)
		if err == nil && err2 == nil {
			value = mustMarshal(merge(outer, inner))
		}
		whole[name] = value
	}
	maps.DeleteFunc(whole, func(_ string, v json.RawMessage) bool { return isNull(v) })
	return whole
}

// Change returns the settings that result when somebody gives new ones in place of
// those kept, both in full: secrets that are left out, or null, are kept. An empty
// text, an empty object or an address that ends in "?" removes one. It refuses to
// keep secrets for another system, or another user of it, than they were given for.
func (k Kind) Change(kept, given json.RawMessage) (json.RawMessage, error) {
	if err := k.CheckChange(given); err != nil {
		return nil, err
	}
	before, err := readObject(kept)
	if err != nil {
		return nil, err
	}
	after, err := readObject(given)
	if err != nil {
		return nil, err
	}
	result, secrets, err := keep("", k.Settings, before, after)
	if err != nil {
		return nil, err
	}
	for _, s := range k.Settings {
		if text := textOf(result[s.Name]); s.Secret == InURL && strings.HasSuffix(text, "?") {
			result[s.Name] = mustMarshal(strings.TrimSuffix(text, "?"))
		}
	}
	whole := mustMarshal(result)
	if err := k.Check(whole); err != nil {
		return nil, err
	}
	if k.Connects != nil && len(secrets) > 0 {
		is, err := k.Connects(whole)
		if err != nil {
			return nil, err
		}
		if was, err := k.Connects(kept); err != nil || was != is {
			return nil, gangway.Errorf(gangway.Invalid, "what is connected to, or as whom, is another than before: "+
				"give %s again with it", strings.Join(secrets, ", "))
		}
	}
	return whole, nil
}

// KeepsQuery reports whether an address was given without its query (or password), and has kept it in the whole
// settings that Change made of those given.
func (k Kind) KeepsQuery(given, whole json.RawMessage) bool {
	before, after := must(given), must(whole)
	return slices.ContainsFunc(k.Settings, func(s Setting) bool {
		return s.Secret == InURL && !isNull(after[s.Name]) && !sameText(withoutSecrets(after[s.Name]), after[s.Name]) &&
			sameText(withoutSecrets(after[s.Name]), before[s.Name])
	})
}

// OtherQuery reports whether an address is the same in two whole settings but for its query (or password), which is
// what nobody sees of it.
func (k Kind) OtherQuery(is, becomes json.RawMessage) bool {
	before, after := must(is), must(becomes)
	return slices.ContainsFunc(k.Settings, func(s Setting) bool {
		return s.Secret == InURL && sameText(withoutSecrets(before[s.Name]), withoutSecrets(after[s.Name])) &&
			!sameText(before[s.Name], after[s.Name])
	})
}

// keep adds to the settings given the secrets among those kept that are left out, and
// names all of them. path is where they are, with a dot.
func keep(path string, table []Setting, before, after members) (result members, all []string, err error) {
	result = maps.Clone(after)
	var kept []string // those here
	for _, s := range table {
		old, new := before[s.Name], after[s.Name]
		switch below := s.secretMembers(old); {
		case isNull(old):
		case s.Secret == InURL && !isNull(new) && sameText(withoutSecrets(old), new):
			result[s.Name] = old
			if !sameText(withoutSecrets(old), old) {
				kept = append(kept, path+s.Name)
			}
		case isNull(new) && (s.Secret == Whole || s.Secret == Values || s.Type == Auth):
			result[s.Name] = old
			if _, hidden := split([]Setting{s}, members{s.Name: old}); len(hidden) > 0 {
				kept = append(kept, path+s.Name)
			}
		case isNull(new) || below == nil:
		case s.Type == Object && s.Secret != Values:
			inner, names, err := keep(path+s.Name+".", below, must(old), must(new))
			if err != nil {
				return nil, nil, err
			}
			result[s.Name], all = mustMarshal(inner), append(all, names...)
		default:
			inner, names := s.keepWithin(below, must(old), must(new))
			result[s.Name] = mustMarshal(inner)
			for _, name := range names {
				kept = append(kept, path+s.Name+"."+name)
			}
		}
	}
	maps.DeleteFunc(result, func(_ string, v json.RawMessage) bool { return isNull(v) })
	if changed := otherSystem(table, before, result); len(kept) > 0 && changed != "" {
		return nil, nil, gangway.Errorf(gangway.Invalid, "%s%s is another than before: give %s again with it", path,
			changed, strings.Join(kept, ", "))
	}
	return result, append(all, kept...), nil
}

// keepWithin adds the secrets that are left out of credentials of the same kind, and
// of texts that are still named; it returns the names of those.
func (s Setting) keepWithin(below []Setting, before, after members) (result members, kept []string) {
	result = maps.Clone(after)
	if s.Type == Auth && !sameText(before["kind"], after["kind"]) {
		return result, nil
	}
	for _, b := range below {
		_, named := after[b.Name]
		if isNull(after[b.Name]) && !isNull(before[b.Name]) && (named || s.Type == Auth) {
			result[b.Name], kept = before[b.Name], append(kept, b.Name)
		}
	}
	return result, kept
}

// otherSystem names the first setting in which two differ that tells whose system
// it is; it is empty where they are those of the same.
func otherSystem(table []Setting, before, after members) string {
	for _, s := range table {
		old, new := before[s.Name], after[s.Name]
		switch {
		case s.Type == Auth:
			was, is := must(old), must(new)
			if sameText(was["kind"], is["kind"]) && !sameText(was["user"], is["user"]) {
				return s.Name + ".user"
			}
		case s.System && s.Secret == InURL:
			if systemOf(old) != systemOf(new) {
				return s.Name
			}
		case s.System && !sameText(old, new):
			return s.Name
		}
	}
	return ""
}

// systemOf returns the part of an address that says whose it is: scheme, user, host and port, and the first element
// of its path, since each owner of a shared host has one. Servers read dots and backslashes as in names of files.
func systemOf(address json.RawMessage) string {
	u, err := url.Parse(textOf(address))
	if err != nil {
		return textOf(address)
	}
	host := strings.ToLower(u.Host)
	if standard := map[string]string{"https": ":443", "http": ":80"}[u.Scheme]; standard != "" {
		host = strings.TrimSuffix(host, standard)
	}
	_, place, _ := strings.Cut(path.Clean("/"+strings.ReplaceAll(u.Path, `\`, "/")), "/")
	first, _, _ := strings.Cut(place, "/")
	return u.Scheme + "://" + u.User.Username() + "@" + host + "/" + first
}

// withoutSecrets returns an address without its query and without a password; of
// what cannot be read as an address nothing.
func withoutSecrets(address json.RawMessage) json.RawMessage {
	text := textOf(address)
	u, err := url.Parse(text)
	if err != nil {
		return json.RawMessage("null")
	}
	bare, _, _ := strings.Cut(text, "?")
	if password, _ := u.User.Password(); password != "" {
		_, after, _ := strings.Cut(bare, "@")
		bare = u.Scheme + "://" + (&url.URL{User: url.User(u.User.Username())}).String()[len("//"):] + after
	}
	if bare == text {
		return address
	}
	return mustMarshal(bare)
}

func textOf(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) != nil {
		return string(value)
	}
	return text
}

func sameText(a, b json.RawMessage) bool {
	if isNull(a) || isNull(b) {
		return isNull(a) == isNull(b)
	}
	return textOf(a) == textOf(b)
}

// must returns the members of an object that was checked; of anything else none.
func must(value json.RawMessage) members {
	m, err := readObject(value)
	if err != nil {
		return members{}
	}
	return m
}

// mustMarshal writes what came from JSON, or is a text.
func mustMarshal(value any) json.RawMessage {
	doc, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return doc
}
