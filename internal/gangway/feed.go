package gangway

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
)

// A Feed is one way in for an account's records: where documents are fetched,
// how they are written, how what is in them becomes our records, and what these
// are for. It is data: any number of feeds may serve one flow.
//
// Spec: Integration options 1.1, 1.2, 2.1, 3.1; decided: docs/choices.md, "Feeds".
type Feed struct {
	Name      string // unique within the account
	Flow      Flow
	Transport Transport
	Format    DocumentFormat
	Mapping   string        // a jq program; empty: our own shapes and common spellings
	Every     time.Duration // between two runs of a feed that is fetched by itself; 0: the usual
	Complete  *bool         // whether a run brings all there is; nil: as it is usual for the flow and the transport
	Off       bool          // it is neither fetched by itself nor asked

	RemovalLimit int `json:",omitzero"` // the most that one run may remove, in percent; 0: the usual
}

// A Transport says where documents come from or go to: a kind of transport, and that
// kind's own settings as two objects of JSON, which package transport reads. The
// secret ones are kept sealed.
type Transport struct {
	Kind     string
	Settings json.RawMessage // what may be shown
	Secrets  SecretSettings
}

// NoPaging is the setting "paging" of a transport of which one page of an answer is everything.
const NoPaging = "none"

// OnePage reports whether the settings say that one page of an answer is everything.
func (t Transport) OnePage() bool {
	var s struct{ Paging string }
	return json.Unmarshal(t.Settings, &s) == nil && s.Paging == NoPaging
}

// UploadTransport is the kind of transport of feeds for which nothing is fetched: people give
// them their documents.
const UploadTransport = "upload"

// SecretSettings are the settings of a transport that nobody may see, as an
// object of JSON. Nothing that prints, logs or encodes them shows them.
type SecretSettings []byte

// Format writes nothing of the settings, whatever the verb.
func (s SecretSettings) Format(f fmt.State, _ rune) { io.WriteString(f, "secret") }

// MarshalJSON writes null.
func (s SecretSettings) MarshalJSON() ([]byte, error) { return []byte("null"), nil }

// A Flow says what a feed's records are for.
type Flow string

const (
	TravellersFlow      Flow = "travellers"       // 1.2: all travellers, kept here
	TravellerLookupFlow Flow = "traveller-lookup" // 1.1, B1: by the beginning of a surname, while somebody types
	TravelRequestsFlow  Flow = "travel-requests"  // 2.1, B3: of a period, when somebody picks a date
	CrewChangesFlow     Flow = "crew-changes"     // 3.1, B4: of a date, when somebody picks it
)

// Flows are all of them.
var Flows = []Flow{TravellersFlow, TravellerLookupFlow, TravelRequestsFlow, CrewChangesFlow}

// An Ask is what a customer's system is asked for: the beginning of a surname,
// a period with both its ends, or a date. The zero Ask is all there is.
type Ask struct {
	Surname string `json:"surname,omitzero"`
	From    Date   `json:"from,omitzero"`
	To      Date   `json:"to,omitzero"`
	Date    Date   `json:"date,omitzero"`
}

// How often feeds are fetched that do not say it, and within which bounds others may say it.
//
// Spec: Limits, Traveller cache refresh; decided: docs/choices.md, "Feeds".
const (
	hourly       = time.Hour   // addresses and databases
	watched      = time.Minute // folders and mailboxes, where a document may come at any time
	mostOften    = time.Minute
	leastOften   = 7 * 24 * time.Hour
	feedNameMax  = 64
	removalLimit = 30    // percent
	newFeed      = "new" // stands for the feed that does not exist yet in the addresses of pages
	mappingBytes = 64 << 10
)

// ByHand reports whether people give f all its documents, so that nothing is ever fetched.
func (f Feed) ByHand() bool { return f.Transport.Kind == UploadTransport }

// Asked reports whether f is asked while somebody waits, as what can be asked is, unless
// it is all travellers: those are kept here. live says whether f's kind of transport can be.
func (f Feed) Asked(live bool) bool { return live && f.Flow != TravellersFlow }

// Scheduled reports whether f is fetched by itself.
func (f Feed) Scheduled(live bool) bool { return !f.Asked(live) && !f.ByHand() }

