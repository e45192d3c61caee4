package api

import (
	"cmp"
	_ "embed"
	"net/http"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// wsdl describes the SOAP operations, with "{address}" for where they are, and "{traveller}", "{traveler}" and
// "{member}" for the fields of a person.
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
	uploaded, change := gangway.UploadedTraveller, gangway.UploadedChange
	request := gangway.UploadedRequest
	_, err := strings.NewReplacer("{address}", escaped(strings.TrimSuffix(address, "/")+soapPath),
		"{traveller}", elements(uploaded.Members, uploaded.Demand),
		"{traveler}", elements(request.Members.Named("traveler").Members, request.Demand),
		"{member}", elements(change.Members.Named("onsigners").Members, change.Demand)).WriteString(w, wsdl)
	return err
}

// elements are those of a person's fields, id first.
func elements(list gangway.Members, demand gangway.Demand) (xml string) {
	types := map[gangway.Form]string{gangway.CountryCode: "u:Country", gangway.AirportCode: "u:Airport",
		gangway.GenderCode: "u:Gender", gangway.Day: "u:Date", gangway.BirthDay: "u:Date"}
	for i := range list {
		m := &list[i]
		if m.Words == "" {
			continue
		}
		about := m.About
		if m.By(demand) {
			about += " Required."
		}
		one := `<xs:element name="` + m.Name + `" type="` + cmp.Or(types[m.Form], "xs:string") + `" minOccurs="0">` +
			"<xs:annotation><xs:documentation>" + escaped(about) + "</xs:documentation></xs:annotation></xs:element>\n"
		if m.Name == "id" {
			xml = one + xml
		} else {
			xml += one
		}
	}
	return xml
}
