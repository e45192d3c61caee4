package orders

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"gangway/internal/book/flight/sim/chance"
	"gangway/internal/gangway"
)

// locator returns an airline's locator for a reference. It cannot be guessed from others, and
// each try gives another one.
func locator(reference string, try int) string {
	n := chance.Draw("locator", reference, try)
	b := make([]byte, gangway.LocatorLength)
	for i := range b {
		b[i] = gangway.LocatorLetters[n%uint64(len(gangway.LocatorLetters))]
		n /= uint64(len(gangway.LocatorLetters))
	}
	return string(b)
}

// takeLocators gives an order a locator for each part of its bill and returns the documents that
// reserve them; the first locator is part of the order's id.
func (s *Seller) takeLocators(ctx context.Context, r *record) ([]gangway.Document, error) {
	var docs []gangway.Document
	r.PNRs = slices.Clone(r.PNRs[:min(len(r.PNRs), len(r.Bill))])
	for len(r.PNRs) < len(r.Bill) {
		of := r.Reference
		if len(r.PNRs) > 0 {
			of = fmt.Sprint(of, " ", len(r.PNRs))
		}
		l, err := s.freeLocator(ctx, of)
		if err != nil {
			return nil, err
		}
		if r.PNRs = append(r.PNRs, l); r.ID == "" {
			r.ID = orderPrefix + l
			continue
		}
		doc, err := json.Marshal(map[string]string{"of": r.ID})
		if err != nil {
			return nil, fmt.Errorf("write locator: %w", err)
		}
		docs = append(docs, gangway.Document{ID: orderPrefix + l, Doc: doc, Version: 1})
	}
	return docs, nil
}

// freeLocator returns the first locator for a name that no order has.
func (s *Seller) freeLocator(ctx context.Context, of string) (string, error) {
	for try := range 1000 {
		l := locator(of, try)
		if _, _, err := s.ledger.Load(ctx, orderPrefix+l); err != nil {
			if gangway.KindOf(err) == gangway.NotFound {
				return l, nil
			}
			return "", fmt.Errorf("load simulated order: %w", err)
		}
	}
	return "", fmt.Errorf("every locator of %s is taken", of)
}
