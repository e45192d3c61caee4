package feeds

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/transport"
	"gangway/internal/web"
	"gangway/internal/web/app/shell"
)

// A SettingsForm has the fields of a transport's settings. Those that everybody needs come first.
type SettingsForm struct {
	First []settingField
	More  []settingField
	Open  bool // something among More is given, or wrong
}

// firstFields are settings that are asked for at once, besides those that every feed of a kind has.
var firstFields = []string{"password", "host_key", "path"}

// NewSettingsForm makes the fields of settings, which have their secrets or null in their place; kept are those that
// the form carries sealed. The words are those for a flow; of an outlet there is none. wrong has sentences by the names
// of fields; refused are those of settings without a field of their own.
func NewSettingsForm(kind transport.Kind, flow gangway.Flow, settings, kept json.RawMessage,
	wrong map[string]string) (p SettingsForm, refused string, err error) {
	if len(settings) == 0 {
		settings = json.RawMessage("{}")
	}
	open, _, err := kind.Split(settings)
	if err != nil {
		return p, "", err
	}
	shown := membersOf(open)
	for name, value := range membersOf(settings) { // what was split before
		if string(value) == "null" {
			shown[name] = value
		}
	}
	query := textOf(membersOf(settings)["url"]) != textOf(shown["url"])
	if len(kept) > 0 {
		sealed, _, err := kind.Split(kept)
		if err != nil {
			return p, "", err
		}
		open := membersOf(sealed)
		query = textOf(open["url"]) == textOf(shown["url"]) &&
			textOf(membersOf(kept)["url"]) != textOf(open["url"])
		markKept(shown, open)
	}
	fields := settingFields(fieldOf, kind.Settings, shown, query, wrong)
	suit(fields, kind.Name, flow)
	for _, f := range fields {
		if f.Required || f.As == "auth" || slices.Contains(firstFields, strings.TrimPrefix(f.Name, fieldOf)) {
			p.First = append(p.First, f)
			continue
		}
		p.More = append(p.More, f)
		p.Open = p.Open || f.given()
	}
	for name := range wrong { // of a setting that has no field of its own
		if strings.HasPrefix(name, fieldOf) && !p.hasField(name) {
			refused = strings.TrimSpace(refused + " " + wrong[name])
			delete(wrong, name)
		}
	}
	return p, refused, nil
}

// markKept adds to the settings that are shown those that are kept and secret.
func markKept(shown, kept map[string]json.RawMessage) {
	for name, value := range kept {
		now, there := shown[name]
		switch {
		case !there && string(value) == "null":
			shown[name] = value
		case there && len(value) > 0 && value[0] == '{' && len(now) > 0 && now[0] == '{':
			inner := membersOf(now)
			if a, b := textOf(membersOf(value)["kind"]), textOf(inner["kind"]); a == b {
				markKept(inner, membersOf(value))
				shown[name], _ = json.Marshal(inner)
			}
		}
	}
}

// given reports whether a field has something in it, or something is wrong with it.
func (f settingField) given() bool {
	return f.Value != "" && f.Value != "none" || f.Kept || f.Wrong != "" || len(f.Rows) > freeHeaders ||
		slices.ContainsFunc(f.Members, settingField.given) ||
		slices.ContainsFunc(f.Auth, func(a authField) bool { return a.given() })
}

// hasField reports whether a setting has a field of its own.
func (p SettingsForm) hasField(name string) bool {
	has := func(f settingField) bool { return f.Name == name }
	return slices.ContainsFunc(append(slices.Clone(p.First), p.More...), func(f settingField) bool {
		return has(f) || slices.ContainsFunc(f.Members, has) ||
			slices.ContainsFunc(f.Auth, func(a authField) bool { return has(a.settingField) })
	})
}

// GivenSettings returns the settings that were typed, those that may be shown of them, and, with what is kept, all of
// them.
func GivenSettings(form url.Values, kind transport.Kind, kept json.RawMessage) (whole, open json.RawMessage,
	err error) {
	typed, err := json.Marshal(readSettings(form, fieldOf, kind.Settings))
	if err != nil {
		return nil, nil, err
	}
	if open, _, err = kind.Split(typed); err != nil {
		return nil, open, err
	}
	if len(kept) == 0 {
		kept = json.RawMessage("{}")
	}
	whole, err = kind.Change(kept, typed)
	return whole, open, asTransport(err)
}

// FieldOf returns the field that an error is about, and what is wrong. members are those of what is set up. No field:
// it is about the whole.
func FieldOf(err error, members []string) (field, wrong string) {
	message := web.Message(err)
	wrong = message
	for _, member := range members {
		after, is := strings.CutPrefix(strings.TrimPrefix(message, "the "), member)
		switch {
		case !is || field != "":
		case member == "transport":
			wrong = strings.TrimPrefix(after, ": ")
			first, _, _ := strings.Cut(strings.TrimPrefix(wrong, "the settings"), " ")
			field = fieldOf + strings.TrimSuffix(first, ":")
		case member == "format":
			wrong = strings.TrimPrefix(after, ": ")
			field, _, _ = strings.Cut(wrong, " ")
			field, _, _ = strings.Cut(field, "[")
		default:
			field = member
			if after, colon := strings.CutPrefix(after, ": "); colon {
				wrong = after
			}
		}
	}
	if field == fieldOf {
		field = ""
	}
	return field, shell.AsSentence(inLabels(field, wrong))
}
