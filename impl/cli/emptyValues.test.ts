import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { takesValue } from './emptyValues.ts'
import { programDefinition } from './main.ts'
import { programOf } from './program.ts'
import { suiteProgram } from './suite/main.ts'
import { runMain } from './testing/runMain.ts'

const program = await programOf(programDefinition, () => true, true)

const leaves = (
  command: Command,
  path: readonly string[],
): { path: string[]; command: Command }[] =>
  command.commands.length === 0
    ? [{ path: [...path], command }]
    : command.commands.flatMap((each) => leaves(each, [...path, each.name()]))
const all = leaves(program, [])

/** Those for which an empty value means something. */
const meaningful = ['policy-data simulate --input-json', 'policy simulate --wasm-args']

describe('an empty value is an error that names the option', () => {
  const options = all.flatMap(({ path, command }) =>
    command.options
      .filter(takesValue)
      .map((option) => ({ path, flag: String(option.long ?? option.short), command })),
  )

  test('there are options, and those with a meaning are among them', () => {
    expect(options.length).toBeGreaterThan(150)
    const names = options.map(({ path, flag }) => [...path, flag].join(' '))
    expect(meaningful.filter((each) => !names.includes(each))).toEqual([])
  })

  test.each(options.filter(({ path, flag }) => !meaningful.includes([...path, flag].join(' '))))(
    '$path $flag',
    async ({ path, flag, command }) => {
      const words = command.registeredArguments.filter(({ required }) => required).map(() => 'word')
      for (const value of [[flag, ''], [`${flag}=`]]) {
        const { code, stdout, stderr } = await runMain(...path, ...words, ...value)
        expect([code, stdout]).toEqual([2, ''])
        expect(stderr).toContain(flag)
        expect(stderr).toMatch(/empty|''/)
      }
    },
  )
})

describe('so is an empty argument', () => {
  const taking = all.filter(
    ({ path, command }) => command.registeredArguments.length > 0 && path[0] !== 'record',
  )
  test.each(taking)('$path', async ({ path, command }) => {
    const needed = command.options.flatMap(({ mandatory, long, argChoices }) =>
      mandatory ? [long!, argChoices?.[0] ?? 'x'] : [],
    )
    const empty = command.registeredArguments.map(() => '')
    const { code, stderr } = await runMain(...path, ...needed, ...empty)
    expect(code).toBe(2)
    expect(stderr).toContain('must not be empty')
  })
})

test('the commands of polgate-conformance are among those that were tried', async () => {
  const suite = leaves(await programOf(suiteProgram, () => true, true), []).map(({ path }) => path)
  expect(suite.length).toBeGreaterThan(10)
  expect(all.map(({ path }) => path)).toEqual(expect.arrayContaining(suite))
})

test('the words of another command may be empty', async () => {
  const { stderr } = await runMain('record', '--out', 'x', '--target', '', '--', 'node', '')
  expect(stderr).toContain("option '--target <local|URL|name>' argument '' is invalid")
})
