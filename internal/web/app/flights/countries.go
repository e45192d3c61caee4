package flights

import (
	"html/template"
	"strings"
	"sync"

	"gangway/internal/gangway"
)

var countryLines = template.Must(template.New("countries").
	Parse(`{{range .}}<option value="{{.}}">{{.Name}}</option>{{end}}`))

// countryOptions are the suggestions of fields for a country. They are on many pages
// and the same for everybody, so they are written once.
var countryOptions = sync.OnceValues(func() (template.HTML, error) {
	var out strings.Builder
	err := countryLines.Execute(&out, gangway.Countries())
	return template.HTML(out.String()), err
})
