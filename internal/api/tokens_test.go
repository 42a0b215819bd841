package api_test

import (
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"hubquote/internal/api"
	"hubquote/internal/ratelimit"
)

// A listed token, as wallets read it.
type listedToken struct {
	ChainID         int64
	Address, Symbol string
	Name, LogoURI   string
	Decimals        int
	Extensions      map[string]any
}

func tokenList(t *testing.T) (list struct {
	Name, Timestamp string
	Version         struct{ Major, Minor, Patch int }
	Tokens          []listedToken
}) {
	t.Helper()
	body := get(newServer(t, api.Options{}), "/v3/app/tokens").Body.Bytes()
	if err := json.Unmarshal(body, &list); err != nil || len(list.Tokens) != len(embedded(t).Tokens()) {
		t.Fatalf("%d tokens, %v, want all of the catalog", len(list.Tokens), err)
	}
	return list
}

// The rules of the schema of token lists that a value can break. Wallets refuse a
// whole list for one of them.
func TestTokensKeepTheRulesOfTokenLists(t *testing.T) {
	list := tokenList(t)
	if !regexp.MustCompile(`^[\w ]{1,30}$`).MatchString(list.Name) {
		t.Errorf("name = %q, want up to 30 word characters", list.Name)
	}
	if _, err := time.Parse(time.RFC3339, list.Timestamp); err != nil {
		t.Error(err)
	}
	seen := map[string]bool{}
	for _, token := range list.Tokens {
		key := fmt.Sprint(token.ChainID, " ", token.Address)
		switch {
		case seen[key]:
			t.Errorf("%s is listed twice, want it once", key)
		case token.ChainID < 1 || token.Decimals < 0 || token.Decimals > 255 || len(token.Name) > 60 || len(token.Symbol) > 20 || strings.Contains(token.Symbol, " "):
			t.Errorf("%s = %+v, want it within the bounds of the schema", key, token)
		case !regexp.MustCompile(`^0x[0-9a-fA-F]{40}$`).MatchString(token.Address):
			t.Errorf("%s: want an address", key)
		}
		seen[key] = true
		checkExtensions(t, key, token.Extensions)
	}
}

// checkExtensions holds a map to the bounds of the schema: ten short names, and
// texts of 1 to 42 characters, also in maps below.
func checkExtensions(t *testing.T, key string, extensions map[string]any) {
	t.Helper()
	if len(extensions) > 10 {
		t.Errorf("%s has %d extensions, want 10 at most", key, len(extensions))
	}
	for name, value := range extensions {
		if !regexp.MustCompile(`^\w{1,40}$`).MatchString(name) {
			t.Errorf("%s: extension %q, want word characters", key, name)
		}
		switch value := value.(type) {
		case map[string]any:
			checkExtensions(t, key+" "+name, value)
		case string:
			if len(value) < 1 || len(value) > 42 {
				t.Errorf("%s: extension %s has %d characters, want 1 to 42: %s", key, name, len(value), value)
			}
		}
	}
}

// Every token has its CAIP-19 name, the native coin by its SLIP-44 number.
func TestTokensHaveCAIP19Names(t *testing.T) {
	var got []string
	for _, token := range tokenList(t).Tokens {
		name := token.Extensions["caip19"].(map[string]any)
		got = append(got, fmt.Sprintf("%v/%v:%v", name["chain"], name["namespace"], name["reference"]))
	}
	for _, token := range embedded(t).Tokens() {
		want := fmt.Sprintf(`eip155:%d/erc20:%s`, token.Chain, token.Address)
		if token.IsNative() {
			want = fmt.Sprintf(`eip155:%d/slip44:60`, token.Chain)
		}
		if token.IsNative() && token.Symbol != "ETH" {
			t.Errorf("the native coin of %d is %s, want ETH: SLIP-44 has another number for it", token.Chain, token.Symbol)
		}
		if !slices.Contains(got, want) {
			t.Errorf("the list has no %s", want)
		}
	}
}

// Every token has a picture: in the list, and the same at its address.
func TestTokensHaveASymbol(t *testing.T) {
	s := newServer(t, api.Options{})
	colours := map[string]string{}
	for _, token := range tokenList(t).Tokens {
		uri, err := url.Parse(token.LogoURI)
		if err != nil || !uri.IsAbs() {
			t.Fatalf("logoURI of %s = %q, %v, want an absolute address", token.Symbol, token.LogoURI, err)
		}
		_, data, _ := strings.Cut(token.LogoURI, ";base64,")
		picture, err := base64.StdEncoding.DecodeString(data)
		if err != nil {
			t.Fatal(err)
		}
		w := get(s, "/symbols/"+token.Symbol+".svg")
		if w.Code != http.StatusOK || w.Body.String() != string(picture) || w.Header().Get("Content-Type") != "image/svg+xml" {
			t.Errorf("the symbol of %s = %d %s, want the picture of the list:\n%s", token.Symbol, w.Code, w.Header(), w.Body)
		}
		var drawn struct {
			XMLName xml.Name `xml:"http://www.w3.org/2000/svg svg"`
			Circle  struct {
				Fill string `xml:"fill,attr"`
			} `xml:"circle"`
			Text string `xml:"text"`
		}
		if err := xml.Unmarshal(picture, &drawn); err != nil || drawn.Text != token.Symbol {
			t.Errorf("the symbol of %s says %q, %v, want its letters", token.Symbol, drawn.Text, err)
		}
		if other, taken := colours[drawn.Circle.Fill]; taken && other != token.Symbol {
			t.Errorf("%s and %s have one colour, want two", other, token.Symbol)
		}
		colours[drawn.Circle.Fill] = token.Symbol
	}
}

// A symbol may be kept for a day, runs nothing when it is opened by itself, and is
// not counted as a request for a quote.
func TestSymbolsAreServedForPages(t *testing.T) {
	limiter := &recordingLimiter{}
	s := newServer(t, api.Options{Limiter: limiter})
	w := get(s, "/symbols/USDC.svg")
	for name, want := range map[string]string{
		"Cache-Control": "public, max-age=86400", "Content-Security-Policy": "default-src 'none'; sandbox",
		"Access-Control-Allow-Origin": "*", "X-Content-Type-Options": "nosniff",
	} {
		if got := w.Header().Get(name); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
	if limiter.last != (ratelimit.Client{}) {
		t.Errorf("the limit counted %v, want nothing", limiter.last)
	}
	if again := getWith(s, "/symbols/USDC.svg", "If-None-Match", w.Header().Get("ETag")); again.Code != http.StatusNotModified {
		t.Errorf("with its ETag it is answered with %d, want 304", again.Code)
	}
	for _, path := range []string{"/symbols/", "/symbols/usdc.svg", "/symbols/NONE.svg", "/symbols/USDC"} {
		if w := get(s, path); w.Code != http.StatusNotFound {
			t.Errorf("%s = %d, want 404", path, w.Code)
		}
	}
}
