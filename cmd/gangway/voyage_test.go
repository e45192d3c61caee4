package main

import (
	"math/rand/v2"
	"testing"
	"time"
)

// A voyage takes one crew through a program that is killed meanwhile.
type voyage struct {
	t        *testing.T
	database string
	crew     int
	flags    []string // of the server
	listen   string
	program  *program // as it runs now; only the killer may use it
	app      string
	base     string
	id       string // of the customer
	key      string
	browser  *browser
	customer *receiver
	search   string
	before   func()                   // what is done once there is a customer; nil: nothing
	begun    map[string]chan struct{} // holds a value when something of this kind has begun
	chance   *rand.Rand
}

func newVoyage(t *testing.T, database string, crew int, flags ...string) *voyage {
	t.Helper()
	// The program must come back at the same address, so the port is fixed.
	listen := freePort(t)
	v := &voyage{
		t: t, database: database, crew: crew, flags: flags, listen: listen, app: "http://" + listen,
		base:  "http://" + listen + "/api",
		begun: map[string]chan struct{}{}, chance: rand.New(rand.NewPCG(1, 2)),
	}
	for _, moment := range moments {
		v.begun[moment] = make(chan struct{}, 1)
	}
	v.customer = newReceiver(t, func() {
		v.begin("deliver")
		<-time.After(20 * time.Millisecond) // a customer who thinks before answering
	})
	return v
}

func (v *voyage) start() {
	v.t.Helper()
	v.program, _, _ = serve(v.t, v.database, append(v.flags, "--listen", v.listen, "--allow-network", "127.0.0.0/8")...)
}

// prepare makes a customer, uploads its crew change and starts the search.
func (v *voyage) prepare() {
	v.t.Helper()
	made := answer[newCustomer](v.t, "account", "create", "Halcyon Tankers", "--database", v.database)
	v.key, v.id = made.Production.APIKey, made.Customer
	answer[outletSecret](v.t, "outlet", "set", "--customer", made.Customer, "--environment", "production", "--url",
		v.customer.URL, "--allow-network", "127.0.0.0/8", "--database", v.database)
	v.browser = newPerson(v.t, v.app, v.database, v.id, "booker")
	if v.before != nil {
		v.before()
	}
	v.search = v.browser.searchFor(v.t, v.crew, v.base, v.key, time.Now())
}
