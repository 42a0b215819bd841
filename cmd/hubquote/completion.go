package main

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"hubquote/internal/catalog"
)

const completionHelp = `hubquote completion SHELL prints what makes bash, zsh or fish complete the
commands, their flags, and the tokens there are. For this session:

  source <(hubquote completion bash)
  source <(hubquote completion zsh)
  hubquote completion fish | source`

func completion(args []string, s std) error {
	f := newFlags("completion", completionHelp, s)
	shells, err := operands(f, args)
	if err != nil {
		return err
	}
	write := map[string]func(*bytes.Buffer, []verb, string){"bash": bash, "zsh": zsh, "fish": fish}
	if len(shells) != 1 || write[shells[0]] == nil {
		return errors.New("completion: name a shell: bash, zsh or fish")
	}
	tokens, err := tokenNames()
	if err != nil {
		return err
	}
	var b bytes.Buffer
	write[shells[0]](&b, verbs(), strings.Join(tokens, " "))
	_, err = s.out.Write(b.Bytes())
	return err
}

// A verb is a command as its own help tells about it, so that a shell knows no
// flag that does not exist and misses none that does.
type verb struct {
	name, summary string
	flags         []option
}

type option struct {
	name, value, usage string
}

var helpLine = regexp.MustCompile(`(?m)^  --([a-z-]+) (\S*)   \(.*\n +(.*)$`)

func verbs() []verb {
	var list []verb
	for _, c := range commands() {
		v := verb{name: c.name, summary: c.summary}
		var help bytes.Buffer
		if c.name != "version" {
			c.run([]string{"--help"}, std{out: &help, err: &help, env: func(string) (string, bool) { return "", false }})
		}
		for _, m := range helpLine.FindAllStringSubmatch(help.String(), -1) {
			v.flags = append(v.flags, option{m[1], m[2], strings.Map(plain, m[3])})
		}
		list = append(list, v)
	}
	return list
}

// plain drops what a shell would read as more than text.
func plain(r rune) rune {
	if strings.ContainsRune("'\"`$\\[]:;", r) {
		return -1
	}
	return r
}

// tokenNames are the values of --from and --to.
func tokenNames() ([]string, error) {
	c, err := catalog.Embedded()
	if err != nil {
		return nil, err
	}
	var list []string
	for _, r := range c.Routes() {
		list = append(list, r.From().String(), r.To().String())
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

func (o option) takesToken() bool { return o.name == "from" || o.name == "to" }

func bash(b *bytes.Buffer, verbs []verb, tokens string) {
	b.WriteString("_hubquote() {\n  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words\n")
	b.WriteString("  COMPREPLY=()\n  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    words='")
	for _, v := range verbs {
		b.WriteString(v.name + " ")
	}
	b.WriteString("help'\n  else\n    case $prev in\n")
	fmt.Fprintf(b, "      --from|--to) COMPREPLY=($(compgen -W '%s' -- \"$cur\")); return ;;\n", tokens)
	b.WriteString("      --pins|--config|--catalog) COMPREPLY=($(compgen -f -- \"$cur\")); return ;;\n")
	b.WriteString("    esac\n    case ${COMP_WORDS[1]} in\n")
	for _, v := range verbs {
		fmt.Fprintf(b, "      %s) words='", v.name)
		for _, o := range v.flags {
			b.WriteString("--" + o.name + " ")
		}
		if v.name == "completion" {
			b.WriteString("bash zsh fish ")
		}
		b.WriteString("--help' ;;\n")
	}
	b.WriteString("    esac\n  fi\n  COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n}\n")
	// An @ would otherwise part a token in two words.
	b.WriteString("COMP_WORDBREAKS=${COMP_WORDBREAKS//@}\ncomplete -o default -F _hubquote hubquote\n")
}

func zsh(b *bytes.Buffer, verbs []verb, tokens string) {
	b.WriteString("#compdef hubquote\n_hubquote() {\n  local -a verbs\n  verbs=(\n")
	for _, v := range verbs {
		fmt.Fprintf(b, "    '%s:%s'\n", v.name, v.summary)
	}
	b.WriteString("  )\n  if (( CURRENT == 2 )); then _describe command verbs; return; fi\n  local verb=$words[2]\n")
	b.WriteString("  shift words; (( CURRENT-- ))\n  case $verb in\n")
	for _, v := range verbs {
		fmt.Fprintf(b, "    %s) _arguments", v.name)
		for _, o := range v.flags {
			switch {
			case o.takesToken():
				fmt.Fprintf(b, " \\\n      '--%s[%s]:%s:(%s)'", o.name, o.usage, o.value, tokens)
			case o.value != "":
				fmt.Fprintf(b, " \\\n      '--%s[%s]:%s:_files'", o.name, o.usage, o.value)
			default:
				fmt.Fprintf(b, " \\\n      '--%s[%s]'", o.name, o.usage)
			}
		}
		if v.name == "completion" {
			b.WriteString(" '1:shell:(bash zsh fish)'")
		} else {
			b.WriteString(" '*:file:_files'")
		}
		b.WriteString(" ;;\n")
	}
	b.WriteString("  esac\n}\ncompdef _hubquote hubquote\n")
}

func fish(b *bytes.Buffer, verbs []verb, tokens string) {
	for _, v := range verbs {
		fmt.Fprintf(b, "complete -c hubquote -n __fish_use_subcommand -f -a %s -d '%s'\n", v.name, v.summary)
		for _, o := range v.flags {
			fmt.Fprintf(b, "complete -c hubquote -n '__fish_seen_subcommand_from %s' -l %s -d '%s'", v.name, o.name, o.usage)
			switch {
			case o.takesToken():
				fmt.Fprintf(b, " -x -a '%s'", tokens)
			case o.value != "":
				b.WriteString(" -r")
			}
			b.WriteString("\n")
		}
	}
	b.WriteString("complete -c hubquote -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'\n")
}
