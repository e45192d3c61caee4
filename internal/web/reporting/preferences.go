package reporting

import (
	"net/http"
	"strconv"
	"strings"
)

// preferences are those of the header Prefer that are honoured (P 8.2.8). Others are ignored, as the
// standard has it.
type preferences struct {
	maxPageSize  int64 // 0: none
	omitNulls    bool
	goOn         bool // in a batch, after a request that failed
	trackChanges bool
}

// preferencesOf reads Prefer. Names have their prefix or not.
func preferencesOf(header http.Header) (p preferences) {
	for _, line := range header.Values("Prefer") {
		for one := range strings.SplitSeq(line, ",") {
			one, _, _ = strings.Cut(one, ";")
			name, value, _ := strings.Cut(one, "=")
			value = strings.Trim(strings.TrimSpace(value), `"`)
			switch strings.TrimPrefix(strings.ToLower(strings.TrimSpace(name)), "odata.") {
			case "maxpagesize":
				if n, err := strconv.ParseInt(value, 10, 64); err == nil && n > 0 {
					p.maxPageSize = n
				}
			case "omit-values":
				p.omitNulls = strings.EqualFold(value, "nulls")
			case "track-changes":
				p.trackChanges = true
			case "continue-on-error":
				p.goOn = !strings.EqualFold(value, "false")
			}
		}
	}
	return p
}

// applied notes a preference that was honoured.
func (c *call) applied(preference string) {
	if had := c.header.Get("Preference-Applied"); had != "" {
		preference = had + ", " + preference
	}
	c.header.Set("Preference-Applied", preference)
}

// pageSize returns how many rows a page has at most.
func (s *Reporting) pageSize(c *call) int64 {
	if c.maxPageSize == 0 {
		return s.limits.Rows
	}
	n := min(c.maxPageSize, s.limits.Most)
	c.applied("odata.maxpagesize=" + strconv.FormatInt(n, 10))
	return n
}
