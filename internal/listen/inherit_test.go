package listen

import (
	"strings"
	"testing"
)

// Sockets for another process are not touched, and more than there are servers are
// refused. That inherited sockets are served is tested with the program.
func TestInherit(t *testing.T) {
	tests := []struct {
		name string
		env  map[string]string
		want string // of the error; empty for none
	}{
		{"no sockets", nil, ""},
		{"sockets of another process", map[string]string{"LISTEN_FDS": "9", "LISTEN_PID": "8"}, ""},
		{"sockets without a process", map[string]string{"LISTEN_FDS": "9"}, ""},
		{"more than there are servers", map[string]string{"LISTEN_FDS": "3", "LISTEN_PID": "7"}, "at most 2 sockets"},
		{"not a number", map[string]string{"LISTEN_FDS": "two", "LISTEN_PID": "7"}, "at most 2 sockets"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			env := func(name string) (string, bool) { v, ok := tt.env[name]; return v, ok }
			sockets, err := Inherit(env, 7, "public", "admin")
			if len(sockets) > 0 || (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Inherit = %v, %v, want no socket and an error with %q", sockets, err, tt.want)
			}
		})
	}
}

func TestSocketsGoByNameOrPosition(t *testing.T) {
	servers := []string{"public", "admin"}
	for names, want := range map[string]string{"": "public admin", "hubquote.socket:hubquote.socket": "public admin", "admin:public": "admin public"} {
		list := strings.Split(names, ":")
		if got := named(list, 0, servers) + " " + named(list, 1, servers); got != want {
			t.Errorf("servers of the sockets %q = %s, want %s", names, got, want)
		}
	}
}
