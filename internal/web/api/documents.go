package api

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"gangway/internal/describe"
	"gangway/internal/store"
	"gangway/internal/web"
)

// A document is what the surface says of itself, ready to be sent.
type document struct {
	media, policy string // policy: of a page
	plain, packed []byte
	tag           string
}

// The addresses of what the surface says of itself, apart from the schemas of records and SOAP.
//
// Decided: docs/choices.md, "The description".
const (
	openAPIPath    = "/openapi.json"
	referencePath  = "/reference"
	collectionPath = "/collection.json"
)

// documentPaths are the addresses of all that the surface says of itself. They are the same for all installations.
var documentPaths = sync.OnceValue(func() []string {
	paths := []string{openAPIPath, referencePath, collectionPath}
	return slices.AppendSeq(paths, maps.Keys(describe.Of(describe.Installation{}).SchemaDocuments()))
})

// Surface returns what the surface is, for whoever describes it.
func (a *API) Surface() *describe.Surface {
	return describe.Of(describe.Installation{Base: strings.TrimSuffix(a.at.Base, "/"),
		App: strings.TrimSuffix(a.at.App, "/"), Reporting: strings.TrimSuffix(a.at.Reporting, "/"),
		Records: a.limits.Upload.Records, Body: int(a.limits.Body), PerMinute: a.limits.PerMinute,
		Answers: a.limits.Answers, Limits: a.described()})
}

// described are the limits that integrators meet.
func (a *API) described() []describe.Limit {
	return []describe.Limit{
		{What: "Requests of a key in a minute", Most: number(a.limits.PerMinute)},
		{What: "Bytes of a body, unpacked", Most: number(int(a.limits.Body))},
		{What: "Records of a body", Most: number(a.limits.Upload.Records)},
		{What: "Levels of nesting", Most: number(a.limits.Upload.Depth)},
		{What: "Bookings of an answer", Most: number(a.limits.Pull)},
		{What: "Answers with bookings to an account at a time", Most: number(a.limits.Answers)},
		{What: "Days that a pull's name brings the same answer, and that it is listed", Most: "30"},
		{What: "Hours that an Idempotency-Key brings the same answer", Most: "24"},
	}
}

// number writes a number with a comma between thousands.
func number(n int) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// makeDocuments makes everything that the surface says of itself.
func (a *API) makeDocuments() map[string]document {
	s := a.Surface()
	page, policy := s.Page()
	docs := map[string]document{
		openAPIPath:    ready("application/json", s.OpenAPI),
		collectionPath: ready("application/json", s.Collection()),
		referencePath:  ready("text/html; charset=utf-8", page).under(policy),
	}
	for path, doc := range s.SchemaDocuments() {
		docs[path] = ready("application/schema+json", doc)
	}
	return docs
}

func ready(media string, doc []byte) document {
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	zip.Write(doc)
	zip.Close()
	sum := sha256.Sum256(doc)
	return document{media: media, plain: doc, packed: packed.Bytes(),
		tag: base64.RawURLEncoding.EncodeToString(sum[:12])}
}

// under returns d with the policy by which browsers show it.
func (d document) under(policy string) document {
	d.policy = policy
	return d
}

// serveDocument answers with what the surface says of itself, which is the same for everybody. Pages of other sites
// may read it, as tools for such descriptions do.
func (a *API) serveDocument(w http.ResponseWriter, r *http.Request, _ store.Scoped) error {
	d := a.documents()[r.URL.Path]
	header := w.Header()
	header.Set("Content-Type", d.media)
	header.Set("Cache-Control", "public, max-age=300")
	header.Set("Vary", "Accept-Encoding")
	header.Set("Access-Control-Allow-Origin", "*")
	header.Set("X-Content-Type-Options", "nosniff")
	if d.policy != "" {
		header.Set("Content-Security-Policy", d.policy)
		header.Set("Referrer-Policy", "no-referrer")
	}
	doc, tag := d.plain, `"`+d.tag+`"`
	if web.TakesGzip(r) {
		header.Set("Content-Encoding", "gzip")
		doc, tag = d.packed, `"`+d.tag+`-gzip"`
	}
	header.Set("ETag", tag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(doc))
	return nil
}
