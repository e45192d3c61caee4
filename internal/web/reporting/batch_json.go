package reporting

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"gangway/internal/report/odata"
)

// itemsOfJSON reads a batch as a JSON object (J 19.1).
func itemsOfJSON(body []byte) ([]item, error) {
	var doc struct {
		Requests []struct {
			ID             *string           `json:"id"`
			Method         string            `json:"method"`
			URL            string            `json:"url"`
			Headers        map[string]string `json:"headers"`
			DependsOn      []string          `json:"dependsOn"`
			AtomicityGroup string            `json:"atomicityGroup"`
			If             json.RawMessage   `json:"if"`
			Body           json.RawMessage   `json:"body"`
		} `json:"requests"`
	}
	if err := json.Unmarshal(body, &doc); err != nil {
		return nil, wrongBatch("it is no JSON object with requests")
	}
	if doc.Requests == nil {
		return nil, wrongBatch("it has no member requests")
	}
	items, ids := make([]item, len(doc.Requests)), map[string]bool{}
	for i, r := range doc.Requests {
		switch {
		case r.ID == nil:
			return nil, wrongBatch("request %d has no id", i+1)
		case ids[*r.ID]:
			return nil, wrongBatch("the id %q is there twice", *r.ID)
		case r.URL == "":
			return nil, wrongBatch("request %q has no url", *r.ID)
		}
		ids[*r.ID] = true
		one := item{id: *r.ID, number: i + 1, dependsOn: r.DependsOn,
			request: request{method: strings.ToUpper(r.Method), header: http.Header{}}}
		for name, value := range r.Headers {
			one.header.Add(name, value)
		}
		for _, id := range r.DependsOn {
			if !ids[id] {
				return nil, wrongBatch("request %q depends on %q, which does not stand before it", *r.ID, id)
			}
		}
		if r.If != nil {
			one.wrong = &odata.Error{Status: http.StatusNotImplemented, Target: "if",
				Message: "conditions on other requests are not supported here"}
		}
		var text string
		if one.request.body = r.Body; json.Unmarshal(r.Body, &text) == nil {
			one.request.body = []byte(text)
		}
		one.address = r.URL
		items[i] = one
	}
	return items, nil
}

// inJSONBatch is a JSON object (J 19.4).
var inJSONBatch = batchWriter{inJSON, `{"responses":[`, ",", "]}", func(c *call, r reply) {
	if r.id == "" { // a part needs none
		r.id = strconv.Itoa(r.number)
	}
	c.page.Write([]byte(`{"id":` + string(quoted(r.id)) + `,"status":` + strconv.Itoa(r.status) + `,"headers":{`))
	for i, name := range slices.Sorted(maps.Keys(r.header)) {
		if i > 0 {
			c.page.Write([]byte(","))
		}
		c.page.Write([]byte(string(quoted(strings.ToLower(name))) + ":" +
			string(quoted(strings.Join(r.header[name], ", ")))))
	}
	c.page.Write([]byte("}"))
	if len(r.body) > 0 && !r.bare() {
		c.page.Write([]byte(`,"body":`))
		switch media := r.header.Get("Content-Type"); {
		case strings.HasPrefix(media, inJSON):
			c.page.Write(r.body)
		case strings.HasPrefix(media, inText):
			c.page.Write(quoted(string(r.body)))
		default:
			c.page.Write(quoted(base64.RawURLEncoding.EncodeToString(r.body)))
		}
	}
	c.page.Write([]byte("}"))
}}
