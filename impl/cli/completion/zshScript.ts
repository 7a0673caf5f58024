import {
  type CompletedCommand,
  type ValueSource,
  type Words,
  wordLists,
} from './completionModel.ts'
import { quoted } from './quoted.ts'

const add = (words: readonly string[]) =>
  words.length === 0 ? [] : [`compadd -- ${words.map(quoted).join(' ')}`]

/** Statements that offer the values of a source. */
const offer = ({ words, lists, files }: ValueSource): string =>
  [
    ...add(words),
    ...lists.map((list) => `compadd -- $_polgate_${list}`),
    ...(files ? ['_files'] : []),
  ].join('; ')

/** A completion script for zsh, to be autoloaded as _polgate or sourced. */
export function zshScript(commands: readonly CompletedCommand[], words: Words): string {
  const steps = commands.slice(1).map(({ path }) => `      ${quoted(path)}) at=${quoted(path)} ;;`)
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
      `      if [[ $PREFIX == -* ]]; then ${add(command.options.flatMap(({ flags }) => flags)).join('')}; return; fi`,
      `      ${[...add(command.subcommands), offer(command.arguments)].filter(Boolean).join('; ') || ':'} ;;`,
    ].join('\n'),
  )
  return `#compdef polgate
# zsh completion of polgate; polgate completion --help says where to put it.
${wordLists.map((list) => `typeset -ga _polgate_${list}; _polgate_${list}=(${words[list].join(' ')})`).join('\n')}

_polgate() {
  local at=polgate prev=\${words[CURRENT-1]} i
  for ((i = 2; i < CURRENT; i++)); do
    case "$at \${words[i]}" in
${steps.join('\n')}
    esac
  done
  # --clause=4.2 is one word.
  if [[ $PREFIX == --*=* ]]; then prev=\${PREFIX%%=*}; compset -P '*='; fi
  case "$at $prev" in
${values.join('\n')}
  esac
  case "$at" in
${places.join('\n')}
  esac
}

if [[ \${funcstack[1]} == _polgate ]]; then _polgate "$@"; else compdef _polgate polgate; fi
`
}
