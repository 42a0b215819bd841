// Package web holds the pages the service shows to people. They load nothing
// from elsewhere.
//
// The sources of the page's script are in src; static has what is served. Two
// files of it are made from something else and committed: js/page.js from src,
// and js/client.js from the TypeScript client.
package web

import (
	"embed"
	"io/fs"
)

//go:generate npm --prefix ../test/page run build

//go:embed static/*.html static/*.css static/*.svg static/js/*.js
var static embed.FS

// Files are the pages and what they load. The HTML files are templates.
func Files() fs.FS {
	files, err := fs.Sub(static, "static")
	if err != nil {
		panic(err) // the name is a constant
	}
	return files
}
