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
	p.Local = p.Local || OnlyLocal(kind)
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
		if OnlyLocal(k) {
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

// fillSettings makes the fields of the transport's settings.
func (p *feedSetupPage) fillSettings(ctx context.Context, kind transport.Kind, settings json.RawMessage) error {
	kept := json.RawMessage(shell.Unsealed(ctx, sealedFor(p.Kind), p.Sealed))
	form, refused, err := NewSettingsForm(kind, p.Flow, settings, kept, p.Wrong)
	p.SettingsForm, p.Refused = form, strings.TrimSpace(p.Refused+" "+refused)
	return err
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
