package gangway

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"
)

// An Outlet is a way out for an account's bookings: which actions go out, what becomes of the record,
// how that is written, and how it travels. It is data: an account may have any number of outlets.
//
// Spec: Integration option 4.1; decided: docs/choices.md, "Push (B5)".
type Outlet struct {
	ID        string
	Name      string // unique within the account
	Transport Transport
	States    []State       // the actions that go out; none: all
	Mapping   string        // a jq program; empty: the record as the interface has it
	Format    FormatKind    // one of OutletFormats
	Batch     time.Duration // for how long actions are put together into one document; 0: each goes by itself
	Paused    bool          // somebody has stopped it for a while: what happens meanwhile waits

	Secrets      []string  // signing secrets, newest first; each "whsec_…"
	Off          bool      // switched off, because the customer answered 410, or it is Untested
	OffReason    string    // why, in words
	CreatedAt    time.Time // it gets the actions from then on
	FailingSince time.Time // of the first failure since the last success, see UnmadeSince, too; zero: it is well
	HeldUntil    time.Time // nothing is sent before then, as its system asked or its mapping rests; zero: neither
	SetAt        time.Time // when somebody last changed it; zero: nobody has
	ResumedAt    time.Time // when somebody last resumed it, switched it on or had it tried at once; zero: nobody has
}

// DefaultOutlet is the name of an outlet that was given none.
const DefaultOutlet = "default"

// TriesForgiven is how many failed tries in a row count of a delivery whose outlet has recovered or was resumed: it is
// not the delivery's fault that it waits for an hour between them by now. If it fails again, that is for a minute.
const TriesForgiven = 3

// OutletFormats are the ways in which outlets write.
var OutletFormats = []FormatKind{JSONFormat, CSVFormat, XMLFormat}

// Between how long a time and how long a time actions may be put together.
const (
	shortestBatch = time.Minute
	longestBatch  = 24 * time.Hour
)

// untested is why a copied outlet is off.
const untested = "copied from the other environment, and no test booking was accepted yet"

// AsCopy returns an outlet with settings of another environment's: it stays off until a test booking was accepted.
func (o Outlet) AsCopy() Outlet {
	o.Off, o.OffReason = true, untested
	return o
}

// Untested reports whether o is a copy to which no test booking was sent that was accepted.
func (o Outlet) Untested() bool { return o.Off && o.OffReason == untested }

// CheckResume returns Conflict for an outlet that a person may not switch on yet.
func (o Outlet) CheckResume() error {
	if o.Untested() {
		return Errorf(Conflict, "outlet %s was copied from the other environment: it is switched on once it has "+
			"accepted a test booking", o.Name)
	}
	return nil
}

// Wants reports whether an action that leads to a state goes out.
func (o Outlet) Wants(s State) bool { return len(o.States) == 0 || slices.Contains(o.States, s) }

// Check returns Invalid for an outlet that cannot be, and names the member. live says whether its kind
// of transport gets each action at once.
func (o Outlet) Check(live bool) error {
	switch {
	case o.Name == "" || len(o.Name) > feedNameMax || strings.ContainsFunc(o.Name, notInFeedName):
		return Errorf(Invalid, "name must be 1 to %d letters, figures, hyphens and underscores", feedNameMax)
	case o.Name == newFeed || strings.HasPrefix(o.Name, "out_"):
		return Errorf(Invalid, "name must be another than %q, and not begin with out_ as identifiers do", newFeed)
	case !slices.Contains(OutletFormats, o.Format):
		return Errorf(Invalid, "format must be %s", oneOf(OutletFormats))
	case len(o.Mapping) > mappingBytes:
		return Errorf(Invalid, "mapping must have at most %d bytes", mappingBytes)
	case o.Batch != 0 && live:
		return Errorf(Invalid, "batch must be left out: %s gets each action at once", o.Transport.Kind)
	case o.Batch != 0 && (o.Batch < shortestBatch || o.Batch > longestBatch):
		return Errorf(Invalid, `batch must be from "1m" to "24h"`)
	}
	for i, s := range o.States {
		switch {
		case !slices.Contains(States, s):
			return Errorf(Invalid, "states must be of %s", oneOf(States))
		case slices.Contains(o.States[:i], s):
			return Errorf(Invalid, "states has %s twice", s)
		}
	}
	return nil
}

// Address says where o sends to, as far as that may be shown: an address without its query, a folder
// at a server, with the port if one is set, or here, or mail addresses.
func (o Outlet) Address() string {
	var s struct {
		URL, Host, Path string
		Port            int
		To              json.RawMessage // a text, or a list of them
	}
	if json.Unmarshal(o.Transport.Settings, &s) != nil {
		return o.Transport.Kind
	}
	address, _, cut := strings.Cut(s.URL, "?")
	switch {
	case cut:
		return address + "?…"
	case address != "":
		return address
	case s.Host != "":
		host := s.Host
		if s.Port > 0 {
			host = net.JoinHostPort(host, strconv.Itoa(s.Port))
		}
		return fmt.Sprintf("%s://%s/%s", o.Transport.Kind, host, strings.TrimPrefix(s.Path, "/"))
	}
	var list []string
	if json.Unmarshal(s.To, &list) != nil {
		list = make([]string, 1)
		_ = json.Unmarshal(s.To, &list[0]) // it has none
	}
	return cmp.Or(s.Path, strings.Join(list, ", "), o.Transport.Kind)
}

// Authentication is the kind of credentials with which we authenticate to the customer's system.
func (o Outlet) Authentication() CredentialsKind {
	var s struct {
		Auth struct{ Kind CredentialsKind }
	}
	if json.Unmarshal(o.Transport.Settings, &s) != nil {
		return NoCredentials
	}
	return cmp.Or(s.Auth.Kind, NoCredentials)
}
