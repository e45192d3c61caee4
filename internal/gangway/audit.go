package gangway

import (
	"reflect"
	"time"
)

// An Actor is who does something that the audit log records, and from where.
type Actor struct {
	ID   string // a person's e-mail, "command", System or Unknown, or identifies an API key
	Name string // the person's, or the operating system's user's
	From string // network address, or the machine on which a command ran
}

// Unknown stands for somebody who did not say who they are.
const Unknown = "unknown"

// byCommand is the ID of whoever uses the command line.
const byCommand = "command"

// ByPerson returns u, at work from a network address.
func ByPerson(u User, from string) Actor { return Actor{ID: u.Email, Name: u.Name, From: from} }

// ByCommand returns the operating system's user who runs a command on a machine.
func ByCommand(user, machine string) Actor { return Actor{ID: byCommand, Name: user, From: machine} }

// BySystem returns the service itself, when nobody asked it to act.
func BySystem() Actor { return Actor{ID: System, From: "gangway"} }

// ByNobody returns somebody at a network address who did not say who they are.
func ByNobody(from string) Actor { return Actor{ID: Unknown, From: from} }

// ByKey returns whoever has shown an API key on a page, at a network address.
func ByKey(id, from string) Actor { return Actor{ID: id, From: from} }

// Who names a for people: "ana@halcyon.example (Ana Reyes)", "command root".
func (a Actor) Who() string {
	switch {
	case a.Name == "" || a.Name == a.ID:
		return a.ID
	case a.ID == byCommand:
		return a.ID + " " + a.Name
	}
	return a.ID + " (" + a.Name + ")"
}

// An AuditEvent is a kind of event that the audit log records.
type AuditEvent string

// The events. Customers' programs read their names, so none is ever renamed.
const (
	CustomerCreated AuditEvent = "customer.created"
	CustomerRemoved AuditEvent = "customer.removed"
	CustomerRenamed AuditEvent = "customer.renamed"

	UserInvited   AuditEvent = "user.invited"
	UserUninvited AuditEvent = "user.uninvited"  // the invitation was withdrawn
	UserSignedOut AuditEvent = "user.signed_out" // everywhere, by an admin

	UserPasswordLink AuditEvent = "user.password_link_made"

	UserCreated  AuditEvent = "user.created"
	UserDisabled AuditEvent = "user.disabled"
	UserEnabled  AuditEvent = "user.enabled"
	UserRemoved  AuditEvent = "user.removed"
	UserRole     AuditEvent = "user.role_changed"
	UserPassword AuditEvent = "user.password_changed"
	UserMails    AuditEvent = "user.mails_chosen"

	SignedIn       AuditEvent = "sign_in.done"
	SignInFailed   AuditEvent = "sign_in.failed"
	SignInLocked   AuditEvent = "sign_in.locked" // too many attempts: the password was not even checked
	SignedOut      AuditEvent = "sign_out"
	KeyRefused     AuditEvent = "key.refused"
	LimitReached   AuditEvent = "limit.reached"   // in the server's log only
	WebhookRefused AuditEvent = "webhook.refused" // in the server's log only
	RequestRefused AuditEvent = "request.refused" // not allowed for the person's role, or sent from another site's page

	SettingsChanged    AuditEvent = "settings.changed"
	SecretSet          AuditEvent = "secret.set"
	SecretRemoved      AuditEvent = "secret.removed"
	KeyCreated         AuditEvent = "key.created"
	KeyRevoked         AuditEvent = "key.revoked"
	ReportLoginCreated AuditEvent = "report_login.created"
	ReportLoginRefused AuditEvent = "report_login.refused"
	ReportLoginRenewed AuditEvent = "report_login.renewed" // another password
	ReportLoginRevoked AuditEvent = "report_login.revoked"

	OutletSet          AuditEvent = "outlet.set"
	OutletRotated      AuditEvent = "outlet.rotated"
	OutletOff          AuditEvent = "outlet.off"
	OutletDeleted      AuditEvent = "outlet.deleted"
	DeliveriesReplayed AuditEvent = "deliveries.replayed"

	FeedSet     AuditEvent = "feed.set"
	FeedDeleted AuditEvent = "feed.deleted"
	FeedFetched AuditEvent = "feed.fetched" // at once, because somebody wanted it
	FeedGiven   AuditEvent = "feed.given"   // a document, by hand

	FeedDocumentTaken AuditEvent = "feed_document.downloaded"

	RequestShown AuditEvent = "request.shown" // what a program sent and was answered

	SystemChecked AuditEvent = "system.checked" // a customer's system was called to see whether it does as it should

	BookingsExported AuditEvent = "bookings.exported"
	ReportExported   AuditEvent = "report.exported"

	ReportViewSaved   AuditEvent = "report_view.saved"
	ReportViewDeleted AuditEvent = "report_view.deleted"
	ReportViewMailed  AuditEvent = "report_view.mailed"

	AuditExported   AuditEvent = "audit.exported"
	DocumentShown   AuditEvent = "document.shown"
	TravellerErased AuditEvent = "traveller.erased"

	TravellerExported AuditEvent = "traveller.exported" // all data of a person, into a file

	RequestTakenBack    AuditEvent = "travel_request.taken_back"
	CrewChangeTakenBack AuditEvent = "crew_change.taken_back"
	TravellerTakenBack  AuditEvent = "traveller.taken_back"

	CrewChangeMoved      AuditEvent = "crew_change.moved" // to another date, by the rule or by a person
	CrewChangeAsked      AuditEvent = "crew_change.asked" // whether it moved
	CrewChangesTwo       AuditEvent = "crew_change.two"   // a person said that it did not move
	CrewChangeMoveUndone AuditEvent = "crew_change.move_undone"
	CrewChangeRules      AuditEvent = "crew_change.rules" // how its journeys are judged was set by hand

	SandboxSent      AuditEvent = "sandbox.sent"      // a booking was made up and brought to a state
	SandboxAdvanced  AuditEvent = "sandbox.advanced"  // the account's clock was moved forward
	SandboxDisrupted AuditEvent = "sandbox.disrupted" // an airline was told to disrupt a flight

	MoveLimitUsed AuditEvent = "move_limit.used" // something was booked or changed without approval, within it

	LinkMade    AuditEvent = "link.made" // to an itinerary, without sign-in
	LinkRevoked AuditEvent = "link.revoked"
	ListSent    AuditEvent = "agent_list.sent" // to a ship's agent

	HotelHandled  AuditEvent = "hotel.handled"
	HotelReopened AuditEvent = "hotel.reopened" // the mark was taken back
)

