package people

import (
	"net/http"
	"strings"

	"gangway/internal/book/flight/sim"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

const accountPath = "/settings/account"

// An accountPage is the account's name and currency.
type accountPage struct {
	gangway.Account
	Name, Wrong string   // as typed, and what is wrong with it
	Currencies  []string // to choose from; none: its supplier does not let us
}

// Currency is that of prices now.
func (p accountPage) Currency() string { return sim.CurrencyOf(p.Settings.Currency) }

// Account shows the account.
func (room *Room) Account(w http.ResponseWriter, r *http.Request, _ store.Scoped) error {
	v, _ := shell.VisitorOf(r.Context())
	return room.showAccount(w, r, v.Account.Customer.Name, nil)
}

func (room *Room) showAccount(w http.ResponseWriter, r *http.Request, name string, refused error) error {
	v, _ := shell.VisitorOf(r.Context())
	p, status := accountPage{Account: v.Account, Name: name}, http.StatusOK
	if refused != nil {
		p.Wrong, status = shell.SentenceOf(refused), http.StatusUnprocessableEntity
	}
	if p.Settings.Supplier == "" {
		p.Currencies = sim.Currencies()
	}
	return room.Show(w, r, shell.Page{Template: "account", Section: "settings", Title: "Settings › Account",
		Status: status, Data: p,
		Answer: "The name is for both environments, the currency for " + string(v.Account.Environment) + " only."})
}

// Rename gives the company another name.
func (room *Room) Rename(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	name := r.PostFormValue("name")
	done, err := room.CarryOut(r, in, func(r *http.Request) (shell.Done, error) {
		v, _ := shell.VisitorOf(r.Context())
		return shell.Done{To: accountPath, Said: "The company is called " + strings.TrimSpace(name) + "."},
			room.db.RenameCustomer(r.Context(), room.Actor(r), v.User.Customer, name, room.Now())
	})
	if gangway.KindOf(err) == gangway.Invalid {
		return room.showAccount(w, r, name, err)
	}
	if err != nil {
		return err
	}
	return room.Finish(w, r, done)
}

// A currencyPage asks before prices are asked for in another currency, and for the approval limit in that one.
type currencyPage struct {
	Currency string
	Old      gangway.Money // the limit that ends
	Limited  bool          // there is one
	Limit    string        // as typed
	Wrong    string
}

// ChangeCurrency has prices asked for in another currency, once that was asked, with another approval limit if there is
// one in the old currency.
func (room *Room) ChangeCurrency(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	code, next := r.PostFormValue("currency"), shell.Settings(r.Context())
	if err := sim.CheckCurrency(code); err != nil {
		return err
	}
	same := code == sim.CurrencyOf(next.Currency)
	next.SetCurrency(code)
	p := currencyPage{Currency: code, Old: next.Approval.Above, Limited: next.Approval.Awaits(),
		Limit: strings.TrimSpace(r.PostFormValue("limit"))}
	switch asked := r.PostFormValue("sure") != ""; {
	case !asked && same && !p.Limited:
		return room.Redirect(w, r, accountPath)
	case !asked:
		return room.askCurrency(w, r, p, nil)
	}
	done, err := room.CarryOut(r, in, func(r *http.Request) (shell.Done, error) {
		_, err := in.UpdateSettings(r.Context(), room.Actor(r), room.Now(), func(s *gangway.Settings) error {
			s.SetCurrency(code)
			if !s.Approval.Awaits() || r.PostFormValue("later") != "" {
				return nil
			}
			limit, err := gangway.ParseApprovalPolicy("above " + p.Limit + " " + code)
			if err == nil {
				s.Approval = limit
			}
			return err
		})
		return shell.Done{To: accountPath, Said: "New prices are in " + code + "."}, err
	})
	if gangway.KindOf(err) == gangway.Invalid {
		return room.askCurrency(w, r, p, err)
	}
	if err != nil {
		return err
	}
	return room.Finish(w, r, done)
}

func (room *Room) askCurrency(w http.ResponseWriter, r *http.Request, p currencyPage, refused error) error {
	status := http.StatusOK
	if refused != nil {
		p.Wrong, status = shell.SentenceOf(refused), http.StatusUnprocessableEntity
	}
	return room.Show(w, r, shell.Page{Template: "account_currency", Section: "settings", Status: status,
		Title: "Prices in " + p.Currency + "?", Data: p})
}
