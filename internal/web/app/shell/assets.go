package shell

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"mime"
	"net/http"
	"path"
	"strings"
	"sync"

	"gangway/internal/gangway"
	"gangway/internal/web/app/assets"
)

// An asset is a file for the browser, as it is and compressed.
type asset struct {
	kind    string
	plain   []byte
	gzipped func() []byte
}

// readAssets returns the files that build.sh made and those that rooms make
// themselves. The names of both change with their content.
func readAssets(made map[string][]byte) (map[string]asset, error) {
	all := map[string]asset{}
	entries, err := assets.Dist.ReadDir("dist")
	if err != nil {
		return nil, fmt.Errorf("read assets: %w", err)
	}
	for _, e := range entries {
		plain, err := assets.Dist.ReadFile("dist/" + e.Name())
		if err != nil {
			return nil, fmt.Errorf("read assets: %w", err)
		}
		all[e.Name()] = newAsset(e.Name(), plain)
	}
	for file, plain := range made {
		stem, ext, _ := strings.Cut(file, ".")
		name := fmt.Sprintf("%s-%.8X.%s", stem, sha256.Sum256(plain), ext)
		all[name] = newAsset(name, plain)
	}
	return all, nil
}

// newAsset returns an asset that is compressed when a browser first asks for it.
func newAsset(name string, plain []byte) asset {
	return asset{mime.TypeByExtension(path.Ext(name)), plain, sync.OnceValue(func() []byte {
		var small bytes.Buffer
		z := gzip.NewWriter(&small)
		z.Write(plain) // to memory: it cannot fail
		z.Close()
		return small.Bytes()
	})}
}

// assetPath returns the address of the asset that was made from name: "app.css"
// is served under a name that changes with its content.
func (sh *Shell) assetPath(name string) (string, error) {
	stem, ext, _ := strings.Cut(name, ".")
	for file := range sh.assets {
		if file == name || strings.HasPrefix(file, stem+"-") && strings.HasSuffix(file, "."+ext) {
			return sh.prefix + "/assets/" + file, nil
		}
	}
	return "", fmt.Errorf("there is no asset %s: run assets/build.sh", name)
}

// Asset serves a stylesheet, script or picture. Its name changes with its
// content, so a browser may keep it for ever.
func (sh *Shell) Asset(w http.ResponseWriter, r *http.Request) {
	f, ok := sh.assets[r.PathValue("file")]
	if !ok {
		sh.refuse(w, r, gangway.Errorf(gangway.NotFound, "there is no such file"))
		return
	}
	head := w.Header()
	head.Set("Content-Type", f.kind)
	head.Set("Cache-Control", "public, max-age=31536000, immutable")
	head.Set("Vary", "Accept-Encoding")
	body := f.plain
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		head.Set("Content-Encoding", "gzip")
		body = f.gzipped()
	}
	w.Write(body)
}
