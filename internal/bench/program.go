package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// secretKey seals the secrets in every database here.
const secretKey = "a key for bench; it is no secret"

// loopback is the network of the customers' systems here.
const loopback = "127.0.0.0/8"

// buildProgram builds the program into a folder.
func buildProgram(ctx context.Context, folder string) (path string, err error) {
	path = filepath.Join(folder, "gangway")
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", path, "./cmd/gangway")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build: %w: %s", err, out)
	}
	return path, nil
}

// A program is gangway on a database.
type program struct{ path, database string }

func (g program) start(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, g.path, append(args, "--database", g.database)...)
	cmd.Env = append(os.Environ(), "GANGWAY_SECRET_KEYS="+base64.StdEncoding.EncodeToString([]byte(secretKey)))
	return cmd
}

// command runs a command with an input and reads its JSON.
func (g program) command(ctx context.Context, to any, in string, args ...string) error {
	cmd := g.start(ctx, append(args, "--json")...)
	cmd.Stdin = strings.NewReader(in)
	out, err := cmd.Output()
	if err == nil {
		return json.Unmarshal(out, to)
	}
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		err = fmt.Errorf("%w: %s", err, failed.Stderr)
	}
	return fmt.Errorf("%s: %w", strings.Join(args, " "), err)
}

// An environment is how one of a customer's two accounts is reached from outside.
type environment struct {
	APIKey         string `json:"api_key"`
	ReportUser     string `json:"report_user"`
	ReportPassword string `json:"report_password"`
}

// A customer is what account create has made.
type customer struct {
	ID                      string `json:"customer"`
	Production, Development environment
}

func (g program) newCustomer(ctx context.Context) (c customer, err error) {
	return c, g.command(ctx, &c, "", "account", "create", "Halcyon Tankers")
}

// served is a program that serves, with one customer and one of its bookers.
type served struct {
	program
	customer
	root   string
	client *http.Client // signed in
}

func newServed(ctx context.Context, p *place) (*served, error) {
	url, err := p.fresh(ctx)
	if err != nil {
		return nil, err
	}
	s := &served{program: program{p.path, url}}
	if s.customer, err = s.newCustomer(ctx); err != nil {
		return nil, err
	}
	if err := s.serve(ctx, p); err != nil {
		return nil, err
	}
	return s, s.signIn(ctx)
}

// serve starts the program on a free port and waits until it is ready.
func (s *served) serve(ctx context.Context, p *place) error {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	address := free.Addr().String()
	free.Close()
	s.root = "http://" + address
	cmd := s.start(ctx, "serve", "--listen", address)
	if err := cmd.Start(); err != nil {
		return err
	}
	p.later(func() error {
		cmd.Process.Kill()
		cmd.Wait() // fails, since it was killed
		return nil
	})
	for range 1200 {
		if res, err := http.Get(s.root + "/readyz"); err == nil {
			res.Body.Close()
			if res.StatusCode == http.StatusOK {
				return nil
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		time.Sleep(100 * time.Millisecond)
	}
	return errors.New("the program does not answer")
}

// signIn creates a booker, who signs in. Answers are not compressed, neither here nor by a floor.
func (s *served) signIn(ctx context.Context) error {
	const email = "booker@halcyon.example"
	var user struct{ Password string }
	if err := s.command(ctx, &user, "", "user", "create", "--customer", s.ID, "--email", email, "--role",
		"booker"); err != nil {
		return err
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		return err
	}
	s.client = &http.Client{Jar: jar, Transport: &http.Transport{DisableCompression: true}}
	_, err = s.post(ctx, "/sign-in", url.Values{"email": {email}, "password": {user.Password}})
	return err
}

// post sends a form as the booker and returns the path at which the answer was.
func (s *served) post(ctx context.Context, path string, form url.Values) (at string, err error) {
	_, at, err = ask(ctx, s.client, http.MethodPost, s.root+path, []byte(form.Encode()), "Content-Type",
		"application/x-www-form-urlencoded")
	return at, err
}

func get(ctx context.Context, client *http.Client, address string, header ...string) ([]byte, error) {
	answer, _, err := ask(ctx, client, http.MethodGet, address, nil, header...)
	return answer, err
}

// ask sends a request, with headers as names and values in turns, and reads a good answer and its path.
func ask(ctx context.Context, client *http.Client, method, address string, body []byte,
	header ...string) (answer []byte, at string, err error) {
	req, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return nil, "", err
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := client.Do(req)
	if err != nil {
		return nil, "", err
	}
	defer res.Body.Close()
	answer, err = io.ReadAll(res.Body)
	if err == nil && res.StatusCode/100 != 2 {
		err = fmt.Errorf("%s %s: %s: %.500s", method, res.Request.URL.Path, res.Status, answer)
	}
	return answer, res.Request.URL.Path, err
}
