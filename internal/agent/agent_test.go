package agent_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"hubquote/client"
	"hubquote/internal/agent"
	"hubquote/internal/ask"
	"hubquote/internal/service"
	"hubquote/test/servicetest"
	"hubquote/test/zk"
)

const (
	alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
	query = "srcChain=369&srcToken=USDC&dstChain=8453&dstToken=USDC&amount=25500000&recipient=" + alice
)

var wanted = map[string]any{"from": "USDC@369", "to": "USDC@8453", "amount": "25.5", "recipient": alice}

func with(name, value string) map[string]any {
	changed := map[string]any{name: value}
	for k, v := range wanted {
		if k != name {
			changed[k] = v
		}
	}
	return changed
}

func TestTools(t *testing.T) {
	server := servicetest.Start(t, service.Options{})
	call := connect(t, server)
	answer := fetch(t, server+"/v3/swap/quote?"+query)
	data := struct {
		Parameters struct{ Calldata string } `json:"methodParameters"`
	}{}
	if err := json.Unmarshal([]byte(answer), &data); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, tool string
		args       map[string]any
		has        string // of the answer
		fails      bool
	}{
		{"a quote is proved and has its transaction", "quote", wanted, `"verdict":"proved"`, false},
		{"a quote has the bytes of the server", "quote", wanted, data.Parameters.Calldata, false},
		{"a quote says what its call does", "quote", wanted, `"recipient":"` + strings.ToLower(alice), false},
		{"a token that is not served", "quote", with("from", "WBTC@369"), "TOKEN_UNSUPPORTED", true},
		{"an amount with too many decimals", "quote", with("amount", "0.1234567"), "AMOUNT_INVALID", true},
		{"an amount below the minimum", "quote", with("amount", "0.000001"), "AMOUNT_TOO_LOW", true},
		{"the server's answer is proved", "verify", map[string]any{"request": query, "answer": answer}, `"verdict":"proved"`, false},
		{"an answer for another recipient", "verify", map[string]any{"request": query, "answer": strings.ReplaceAll(answer, "70997970", "70997971")}, "do not sign", true},
		{"calldata of a quote", "decode", map[string]any{"calldata": data.Parameters.Calldata}, `"recipient"`, false},
		{"other calldata", "decode", map[string]any{"calldata": "0xdeadbeef"}, "not a call of a quote", true},
		{"routes from a chain", "routes", map[string]any{"from": "@8453"}, `"from":"USDC@8453"`, false},
		{"no such route", "routes", map[string]any{"from": "WBTC"}, "no such routes", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text, failed := call(tt.tool, tt.args)
			if failed != tt.fails || !strings.Contains(text, tt.has) {
				t.Errorf("failed %t, want %t and %q in:\n%s", failed, tt.fails, tt.has, text)
			}
		})
	}
}

// A server that pays another recipient, consistently, is refused, and no byte of
// its transaction reaches the agent.
func TestLyingServer(t *testing.T) {
	honest := servicetest.Start(t, service.Options{})
	const thief = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"
	liar := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, fetch(t, honest+strings.ReplaceAll(r.URL.String(), alice, thief)))
	}))
	defer liar.Close()
	text, failed := connect(t, liar.URL)("quote", wanted)
	if !failed || !strings.Contains(text, "do not sign") {
		t.Errorf("failed %t, want a refusal:\n%s", failed, text)
	}
	if strings.Contains(text, strings.ToLower(thief[2:])) && strings.Contains(text, "095ff22d") {
		t.Errorf("refusal = %s, want no transaction in it", text)
	}
}

// Without its proof, the note of a privacy pool cannot be checked.
func TestUnprovenIsAnError(t *testing.T) {
	server := servicetest.Start(t, service.Options{})
	const private = zk.Alice
	asked := strings.NewReplacer("8453", "69696969", alice, private).Replace(query)
	text, failed := connect(t, server)("verify", map[string]any{"request": asked, "answer": fetch(t, server+"/v3/swap/quote?"+asked)})
	if !failed || !strings.Contains(text, "unproven, do not sign") || strings.Contains(text, "095ff22d") {
		t.Errorf("failed %t, want it unproven and without a transaction:\n%s", failed, text)
	}
}

// Agents learn from the server itself that quotes are verified, and that no tool
// changes anything.
func TestSaysThatItVerifiesAndSignsNothing(t *testing.T) {
	session := session(t, "http://127.0.0.1:1")
	if text := session.InitializeResult().Instructions; !strings.Contains(text, "verified") || !strings.Contains(text, "sign nothing") {
		t.Errorf("instructions = %q, want them to say that quotes are verified and nothing is signed", text)
	}
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		if !tool.Annotations.ReadOnlyHint {
			t.Errorf("%s is not marked as read-only, want it marked", tool.Name)
		}
	}
}

// connect returns a function that calls a tool and returns the text of its
// answer, and whether it failed.
func connect(t *testing.T, server string) func(string, map[string]any) (string, bool) {
	s := session(t, server)
	return func(tool string, args map[string]any) (string, bool) {
		t.Helper()
		result, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		for _, c := range result.Content {
			text.WriteString(c.(*mcp.TextContent).Text)
		}
		return text.String(), result.IsError
	}
}

// session connects the protocol's own client to an agent's server.
func session(t *testing.T, server string) *mcp.ClientSession {
	t.Helper()
	pins, err := client.EmbeddedPins()
	if err != nil {
		t.Fatal(err)
	}
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- agent.Serve(t.Context(), agent.Options{Ask: ask.Options{Pins: pins, Server: server}, Version: "test"}, in, out)
	}()
	s, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Close()
		toServer.Close()
		<-ended
	})
	return s
}

func fetch(t *testing.T, url string) string {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Error(err)
		return ""
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Error(err)
	}
	return string(body)
}
