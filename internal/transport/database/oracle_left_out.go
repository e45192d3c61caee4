//go:build !oracle

package database

// connectOracle is nil: Oracle's driver makes the program a third larger, so that only "make build-oracle" builds it
// in.
var connectOracle connecting
