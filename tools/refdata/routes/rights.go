package main

import (
	"slices"
	"strings"

	"gangway/internal/world"
)

// singleMarket lists the countries whose airlines fly freely among all of
// them. The United Kingdom left it, but the airlines that matter have
// certificates on both sides.
var singleMarket = strings.Fields("AT BE BG CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LT LU LV MT NL NO PL PT " +
	"RO SE SI SK")

var overseasFrance = strings.Fields("GP MQ GF RE YT NC PF PM BL MF WF")

// noFlights lists pairs of groups of countries with no flights between them, about 2024.
var noFlights = [][2][]string{
	{strings.Fields("RU BY"), append(strings.Fields("US CA JP KR AU NZ TW SG UA"), singleMarket...)},
	{{"IL"}, strings.Fields("LB SY IR IQ KW QA SA YE LY DZ TN PK MY ID BD OM AF")},
	{{"IR"}, strings.Fields("US CA GB IL BH SA YE")},
	{{"KP"}, strings.Fields("KR JP US GB DE FR")},
	{{"TW"}, {"KP"}},
	{{"CU"}, {"IL"}},
	{{"QA"}, {"LY"}},
}

// closed lists countries whose sky is closed to airlines.
var closed = []string{"UA"}

// cityAirports lists airports beside which a bigger one takes the long flights.
var cityAirports = strings.Fields("LCY LGA DCA CGH SDU ITM SHA TSA GMP AEP LIN BHD YTZ DAL MDW HOU SNA BUR DMK HLP " +
	"SZB BMA CIA TSF BVA CRL HHN NRN OKA ISL CNF PLU")

// slotBound lists airports that low-cost airlines cannot get into.
var slotBound = []string{"LHR", "HND", "CDG", "FRA", "LCY", "ORY"}

// trains lists countries within which low-cost airlines hardly fly.
var trains = strings.Fields("AT BE CH CZ DE DK FI FR GB HU IE NL PL PT RO SE")

// open reports whether airlines fly between two countries at all.
func open(a, b *place) bool {
	if slices.Contains(closed, a.Country) || slices.Contains(closed, b.Country) {
		return false
	}
	for _, n := range noFlights {
		if slices.Contains(n[0], a.Country) && slices.Contains(n[1], b.Country) ||
			slices.Contains(n[0], b.Country) && slices.Contains(n[1], a.Country) {
			return false
		}
	}
	return true
}

// may reports whether the airline may sell flights between two airports:
// within one country only at home, and between two only from or to home.
func (n *network) may(carrier string, a, b *place) bool {
	home := n.home[carrier]
	if a.state == b.state {
		return home[a.state] || home[a.Country]
	}
	return home[a.state] || home[b.state] || home[a.Country] || home[b.Country]
}

// state returns the country whose rules govern flights of a territory.
func state(country string) string {
	switch country {
	case "PR", "GU", "VI", "AS", "MP":
		return "US"
	}
	if slices.Contains(overseasFrance, country) {
		return "FR"
	}
	return country
}

// domestic reports whether a flight stays within one country.
func domestic(a, b *place) bool { return a.state == b.state }

// reach returns how far an airline's aircraft fly, in kilometres.
func reach(a world.Airline) float64 {
	switch {
	case a.Type == world.Regional:
		return 1600
	case a.Type == world.LowCost && slices.Contains([]string{"D7", "TR", "DY", "TS", "DE", "JQ", "VJ", "5J", "WS", "FZ",
		"B6", "JX"}, a.Code):
		return 7500
	case a.Type == world.LowCost:
		return 5200
	}
	return 15400
}

// ties lists groups of countries between which more people fly than their size suggests.
var ties = [][2][]string{
	{strings.Fields("ES"), strings.Fields("AR BO CL CO CR CU DO EC GT HN MX PA PE PY SV UY VE")},
	{strings.Fields("PT"), strings.Fields("BR AO MZ CV GW ST")},
	{strings.Fields("FR"), strings.Fields("DZ MA TN SN CI ML BF BJ TG CM GA CG CD MG MU NE TD GN MR LB GP MQ GF RE " +
		"YT NC PF CA")},
	{strings.Fields("GB"), strings.Fields("IN PK BD AU NZ ZA NG GH KE HK SG US CA JM TT BB CY MT LK")},
	{strings.Fields("NL"), strings.Fields("SR CW AW BQ ID ZA")},
	{strings.Fields("BE"), strings.Fields("CD RW BI CM CI SN")},
	{strings.Fields("DE"), strings.Fields("TR US KZ")},
	{strings.Fields("IT"), strings.Fields("AR BR AL")},
	{strings.Fields("AE QA SA KW OM BH"), strings.Fields("IN PK BD LK NP PH EG")},
	{strings.Fields("PH"), strings.Fields("US HK SG JP KR TW CA")},
	{strings.Fields("JP"), strings.Fields("US BR TH TW KR")},
	{strings.Fields("KR"), strings.Fields("US VN JP")},
	{strings.Fields("TR"), strings.Fields("AZ KZ UZ KG TM NL DE AT")},
}

// tied reports whether two airports lie in tied countries.
func tied(a, b *place) bool {
	for _, t := range ties {
		if slices.Contains(t[0], a.Country) && slices.Contains(t[1], b.Country) || slices.Contains(t[0], b.Country) &&
			slices.Contains(t[1], a.Country) {
			return true
		}
	}
	return false
}
