package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"hubquote/internal/command"
)

// Every configuration file is read or refused without a panic. The error has no
// value of the file, because it may be a secret.
func FuzzConfigFile(f *testing.F) {
	for _, seed := range []string{
		"listen = \"0.0.0.0:8080\"\ntrusted-proxies = \"10.0.0.0/8, ::1/128\"\n",
		"[rpc]\n369 = [\"https://host/SECRETKEY123\", \"https://SECRETKEY123@other\"]\n",
		"redis = \"redis://:SECRETKEY123@host:6379/0\"\nissuer = \"https://host/?key=SECRETKEY123\"\n",
		"redis = \"SECRETKEY123\"\n", "rpc = \"SECRETKEY123\"\n", "rpc = {369 = \"SECRETKEY123\"}\n", "rpc = {369 = [1, \"SECRETKEY123\"]}\n",
		"drain-delay = \"5s\"\nlog-level = \"DEBUG\"\ncheck = true\n", "config = \"again\"\n",
		"listen = {host = \"a\"}\n", "listen = 1979-05-27\n", "admin = \"\"\nadmin = \"\"\n", "[[rpc]]\n", "a.b.c = 1\n", "\xff",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := readText(text)
		if err != nil && strings.Contains(err.Error(), canary) && !inKeys(text, canary) {
			t.Errorf("error = %v, want it without a value of the file", err)
		}
		if err == nil {
			checkSettings(t, c)
		}
	})
}

// readText returns the settings of a configuration file alone.
func readText(text string) (*settings, error) {
	var c settings
	f := command.Std{Program: "hubquote"}.Flags("serve", "")
	c.define(f)
	return &c, f.ParseText("file", []byte(text), c.rpc.Tables())
}

// inKeys reports whether word is in a key of the file. Errors may contain keys.
func inKeys(text, word string) bool {
	var file map[string]any
	if toml.Unmarshal([]byte(text), &file) != nil {
		return false
	}
	keys := slices.Collect(maps.Keys(file))
	if rpc, ok := file["rpc"].(map[string]any); ok {
		keys = slices.AppendSeq(keys, maps.Keys(rpc))
	}
	return strings.Contains(strings.Join(keys, " "), word)
}

// checkSettings checks the properties of settings that the program relies on.
func checkSettings(t *testing.T, c *settings) {
	t.Helper()
	all, err := c.rpc.List(nil, func(string) (string, bool) { return "", false }, nil)
	if err != nil {
		t.Fatal(err)
	}
	for chain, urls := range all {
		if shown := fmt.Sprint(chain, urls); strings.Contains(shown, canary+"@") || strings.Contains(shown, "/"+canary) {
			t.Errorf("endpoints print as %s, want the secret hidden", shown)
		}
	}
	for _, p := range c.trustedProxies {
		if !p.IsValid() || p != p.Masked() {
			t.Errorf("trusted proxy = %v, want a valid, masked prefix", p)
		}
	}
}

func TestConfigFileTakesPlainValuesOnly(t *testing.T) {
	for _, text := range []string{`listen = {a = 1}`, `listen = [1]`, `listen = 1.5`, `listen = 1979-05-27`} {
		if _, err := readText(text); err == nil || !strings.Contains(err.Error(), "listen: write a string") {
			t.Errorf("error of %s = %v, want one about listen", text, err)
		}
	}
}

// A value that parses and cannot be meant is refused by its name.
func TestSettingsThatCannotBeMeant(t *testing.T) {
	for _, arg := range []string{"--listen=", "--rpc-max-block-age=0s", "--drain-delay=-1s", "--max-connections=18446744073709551615"} {
		t.Run(arg, func(t *testing.T) {
			name, _, _ := strings.Cut(strings.TrimPrefix(arg, "--"), "=")
			_, err := readSettings([]string{arg}, command.Std{Program: "hubquote"})
			if err == nil || !strings.Contains(err.Error(), "serve: "+name+": ") {
				t.Errorf("error = %v, want one about %s", err, name)
			}
		})
	}
}
