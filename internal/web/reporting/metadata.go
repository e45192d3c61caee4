package reporting

import (
	"net/http"
	"slices"

	"gangway/internal/report/odata"
	"gangway/internal/report/query"
)

// The names under which the model is described (X 5, 13).
const (
	namespace = "Gangway.Report"
	container = "Container"
)

// metadata answers with the description of the model, in XML or in JSON (P 11.1.2).
func (s *Reporting) metadata(c *call) (int, error) {
	m := model{sets: query.Schema.Sets, version: c.version}
	var doc []byte
	if c.format.media == inXML {
		doc = m.xml()
	} else {
		m.version = v401 // there is no JSON of 4.0
		if c.request.header.Get("OData-MaxVersion") == "" {
			c.header["OData-Version"] = []string{v401}
		}
		doc = m.json()
	}
	_, err := c.page.Write(doc)
	return http.StatusOK, err
}

// A model is what is described.
type model struct {
	sets    []*odata.EntitySet
	version string
}

// An annotation says more about what it stands at. Its value is a bool, an int, a string, an enumValue, a path, a
// list of texts, or a record.
type annotation struct {
	term  string // with the alias of its vocabulary
	value any
}

type (
	// An enumValue is a member of an enumeration.
	enumValue struct{ of, member string }
	list      []string
	// A path leads to a property of the same row.
	path string
	// A record has properties in an order.
	record []annotation
)

// vocabularies are those that annotations are from, by their aliases.
var vocabularies = []struct{ alias, namespace, at string }{
	{"Core", "Org.OData.Core.V1", "https://oasis-tcs.github.io/odata-vocabularies/vocabularies/Org.OData.Core.V1.xml"},
	{"Capabilities", "Org.OData.Capabilities.V1",
		"https://oasis-tcs.github.io/odata-vocabularies/vocabularies/Org.OData.Capabilities.V1.xml"},
	{"Aggregation", "Org.OData.Aggregation.V1",
		"https://oasis-tcs.github.io/odata-vocabularies/vocabularies/Org.OData.Aggregation.V1.xml"},
	{"Measures", "Org.OData.Measures.V1",
		"https://oasis-tcs.github.io/odata-vocabularies/vocabularies/Org.OData.Measures.V1.xml"},
}

// transformations are the steps of $apply.
var transformations = list{"filter", "groupby", "aggregate", "compute"}

// ofContainer are the annotations of the whole service (P 13).
func ofContainer() []annotation {
	return []annotation{
		{"Core.ODataVersions", v40 + "," + v401},
		{"Core.Description", "The report of Gangway: what was booked, for whom, what it costs and emits."},
		{"Capabilities.ConformanceLevel", enumValue{"Org.OData.Capabilities.V1.ConformanceLevelType", "Advanced"}},
		{"Capabilities.SupportedFormats", list{"application/json;odata.metadata=minimal",
			"application/json;odata.metadata=none", "application/json;odata.metadata=full"}},
		{"Capabilities.SupportedMetadataFormats", list{"application/xml", "application/json"}},
		{"Capabilities.AcceptableEncodings", list{"gzip"}},
		{"Capabilities.AsynchronousRequestsSupported", false},
		{"Capabilities.BatchSupported", true},
		{"Capabilities.BatchContinueOnErrorSupported", true},
		{"Capabilities.BatchSupport", record{{"Supported", true}, {"ContinueOnErrorSupported", true},
			{"ReferencesInRequestBodiesSupported", false}, {"ReferencesAcrossChangeSetsSupported", false},
			{"EtagReferencesSupported", false}, {"RequestDependencyConditionsSupported", false},
			{"SupportedFormats", list{"application/json", "multipart/mixed"}}}},
		{"Capabilities.CrossJoinSupported", false},
		{"Capabilities.KeyAsSegmentSupported", false},
		{"Capabilities.QuerySegmentSupported", true},
		{"Capabilities.FilterFunctions", append(list(odata.OperatorNames()), odata.FunctionNames()...)},
	}
}

// ofSet are the annotations of a set.
func ofSet(set *odata.EntitySet) []annotation {
	searched := slices.ContainsFunc(set.Properties, func(p *odata.Property) bool { return p.Searchable })
	return []annotation{
		{"Core.Description", query.About(set)},
		{"Capabilities.ReadRestrictions", record{{"Readable", true}}},
		{"Capabilities.InsertRestrictions", record{{"Insertable", false}}},
		{"Capabilities.UpdateRestrictions", record{{"Updatable", false}}},
		{"Capabilities.DeleteRestrictions", record{{"Deletable", false}}},
		{"Capabilities.TopSupported", true},
		{"Capabilities.SkipSupported", true},
		{"Capabilities.ComputeSupported", true},
		{"Capabilities.IndexableByKey", true},
		{"Capabilities.CountRestrictions", record{{"Countable", true}}},
		{"Capabilities.FilterRestrictions", record{{"Filterable", true}}},
		{"Capabilities.SortRestrictions", record{{"Sortable", true}}},
		{"Capabilities.SelectSupport", record{{"Supported", true}}},
		{"Capabilities.SearchRestrictions", record{{"Searchable", searched}}},
		{"Capabilities.ExpandRestrictions", record{{"Expandable", len(set.Navigations) > 0},
			{"MaxLevels", odata.DefaultLimits.Expand}}},
		{"Capabilities.NavigationRestrictions", record{{"Navigability",
			enumValue{"Org.OData.Capabilities.V1.NavigationType", navigability(set)}}}},
		{"Capabilities.ChangeTracking", record{{"Supported", query.Tracked(set)}}},
		{"Aggregation.ApplySupported", record{{"Transformations", transformations},
			{"Rollup", enumValue{"Org.OData.Aggregation.V1.RollupType", "None"}}, {"PropertyRestrictions", false}}},
	}
}

// navigability is how far paths and $expand lead from rows of a set.
func navigability(set *odata.EntitySet) string {
	if len(set.Navigations) == 0 {
		return "None"
	}
	return "Recursive"
}

// isDependent reports whether rows of a set depend on the one that a navigation property leads to, and not the
// other way round: the sets that others depend on come first.
func (m model) isDependent(set *odata.EntitySet, n *odata.Navigation) bool {
	return !n.Many && slices.Index(m.sets, n.Target) < slices.Index(m.sets, set)
}

// ofProperty are the annotations of a property.
func ofProperty(p *odata.Property) []annotation {
	list := []annotation{{"Core.Description", p.Description}}
	if p.Unit != "" {
		list = append(list, annotation{"Measures.Unit", p.Unit})
	}
	if p.Currency != "" {
		list = append(list, annotation{"Measures.ISOCurrency", path(p.Currency)})
	}
	return list
}

// A facet is an attribute of a property that says more of its type.
type facet struct {
	name  string
	value int
}

// facets are those of a type. The scale is always said: without it there would be no decimals (X 7.2.4).
func facets(t odata.Type) []facet {
	switch t.Kind {
	case odata.Decimal:
		return []facet{{"Precision", t.Precision}, {"Scale", t.Scale}}
	case odata.DateTimeOffset, odata.TimeOfDay, odata.Duration:
		return []facet{{"Precision", t.Precision}}
	}
	return nil
}
