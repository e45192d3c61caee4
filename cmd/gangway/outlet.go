package main

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"gangway/internal/deliver"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/transport/endpoint"
	"gangway/internal/transport/kinds"
	"gangway/internal/wire"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

type outletCommand struct {
	Set      outletSet      `cmd:"" help:"Create an outlet of an account, or change the one of its name."`
	List     outletList     `cmd:"" help:"List an account's outlets."`
	Show     outletShow     `cmd:"" help:"Show an outlet and how it is doing."`
	Test     outletTest     `cmd:"" help:"Send an invented booking, and say what was answered. Nothing of it is kept."`
	Delete   outletDelete   `cmd:"" help:"Delete an outlet."`
	Pause    outletPause    `cmd:"" help:"Stop deliveries; what happens meanwhile waits."`
	Resume   outletResume   `cmd:"" help:"Go on after a pause or a 410, and try now what waits for a later try."`
	Rotate   outletRotate   `cmd:"" help:"Make a new signing secret; the one before it stays valid until the next."`
	Parked   outletParked   `cmd:"" help:"List what is no longer tried by itself, and why."`
	Replay   outletReplay   `cmd:"" help:"Deliver again what is parked, one action, or those of a span of time."`
	Attempts outletAttempts `cmd:"" help:"List the latest tries and what was answered."`
}

type outletSet struct {
	outletFlags
	URL         string          `name:"url" help:"The customer's address, such as https://crewing.example/api/sync."`
	Name        string          `default:"default" help:"The outlet's name (${default}). An account may have several."`
	AuthFile    string          `placeholder:"FILE" help:"What the customer's system wants to be shown; - is stdin."`
	States      []gangway.State `placeholder:"STATE,…" help:"Only actions that lead to these states; all: every one."`
	MappingFile string          `placeholder:"FILE" help:"A jq program that makes the body of the record."`
	Replace     bool            `help:"Send to another address or query than until now, without being asked."`
	File        string          `placeholder:"OUTLET.json" help:"In place of these: the outlet as a whole; - is stdin."`
	ShowSecret  bool            `help:"Print the signing secret also of an outlet that was there already."`
}

// Help tells what is in the files.
func (outletSet) Help() string {
	return "An outlet that is there already keeps what is not given with --url, also the query (?key=…) of its " +
		"address, which nothing shows: setting what outlet show prints changes nothing. An address that ends in ? " +
		"has none from then on.\n\n" +
		`--file has the outlet as one JSON object, of any kind of transport, such as {"name": "erp", "states": ` +
		`["issued"], "mapping": "…", "format": "csv", "batch": "15m", "transport": {"kind": "sftp", "host": "…", …}}. ` +
		"What is left out there is as usual, but secrets stay where they are left out.\n\n" +
		`--auth-file has one JSON object, such as {"kind": "bearer", "token": "…"}. The kinds are none, basic (user, ` +
		"password), bearer (token), header (name, value) and certificate (certificate, key: PEM). It is kept sealed, " +
		"stays where it is left out, and is never shown to another system.\n"
}

// outletFlags are the flags of commands that may connect to customers' systems.
type outletFlags struct {
	accountFlags
	AllowNetwork []netip.Prefix `placeholder:"CIDR" help:"A private network to send to, as serve has it. Repeatable."`
	pushFlags
	mailFlags
}

// setter returns what sets outlets up.
func (c *outletFlags) setter(t *terminal) (s deliver.Setter, err error) {
	s = deliver.Setter{Kinds: kinds.Outlets, Now: t.now}
	if s.Options.Allow, err = c.pushable(c.AllowNetwork); err != nil {
		return s, err
	}
	s.Options.Mailer, err = c.mailer(t)
	return s, err
}

// outletSecret is the answer of outlet set and outlet rotate.
type outletSecret struct {
	Outlet string      `json:"outlet"`
	Auth   *listedAuth `json:"auth,omitzero"` // of outlet set; nil for none
	Secret string      `json:"secret,omitzero"`
}

func (c *outletSet) check() error {
	switch {
	case c.File == "" && c.URL == "":
		return wrongUsage("--url or --file is missing")
	case c.File != "" && (c.URL != "" || c.AuthFile != "" || c.Name != gangway.DefaultOutlet || len(c.States) > 0 ||
		c.MappingFile != ""):
		return wrongUsage("--file has everything: leave out --url, --name, --auth-file, --states and --mapping-file")
	case c.File != "":
		return nil
	}
	if err := endpoint.CheckForm(c.URL); err != nil {
		return gangway.Errorf(gangway.Invalid, "--url: %v", err)
	}
	if err := (gangway.Outlet{Name: c.Name, States: c.states(), Format: gangway.JSONFormat}).Check(true); err != nil {
		return gangway.Errorf(gangway.Invalid, "--%v", err)
	}
	return nil
}