// AuditEvents are all events of the audit log, in the order of their names.
var AuditEvents = []AuditEvent{
	ListSent, AuditExported, BookingsExported, CrewChangeAsked, CrewChangeMoveUndone, CrewChangeMoved,
	CrewChangeRules, CrewChangeTakenBack, CrewChangesTwo, CustomerCreated, CustomerRemoved, CustomerRenamed,
	DeliveriesReplayed,
	DocumentShown, FeedDeleted, FeedFetched, FeedGiven, FeedSet, FeedDocumentTaken, HotelHandled, HotelReopened,
	KeyCreated, KeyRefused, KeyRevoked, LinkMade, LinkRevoked, MoveLimitUsed, OutletDeleted, OutletOff,
	OutletRotated, OutletSet, ReportExported, ReportLoginCreated, ReportLoginRefused, ReportLoginRenewed,
	ReportLoginRevoked, ReportViewDeleted, ReportViewMailed, ReportViewSaved, RequestRefused, RequestShown,
	SandboxAdvanced, SandboxDisrupted, SandboxSent, SecretRemoved, SecretSet, SettingsChanged, SignedIn,
	SignInFailed, SignInLocked, SignedOut, SystemChecked, RequestTakenBack, TravellerErased, TravellerExported,
	TravellerTakenBack, UserCreated, UserDisabled, UserEnabled, UserInvited, UserMails, UserPassword,
	UserPasswordLink, UserRemoved, UserRole, UserSignedOut, UserUninvited,
}

// An AuditEntry is one line of the audit log: who did what, when and from where.
// Before and After hold what the event is about and what it changed: never a
// secret, a password or a passport number.
type AuditEntry struct {
	ID          string // orders entries of the same instant
	At          time.Time
	By          Actor
	Customer    string      // empty where it belongs to no customer
	Environment Environment // empty where it concerns neither or both
	What        AuditEvent
	Before      map[string]any
	After       map[string]any
	Link        AuditLink
}

// An AuditLink is the place of an entry in the chain of its customer's entries, which shows whether an entry was
// changed, removed or added later. It is zero until the entry has a place, some seconds after it was written.
type AuditLink struct {
	Seq    int64
	Salt   string // of the digest; empty once the values that name people were erased
	Digest string // of the values that name people
	Hash   string // of the entry and the hash before it
}

// Changes returns the members in which before and after differ, with nil for a
// member that one of them lacks. Both results are empty when nothing differs.
func Changes(before, after map[string]any) (was, is map[string]any) {
	was, is = map[string]any{}, map[string]any{}
	for name, old := range before {
		if !reflect.DeepEqual(old, after[name]) {
			was[name], is[name] = old, after[name]
		}
	}
	for name, value := range after {
		if !reflect.DeepEqual(before[name], value) {
			was[name], is[name] = before[name], value
		}
	}
	return was, is
}
