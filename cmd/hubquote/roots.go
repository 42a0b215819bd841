package main

// The certificates that are trusted where the system has none, as in an image with
// nothing but the program.
import _ "golang.org/x/crypto/x509roots/fallback"
