package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"gangway/internal/program"
)

// served is a program that serves.
type served struct{ *program.Server }

// newServed returns a program that serves here. Its answers are not compressed for the booker.
func newServed(ctx context.Context, p *place) (*served, error) {
	g, err := p.program(ctx)
	if err != nil {
		return nil, err
	}
	s, err := g.Serve(ctx, &http.Transport{DisableCompression: true})
	if err != nil {
		return nil, err
	}
	p.later(s.Stop)
	return &served{s}, nil
}

// post sends a form as the booker and returns the path at which the answer was.
func (s *served) post(ctx context.Context, path string, form url.Values) (at string, err error) {
	_, at, err = ask(ctx, s.Booker, http.MethodPost, s.URL(path), []byte(form.Encode()), "Content-Type",
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
