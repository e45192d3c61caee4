package app

// The rooms are shell (what all pages share), flights, crew, bookings, paper, inbox, today, report, feeds,
// outlets, people, settings, check, sandbox, audit and integrator; each uses only those before it. A page is in the
// folder of its room: handler, template and test.
//
// How to add a page
//
//  1. Write bookings/bookings.go with a struct that holds exactly what the page
//     shows, already in words or in types that a template function formats, and a
//     handler that fills it:
//
//     type bookingsPage struct { Rows []bookingRow }
//
//     // Bookings lists the bookings that the filters select.
//     func (room *Room) Bookings(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
//         …
//         return room.Show(w, r, shell.Page{Template: "bookings", Section: "bookings",
//             Title: "Bookings", Answer: "25 of 310", Data: bookingsPage{rows}})
//     }
//
//  2. Write bookings/templates/bookings.html. It defines "content", and "actions"
//     when the page head has a main action; both get Data as their dot. Besides its
//     own it has the parts in templates/parts of shell and flights. Template
//     functions are listed in shell/functions.go and flights/words.go; addresses
//     are always written {{href "/bookings/" .ID}}.
//
//  3. Add a line to routes.go, a Going line to navigation.go for each page behind
//     sign-in, one to unlisted in navigation_inside_test.go if only another page's
//     button leads there, the page's states to pages_list_test.go, and, if it needs one,
//     a stylesheet in bookings/styles with its line in assets/app.css; then run
//     assets/build.sh. Write no style attributes and no inline scripts,
//     because the page forbids them.
//
//  4. Test it in the same folder, in package bookings_test: apptest serves
//     the whole application, with clients and a browser to use it.
//
// A list that can grow shows 50 rows and is read with one more: the address has the key of
// the last row (?after=), and the page says when it is cut. The history of a feed is an example.
// Its "today" is the account's, in.Now.
//
// What two rooms share belongs in a room that both know: what is of the trade in
// flights (or, where it decides something, in internal/book/plan or on the noun
// itself), everything else in shell.
//
// A page behind sh.InTurn in routes.go stays true while it is open (shell/live.go): it is asked for again by a visitor
// who is nobody, without a session, and its parts are shared. A page that shows its reader something of their own asks
// for v.Person() in place of v.User; what only the first answer has is marked data-own. A quote, or a page that asks
// anybody but the database, is behind sh.Turn. Rows keep their place by their id, data-key or link.
//
// Who is signed in: shell.VisitorOf(r.Context()). After a POST: room.Sessions.SetFlash to
// have the next page say what was done, and return room.Redirect(w, r, "/bookings/"+id).
// Return a failure as an error, and the shell shows its page. To show a form again
// with what was typed, show the page with Status 422 and a sentence beside each field.
//
// What the script offers to any page (shell/scripts): data-suggest (a field that
// suggests), data-swap (parts that change in place), data-stream (parts that
// arrive), data-row (rows for the arrow keys, in a tr or li), data-key="i" (the link of a
// row or page for a letter), <time data-left> (counts down).
// Parts to be sent by data-stream are rendered with room.Part.