// states are those that are given; none: all.
func (c *outletSet) states() []gangway.State {
	if len(c.States) == 1 && c.States[0] == "all" {
		return nil
	}
	return c.States
}

// edit returns what is made of the outlet of a name.
func (c *outletSet) edit(t *terminal) (name string, edit deliver.Edit, err error) {
	if c.File != "" {
		return c.whole(t)
	}
	edits := []deliver.Edit{deliver.PostTo(c.URL)}
	if c.AuthFile != "" {
		_, auth, err := readCredentials(c.AuthFile, t.in)
		if err != nil {
			return "", nil, err
		}
		edits = append(edits, func(o gangway.Outlet) (gangway.Outlet, error) {
			o.Transport.Settings, err = withSetting(jsontext.Value(o.Transport.Settings), "auth", auth)
			return o, err
		})
	}
	if c.MappingFile != "" {
		mapping, err := readPrivate("--mapping-file", c.MappingFile, t.in, longestOutlet)
		if err != nil {
			return "", nil, err
		}
		edits = append(edits, func(o gangway.Outlet) (gangway.Outlet, error) {
			o.Mapping = mapping
			return o, nil
		})
	}
	return c.Name, func(o gangway.Outlet) (gangway.Outlet, error) {
		if len(c.States) > 0 {
			o.States = c.states()
		}
		for _, edit := range edits {
			var err error
			if o, err = edit(o); err != nil {
				return o, err
			}
		}
		return o, nil
	}, nil
}

// longestOutlet is how long an outlet's form may be.
const longestOutlet = 1 << 20

// whole reads an outlet that is given as a whole.
func (c *outletSet) whole(t *terminal) (name string, edit deliver.Edit, err error) {
	text, err := readPrivate("--file", c.File, t.in, longestOutlet)
	if err != nil {
		return "", nil, err
	}
	set, err := wire.ReadOutlet([]byte(text))
	if err != nil {
		return "", nil, gangway.Errorf(gangway.Invalid, "--file: %v", err)
	}
	return set.Name, func(o gangway.Outlet) (gangway.Outlet, error) {
		o.Transport, o.States, o.Mapping, o.Format = set.Transport, set.States, set.Mapping, set.Format
		o.Batch, o.Paused = set.Batch, set.Paused
		return o, nil
	}, nil
}

// mayReplace returns an error unless an outlet may send to another address than until now, or with another query.
func (c *outletSet) mayReplace(t *terminal, old, given gangway.Outlet, otherQuery bool) error {
	now, question := deliver.Readdressed(old, given, otherQuery)
	if c.Replace || question == "" {
		return nil
	}
	yes, there := askYes(t, gangway.Sentence(now)+" "+question)
	switch {
	case !there:
		return gangway.Errorf(gangway.Conflict, "%s: --replace sends as given from now on", now)
	case yes:
		return nil
	}
	return gangway.Errorf(gangway.Conflict, "nothing was changed: outlet %s goes on sending to %s", old.Name,
		old.Address())
}

// withSetting returns settings with another value for one of them.
func withSetting(settings jsontext.Value, name string, value jsontext.Value) ([]byte, error) {
	var members map[string]jsontext.Value
	if err := json.Unmarshal(settings, &members); err != nil {
		return nil, fmt.Errorf("read settings: %w", err)
	}
	members[name] = value
	return json.Marshal(members, json.Deterministic(true))
}

