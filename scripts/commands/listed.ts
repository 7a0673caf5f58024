import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { programDefinition } from '../../impl/cli/main.ts'
import { programOf } from '../../impl/cli/program.ts'
import { suiteProgram } from '../../impl/cli/suite/main.ts'
import { root } from '../build/packages/bundle.ts'
import { packageDefinitions } from '../build/packages/definitions.ts'

type Command = Awaited<ReturnType<typeof programOf>>

/** A command line that a document or a help text shows. */
export type Listed = {
  readonly line: string
  /** Documents and help texts with this line: `README.md`, `polgate start --help`. */
  readonly sources: readonly string[]
}

/** Pages with commands, besides the READMEs of packages. */
const otherPages = [
  'impl/cli/PRIVATE_DATA.md',
  'impl/local/README.md',
  'impl/service/OPERATIONS.md',
  'scripts/README.md',
]

/** Every command line of README.md, of the packages' READMEs, other pages, and the examples of every `--help`. */
export async function listedCommands(): Promise<Listed[]> {
  const readmes = packageDefinitions.map((each) => `${each.directory}/README.md`)
  const pages = ['README.md', ...readmes, ...otherPages]
  const found = pages.flatMap((page) =>
    commandsOfPage(readFileSync(join(root, page), 'utf8')).map((line) => ({ line, source: page })),
  )
  for (const program of [programDefinition, suiteProgram]) {
    const command = await programOf(program, () => true, true)
    found.push(...examplesBelow(command, program.name))
  }
  const byLine = new Map<string, Set<string>>()
  for (const { line, source } of found)
    byLine.set(line, (byLine.get(line) ?? new Set()).add(source))
  return [...byLine].map(([line, sources]) => ({ line, sources: [...sources] }))
}

type Found = { readonly line: string; readonly source: string }

function examplesBelow(command: Command, path: string): Found[] {
  const own = examplesOf(helpOf(command)).map((line) => ({ line, source: `${path} --help` }))
  return [
    ...own,
    ...command.commands.flatMap((each) => examplesBelow(each, `${path} ${each.name()}`)),
  ]
}

function helpOf(command: Command): string {
  let text = ''
  command.configureOutput({
    getOutHelpWidth: () => 1_000,
    writeOut: (part) => {
      text += part
    },
  })
  command.outputHelp()
  return text
}

/** `NAME=value` before a command. */
const assignments = /^(?:[A-Z_]+=\S+ +)*/

/** How a command of a document begins. */
const begins =
  /^(?:[A-Z_]+=\S+ +)*(?:npx|npm|node|curl|polgate(?:-conformance)?|cat|source) +[\w.<'"-]/

/**
 * The commands below `Examples:`: lines with two leading spaces, what they do after two more; a line that
 * is indented deeper explains the one above, unless that ends in a backslash.
 */
export function examplesOf(help: string): string[] {
  const [, after] = help.split(/^Examples:\n/m)
  const [block = ''] = (after ?? '').split(/\n(?! )/)
  return joined(block)
    .filter((line) => /^ {2}\S/.test(line))
    .map((line) => line.trim().replace(/(?<=\S) {2,}.*$/, ''))
}

/** The commands of a page: fenced blocks of a shell, and code that is a command. */
export function commandsOfPage(page: string): string[] {
  const found: string[] = []
  const rest = page.replaceAll(/^```(\w*)\n([\s\S]*?)^```$/gm, (_, language, block) => {
    if (language === 'sh' || language === 'console') found.push(...commandsOfBlock(block))
    return ''
  })
  for (const [, code = ''] of rest.matchAll(/`([^`]+)`/g)) {
    const line = code.replaceAll(/\s+/g, ' ').replaceAll('\\|', '|')
    if (begins.test(line)) found.push(line)
  }
  return found
}

/** A variable that is set on a line of its own is set for the commands after it. */
function commandsOfBlock(block: string): string[] {
  const found: string[] = []
  let set = ''
  for (const each of joined(block)) {
    const line = each.replace(/ +# .*$/, '').trim()
    if (line === '' || line.startsWith('#')) continue
    if (line.replace(/=\S+$/, '=x ').match(assignments)?.[0] === line.replace(/=\S+$/, '=x '))
      set += `${line}; `
    else found.push(set + line)
  }
  return found
}

/** Lines, with those that end in a backslash joined to the next. */
const joined = (block: string): string[] => block.replaceAll(/\s*\\\n\s*/g, ' ').split('\n')
