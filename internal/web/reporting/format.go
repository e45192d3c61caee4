package reporting

import (
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"gangway/internal/report/odata"
)

// A format is what an answer is written in.
type format struct {
	media  string // such as application/json
	level  level  // of control information, in JSON
	quoted bool   // decimals and 64-bit integers are texts, for JavaScript (J 3.2)
}

// A level says how much control information there is in JSON (J 3.1).
type level string

const (
	minimal level = "minimal"
	none    level = "none"
	full    level = "full"
)

const (
	inJSON = "application/json"
	inXML  = "application/xml"
	inText = "text/plain"
)

// contentType returns the media type with its parameters.
func (f format) contentType() string {
	switch f.media {
	case inText:
		return "text/plain;charset=utf-8"
	case inJSON:
		if f.level == "" {
			return inJSON
		}
		s := inJSON + ";odata.metadata=" + string(f.level)
		if f.quoted {
			s += ";IEEE754Compatible=true"
		}
		return s
	}
	return f.media
}

// formatFor finds what a call is answered in. $format counts more than Accept (P 8.2.1, 11.2.12).
func formatFor(c *call) (format, error) {
	switch c.Path.Kind {
	case odata.Count, odata.PropertyValue: // which have one format
		return format{media: inText}, nil
	case odata.Metadata:
		return metadataFormat(c)
	case odata.Batch:
		return format{}, nil
	}
	asked := c.Query.Format
	switch strings.ToLower(asked) {
	case "":
		asked = strings.Join(c.request.header.Values("Accept"), ",")
	case "json":
		asked = inJSON
	case "xml", "atom":
		return format{}, notAcceptable(asked, "JSON (application/json)")
	}
	if strings.TrimSpace(asked) == "" {
		return format{media: inJSON, level: minimal}, nil
	}
	best, found := format{}, 0.0
	for _, m := range mediaRanges(asked) {
		if f, ok := m.json(); ok && m.weight > found {
			best, found = f, m.weight
		}
	}
	if found == 0 {
		return format{}, notAcceptable(asked, "JSON (application/json)")
	}
	return best, nil
}

// metadataFormat is XML but for those who clearly want JSON, which came with 4.01: Power Query reads
// only XML, although its list begins with JSON.
func metadataFormat(c *call) (format, error) {
	asked := c.Query.Format
	switch strings.ToLower(asked) {
	case "json":
		return c.metadataAsJSON()
	case "xml":
		return format{media: inXML}, nil
	case "atom":
		return format{}, notAcceptable(asked, "XML (application/xml) and as JSON (application/json)")
	}
	explicit := asked != ""
	if !explicit {
		asked = strings.Join(c.request.header.Values("Accept"), ",")
	}
	json, xml := weigh(asked, inJSON), weigh(asked, inXML, "text/xml", "application/*", "*/*", "application/xhtml+xml")
	switch {
	case strings.TrimSpace(asked) == "":
		return format{media: inXML}, nil
	case json > xml && explicit:
		return c.metadataAsJSON()
	case json > xml && (c.version == v401 || xml == 0 && c.request.header.Get("OData-MaxVersion") == ""):
		return format{media: inJSON}, nil
	case xml > 0, json > 0: // who speaks 4.0 only knows no other metadata than XML
		return format{media: inXML}, nil
	}
	return format{}, notAcceptable(asked, "XML (application/xml) and as JSON (application/json)")
}

// metadataAsJSON is for those who speak 4.01, or do not say that they do not.
func (c *call) metadataAsJSON() (format, error) {
	if c.version == v40 && c.request.header.Get("OData-MaxVersion") != "" {
		return format{}, &odata.Error{Status: http.StatusNotAcceptable,
			Message: "metadata as JSON came with OData 4.01, and OData-MaxVersion is less"}
	}
	return format{media: inJSON}, nil
}

// A mediaRange is a member of Accept.
type mediaRange struct {
	media  string
	params map[string]string
	weight float64
}

// weigh returns how much some media types are wanted, the most of any.
func weigh(asked string, media ...string) (weight float64) {
	for _, m := range mediaRanges(asked) {
		if slices.Contains(media, m.media) {
			weight = max(weight, m.weight)
		}
	}
	return weight
}

// mediaRanges reads Accept, or the value of $format. What cannot be read is left out.
func mediaRanges(text string) (list []mediaRange) {
	for part := range strings.SplitSeq(text, ",") {
		media, params, err := mime.ParseMediaType(part)
		if err != nil {
			continue
		}
		m := mediaRange{media, params, 1}
		if q, ok := params["q"]; ok {
			if m.weight, err = strconv.ParseFloat(q, 64); err != nil || m.weight < 0 || m.weight > 1 {
				continue
			}
		}
		list = append(list, m)
	}
	return list
}

// json returns the JSON that a range accepts. Parameters that nobody knows ask for nothing.
func (m mediaRange) json() (format, bool) {
	f := format{media: inJSON, level: minimal}
	switch m.media {
	case "*/*", "application/*":
		return f, true
	case inJSON:
	default:
		return f, false
	}
	for _, name := range []string{"odata.metadata", "metadata"} {
		switch level := level(strings.ToLower(m.params[name])); level {
		case "":
		case minimal, none, full:
			f.level = level
		default:
			return f, false
		}
	}
	f.quoted = strings.EqualFold(m.params["ieee754compatible"], "true")
	return f, true
}

// notAcceptable is the answer to who accepts none of the forms that something is answered in.
func notAcceptable(asked, forms string) error {
	if len(asked) > 100 {
		asked = asked[:100] + "…"
	}
	return &odata.Error{Status: http.StatusNotAcceptable,
		Message: "this is answered as " + forms + ", and what is accepted is " + strconv.Quote(asked)}
}
