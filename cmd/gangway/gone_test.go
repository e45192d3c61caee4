package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"

	"gangway/internal/store"
)

// An upload is refused, and nothing of it is stored, if its key is revoked or its customer removed while it
// arrives: with the real program, a moment before the end of the body.
func TestKeyGoesWhileAnUploadIsOnItsWay(t *testing.T) {
	body := sure(json.Marshal([]any{nobodyElse()}))(t)
	onEither(t, func(t *testing.T, database string) {
		p, app, _ := serve(t, database)
		defer p.stop()
		for name, end := range map[string]func(made newCustomer){
			"the key is revoked": func(made newCustomer) {
				of := []string{"--database", database, "--customer", made.Customer, "--environment", "production"}
				for _, k := range answer[[]struct {
					Key string `json:"key"`
				}](t, append([]string{"key", "list"}, of...)...) {
					answer[map[string]any](t, append([]string{"key", "revoke", k.Key}, of...)...)
				}
			},
			"the customer is removed": func(made newCustomer) {
				answer[store.Belongings](t, "customer", "remove", "--database", database, "--customer", made.Customer,
					"--yes")
			},
		} {
			t.Run(name, func(t *testing.T) {
				made := answer[newCustomer](t, "account", "create", "Halcyon Tankers", "--database", database)
				u := beginUpload(t, strings.TrimPrefix(app, "http://"), made.Production.APIKey, string(body))
				end(made)
				if res := u.finish(); res.StatusCode != http.StatusUnauthorized {
					t.Errorf("the upload is answered %s; want 401", res.Status)
				}
				nothingLeft(t, database)
			})
		}
	})
}

// An upload is a request whose last bytes are still to be sent.
type upload struct {
	t       *testing.T
	conn    net.Conn
	answers *bufio.Reader
	rest    string
}

// beginUpload sends all of a body but its end; the server has begun to read it by then.
func beginUpload(t *testing.T, host, key, body string) *upload {
	t.Helper()
	conn := sure(new(net.Dialer).DialContext(context.Background(), "tcp", host))(t)
	t.Cleanup(func() { conn.Close() })
	u := &upload{t: t, conn: conn, answers: bufio.NewReader(conn), rest: body[len(body)-2:]}
	fmt.Fprintf(conn, "POST /api/passenger HTTP/1.1\r\nHost: %s\r\nX-Api-Key: %s\r\nContent-Type: "+
		"application/json\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n", host, key, len(body))
	res, err := http.ReadResponse(u.answers, nil)
	if err != nil || res.StatusCode != http.StatusContinue {
		t.Fatalf("the headers are answered %+v, %v; want 100", res, err)
	}
	res.Body.Close()
	fmt.Fprint(conn, body[:len(body)-2])
	return u
}

func (u *upload) finish() *http.Response {
	u.t.Helper()
	fmt.Fprint(u.conn, u.rest)
	res := sure(http.ReadResponse(u.answers, nil))(u.t)
	res.Body.Close()
	return res
}
