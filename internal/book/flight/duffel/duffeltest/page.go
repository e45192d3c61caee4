package duffeltest

import (
	"slices"
	"strconv"
)

type meta struct {
	Limit  int     `json:"limit"`
	Before *string `json:"before"`
	After  *string `json:"after"`
}

// page returns the requested part of a list, and sets the cursor of the next one.
func page[T any](c *call, list []T, id func(T) string) ([]T, error) {
	q, limit := c.r.URL.Query(), 50
	if q.Has("limit") {
		n, err := strconv.Atoi(q.Get("limit"))
		if err != nil || n < 1 || n > 200 {
			return nil, invalid("limit", "validation_inclusion", "limit has to be between 1 and 200")
		}
		limit = n
	}
	if after := q.Get("after"); after != "" {
		i := slices.IndexFunc(list, func(v T) bool { return id(v) == after })
		if i < 0 {
			return nil, invalid("after", "invalid_cursor", "the cursor is unknown")
		}
		list = list[i+1:]
	}
	c.meta = &meta{Limit: limit}
	if len(list) > limit {
		list = list[:limit]
		last := id(list[limit-1])
		c.meta.After = &last
	}
	return append([]T{}, list...), nil
}
