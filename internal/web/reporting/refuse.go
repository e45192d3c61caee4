package reporting

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"gangway/internal/gangway"
	"gangway/internal/report/odata"
	"gangway/internal/store"
	"gangway/internal/web"
)

// refuse answers with an error as OData has them (P 9, J 21), and records logins that are not known.
func (s *Reporting) refuse(w http.ResponseWriter, r *http.Request, err error) {
	err = ended(err)
	e := gangway.AuditEntry{By: gangway.ByNobody(web.From(r)), After: map[string]any{"method": r.Method,
		"path": gangway.LoggedPath(r.URL.Path)}}
	switch {
	case web.Status(err) == http.StatusUnauthorized && r.Header.Get("Authorization") != "":
		e.What = gangway.ReportLoginRefused
		s.refusals.Audit(r.Context(), e)
	case web.Limited(err):
		e.What = gangway.LimitReached
		s.refusals.Log(r.Context(), e)
	}
	s.drains.Answer(w, r, func() { Refuse(w, r, err) })
}

// Refuse answers a request that was made to the surface with an error as OData has them. It needs
// nothing, so that it also answers while there is no database.
func Refuse(w http.ResponseWriter, r *http.Request, err error) {
	version, versionErr := versionFor(r.Header)
	if versionErr != nil {
		version = v40
	}
	w.Header()["OData-Version"] = []string{version}
	status, body := problem(w.Header(), err)
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		w.Write(body)
	}
}

// ended turns err into the answer to an unknown login if the account was removed meanwhile.
func ended(err error) error {
	if errors.Is(err, store.ErrNoAccount) {
		return web.Unauthorized(`Basic realm="Gangway report", charset="UTF-8"`, "the account no longer exists")
	}
	return err
}

// A fault is an error as OData writes it.
type fault struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Target  string `json:"target,omitempty"`
}

// codes are the codes of errors, for programs.
var codes = map[int]string{
	http.StatusBadRequest: "BadRequest", http.StatusUnauthorized: "Unauthorized", http.StatusNotFound: "NotFound",
	http.StatusMethodNotAllowed: "MethodNotAllowed", http.StatusNotAcceptable: "NotAcceptable",
	http.StatusGone: "Gone", http.StatusRequestEntityTooLarge: "ContentTooLarge",
	http.StatusPreconditionFailed: "PreconditionFailed",
	http.StatusRequestURITooLong:  "UriTooLong", http.StatusUnsupportedMediaType: "UnsupportedMediaType",
	http.StatusFailedDependency: "FailedDependency", http.StatusTooManyRequests: "TooManyRequests",
	http.StatusInternalServerError: "InternalError", http.StatusNotImplemented: "NotImplemented",
	http.StatusServiceUnavailable: "Unavailable",
}

// problem sets the headers that go with err, and returns its status and body.
func problem(header http.Header, err error) (status int, body []byte) {
	var bad *odata.Error
	f := fault{Message: web.Message(err)}
	if status = web.Answer(header, err); errors.As(err, &bad) {
		status, f.Message = bad.Status, bad.Error()
		if f.Target = bad.Target; f.Target == "" {
			f.Target = bad.Option
		}
	}
	if f.Code = codes[status]; f.Code == "" {
		f.Code = strconv.Itoa(status)
	}
	body, err = json.Marshal(map[string]fault{"error": f})
	if err != nil { // texts can always be written
		panic(err)
	}
	header.Set("Content-Type", inJSON)
	return status, body
}
