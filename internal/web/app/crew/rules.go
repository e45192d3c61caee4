package crew

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"strings"

	"gangway/internal/book"
	"gangway/internal/book/flight/sim"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// A rulesPage is by which rules the journeys of a crew change, or all of an account, are judged.
type rulesPage struct {
	Typed, Base   map[string]any // by name of field; Base is what holds where it is empty
	Wrong         map[string]string
	Key           string // of the crew change; empty: they are the account's
	Settings      gangway.Settings
	Currency      string // of the account; empty: only its supplier knows
	Was           string // the rules that the form changes
	Refused, head string
	base          gangway.CrewRules
}

type handler = func(w http.ResponseWriter, r *http.Request, in store.Scoped) error

// Rules shows the rules of the account, or those of a crew change.
func (room *Room) Rules(account bool) handler {
	return func(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
		p, err := room.readRules(r.Context(), in, r.FormValue("key"), account)
		if err != nil {
			return err
		}
		return room.showRules(w, r, p, 0)
	}
}

func (room *Room) readRules(ctx context.Context, in store.Scoped, key string, account bool) (rulesPage, error) {
	s := shell.Settings(ctx)
	p := rulesPage{Settings: s, Typed: accountRules(s), Wrong: map[string]string{},
		Currency: map[bool]string{true: sim.CurrencyOf(s.Currency), false: s.Currency}[s.Supplier == ""],
		base:     gangway.DefaultCrewRules(), head: "Hours, nights and prices. A crew change can have its own."}
	if !account {
		c, err := in.CrewChange(ctx, key)
		if err != nil {
			return p, err
		}
		p.Key, p.Typed, p.base = c.Key(), c.Rules.Typed(), s.Crew.Or(p.base)
		p.head = c.Vessel + " " + whereWhen(c.Where()) + " · An empty field follows the account."
	}
	p.Was, p.Base = room.rulesKey(p.Typed), p.base.Typed()
	return p, nil
}

// accountRules are those of an account as people type them.
func accountRules(s gangway.Settings) map[string]any {
	typed := s.Crew.Typed()
	typed["transits"], typed["rates"] = strings.Join(s.Transits.Codes(), ", "), string(s.Rates)
	return typed
}

// rulesKey tells rules from others.
func (room *Room) rulesKey(typed map[string]any) string {
	return room.FormKeys.Sign("rules", fmt.Sprint(typed))
}

func (room *Room) showRules(w http.ResponseWriter, r *http.Request, p rulesPage, status int) error {
	page := shell.Page{Template: "rules", Section: "crew-changes", Title: "Rules of a crew change", Answer: p.head,
		Data: p, Status: status}
	if p.Key == "" {
		page.Section, page.Title = "settings", "Settings › Crew rules"
	}
	if n := len(p.Wrong); n > 0 {
		page.Answer = shell.Plural(n, "field", "fields") + " to correct; nothing was saved"
	}
	return room.Show(w, r, page)
}

// SaveRules changes the rules of the account, or those of a crew change. What is booked is judged by them from then on.
func (room *Room) SaveRules(account bool) handler {
	return func(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
		p, err := room.readRules(r.Context(), in, r.PostFormValue("key"), account)
		if err != nil {
			return err
		}
		p.Was = r.PostFormValue("was")
		typed := func(field string) string {
			text := strings.TrimSpace(r.PostFormValue(field))
			p.Typed[field] = text
			return text
		}
		rules, wrong := gangway.ReadCrewRules(typed, p.base, p.Currency)
		transits, err := gangway.ParseTransits(typed("transits"))
		rates, bad := gangway.ReadRates(typed("rates"), room.Date(r))
		maps.Copy(wrong, map[string]error{"transits": cmp.Or(err, book.CheckPlaces(transits.Codes())), "rates": bad,
			"night_prices": cmp.Or(wrong["night_prices"], book.CheckPlaces(rules.NightPrices.Places()))})
		for field, err := range wrong {
			if err != nil {
				p.Wrong[field] = shell.SentenceOf(err)
			}
		}
		if len(p.Wrong) > 0 {
			return room.showRules(w, r, p, http.StatusUnprocessableEntity)
		}
		still := func(now map[string]any) error {
			if key := room.rulesKey(now); key != p.Was {
				p.Was = key
				return gangway.Errorf(gangway.Conflict, "somebody has changed the rules since you opened the page; "+
					"saving again replaces that with what you see")
			}
			return nil
		}
		done, err := room.CarryOut(r, in, func(r *http.Request) (done shell.Done, err error) {
			if done = (shell.Done{To: "/settings/crew-rules", Said: "The rules were saved."}); account {
				_, err = in.UpdateSettings(r.Context(), room.Actor(r), room.Now(), func(s *gangway.Settings) error {
					err := still(accountRules(*s))
					s.Crew, s.Transits, s.Rates = rules, transits, rates
					return err
				})
				return done, err
			}
			done.To = flights.CrewChangePath(p.Key)
			return done, in.SetCrewRules(r.Context(), room.Actor(r), p.Key, room.Now(), func(c gangway.CrewChange) (
				gangway.CrewRules, error) {
				return rules, still(c.Rules.Typed())
			})
		})
		switch {
		case gangway.KindOf(err) == gangway.Conflict:
			p.Refused = shell.SentenceOf(err)
			return room.showRules(w, r, p, http.StatusConflict)
		case err != nil:
			return err
		}
		return room.Finish(w, r, done)
	}
}
