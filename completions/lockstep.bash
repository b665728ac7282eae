# bash completion for lockstep.  The words come from `lockstep help table`, so they are those of the program that is
# installed. To try it without installing: source completions/lockstep.bash

# _lockstep_table KIND: the lines of the table of this kind, without the kind.
_lockstep_table () {
  "${COMP_WORDS[0]}" help table 2>/dev/null | sed -n "s/^$1	//p"
}

# The option names of a command; those whose value has to follow end with =.
_lockstep_options () {
  _lockstep_table option | awk -F '\t' -v command="$1" '
    index ("," $3 ",", "," command ",") { print (index ($2, $1 "=") == 1) ? $1 "=" : $1 }'
}

_lockstep_values () {
  _lockstep_table option | awk -F '\t' -v name="$1" '$1 == name { print $4 }'
}

# Names of files, or what `compgen -W` makes of words.
_lockstep_reply () {
  case $1 in
    file) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$2") ;;
    directory) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$2") ;;
    any | none | '') COMPREPLY=() ;;
    *) mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2") ;;
  esac
}

_lockstep () {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
  if [[ $COMP_CWORD -eq 1 ]]; then
    _lockstep_reply "help $(_lockstep_table command | cut -f 1 | tr '\n' ' ')" "$word"
    return
  fi
  # bash takes `--engine=order` for three words.
  if [[ $word == = ]]; then word=; elif [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD - 2]}; fi
  if [[ $command == help ]]; then
    _lockstep_reply "$({ _lockstep_table command; _lockstep_table topic; } | cut -f 1 | tr '\n' ' ')" "$word"
  elif [[ $word == -* ]]; then
    _lockstep_reply "$(_lockstep_options "$command" | tr '\n' ' ')" "$word"
    [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace
  else
    local values=
    [[ $before == -* ]] && values=$(_lockstep_values "$before")
    case $values in none | '') values=file ;; esac
    _lockstep_reply "$values" "$word"
  fi
}

complete -F _lockstep lockstep
