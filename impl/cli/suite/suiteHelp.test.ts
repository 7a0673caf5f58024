import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { programDefinition } from '../main.ts'
import { type Program, programOf } from '../program.ts'
import { suiteProgram } from './main.ts'

async function helpsOf(definition: Program) {
  const program = await programOf(definition, () => true, true)
  return below(program).map((command) => [command.name(), helpOf(command)] as const)
}

const below = (command: Command): Command[] => [command, ...command.commands.flatMap(below)]

function helpOf(command: Command): string {
  let text = ''
  command.configureOutput({ getOutHelpWidth: () => 1_000, writeOut: (part) => (text += part) })
  command.outputHelp()
  return text
}

const examplesOf = (help: string) => help.split('\nExamples:\n')[1]?.split('\n\n')[0] ?? ''

describe('help of polgate-conformance', async () => {
  const helps = await helpsOf(suiteProgram)

  test.each(helps)('%s shows its own name, and no target that it cannot start', (_, help) => {
    expect(help).not.toMatch(/polgate(?!-conformance)/)
    expect(help).not.toContain('local stack and')
    expect(examplesOf(help)).not.toMatch(/[ =]local\b/)
    for (const line of examplesOf(help)
      .split('\n')
      .filter((each) => /^ {2}\S/.test(each)))
      expect(line).toContain('polgate-conformance')
  })

  test('polgate shows examples with a local stack', async () => {
    const texts = new Map(await helpsOf(programDefinition))
    expect(texts.get('run')).toContain('polgate run local --clause 4.2')
    expect(texts.get('certify')).toContain('start a local stack and certify it')
    expect(new Map(helps).get('run')).toContain('polgate-conformance run gateway.yaml --clause 4.2')
    for (const text of texts.values()) expect(text).not.toContain('polgate-conformance')
  })
})
