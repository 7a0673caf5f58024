import {
  type CompletedCommand,
  type ValueSource,
  type Words,
  wordLists,
} from './completionModel.ts'
import { quoted } from './quoted.ts'

/** Statements that offer the values of a source. */
function offer({ words, lists, files }: ValueSource): string {
  const all = [...words, ...lists.map((list) => `$_polgate_${list}`)].join(' ')
  return [
    ...(all === '' ? [] : [`_polgate_words "${all}"`]),
    ...(files ? ['_polgate_files'] : []),
  ].join('; ')
}

const optionWords = ({ options }: CompletedCommand) =>
  options.flatMap(({ flags }) => flags).join(' ')

/** A completion script for bash 3.2 and later. */
export function bashScript(commands: readonly CompletedCommand[], words: Words): string {
  const steps = commands
    .slice(1)
    .map(({ path }) => `      ${quoted(path)}) where=${quoted(path)} ;;`)
  const values = commands.flatMap(({ path, options }) =>
    options.flatMap(({ flags, value }) =>
      value === undefined
        ? []
        : [
            `    ${flags.map((flag) => quoted(`${path} ${flag}`)).join('|')}) ${offer(value) || ':'}; return ;;`,
          ],
    ),
  )
  const places = commands.map((command) =>
    [
      `    ${quoted(command.path)})`,
      `      if [[ $cur == -* ]]; then _polgate_words ${quoted(optionWords(command))}; return; fi`,
      `      ${[...(command.subcommands.length === 0 ? [] : [`_polgate_words ${quoted(command.subcommands.join(' '))}`]), offer(command.arguments)].filter(Boolean).join('; ') || ':'} ;;`,
    ].join('\n'),
  )
  return `# bash completion of polgate; polgate completion --help says where to put it.
${wordLists.map((list) => `_polgate_${list}=${quoted(words[list].join(' '))}`).join('\n')}

_polgate_words() {
  local word
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$1" -- "$cur")
}

_polgate_files() {
  local file
  while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -f -- "$cur")
  compopt -o filenames 2>/dev/null
}

_polgate() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} where=polgate i
  COMPREPLY=()
  # --clause=4.2 is three words.
  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$where \${COMP_WORDS[i]}" in
${steps.join('\n')}
    esac
  done
  case "$where $prev" in
${values.join('\n')}
  esac
  case "$where" in
${places.join('\n')}
  esac
}
complete -F _polgate polgate
`
}
