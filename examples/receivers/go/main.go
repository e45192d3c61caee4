// Command go receives what Gangway pushes, and prints a line for each action:
//
//	WEBHOOK_SECRET=whsec_… go run ./examples/receivers/go [PORT [FILE]]
//
// Package receiver has all that a receiver does.
package main

import (
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	"gangway/examples/receivers/go/receiver"
)

func main() {
	secret := os.Getenv("WEBHOOK_SECRET")
	if secret == "" {
		log.Fatal("WEBHOOK_SECRET is missing: gangway outlet set printed it")
	}
	inbox, err := receiver.Open(argument(2, "pushes.tsv"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("POST /api/sync_flights", &receiver.Receiver{Secret: secret, Inbox: inbox,
		Took: func(p receiver.Push, o receiver.Outcome) { fmt.Println(p.Locator, p.Sequence, p.State, o) }})
	listener, err := net.Listen("tcp", "127.0.0.1:"+argument(1, "8090"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("receiving at http://%s/api/sync_flights\n", listener.Addr())
	server := &http.Server{Handler: mux, ReadTimeout: 15 * time.Second}
	log.Fatal(server.Serve(listener))
}

func argument(i int, unless string) string {
	if len(os.Args) > i {
		return os.Args[i]
	}
	return unless
}
