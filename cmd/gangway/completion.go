package main

import (
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// completionCommand prints a script for a shell.
type completionCommand struct {
	Shell string `arg:"" enum:"bash" help:"The shell: bash."`
}

// Help says how the script is used.
func (completionCommand) Help() string {
	return "For this shell: source <(gangway completion bash). For all: gangway completion bash " +
		"> /usr/share/bash-completion/completions/gangway. The Debian package has it.\n"
}

// Run prints the script.
func (c *completionCommand) Run(t *terminal) error {
	return writeCompletion(t.out, kong.Must(&commands{}, kong.Name("gangway")).Model.Node)
}

// writeCompletion writes a script that completes the commands below root, their flags, and values of flags.
func writeCompletion(out io.Writer, root *kong.Node) error {
	var paths []string
	var words, values strings.Builder
	var visit func(path string, n *kong.Node, above []*kong.Flag)
	visit = func(path string, n *kong.Node, above []*kong.Flag) {
		var offers []string
		for _, child := range n.Children {
			offers = append(offers, child.Name)
			paths = append(paths, "'"+path+" "+child.Name+"'")
			visit(path+" "+child.Name, child, slices.Concat(above, n.Flags))
		}
		for _, p := range n.Positional {
			offers = append(offers, p.EnumSlice()...)
		}
		for _, f := range slices.Concat(above, n.Flags) {
			if f.Hidden {
				continue
			}
			offers = append(offers, "--"+f.Name)
			if f.Tag.Negatable != "" {
				offers = append(offers, "--no-"+f.Name)
			}
			switch {
			case f.Tag.Enum != "":
				fmt.Fprintf(&values, "\t'%s --%s') words='%s' ;;\n", path, f.Name, strings.Join(f.EnumSlice(), " "))
			case f.PlaceHolder == "FILE" || f.PlaceHolder == "FOLDER" || strings.Contains(f.PlaceHolder, "."):
				fmt.Fprintf(&values, "\t'%s --%s') files=-f ;;\n", path, f.Name)
			case f.Target.Kind() != reflect.Bool:
				fmt.Fprintf(&values, "\t'%s --%s') words='' ;;\n", path, f.Name)
			}
		}
		if path == "" {
			offers = append(offers, "help")
		}
		fmt.Fprintf(&words, "\t'%s') words='%s' ;;\n", path, strings.Join(offers, " "))
	}
	visit("", root, nil)
	_, err := fmt.Fprintf(out, `# Completes gangway's commands in bash; made by gangway completion bash.
_gangway() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} path= words= files= i
	[[ $cur != '=' ]] || cur=
	[[ $prev != '=' ]] || prev=${COMP_WORDS[COMP_CWORD-2]}
	for ((i = 1; i < COMP_CWORD; i++)); do
		case "$path ${COMP_WORDS[i]}" in
		%s) path+=" ${COMP_WORDS[i]}" ;;
		esac
	done
	case $path in
%s	esac
	case "$path $prev" in
%s	esac
	[[ ! $files ]] || compopt -o filenames 2>/dev/null
	mapfile -t COMPREPLY < <(compgen ${files:--W "$words"} -- "$cur")
}
complete -F _gangway gangway gangwayctl
`, strings.Join(paths, "|"), words.String(), values.String())
	return err
}
