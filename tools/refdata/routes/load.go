package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gangway/internal/world"
)

// A must is a pair that is flown, with the airlines that do.
type must struct {
	a, b     string
	carriers []string // "X" stands for some airline
}

func load(dir string) (*network, error) {
	n := &network{byCode: map[string]*place{}, at: map[string]map[string]bool{}, home: map[string]map[string]bool{},
		allied: map[*place]map[string]bool{}, known: map[key]bool{}, flown: map[pair]bool{}, proven: map[pair]bool{},
		typed: map[key]bool{}}
	for _, a := range world.Airports() {
		if a.Scheduled {
			p := &place{Airport: a, state: state(a.Country), millions: float64(a.Passengers) / 1000}
			n.places, n.byCode[a.IATA] = append(n.places, p), p
		}
	}
	var err error
	if n.gone, err = readGone(filepath.Join(dir, "gone.txt")); err != nil {
		return nil, err
	}
	if err := n.loadHubs(filepath.Join(dir, "hubs.txt")); err != nil {
		return nil, err
	}
	if err := n.loadLists(filepath.Join(dir, "hublists.txt")); err != nil {
		return nil, err
	}
	if n.must, err = readMust(filepath.Join(dir, "must.txt")); err != nil {
		return nil, err
	}
	words, err := wordsOf(filepath.Join(dir, "mustnot.txt"))
	if err != nil {
		return nil, err
	}
	for _, w := range words {
		n.mustNot = append(n.mustNot, pairOf(w[:3], w[4:]))
	}
	return n, nil
}

// readMust reads words of "AMS-HKG:KL,CX".
func readMust(path string) ([]must, error) {
	words, err := wordsOf(path)
	if err != nil {
		return nil, err
	}
	var list []must
	for _, w := range words {
		p, carriers, ok := strings.Cut(w, ":")
		if !ok || len(p) != 7 || p[3] != '-' {
			return nil, fmt.Errorf("%s: %q", path, w)
		}
		list = append(list, must{p[:3], p[4:], strings.Split(carriers, ",")})
	}
	return list, nil
}

// loadHubs reads lines of "AA: DFW:210 CLT:160".
func (n *network) loadHubs(path string) error {
	lines, err := linesOf(path)
	if err != nil {
		return err
	}
	for _, line := range lines {
		code, list, _ := strings.Cut(line, ":")
		for _, entry := range strings.Fields(list) {
			iata, count, _ := strings.Cut(entry, ":")
			size, err := strconv.Atoi(count)
			if err != nil {
				return fmt.Errorf("%s: %s: %w", path, code, err)
			}
			if at := n.byCode[iata]; at != nil { // or closed to airlines today
				if err := n.addHub(code, at, size); err != nil {
					return fmt.Errorf("%s: %w", path, err)
				}
			}
		}
	}
	return nil
}

// addHub notes that the airline has a hub of so many destinations at an
// airport, and thereby the right to fly from its country.
func (n *network) addHub(code string, at *place, size int) error {
	carrier, ok := world.AirlineOf(code)
	if !ok {
		return fmt.Errorf("no airline %q", code)
	}
	if err := n.gone.hub(code, at.IATA); err != nil {
		return err
	}
	if n.at[code] == nil {
		n.at[code], n.home[code] = map[string]bool{}, map[string]bool{}
		n.mayServe(code, carrier.Country)
	}
	n.at[code][at.IATA] = true
	n.mayServe(code, at.Country)
	n.hubs = append(n.hubs, hub{carrier: carrier, at: at, size: size})
	if size >= 40 {
		if n.allied[at] == nil {
			n.allied[at] = map[string]bool{}
		}
		n.allied[at][carrier.Alliance] = true
	}
	return nil
}

// mayServe gives an airline a home, with all that goes with it.
func (n *network) mayServe(code, country string) {
	n.home[code][country] = true
	for _, together := range [][]string{overseasFrance, singleMarket} {
		if slices.Contains(together, country) || country == "FR" {
			for _, c := range together {
				n.home[code][c] = true
			}
		}
	}
}

// loadLists reads lines of "EK@DXB: ABJ ACC". HOME among the codes stands for
// domestic destinations that are to be chosen besides, and the airline X for
// whoever flies there. A hub that hubs.txt does not have is as big as its list.
func (n *network) loadLists(path string) error {
	lines, err := linesOf(path)
	if err != nil {
		return err
	}
	for _, line := range lines {
		name, list, _ := strings.Cut(line, ":")
		code, iata, _ := strings.Cut(name, "@")
		at, destinations := n.byCode[iata], strings.Fields(list)
		if at == nil {
			return fmt.Errorf("%s: %s: no scheduled flights at %q", path, name, iata)
		}
		for _, to := range destinations {
			if to != chooseDomestic && n.byCode[to] == nil {
				return fmt.Errorf("%s: %s: no scheduled flights at %q", path, name, to)
			}
		}
		if code == "X" {
			n.someone = append(n.someone, hub{at: at, typed: destinations})
			continue
		}
		i := slices.IndexFunc(n.hubs, func(h hub) bool { return h.carrier.Code == code && h.at == at })
		if i < 0 {
			if err := n.addHub(code, at, len(destinations)); err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			i = len(n.hubs) - 1
		}
		if n.hubs[i].typed != nil {
			return fmt.Errorf("%s: %s is there twice", path, name)
		}
		n.hubs[i].typed = destinations
	}
	return nil
}

func linesOf(path string) ([]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	return lines, nil
}

func wordsOf(path string) ([]string, error) {
	lines, err := linesOf(path)
	return strings.Fields(strings.Join(lines, " ")), err
}