// Run sets the outlet. It prints the signing secret only when that is new to everybody, because
// addresses are often set again in terminals that others see, and by scripts that write logs. A
// host that has no address yet is accepted with a warning, because somebody may prepare an outlet
// in advance.
func (c *outletSet) Run(t *terminal) error {
	setter, err := c.setter(t)
	if err != nil {
		return err
	}
	name, edit, err := c.edit(t)
	if err != nil {
		return err
	}
	db, account, err := c.account(t)
	if err != nil {
		return err
	}
	signed := false // it was before, so that its secret was shown
	setter.Confirm = func(is, becomes gangway.Outlet, otherQuery bool) error {
		signed = is.Pushes()
		return c.mayReplace(t, is, becomes, otherQuery)
	}
	o, err := setter.Set(t.ctx, db.In(account.Scope()), t.actor(), name, edit)
	if err != nil {
		if c.File == "" {
			err = inFlags(err)
		}
		return err
	}
	for _, w := range append(o.Warnings, c.ownMachineWarning(c.URL, c.AllowNetwork)) {
		if w != "" {
			fmt.Fprintln(t.err, "gangway: warning:", w)
		}
	}
	if o.KeptQuery {
		fmt.Fprintln(t.err, "gangway: the address keeps its query, which is not shown: end it with a ? to have none")
	}
	backlog, err := db.In(account.Scope()).OutletBacklog(t.ctx, o.ID)
	if err != nil {
		return err
	}
	if backlog.Parked > 0 {
		fmt.Fprintf(t.err, "gangway: %s: gangway outlet replay %s delivers what is parked again\n",
			gangway.ParkedWords(backlog.Parked), o.Name)
	}
	answer := outletSecret{Outlet: o.ID, Auth: authOf(o.Outlet)}
	words := fmt.Sprintf("Bookings of %s, %s, go to %s.\n  outlet          %s (%s)\n", account.Customer.Name,
		account.Environment, o.Address(), o.ID, o.Name)
	if o.Pushes() { // nothing else is signed, nor shown credentials of this kind
		shown := "as before (--show-secret prints it)"
		if c.ShowSecret || !signed {
			answer.Secret, shown = o.Secrets[0], o.Secrets[0]
		}
		words += fmt.Sprintf("  authentication  %s\n  signing secret  %s\n", o.Authentication(), shown)
	}
	return c.print(t, answer, words)
}

// inFlags names the flag that an error about an outlet is about.
func inFlags(err error) error {
	text, is := strings.CutPrefix(err.Error(), "transport: ")
	switch {
	case gangway.KindOf(err) != gangway.Invalid:
		return err
	case !is && strings.HasPrefix(strings.TrimPrefix(text, "the "), "mapping "):
		text = "--mapping-file: " + text
	case !is:
		return err
	case strings.HasPrefix(text, "url"):
		text = strings.Replace("--"+text, "give auth again", "give --auth-file again", 1)
	case strings.HasPrefix(text, "auth"):
		text = "--auth-file: " + text
	}
	return gangway.Errorf(gangway.Invalid, "%s", text)
}

type outletList struct {
	accountFlags
}

type listedOutlet struct {
	Outlet  string          `json:"outlet"`
	Name    string          `json:"name"`
	Kind    string          `json:"kind"`
	To      string          `json:"to"`
	URL     string          `json:"url,omitzero"`     // of an endpoint: the same
	Auth    *listedAuth     `json:"auth,omitzero"`    // nil for none
	States  []gangway.State `json:"states,omitempty"` // none: all
	Format  string          `json:"format"`
	Batch   string          `json:"batch,omitzero"`
	Paused  bool            `json:"paused"`
	Off     bool            `json:"off"`
	Reason  string          `json:"reason,omitzero"`
	Failing time.Time       `json:"failing_since,omitzero"`
	Held    time.Time       `json:"held_until,omitzero"` // as its system asked, or its mapping rests
	Next    time.Time       `json:"next_try,omitzero"`
	Waiting int             `json:"waiting"` // 10,001: more than 10,000
	Oldest  time.Time       `json:"oldest_waiting,omitzero"`
	Parked  int             `json:"parked"`

	LastError *deliveryError `json:"last_error,omitzero"` // while it fails, or something refused waits or is parked
}

// A deliveryError is the outcome of the last failed push. The answer is stored without the
// credentials that it may repeat.
type deliveryError struct {
	At      time.Time `json:"at"`
	Status  int       `json:"status,omitzero"` // none: there was no answer, and Answer has the reason
	Answer  string    `json:"answer"`
	Booking string    `json:"booking,omitzero"` // its identifier, where the outlet does not fail
	Action  int       `json:"action,omitzero"`
}

// lastError is what was answered last to what an outlet has not accepted; words say it in a line. Nil: nothing was.
func lastError(c gangway.Condition) (last *deliveryError, words string) {
	f := c.Latest
	if f == nil {
		return nil, ""
	}
	if words = answerWords(f.Status, f.Answer); f.Booking != "" {
		words += fmt.Sprintf(" (booking %s, action %d)", f.Locator, f.Action)
	}
	return &deliveryError{f.At, f.Status, f.Answer, f.Booking, f.Action}, words
}

// listedAuth is the part of credentials that may be shown.
type listedAuth struct {
	Kind gangway.CredentialsKind `json:"kind"`
}

