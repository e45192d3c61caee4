package feeds_test

import (
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/web/app/apptest"

	"github.com/chromedp/chromedp"
)

// dropFile drops a file anywhere on the form, as a person does.
const dropFile = `(() => {
	const files = new DataTransfer();
	files.items.add(new File([FILE], "list.csv"));
	document.querySelector("#upload").dispatchEvent(new DragEvent("drop", {dataTransfer: files, bubbles: true,
		cancelable: true}));
})();`

// TestUploadInBrowser: a file that is dropped is sent in the background, too long a one is not sent at all,
// and the page of the file follows its run to the end by itself.
func TestUploadInBrowser(t *testing.T) {
	s := apptest.NewSite(t)
	apptest.SetUploadFeed(t, apptest.Production(s), "office", gangway.CrewChangesFlow)
	b := apptest.OpenTab(t)
	b.Become(s.SignedIn(t, gangway.Booker))
	b.Do(chromedp.Navigate(s.URL + "/settings/feeds/office/upload"))
	file := strings.ReplaceAll(dropFile, "FILE", "`"+crewFile+"`")

	const press = `document.querySelector("#upload .primary").click(); ""`
	b.Read(file + `document.querySelector("#upload").dataset.most = 10;` + press)
	b.Until(`document.querySelector(".wrong")?.textContent.includes("at most 1 GiB are taken")`)
	long := strings.ReplaceAll(dropFile, "FILE", "new Uint8Array(64 << 20)") // it cannot arrive before it is stopped
	b.Read(long + `document.querySelector("#upload").dataset.most = 1e9;` + press)
	b.Read(`document.querySelector(".sending button").click(); ""`)
	b.Until(`document.querySelector(".wrong")?.textContent.startsWith("Stopped.") &&
		document.activeElement.id === "file"`)
	b.Read(file + press)
	b.Until(`/\/upload\/\d+$/.test(location.pathname) && document.querySelector("#uploaded progress") !== null`)

	go apptest.ReadFile(t, s, "office", runOf(t, b.Read(`location.pathname`)))
	b.Until(`document.querySelector("[data-stream]") === null &&
		document.querySelector("main").innerText.includes("1 new")`)

	// What the server refuses is said beside the field, and the file can be sent again.
	apptest.GiveFile(t, s, "office", crewFile)
	b.Do(chromedp.Navigate(s.URL + "/settings/feeds/office/upload"))
	b.Read(file + press)
	b.Until(`document.querySelector(".wrong")?.textContent.includes("still reads a document") &&
		!document.querySelector("#file").disabled`)
}
