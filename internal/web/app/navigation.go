package app

import (
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// navigation is the links that lead to the pages. A page that people go to by themselves
// has a line here as well as in routes.go, and names its section.
var navigation = shell.Navigation{
	Sections: []shell.Section{
		{Name: "today", Path: "/", Icon: "calendar", Long: "Today", Short: "Today", Count: needed},
		{Name: "book", Path: "/book", Icon: "plane", Long: "Book", Short: "Book", Key: "b"},
		{Name: "crew-changes", Path: "/crew-changes", Icon: "ship", Long: "Crew changes", Short: "Crew"},
		{Name: "requests", Path: "/requests", Icon: "list", Long: "Requests", Short: "Requests"},
		{Name: "hotels", Path: "/hotels", Icon: "bed", Long: "Hotels", Short: "Hotels"},
		{Name: "bookings", Path: "/bookings", Icon: "ticket", Long: "Bookings", Short: "Bookings"},
		{Name: "approvals", Path: "/approvals", Icon: "check", Long: "Approvals", Short: "Approve",
			Count: forApprovers},
		{Name: "deadlines", Path: "/deadlines", Icon: "clock", Long: "Deadlines", Short: "Due", Count: due},
		{Name: "report", Path: "/report", Icon: "chart", Long: "Report", Short: "Report"},
		{Name: "settings", Path: "/settings/overview", Icon: "settings", Long: "Settings", Short: "Settings",
			Settings: true},
	},
	Settings: []shell.Link{
		{Path: "/settings/overview", Words: "Overview"},
		{Path: "/settings/people", Words: "People"},
		{Path: "/settings/keys", Words: "Keys"},
		{Path: "/settings/account", Words: "Account"},
		{Path: "/settings/policy", Words: "Policy"},
		{Path: "/settings/crew-rules", Words: "Crew rules"},
		{Path: "/settings/supplier", Words: "Supplier"},
		{Path: "/settings/feeds", Words: "Feeds"},
		{Path: "/settings/outlets", Words: "Outlets"},
		{Path: "/settings/check", Words: "Check"},
		{Path: "/settings/integrator", Words: "Integrator"},
		{Path: "/settings/sandbox", Words: "Sandbox"},
		{Path: "/settings/audit", Words: "Audit"},
	},
	Find: shell.Find{Path: "/bookings", Suggest: "/suggest/anything?find=", Label: "Find anything",
		Hint: "Person, vessel, locator, request"},
	WaysIn: []shell.WaysIn{{Begins: "/integrator/", Ways: []shell.Link{
		{Path: "/integrator/requests", Words: "All requests"},
		{Path: "/integrator/requests?show=deliveries", Words: "All deliveries"}}},
		{Begins: "/invitations/", Ways: []shell.Link{{Path: "/sign-in", Words: "Sign in"}}}},
	Ways: []shell.Link{{Path: "/book", Words: "Book a flight"}, {Path: "/bookings", Words: "Bookings"}},
	Going: []shell.Link{
		{Path: "/integrations/search/", Words: "the flights for the crew that your system has just sent"},
		{Path: "/searches/", Words: "the flights found"},
		{Path: "/crew-changes", Words: "crew changes"},
		{Path: "/requests", Words: "travel requests"},
		{Path: "/itinerary", Words: "an itinerary"},
		{Path: "/agent", Words: "the list for a ship’s agent"},
		{Path: "/hotels", Words: "hotels"},
		{Path: "/runs/", Words: "what was done to the bookings that were ticked"},
		{Path: "/bookings/", Words: "a booking"},
		{Path: "/bookings", Words: "bookings"},
		{Path: "/book", Words: "the search for flights"},
		{Path: "/approvals", Words: "approvals"},
		{Path: "/attention", Words: "what needs a person"},
		{Path: "/deadlines", Words: "deadlines"},
		{Path: "/mails", Words: "the mails that you get"},
		{Path: "/report", Words: "the report"},
		{Path: "/travellers/", Words: "a traveller"},
		{Path: "/travellers", Words: "travellers"},
		{Path: "/vessels/", Words: "a vessel"},
		{Path: "/ports/", Words: "a port"},
		{Path: "/settings/people", Words: "the people of your company"},
		{Path: "/settings/keys", Words: "the API keys and report logins"},
		{Path: "/settings/account", Words: "the account of your company"},
		{Path: "/settings/policy", Words: "the policy"},
		{Path: "/settings/moves", Words: "the limit for moves without approval"},
		{Path: "/settings/crew-rules", Words: "the crew rules"},
		{Path: "/settings/supplier", Words: "the supplier"},
		{Path: "/settings/feeds", Words: "the feeds"},
		{Path: "/settings/outlets", Words: "the outlets"},
		{Path: "/settings/check", Words: "the check of your system"},
		{Path: "/settings/integrator", Words: "what your programs ask"},
		{Path: "/settings/sandbox", Words: "the sandbox"},
		{Path: "/settings/audit", Words: "the audit log"},
		{Path: "/settings", Words: "the settings"},
	},
	Beside: []shell.Link{{Path: "/integrator", Words: "Check an API key"}},
}

func forApprovers(waits store.Waits, role gangway.Role) (n int, acts bool) {
	return waits.Approver, role.CanApprove()
}

func needed(waits store.Waits, _ gangway.Role) (n int, acts bool) { return waits.Today(), true }

func due(waits store.Waits, _ gangway.Role) (n int, acts bool) { return waits.Due(), true }