// authOf returns the part of an outlet's credentials that may be shown; nil if there are none.
func authOf(o gangway.Outlet) *listedAuth {
	if kind := o.Authentication(); kind != gangway.NoCredentials {
		return &listedAuth{kind}
	}
	return nil
}

// Run prints the account's outlets, without their secrets, and why pushes fail.
func (c *outletList) Run(t *terminal) error {
	db, account, err := c.account(t)
	if err != nil {
		return err
	}
	outlets, err := db.In(account.Scope()).Outlets(t.ctx)
	if err != nil {
		return err
	}
	list, rows := []listedOutlet{}, [][]any{{"OUTLET", "NAME", "STATE", "WAITING", "ADDRESS", "AUTH", "LAST ERROR"}}
	for _, o := range outlets {
		is, err := deliver.Condition(t.ctx, db.In(account.Scope()), o, t.now())
		if err != nil {
			return err
		}
		last, lastWords := lastError(is)
		listed := listedOutlet{Outlet: o.ID, Name: o.Name, Kind: o.Transport.Kind, To: o.Address(), Auth: authOf(o),
			States: o.States, Format: string(o.Format), Paused: o.Paused, Off: o.Off, Reason: o.OffReason,
			Failing: o.FailingSince, Held: is.Held, Next: is.Next, Waiting: is.Waiting, Oldest: is.Oldest,
			Parked: is.Parked, LastError: last}
		if o.Pushes() {
			listed.URL = o.Address()
		}
		if o.Batch > 0 {
			listed.Batch = wire.Interval(o.Batch)
		}
		list = append(list, listed)
		rows = append(rows, []any{o.ID, o.Name, conditionWords(is), is.Waiting, o.Address(),
			o.Authentication(), lastWords})
	}
	return c.printList(t, list, rows)
}

type outletRotate struct {
	outletArg
	Now bool `help:"Drop the secret before it at once: because somebody else knows it, or its key is lost."`
}

// mayEnd returns an error if somebody at a terminal does not want the older one of an outlet's two secrets to end,
// which a receiver may still check with. Others are warned.
func (c *outletRotate) mayEnd(t *terminal, o gangway.Outlet, secrets []string) error {
	if len(secrets) < 2 {
		return nil
	}
	yes, there := askYes(t, fmt.Sprintf("Outlet %s has two valid secrets since its last rotation, and another one "+
		"ends the older at once, also for a receiver that still checks with it. Rotate again?", o.Name))
	if !there {
		fmt.Fprintf(t.err, "gangway: warning: outlet %s had two valid secrets, of which the older ends now: a "+
			"receiver that still checks with it refuses what comes\n", o.Name)
	} else if !yes {
		return gangway.Errorf(gangway.Conflict, "nothing was changed: both secrets of outlet %s stay valid", o.Name)
	}
	return nil
}

// Run makes a new secret, keeps the previous one beside it and drops older ones.
func (c *outletRotate) Run(t *terminal) error {
	in, o, err := c.namedOutlet(t)
	if err != nil {
		return err
	}
	if err := o.CheckSigned(); err != nil {
		return err
	}
	fresh := deliver.NewSecret()
	carry := "one signature now, with this secret"
	if c.Now { // also if those before cannot be opened any more
		err = in.SetOutletSecrets(t.ctx, t.actor(), o.ID, []string{fresh}, t.now())
	} else {
		carry = "two signatures now: with this secret, and with the one before it"
		err = c.rotate(t, in, o, fresh)
	}
	if err != nil {
		return err
	}
	return c.print(t, outletSecret{Outlet: o.ID, Secret: fresh},
		fmt.Sprintf("Pushes of outlet %s carry %s.\n  signing secret  %s\n", o.ID, carry, fresh))
}

// rotate puts a fresh secret before the newest of an outlet.
func (c *outletRotate) rotate(t *terminal, in store.Scoped, o gangway.Outlet, fresh string) error {
	known, err := in.OutletSecrets(t.ctx, o.ID)
	if err == nil {
		err = c.mayEnd(t, o, known)
	}
	if err != nil {
		return err
	}
	return in.ChangeOutletSecrets(t.ctx, t.actor(), o.ID, func(old []string) ([]string, error) {
		if !slices.Equal(old, known) {
			return nil, gangway.Errorf(gangway.Conflict, "the secrets of outlet %s were changed meanwhile, and not "+
				"by this", o.Name)
		}
		return append([]string{fresh}, old[:min(1, len(old))]...), nil
	}, t.now())
}
