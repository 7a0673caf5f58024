import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { commandGroups } from './commandDefinition.ts'
import { commands } from './commands.ts'
import { programDefinition } from './main.ts'
import { programOf } from './program.ts'

const page = fileURLToPath(new URL('./COMMANDS.md', import.meta.url))

/** The help of a command and of those below it, without what all of them have. */
function helpOf(command: Command, path: string): string {
  let text = ''
  command.configureOutput({
    getOutHelpWidth: () => 100,
    writeOut: (part) => {
      text += part
    },
  })
  command.outputHelp()
  const own = text
    .replaceAll(/^ {2}(?:--color|-v, --verbose|-h, --help)\b.*\n(?: {10,}.*\n)*/gm, '')
    .replace(/^Options:\n(?=\n|$)/m, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trimEnd()
  const below = command.commands.filter((each) => each.name() !== 'help')
  return [
    `\n${'#'.repeat(path.split(' ').length + 1)} ${path}\n\n\`\`\`text\n${own}\n\`\`\``,
    ...below.map((each) => helpOf(each, `${path} ${each.name()}`)),
  ].join('\n')
}

test('the page of commands has the help of every command; run vitest with -u to write it', async () => {
  const program = await programOf(programDefinition, () => true, true)
  const groups = commandGroups.map((group) => {
    const own = program.commands.filter((each) => commands[each.name()]?.group === group)
    return [`\n## ${group}`, ...own.map((each) => helpOf(each, `polgate ${each.name()}`))].join(
      '\n',
    )
  })
  const intro =
    '# Commands\n\nThe help of every command, as it prints it. All take `--color`, `--verbose` and `--help` too.\n'
  await expect(`${intro}${groups.join('\n')}\n`).toMatchFileSnapshot(page)
})
