package doctor

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/transport"
	"gangway/internal/transport/endpoint"
)

// A Plan says what of a customer's system is to be examined.
type Plan struct {
	Name string      // of the system, for the report
	Ask  gangway.Ask // what is there to be found; where it says nothing, it is looked for

	feeds []gangway.Feed // secrets merged into their settings
	push  *push
	left  []Check // that cannot be made
}

// A push is where an invented booking is posted.
type push struct {
	address     string
	credentials gangway.Credentials
	secret      string // what the system checks signatures with; empty: it is not known
	ca          string // the authorities that its certificate comes from, in PEM; empty: the machine's
}

// PushFlow is B5 among the flows of a plan by address.
const PushFlow gangway.Flow = "push"

// Flows are what can be examined at an address, and usualFlows what is without being named:
// not all travellers, whose path the interface leaves open, and not B5, which posts a booking.
var (
	Flows = []gangway.Flow{gangway.TravellerLookupFlow, gangway.TravellersFlow, gangway.TravelRequestsFlow,
		gangway.CrewChangesFlow, PushFlow}
	usualFlows = []gangway.Flow{gangway.TravellerLookupFlow, gangway.TravelRequestsFlow, gangway.CrewChangesFlow}
)

// An Address is a customer's host, as the interface has it.
type Address struct {
	URL         string // {customer_url}; with flow travellers alone, the whole address of all travellers
	Credentials gangway.Credentials
	Flows       []gangway.Flow // none: B1, B3 and B4
	Secret      string         // what pushes are signed with; empty: it is not known
	CA          string         // the authorities that its certificate comes from, in PEM; empty: the machine's
}

// CheckFlows returns Invalid for flows that cannot be examined together.
func CheckFlows(flows []gangway.Flow) error {
	for _, f := range flows {
		if !slices.Contains(Flows, f) {
			return gangway.Errorf(gangway.Invalid, "flow must be traveller-lookup, travellers, travel-requests, "+
				"crew-changes or push")
		}
	}
	if slices.Contains(flows, gangway.TravellersFlow) && len(flows) > 1 {
		return gangway.Errorf(gangway.Invalid, "flow travellers is checked alone, because the interface names no path "+
			"for it: url is then the whole address")
	}
	return nil
}

// AtAddress plans to examine a host by the paths of the interface.
func AtAddress(a Address) (Plan, error) {
	if err := CheckFlows(a.Flows); err != nil {
		return Plan{}, err
	}
	if err := endpoint.CheckForm(a.URL); err != nil {
		return Plan{}, gangway.Errorf(gangway.Invalid, "url: %v", err)
	}
	all := len(a.Flows) == 1 && a.Flows[0] == gangway.TravellersFlow
	if !all && strings.Contains(a.URL, "?") {
		return Plan{}, gangway.Errorf(gangway.Invalid, "url: the documented paths are added to it, so it has no "+
			"query (?)")
	}
	asked := a.Flows
	if len(asked) == 0 {
		asked = usualFlows
	}
	if _, err := transport.ReadAuthorities("ca", a.CA); err != nil {
		return Plan{}, err
	}
	p := Plan{Name: shownURL(a.URL)}
	for _, flow := range Flows {
		at := strings.TrimRight(a.URL, "/") + flows[flow].path
		switch {
		case !slices.Contains(asked, flow):
			p.left = append(p.left, notAsked(flow))
		case flow == PushFlow:
			p.push = &push{at, a.Credentials, a.Secret, a.CA}
		default:
			if all {
				at = a.URL
			}
			f, err := feedAt(flow, at, a)
			if err != nil {
				return Plan{}, err
			}
			p.feeds = append(p.feeds, f)
		}
	}
	return p, nil
}

// notAsked is the line of a report about a flow that was not to be examined.
func notAsked(flow gangway.Flow) Check {
	c := Check{ID: flows[flow].part + ".answer", Part: flows[flow].part, Title: flows[flow].title}
	switch flow {
	case gangway.TravellersFlow:
		c.skip("The interface names no path for it: check its feed, or its whole address with flow travellers.")
	case PushFlow:
		c.skip("It is checked only with flow push, because it posts an invented booking.")
	default:
		c.skip("It was not to be checked.")
	}
	return c
}

func feedAt(flow gangway.Flow, address string, at Address) (gangway.Feed, error) {
	doc, err := settingsAt(address, at.Credentials, at.CA)
	if err != nil {
		return gangway.Feed{}, err
	}
	return gangway.Feed{Name: "check", Flow: flow, Format: gangway.DocumentFormat{Kind: gangway.AutoFormat},
		Transport: gangway.Transport{Kind: endpoint.Kind.Name, Settings: doc}}, nil
}

// settingsAt are settings with which an address is called.
func settingsAt(address string, c gangway.Credentials, ca string) (json.RawMessage, error) {
	settings := map[string]any{"url": address}
	if ca != "" {
		settings["ca"] = ca
	}
	if c.Any() {
		auth, err := c.Reveal()
		if err != nil {
			return nil, fmt.Errorf("write credentials: %w", err)
		}
		settings["auth"] = json.RawMessage(auth)
	}
	doc, err := json.Marshal(settings)
	if err != nil {
		return nil, fmt.Errorf("write settings: %w", err)
	}
	return doc, nil
}

// OfFeed plans to examine the system that a feed fetches from, with its secrets.
func OfFeed(f gangway.Feed) (Plan, error) {
	if f.Transport.Kind != endpoint.Kind.Name {
		return Plan{}, gangway.Errorf(gangway.Invalid, "feed %s is of kind %s: only addresses (%s) are checked; "+
			"gangway feed test tries any feed", f.Name, f.Transport.Kind, endpoint.Kind.Name)
	}
	settings, err := transport.Merge(f.Transport.Settings, json.RawMessage(f.Transport.Secrets))
	if err != nil {
		return Plan{}, err
	}
	f.Transport = gangway.Transport{Kind: f.Transport.Kind, Settings: settings}
	var s struct{ URL string }
	if err := json.Unmarshal(settings, &s); err != nil {
		return Plan{}, fmt.Errorf("read settings of feed %s: %w", f.Name, err)
	}
	return Plan{Name: "feed " + f.Name + ", " + shownURL(s.URL), feeds: []gangway.Feed{f}}, nil
}

// About is what the audit log says of an examination.
func (p Plan) About() map[string]any {
	flows := gangway.Each(p.feeds, func(f gangway.Feed) string { return string(f.Flow) })
	if p.push != nil {
		flows = append(flows, string(PushFlow))
	}
	return map[string]any{"system": p.Name, "flows": strings.Join(flows, ", ")}
}

// shownURL is an address without its query, which may be secret.
func shownURL(address string) string {
	path, _, _ := strings.Cut(address, "?")
	if u, err := url.Parse(path); err == nil {
		u.User = nil
		return u.String()
	}
	return path
}
