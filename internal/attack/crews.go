package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// crewChanges writes n crew changes of 9,000 members each.
func crewChanges(body, n int) []byte {
	day := time.Now().AddDate(0, 0, 14).Format(time.DateOnly)
	entry := strings.Repeat("b", 100)
	var doc bytes.Buffer
	for c := range n {
		fmt.Fprintf(&doc, `,{"vessel":"BIG %d %d","flag":"NO","change_date":"%s","travel_request_id":"B%d-%d","onsigners":[`, body, c, day, body, c)
		for i := range 9000 {
			if i > 0 {
				doc.WriteByte(',')
			}
			fmt.Fprintf(&doc, `{"id":"M-%d","last_name":"Abc%c","first_name":"Def","gender":"M","dob":"1990-01-01","nationality":"PH","doc_country":"PH","doc_number":"N%d","doc_expire":"2036-01-01","home_airport":"MNL","arrive":"%s","metadata":{"a":"%s"}}`,
				i, 'a'+i%10, i, day, entry)
		}
		doc.WriteString("]}")
	}
	doc.WriteByte(']')
	doc.Bytes()[0] = '['
	return doc.Bytes()
}

func (s *server) uploadCrews(ctx context.Context, doc []byte) (int, error) {
	return s.post(ctx, "/api/travel-requests", "application/json", bytes.NewReader(doc), "X-Api-Key", s.key)
}

// crewUploads sends twelve uploads in parallel, each with eight crew changes of 9,000 members,
// 24 MiB, of two kinds.
func crewUploads(ctx context.Context, s *server) (answers, error) {
	docs := [][]byte{crewChanges(0, 8), crewChanges(1, 8)}
	return atOnce(12, 12, func(i int) (int, error) { return s.uploadCrews(ctx, docs[i%2]) }), nil
}

// crewList requests the list of sixteen crew changes of 9,000 members each, and one of them,
// on 120 connections of one person, and reads nothing.
func crewList(ctx context.Context, s *server) (answers, error) {
	for body := range 2 {
		if status, err := s.uploadCrews(ctx, crewChanges(body, 8)); err != nil || status != http.StatusOK {
			return nil, fmt.Errorf("upload: %d, %w", status, err)
		}
	}
	if err := s.get(s.booker.Get(s.url("/crew-changes"))); err != nil {
		return nil, err
	}
	at, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url("/"), nil)
	if err != nil {
		return nil, err
	}
	begin := ""
	for _, path := range []string{"/crew-changes", "/crew-changes/plan?key=id%3AB0-1"} {
		begin += "GET " + path + " HTTP/1.1\r\nHost: x\r\nCookie: " + s.cookies(at.URL) + "\r\n\r\n"
	}
	open, err := s.dial(ctx, 120, 1, strings.Repeat(begin, 3))
	defer open.close()
	if err != nil {
		return nil, err
	}
	time.Sleep(30 * time.Second)
	return s.others(ctx, 20), nil
}
