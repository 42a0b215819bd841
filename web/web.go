// Package web holds the pages the service shows to people. They are files: a
// page needs no build step and loads nothing from elsewhere.
package web

import _ "embed"

// Home is the template of the front page.
//
//go:embed home.html
var Home string

// Errors is the template of the page that explains the error codes.
//
//go:embed errors.html
var Errors string
