package app

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"fmt"
	"mime"
	"net/http"
	"path"
	"strings"

	"gangway"
	"gangway/internal/world"
)

// dist holds what assets/build.sh made of the stylesheets and scripts. It is
// committed, so that building the program needs no Node.
//
//go:generate sh assets/build.sh
//go:embed assets/dist
var dist embed.FS

// An asset is a file for the browser, as it is and compressed.
type asset struct {
	kind    string
	plain   []byte
	gzipped []byte
}

// readAssets returns what is in dist, and the outline of the land, which all
// maps share.
func readAssets() (map[string]asset, error) {
	entries, err := dist.ReadDir("assets/dist")
	if err != nil {
		return nil, fmt.Errorf("read assets: %w", err)
	}
	assets := map[string]asset{}
	for _, e := range entries {
		plain, err := dist.ReadFile("assets/dist/" + e.Name())
		if err != nil {
			return nil, fmt.Errorf("read assets: %w", err)
		}
		if assets[e.Name()], err = newAsset(e.Name(), plain); err != nil {
			return nil, err
		}
	}
	land := []byte(`<svg xmlns="http://www.w3.org/2000/svg"><path id="land" d="` + world.Land() + `"/></svg>`)
	name := fmt.Sprintf("land-%.8X.svg", sha256.Sum256(land))
	if assets[name], err = newAsset(name, land); err != nil {
		return nil, err
	}
	return assets, nil
}

func newAsset(name string, plain []byte) (asset, error) {
	var small bytes.Buffer
	z := gzip.NewWriter(&small)
	if _, err := z.Write(plain); err != nil {
		return asset{}, fmt.Errorf("compress %s: %w", name, err)
	}
	if err := z.Close(); err != nil {
		return asset{}, fmt.Errorf("compress %s: %w", name, err)
	}
	return asset{mime.TypeByExtension(path.Ext(name)), plain, small.Bytes()}, nil
}

// assetPath returns the address of the asset that was made from name: "app.css"
// is served under a name that changes with its content.
func (a *App) assetPath(name string) (string, error) {
	stem, ext, _ := strings.Cut(name, ".")
	for file := range a.assets {
		if file == name || strings.HasPrefix(file, stem+"-") && strings.HasSuffix(file, "."+ext) {
			return a.prefix + "/assets/" + file, nil
		}
	}
	return "", fmt.Errorf("there is no asset %s: run assets/build.sh", name)
}

// asset serves a stylesheet, script or picture. Its name changes with its
// content, so a browser may keep it for ever.
func (a *App) asset(w http.ResponseWriter, r *http.Request) {
	f, ok := a.assets[r.PathValue("file")]
	if !ok {
		a.refuse(w, r, gangway.Errorf(gangway.NotFound, "there is no such file"))
		return
	}
	head := w.Header()
	head.Set("Content-Type", f.kind)
	head.Set("Cache-Control", "public, max-age=31536000, immutable")
	head.Set("Vary", "Accept-Encoding")
	body := f.plain
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		head.Set("Content-Encoding", "gzip")
		body = f.gzipped
	}
	w.Write(body)
}
