package web

import (
	"net/http"
	"time"
)

// BoundRequests bounds how many requests of one network are under way at a
// time: through a trusted proxy everybody comes on its connections, and one who
// asks for much and reads nothing would have them all. It goes behind FindClient.
//
// Decided: docs/choices.md, "What anybody may fill".
func BoundRequests(each, all int, next http.Handler) http.Handler {
	places := NewPlaces(each, all)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		client := Network(Client(r))
		switch ok, ofAll := places.Take(client); {
		case ofAll:
			Problem(w, r, Overloaded(5*time.Second, "as many requests are under way as are answered at once; send it again in a moment"))
			return
		case !ok:
			Problem(w, r, TooManyRequests(5*time.Second, "more requests from your network are under way than are answered at once; send it again in a moment"))
			return
		}
		defer places.Leave(client)
		next.ServeHTTP(w, r)
	})
}
