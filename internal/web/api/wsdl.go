package api

import (
	_ "embed"
	"net/http"
	"strings"

	"gangway/internal/store"
)

// wsdl describes the SOAP operations, with "{address}" for where they are.
//
//go:embed gangway.wsdl
var wsdl string

// describe answers with the description of the SOAP operations (WSDL 1.1), which is the same for everybody.
func (a *API) describe(w http.ResponseWriter, r *http.Request, _ store.Scoped) error {
	address := a.at.Base
	if address == "" { // where nobody said how the surface is reached
		address = "http://" + r.Host
	}
	w.Header().Set("Content-Type", "text/xml; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, err := w.Write([]byte(strings.ReplaceAll(wsdl, "{address}", escaped(strings.TrimSuffix(address, "/")+soapPath))))
	return err
}
