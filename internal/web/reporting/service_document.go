package reporting

import (
	"net/http"

	"gangway/internal/report/query"
)

// serviceDocument answers with the list of the sets (P 11.1.1, J 5).
func (s *Reporting) serviceDocument(c *call) (int, error) {
	c.begin()
	c.name("value")
	for i, set := range query.Schema.Sets {
		c.page.Write([]byte(map[bool]string{true: "[", false: ","}[i == 0]))
		c.page.Write([]byte(`{"name":`))
		c.page.Write(quoted(set.Name))
		c.page.Write([]byte(`,"kind":"EntitySet","url":`))
		c.page.Write(quoted(set.Name))
		c.page.Write([]byte(`}`))
	}
	c.page.Write([]byte("]}"))
	return http.StatusOK, nil
}
