package api

import (
	"cmp"
	"context"
	"errors"
	"mime"
	"net/http"
	"strings"

	"gangway/internal/accept/decode"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web"
)

// soapPath is the address of all SOAP operations, and of their description.
//
// Decided: docs/choices.md, "SOAP".
const soapPath = "/soap"

// operations are those of SOAP, each with what it uploads.
var operations = []struct {
	name string
	flow gangway.Flow
}{
	{"UploadTravellers", gangway.TravellersFlow},
	{"UploadTravelRequests", gangway.TravelRequestsFlow},
	{"UploadCrewChanges", gangway.CrewChangesFlow},
}

// soap answers a SOAP message, of version 1.1 or 1.2: an upload like the others, in the shapes of XML.
//
// Spec: A1 Upload travellers. Spec: A2 Upload travel requests. Spec: A4 Upload crew changes.
func (a *API) soap(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	if _, known := soapVersionOf(r); !known {
		return unsupported("the body must be text/xml (SOAP 1.1) or application/soap+xml (SOAP 1.2)",
			[]string{soap11.media, soap12.media})
	}
	if err := queryOf(r, "wsdl").problems.Err(); err != nil { // clients call the address that the WSDL was read at
		return err
	}
	doc, release, err := a.body(w, r, in.Scope().Account)
	if err != nil {
		return err
	}
	defer release()
	sent, _ := soapVersionOf(r)
	version, err := checkEnvelope(doc, sent)
	if err != nil {
		return err
	}
	answer, err := a.once(r, in, doc, func(ctx context.Context) ([]byte, error) {
		operation, receipt, err := a.takeMessage(ctx, in, body{doc, gangway.SOAPFormat, r.Header.Get("Content-Type")})
		if err != nil {
			return nil, err
		}
		return version.response(operation, receipt), nil
	})
	if err != nil {
		return &soapError{err: err, version: version}
	}
	w.Header().Set("Content-Type", version.media+"; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, err = w.Write(answer)
	return err
}

// operationOf returns the operation that a message asks for, of which nothing was read yet.
func operationOf(doc *decode.Document) (name string, flow gangway.Flow, err error) {
	name, _ = doc.Elements()
	var all []string
	for _, o := range operations {
		if o.name == name {
			return name, o.flow, nil
		}
		all = append(all, o.name)
	}
	return "", "", gangway.Errorf(gangway.Invalid, "there is no operation %.60q; there are %s", name,
		strings.Join(all, ", "))
}

// A soapError is an error that is answered with a fault.
type soapError struct {
	err     error
	version soapVersion
	code    string // of the fault; empty: by the error's status
}

func (e *soapError) Error() string { return e.err.Error() }

func (e *soapError) Unwrap() error { return e.err }

// fault answers a SOAP message with err.
//
// SOAP 1.1 wants 500 with every fault about the message, 1.2 has 400 for those that are the sender's.
// What is about the request as such, and not about the message (the key, its rate, its length, room for
// it), keeps its status, so that whoever looks at that, and at Retry-After, sees it.
func fault(w http.ResponseWriter, r *http.Request, err error) {
	version, _ := soapVersionOf(r)
	code := ""
	if message, is := errors.AsType[*soapError](err); is {
		version, code = message.version, message.code
	}
	header := w.Header()
	status, doc := version.faultOf(header, code, err)
	header.Set("Content-Type", version.media+"; charset=utf-8")
	header.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	w.Write(doc)
}

// faultOf sets the headers that go with err, and returns the fault by which it is answered. code is the fault's; empty:
// by the error's status.
func (version soapVersion) faultOf(header http.Header, code string, err error) (status int, doc []byte) {
	status = web.Answer(header, err)
	senders := status < 500 && header.Get("Retry-After") == ""
	p := soapProblem{Status: status, Title: http.StatusText(status), Detail: web.Message(err),
		RetryAfter: header.Get("Retry-After")}
	if fields, is := errors.AsType[*gangway.ProblemsError](err); is {
		p.Title, p.Truncated = "One or more validation errors occurred.", fields.Truncated
		p.Errors = remarks(fields.Fields)
	}
	if code == "" {
		code = version.receiver
		if senders {
			code = version.sender
		}
	}
	switch ofMessage := status == http.StatusBadRequest || status == http.StatusUnprocessableEntity; {
	case version == soap11 && ofMessage, code == "VersionMismatch", code == "MustUnderstand":
		status = http.StatusInternalServerError
	case ofMessage:
		status = http.StatusBadRequest
	}
	return status, version.fault(code, cmp.Or(p.Detail, p.Title), p)
}

// isSOAP reports whether a request is one for an operation, whose errors are faults.
func isSOAP(r *http.Request) bool { return r.URL.Path == soapPath && r.Method == http.MethodPost }

// soapVersionOf returns the version that a request is declared to be of; known: it is.
func soapVersionOf(r *http.Request) (version soapVersion, known bool) {
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch media {
	case soap12.media:
		return soap12, true
	case soap11.media, "":
		return soap11, true
	}
	return soap11, false
}
