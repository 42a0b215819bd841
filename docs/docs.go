// Package docs holds the documents that the service itself shows. They are
// files, and a test holds each to what the service does.
package docs

import _ "embed"

// OpenAPI describes the HTTP interface.
//
//go:embed openapi.json
var OpenAPI []byte

// Vectors are requests and their answers, for clients in any language to test
// themselves with.
//
//go:embed vectors.json
var Vectors []byte

// Agents tells programs that read text what the service offers.
//
//go:embed llms.txt
var Agents []byte

// Reference is the page about the API, generated from OpenAPI.
//
//go:embed reference.html
var Reference []byte

// Errors is the page about the error codes, generated from their table.
//
//go:embed errors.html
var Errors []byte
