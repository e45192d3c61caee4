package tariff

import "gangway/internal/book/flight/sim/chance"

// taxes lists the tax on a departure in cents, by country.
var taxes = map[string]int{
	"GB": 6460, "DE": 4815, "NL": 4390, "FR": 4120, "BE": 3180, "CH": 3350, "AT": 3290, "IE": 1980, "ES": 2140,
	"IT": 2870, "PT": 2560, "GR": 3240,
	"DK": 3410, "NO": 2730, "SE": 2650, "FI": 1890, "PL": 1760, "TR": 1830, "RU": 1240, "US": 3890, "CA": 3540,
	"MX": 4160, "PA": 4350, "BR": 2280,
	"AR": 5710, "CL": 2640, "CO": 3960, "PE": 3070, "AE": 3270, "QA": 3460, "SA": 2290, "EG": 2540, "ZA": 2910,
	"NG": 5030, "KE": 4740, "AO": 3620,
	"SG": 4620, "MY": 1680, "TH": 2130, "ID": 1740, "PH": 1460, "VN": 2220, "HK": 2460, "CN": 1290, "TW": 1610,
	"JP": 2580, "KR": 2150, "IN": 1370,
	"LK": 6000, "BD": 3840, "AU": 4480, "NZ": 3730,
}

// TaxOf returns a country's departure tax in cents. Countries that are not listed charge between 8 and 40
// dollars.
func TaxOf(country string) int {
	if cents, ok := taxes[country]; ok {
		return cents
	}
	return 800 + int(chance.Mix(chance.Code(country), 21)%321)*10
}
