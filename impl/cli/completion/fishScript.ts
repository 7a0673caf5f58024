import {
  type CompletedCommand,
  type ValueSource,
  type Words,
  wordLists,
} from './completionModel.ts'

/** A word that fish takes literally. */
const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** What `complete -a` expands. */
const offered = ({ words, lists }: ValueSource): string =>
  [...words, ...lists.map((list) => `$_polgate_${list}`)].join(' ')

const short = (text: string) => text.split('\n')[0]!.slice(0, 80)

/** A completion script for fish 3 and later. */
export function fishScript(commands: readonly CompletedCommand[], words: Words): string {
  const described = new Map(commands.map(({ path, description }) => [path, description]))
  const lines = commands.flatMap(({ path, subcommands, options, arguments: given }) => {
    const begin = `complete -c polgate -n ${quoted(`__polgate_at '${path}'`)}`
    return [
      ...subcommands.map(
        (name) =>
          `${begin} -a ${quoted(name)} -d ${quoted(short(described.get(`${path} ${name}`) ?? ''))}`,
      ),
      ...options.map(({ flags, description, value }) => {
        const names = flags.map((flag) =>
          flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
        )
        const takes =
          value === undefined
            ? ''
            : ` -r ${value.files ? '-F' : '-f'}${offered(value) === '' ? '' : ` -a "${offered(value)}"`}`
        return `${begin} ${names.join(' ')} -d ${quoted(short(description))}${takes}`
      }),
      ...(offered(given) === '' ? [] : [`${begin} -a "${offered(given)}"`]),
      ...(given.files ? [`${begin} -F`] : []),
    ]
  })
  const known = commands.slice(1).map(({ path }) => quoted(path))
  return `# fish completion of polgate; polgate completion --help says where to put it.
${wordLists.map((list) => `set -g _polgate_${list} ${words[list].join(' ')}`).join('\n')}
set -g _polgate_paths ${known.join(' ')}

function __polgate_at
    set -l at polgate
    for word in (commandline -opc)[2..-1]
        if contains -- "$at $word" $_polgate_paths
            set at "$at $word"
        end
    end
    test "$at" = "$argv[1]"
end

complete -c polgate -f
${lines.join('\n')}
`
}
