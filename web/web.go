// Package web holds the pages the service shows to people. They are files: a
// page needs no build step and loads nothing from elsewhere.
package web

import (
	"embed"
	"io/fs"
)

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
