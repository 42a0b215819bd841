package main

import (
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
)

// bare is a minimal Go server that looks the answer up by URL. It requests each
// answer from our server once. With withHeaders it returns our headers too, except
// those that net/http writes by itself.
func bare(ours string, withHeaders bool) error {
	resp, err := http.Get("http://" + ours + quoteURL)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	headers := http.Header{"Content-Type": resp.Header["Content-Type"]}
	if withHeaders {
		headers = resp.Header
		headers.Del("Date")
		headers.Del("Content-Length")
	}
	answers := map[string][]byte{quoteURL: body}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "listening on", l.Addr())
	return http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		maps.Copy(w.Header(), headers)
		w.Write(answers[r.RequestURI])
	}))
}
