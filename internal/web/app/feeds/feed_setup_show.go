package feeds

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"gangway/internal/accept/mapping"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/transport"
	"gangway/internal/web/app/shell"
)

// showSetup shows the page. settings are those that there are, with their secrets or with null in their place.
func (room *Room) showSetup(w http.ResponseWriter, r *http.Request, in store.Scoped, p feedSetupPage,
	settings json.RawMessage, status int) error {
	kind, err := room.poller.Kind(p.Kind)
	if err != nil {
		return err
	}
	p.Local = p.Local || onlyLocal(kind)
	if p.Sealed == "" {
		p.Sealed = r.PostFormValue("sealed")
	}
	if p.Others == "" {
		p.Others = r.PostFormValue("others")
	}
	if err := p.fillSettings(r.Context(), kind, settings); err != nil {
		return err
	}
	if err := room.fillChoices(r.Context(), in, kind, &p); err != nil {
		return err
	}
	title, answer := "Settings › Feeds › New", "Give an address or a file, look at what comes of it, and save. "+
		"Nothing is stored before you save."
	if p.Editing != "" {
		title, answer = "Settings › Feeds › "+p.Editing, "Change it, look at what comes of it, and save: that "+
			"makes a new version. Nothing is stored before you save."
	}
	if n := len(p.Wrong); n > 0 {
		answer = shell.Plural(n, "field", "fields") + " to correct; nothing was saved"
	}
	return room.Show(w, r, shell.Page{Template: "feed_setup", Section: "settings", Title: title, Answer: answer,
		Status: status, Data: p})
}

// fillChoices fills in what can be chosen, and in which words.
func (room *Room) fillChoices(ctx context.Context, in store.Scoped, kind transport.Kind, p *feedSetupPage) error {
	for _, k := range room.poller.Kinds() {
		if onlyLocal(k) {
			continue
		}
		words := kindsInShort[k.Name]
		if words == "" {
			words = KindWords(k.Name)
		}
		p.Kinds = append(p.Kinds, choice{k.Name, words})
	}
	for _, f := range gangway.Flows {
		p.Flows = append(p.Flows, choice{string(f), namesOf[f].Words})
	}
	p.Helpers = mapping.HelperExamples
	p.Live, p.ByHand = kind.Live, kind.Name == gangway.UploadTransport
	p.Often, p.Missing = oftenChoices(kind.Live, p.Every), completeChoices(kind.Live, p.Complete)
	if p.About = kindAbout[kind.Name]; p.About == "" {
		p.About = shell.AsSentence(kind.About)
	}
	if p.Editing != "" {
		return nil
	}
	feeds, err := in.Feeds(ctx)
	p.Names = map[gangway.Flow]string{}
	for _, f := range gangway.Flows {
		p.Names[f] = freeName(feeds, f)
	}
	return err
}

// firstFields are settings that are asked for at once, besides those that every feed of a kind has.
var firstFields = []string{"password", "host_key", "path"}

// fillSettings makes the fields of the transport's settings. Those that everybody needs come first.
func (p *feedSetupPage) fillSettings(ctx context.Context, kind transport.Kind, settings json.RawMessage) error {
	if len(settings) == 0 {
		settings = json.RawMessage("{}")
	}
	open, _, err := kind.Split(settings)
	if err != nil {
		return err
	}
	shown := membersOf(open)
	for name, value := range membersOf(settings) { // what was split before
		if string(value) == "null" {
			shown[name] = value
		}
	}
	query := false
	if whole := shell.Unsealed(ctx, sealedFor(p.Kind), p.Sealed); whole != "" {
		sealed, _, err := kind.Split(json.RawMessage(whole))
		if err != nil {
			return err
		}
		kept := membersOf(sealed)
		query = textOf(kept["url"]) == textOf(shown["url"]) &&
			textOf(membersOf(json.RawMessage(whole))["url"]) != textOf(kept["url"])
		markKept(shown, kept)
	} else {
		query = textOf(membersOf(settings)["url"]) != textOf(shown["url"])
	}
	fields := settingFields(fieldOf, kind.Settings, shown, query, p.Wrong)
	suit(fields, kind.Name, p.Flow)
	for _, f := range fields {
		if f.Required || f.As == "auth" || slices.Contains(firstFields, strings.TrimPrefix(f.Name, fieldOf)) {
			p.First = append(p.First, f)
			continue
		}
		p.More = append(p.More, f)
		p.Open = p.Open || f.given()
	}
	for name := range p.Wrong { // of a setting that has no field of its own
		if strings.HasPrefix(name, fieldOf) && !p.hasField(name) {
			p.Refused = strings.TrimSpace(p.Refused + " " + p.Wrong[name])
			delete(p.Wrong, name)
		}
	}
	return nil
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
func (p *feedSetupPage) hasField(name string) bool {
	has := func(f settingField) bool { return f.Name == name }
	return slices.ContainsFunc(append(slices.Clone(p.First), p.More...), func(f settingField) bool {
		return has(f) || slices.ContainsFunc(f.Members, has) ||
			slices.ContainsFunc(f.Auth, func(a authField) bool { return has(a.settingField) })
	})
}

// Tried reports whether there are records, or none came, of what is on the page.
func (p feedSetupPage) Tried() bool { return p.Trial != nil && !p.Trial.Stale }

// Lines is how tall the mapping's editor is.
func (p feedSetupPage) Lines() int { return min(max(strings.Count(p.Mapping, "\n")+2, 8), 40) }

// FormatWrong reports whether something is wrong with how documents are said to be written.
func (p feedSetupPage) FormatWrong() bool {
	return slices.ContainsFunc([]string{"kind", "encoding", "delimiter", "header", "sheet", "columns"},
		func(name string) bool { return p.Wrong[name] != "" })
}

// seal has the form carry the settings with their secrets, which it does not show.
func (p *feedSetupPage) seal(ctx context.Context, whole json.RawMessage) {
	if len(whole) > 0 {
		p.Sealed = shell.Sealed(ctx, sealedFor(p.Kind), string(whole))
	}
}
