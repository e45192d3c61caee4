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
	n := &network{byCode: map[string]*place{}, at: map[string]map[string]bool{}, home: map[string]map[string]bool{}, allied: map[*place]map[string]bool{}, known: map[key]bool{}, flown: map[pair]bool{}, typed: map[key]bool{}}
	for _, a := range world.Airports() {
		if a.Scheduled {
			p := &place{Airport: a, state: state(a.Country), millions: float64(a.Passengers) / 1000}
			n.places, n.byCode[a.IATA] = append(n.places, p), p
		}
	}
	if err := n.loadHubs(filepath.Join(dir, "hubs.txt")); err != nil {
		return nil, err
	}
	if err := n.loadLists(filepath.Join(dir, "hublists.txt")); err != nil {
		return nil, err
	}
	words, err := wordsOf(filepath.Join(dir, "must.txt"))
	if err != nil {
		return nil, err
	}
	for _, w := range words {
		p, carriers, ok := strings.Cut(w, ":")
		if !ok || len(p) != 7 {
			return nil, fmt.Errorf("must.txt: %q", w)
		}
		n.must = append(n.must, must{p[:3], p[4:], strings.Split(carriers, ",")})
	}
	if words, err = wordsOf(filepath.Join(dir, "mustnot.txt")); err != nil {
		return nil, err
	}
	for _, w := range words {
		n.mustNot = append(n.mustNot, pairOf(w[:3], w[4:]))
	}
	return n, nil
}

// loadHubs reads lines of "AA: DFW:210 CLT:160".
func (n *network) loadHubs(path string) error {
	lines, err := linesOf(path)
	if err != nil {
		return err
	}
	for _, line := range lines {
		code, list, _ := strings.Cut(line, ":")
		carrier, ok := world.AirlineOf(code)
		if !ok {
			return fmt.Errorf("%s: no airline %q", path, code)
		}
		n.at[code], n.home[code] = map[string]bool{}, map[string]bool{carrier.Country: true}
		for _, entry := range strings.Fields(list) {
			iata, count, _ := strings.Cut(entry, ":")
			size, err := strconv.Atoi(count)
			if err != nil {
				return fmt.Errorf("%s: %s: %w", path, code, err)
			}
			at := n.byCode[iata]
			if at == nil {
				continue // closed to airlines today
			}
			n.at[code][iata], n.home[code][at.Country] = true, true
			n.hubs = append(n.hubs, hub{carrier: carrier, at: at, size: size})
			if size >= 40 {
				if n.allied[at] == nil {
					n.allied[at] = map[string]bool{}
				}
				n.allied[at][carrier.Alliance] = true
			}
		}
		if n.home[code]["FR"] {
			for _, c := range overseasFrance {
				n.home[code][c] = true
			}
		}
		if slices.ContainsFunc(singleMarket, func(c string) bool { return n.home[code][c] }) {
			for _, c := range singleMarket {
				n.home[code][c] = true
			}
		}
	}
	return nil
}

// loadLists reads lines of "EK@DXB: ABJ ACC".
func (n *network) loadLists(path string) error {
	lines, err := linesOf(path)
	if err != nil {
		return err
	}
	for _, line := range lines {
		name, list, _ := strings.Cut(line, ":")
		i := slices.IndexFunc(n.hubs, func(h hub) bool { return h.carrier.Code+"@"+h.at.IATA == name })
		if i < 0 {
			return fmt.Errorf("%s: no hub %s", path, name)
		}
		n.hubs[i].typed = strings.Fields(list)
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
