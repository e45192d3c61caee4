// Reads the report below reporting_url, the first argument, with an OData client that is not ours, as the user and
// with the password of the others, and prints what it found.
package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/hashicorp/go-azure-sdk/sdk/client"
	"github.com/hashicorp/go-azure-sdk/sdk/client/msgraph"
	"github.com/hashicorp/go-azure-sdk/sdk/environments"
	"github.com/hashicorp/go-azure-sdk/sdk/odata"
)

// A query is the options of a request, in the form that the client asks for.
type query odata.Query

func (query) ToHeaders() *client.Headers   { return nil }
func (query) ToQuery() *client.QueryParams { return nil }
func (q query) ToOData() *odata.Query      { o := odata.Query(q); return &o }

func main() {
	at, user, password := os.Args[1], os.Args[2], os.Args[3]
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c, err := msgraph.NewClient(environments.NewApiEndpoint("Report", at, nil), "report", "v2/odata")
	if err != nil {
		log.Fatal(err)
	}
	c.DisableRetries = true
	c.AppendRequestMiddleware(func(r *http.Request) (*http.Request, error) {
		r.SetBasicAuth(user, password)
		// It makes v1.0 of v2 in links, for the sake of a slip of Microsoft Graph.
		r.URL.Path = strings.Replace(r.URL.Path, "/v1.0/", "/v2/", 1)
		return r, nil
	})
	request := func(path string, q query) *client.Request {
		r, err := c.NewRequest(ctx, client.RequestOptions{ContentType: "application/json", HttpMethod: http.MethodGet,
			Path: path, ExpectedStatusCodes: []int{http.StatusOK}, OptionsObject: q})
		if err != nil {
			log.Fatal(err)
		}
		return r
	}

	var found struct {
		Pages, Filtered, Types []string
		Count                  int
		One, Context, Refused  string
	}
	type rows struct{ Value []map[string]any }
	ids := func(res *client.Response, err error) (list []string) {
		if err != nil {
			log.Fatal(err)
		}
		var page rows
		if err := res.Unmarshal(&page); err != nil {
			log.Fatal(err)
		}
		for _, row := range page.Value {
			list = append(list, row["BookingId"].(string))
		}
		return list
	}
	oldest := odata.OrderBy{Field: "CreatedAt", Direction: odata.Ascending}

	found.Pages = ids(request("/FlightBookingDetailed", query{OrderBy: oldest,
		Select: []string{"BookingId", "PassengerLastName"}}).ExecutePaged(ctx))
	res, err := request("/FlightBookingDetailed", query{OrderBy: oldest, Top: 2, Skip: 1, Count: true,
		Filter: "PassengerLastName eq '" + odata.EscapeSingleQuote("O'BRIEN") + "'"}).Execute(ctx)
	found.Filtered = ids(res, err)
	found.Count, found.Context = *res.OData.Count, *res.OData.Context

	res, err = request("/FlightBookingDetailed('B002')", query{Metadata: odata.MetadataFull}).Execute(ctx)
	if err != nil {
		log.Fatal(err)
	}
	var one map[string]any
	if err := res.Unmarshal(&one); err != nil {
		log.Fatal(err)
	}
	found.One = one["VesselName"].(string)
	found.Types = []string{*res.OData.Type, one["PriceTotal@odata.type"].(string), one["CreatedAt@odata.type"].(string)}

	res, err = request("/FlightBookingDetailed", query{Filter: "Prise gt 5"}).Execute(ctx)
	if err == nil || res.OData.Error == nil {
		log.Fatal("a filter that is wrong is not refused: ", err)
	}
	found.Refused = res.OData.Error.String()
	json.NewEncoder(os.Stdout).Encode(found)
}
