# fish completion for lockstep.  The words come from `lockstep help table`, so they are those of the program that is
# installed.

function __lockstep_rows --argument-names kind
    lockstep help table 2>/dev/null | string replace --filter --regex "^$kind\t" ''
end

function __lockstep_names --argument-names kind column # name and description
    __lockstep_rows $kind | awk -F '\t' -v column=$column '{ print $1 "\t" $column }'
end

function __lockstep_add_option --argument-names name commands values help
    set --local rest --description $help
    switch $values
        case none
        case file
            set --append rest --require-parameter --force-files
        case directory
            set --append rest --exclusive --arguments '(__fish_complete_directories)'
        case any
            set --append rest --exclusive
        case '*'
            set --append rest --exclusive --arguments $values
    end
    set --local condition "__fish_seen_subcommand_from "(string replace --all ',' ' ' $commands)
    if string match --quiet -- '--*' $name
        complete --command lockstep --condition $condition --long-option (string sub --start 3 -- $name) $rest
    else if test (string length -- $name) -eq 2
        complete --command lockstep --condition $condition --short-option (string sub --start 2 -- $name) $rest
    else
        complete --command lockstep --condition $condition --old-option (string sub --start 2 -- $name) $rest
    end
end

complete --command lockstep --condition __fish_use_subcommand --no-files \
  --arguments '(__lockstep_names command 3; echo help\texplain)'
complete --command lockstep --condition '__fish_seen_subcommand_from help' --no-files \
  --arguments '(__lockstep_names command 3; __lockstep_names topic 2)'
__lockstep_rows option | while read --local --delimiter \t name title commands values help initial
    __lockstep_add_option $name $commands $values $help
end
