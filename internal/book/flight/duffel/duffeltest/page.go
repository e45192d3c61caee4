package duffeltest

import (
	"encoding/base64"
	"slices"
	"strconv"
)

// page returns the requested part of a list, and sets its cursors.
func page[T any](c *call, list []T, id func(T) string) ([]T, error) {
	q, limit := c.r.URL.Query(), 50
	if q.Has("limit") {
		n, err := strconv.Atoi(q.Get("limit"))
		if err != nil || n < 1 || n > 200 {
			return nil, invalid("limit", "validation_inclusion", "limit has to be between 1 and 200")
		}
		limit = n
	}
	find := func(cursor string) (int, error) {
		key, err := base64.URLEncoding.DecodeString(cursor)
		i := slices.IndexFunc(list, func(v T) bool { return id(v) == string(key) })
		if err != nil || i < 0 {
			return 0, invalid("after", "invalid_cursor", "the cursor is unknown")
		}
		return i, nil
	}
	from, to := 0, min(limit, len(list))
	switch {
	case q.Get("after") != "":
		i, err := find(q.Get("after"))
		if err != nil {
			return nil, err
		}
		from = i + 1
		to = min(from+limit, len(list))
	case q.Get("before") != "":
		i, err := find(q.Get("before"))
		if err != nil {
			return nil, err
		}
		from, to = max(0, i-limit), i
	}
	c.meta = &meta{Limit: limit}
	cursor := func(v T) *string { s := base64.URLEncoding.EncodeToString([]byte(id(v))); return &s }
	if to < len(list) {
		c.meta.After = cursor(list[to-1])
	}
	if from > 0 && from < len(list) {
		c.meta.Before = cursor(list[from])
	}
	return append([]T{}, list[from:to]...), nil
}
