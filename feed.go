package gangway

import (
	"encoding/json"
	"time"
)

// A Feed is one way in for an account's records: from where documents are
// fetched, how they are written, how what is in them becomes our records, and
// what these are for. It is data: any number may serve one flow.
//
// Spec: Integration options 1.1, 1.2, 2.1, 3.1.
type Feed struct {
	Name      string // of letters, figures, hyphens and underscores; unique within the account
	Flow      Flow
	Every     time.Duration // between two runs of those that are fetched by themselves; 0: Flow's own
	Transport FeedTransport
	Format    DocumentFormat
	Mapping   string // a jq program; empty: our own shapes and common spellings
	Complete  *bool  // whether a run brings all there is; nil: as the flow and the transport have it
}

// A FeedTransport says where documents come from: a kind of transport, and that
// kind's own settings as an object of JSON, which package transport reads.
// Nothing that prints, logs or encodes it shows the settings.
type FeedTransport struct {
	Kind     string
	Settings FeedSettings
}

// FeedSettings are settings of a transport, secrets among them, as an object of
// JSON without "kind".
type FeedSettings json.RawMessage

// A Flow says what records are for, and when they are asked for.
type Flow string

const (
	TravellersFlow      Flow = "travellers"       // 1.2: all travellers, kept here, fetched every hour
	TravellerLookupFlow Flow = "traveller-lookup" // 1.1, B1: by the beginning of a surname, while somebody types
	TravelRequestsFlow  Flow = "travel-requests"  // 2.1, B3: of a period, when somebody picks a date
	CrewChangesFlow     Flow = "crew-changes"     // 3.1, B4: of a date, when somebody picks one
)

// An Ask is what a customer's system is asked for: the beginning of a surname,
// a period (both ends included), or a date. The zero Ask is all there is.
//
// Spec: B1, B3, B4.
type Ask struct {
	Surname  string
	From, To Date
	Date     Date
}

// A DocumentFormat says how documents are written, as far as that is not to be
// found out from themselves.
type DocumentFormat struct {
	Kind      FormatKind
	Encoding  string        // a label of the WHATWG's Encoding standard; empty: found out
	Delimiter string        // csv: one character; empty: found out
	Header    *int          // csv, xlsx, fixed: the row, from 1, that has the names; 0: none; nil: the first (of fixed: none)
	Columns   []FixedColumn // fixed
	Sheet     string        // xlsx: a sheet's name; "*": all rows of all sheets; empty: the only one, or each by its name
}

// A FormatKind names a way to write documents.
type FormatKind string

const (
	AutoFormat  FormatKind = "auto" // found out from the content
	JSONFormat  FormatKind = "json" // one value, or one on each line
	YAMLFormat  FormatKind = "yaml"
	CSVFormat   FormatKind = "csv"
	XLSXFormat  FormatKind = "xlsx"
	XMLFormat   FormatKind = "xml"
	SOAPFormat  FormatKind = "soap"
	FixedFormat FormatKind = "fixed" // columns of fixed width
	PairsFormat FormatKind = "pairs" // plain text: blocks of "name: value"
)

// A FixedColumn is where a value stands in each line: characters, from 1, both
// ends included.
type FixedColumn struct {
	Name     string
	From, To int
}