// Interval returns how long after a run the next one begins.
func (f Feed) Interval(live bool) time.Duration {
	switch {
	case f.Every > 0:
		return f.Every
	case live:
		return hourly
	}
	return watched
}

// BringsAll reports whether a run of f brings all there is, so that what it does
// not bring is not there any more: said by f, or else all travellers from an
// address or a database; files and mails add and replace.
func (f Feed) BringsAll(live bool) bool {
	if f.Complete != nil {
		return *f.Complete
	}
	return live && f.Flow == TravellersFlow
}

// smallList is how many records a list had at least that is not believed once many of them are gone; a shorter one is
// believed unless it is empty.
const smallList = 10

// TooMany reports whether a run that brought now records would remove too many of those that the feed had, so that it
// is given up.
func (f Feed) TooMany(gone, had, now int) bool {
	return had > 0 && (now == 0 || had >= smallList && gone*100 > f.Limit()*had)
}

// Limit is the most that one run may remove, in percent.
func (f Feed) Limit() int { return cmp.Or(f.RemovalLimit, removalLimit) }

// ToldRemoved reports whether admins are told of a run that has removed so many of the records that the feed had: more
// than a tenth, and five.
func ToldRemoved(gone, had int) bool { return had >= smallList && gone >= 5 && gone*10 > had }

// Check returns Invalid for a feed that cannot be, and names the member. live
// says whether its kind of transport can be asked while somebody waits.
func (f Feed) Check(live bool) error {
	switch {
	case f.Name == "" || len(f.Name) > feedNameMax || strings.ContainsFunc(f.Name, notInFeedName):
		return Errorf(Invalid, "name must be 1 to %d letters, figures, hyphens and underscores", feedNameMax)
	case f.Name == newFeed:
		return Errorf(Invalid, "name must be another than %q, where pages set up a feed", newFeed)
	case !slices.Contains(Flows, f.Flow):
		return Errorf(Invalid, "flow must be %s", oneOf(Flows))
	case f.Flow == TravellerLookupFlow && !live:
		return Errorf(Invalid, "flow %s asks while somebody types, which %s cannot be: use flow %s", f.Flow,
			f.Transport.Kind, TravellersFlow)
	case f.Every != 0 && f.ByHand():
		return Errorf(Invalid, "every must be left out: this feed's documents are given by hand")
	case f.Every != 0 && !f.Scheduled(live):
		return Errorf(Invalid, "every must be left out: this feed is asked when somebody needs it")
	case f.Every != 0 && (f.Every < mostOften || f.Every > leastOften):
		return Errorf(Invalid, `every must be from "1m" to "168h"`)
	case f.RemovalLimit < 0 || f.RemovalLimit > 100:
		return Errorf(Invalid, "removal_limit must be from 1 to 100")
	case len(f.Mapping) > mappingBytes:
		return Errorf(Invalid, "mapping must have at most %d bytes", mappingBytes)
	}
	return nil
}

// ChangedFrom names the settings in which f differs from what it was, as "every, mapping". It has no values: an
// address may have a key in it, and a mapping is long.
func (f Feed) ChangedFrom(was Feed) string {
	settings := func(f Feed) map[string]any {
		all, secrets := map[string]any{}, map[string]any{}
		_ = cmp.Or(json.Unmarshal(f.Transport.Settings, &all), json.Unmarshal(f.Transport.Secrets, &secrets)) // none
		maps.Copy(all, map[string]any{"flow": f.Flow, "transport": f.Transport.Kind, "format": f.Format,
			"mapping": f.Mapping, "every": f.Every, "complete": f.Complete, "removal_limit": f.RemovalLimit,
			"secrets": secrets})
		return all
	}
	_, is := Changes(settings(was), settings(f))
	return strings.Join(slices.Sorted(maps.Keys(is)), ", ")
}

// oneOf lists texts as in "a, b or c".
func oneOf[T ~string](list []T) string {
	var b strings.Builder
	for i, v := range list {
		switch {
		case i > 0 && i == len(list)-1:
			b.WriteString(" or ")
		case i > 0:
			b.WriteString(", ")
		}
		b.WriteString(string(v))
	}
	return b.String()
}

func notInFeedName(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_'
}
