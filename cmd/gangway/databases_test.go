package main

import (
	"maps"
	"strings"
	"testing"

	"gangway/internal/need"
	"gangway/internal/store/storetest"
)

// eitherTests are the tests of the program that run on SQLite in make test and on PostgreSQL in make trial: the
// packages below run their own tests on both each time.
var eitherTests = map[string]func(*testing.T){}

func init() { // as the tests themselves ask whether they are among them
	maps.Copy(eitherTests, map[string]func(*testing.T){
		"TestCheckInstallation":              TestCheckInstallation,
		"TestCommands":                       TestCommands,
		"TestEachKeyOpensItsOwnDoor":         TestEachKeyOpensItsOwnDoor,
		"TestEveryWayIn":                     TestEveryWayIn,
		"TestFeedRunWaits":                   TestFeedRunWaits,
		"TestFeedSecretsAreNowhere":          TestFeedSecretsAreNowhere,
		"TestFiguresForMonitoring":           TestFiguresForMonitoring,
		"TestPrometheusReadsFigures":         TestPrometheusReadsFigures,
		"TestOperatorsPage":                  TestOperatorsPage,
		"TestKeyGoesWhileAnUploadIsOnItsWay": TestKeyGoesWhileAnUploadIsOnItsWay,
		"TestLostKey":                        TestLostKey,
		"TestNothingIsLeft":                  TestNothingIsLeft,
		"TestNothingIsLeftOfOrders":          TestNothingIsLeftOfOrders,
		"TestOutletCredentials":              TestOutletCredentials,
		"TestOutletsOfFilesAndMails":         TestOutletsOfFilesAndMails,
		"TestRestoreAddsKeys":                TestRestoreAddsKeys,
		"TestRestoreAfterOrders":             TestRestoreAfterOrders,
		"TestSandbox":                        TestSandbox,
		"TestServe":                          TestServe,
		"TestServeFetchesFeeds":              TestServeFetchesFeeds,
		"TestTheReportForgets":               TestTheReportForgets,
		"TestWalk":                           TestWalk,
	})
}

// TestTrialOnPostgreSQL runs eitherTests on PostgreSQL.
func TestTrialOnPostgreSQL(t *testing.T) {
	need.Trial(t)
	for name, test := range eitherTests {
		t.Run(name, test)
	}
}

// onEither runs one of eitherTests with a database of its own.
func onEither(t *testing.T, test func(t *testing.T, database string)) {
	t.Helper()
	test(t, eitherURL(t)(t))
}

// eitherURL makes databases for one of eitherTests.
func eitherURL(t *testing.T) func(testing.TB) string {
	t.Helper()
	name, onPostgreSQL := strings.CutPrefix(t.Name(), "TestTrialOnPostgreSQL/")
	name, _, _ = strings.Cut(name, "/") // of the whole test
	if eitherTests[name] == nil {
		t.Fatalf("add %s to eitherTests: make trial would not run it on PostgreSQL", name)
	}
	if onPostgreSQL {
		return storetest.PostgresURL
	}
	return storetest.SQLiteURL
}
