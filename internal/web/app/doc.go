package app

// How to add a page
//
//  1. Write bookings.go with a struct that holds exactly what the page shows,
//     already in words or in types that a template function formats, and a
//     handler that fills it:
//
//     type bookingsPage struct { Rows []bookingRow }
//
//     func (a *App) bookings(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
//         …
//         return a.Show(w, r, shell.Page{Template: "bookings", Section: "bookings",
//             Title: "Bookings", Answer: "25 of 310", Data: bookingsPage{rows}})
//     }
//
//  2. Write templates/bookings.html. It defines "content", and "actions" when
//     the page head has a main action; both get Data as their dot. A file
//     templates/parts/*.html is shared by all pages. Template functions are
//     listed in words.go and in functions.go of package shell; addresses are
//     always written {{href "/bookings/" .ID}}.
//
//  3. Add a line to routes.go, and a stylesheet assets/css/pages/bookings.css
//     with its line in app.css, if it needs one; then run assets/build.sh.
//     No style attributes and no inline scripts: the page forbids them.
//
// Who is signed in: shell.VisitorOf(r.Context()). After a POST: a.Sessions.Tell to
// have the next page say what was done, and return a.Redirect(w, r, "/bookings/"+id).
// A failure is returned; package shell makes it a page. To show a form again with
// what was typed, show the page with Status 422 and the sentences beside the fields.
//
// What the script offers to any page (assets/js): data-suggest (a field that
// suggests), data-swap (parts that change in place), data-stream (parts that
// arrive), data-row (rows one can walk with arrow keys), <time data-left>.
// Parts to be sent by data-stream are rendered with a.Part.
