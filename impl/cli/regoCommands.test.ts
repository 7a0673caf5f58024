import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { commands } from './commands.ts'
import { regoCommands } from './regoCommands.ts'
import { mergeCommands } from './suite/mergeCommands.ts'

it('the file of the command loads these, and no others, as scripts', () => {
  const source = readFileSync(new URL('./polgate.mjs', import.meta.url), 'utf8')
  const [, quick = ''] = /isQuick = \[(.*?)\]/.exec(source) ?? []
  expect(quick.split(', ').map((name) => name.slice(1, -1))).toEqual(Object.keys(regoCommands))
  expect(commands).toMatchObject(regoCommands)
  const [, merge = ''] = /isMerge = .* '(.*)'/.exec(source) ?? []
  expect([merge]).toEqual(Object.keys(mergeCommands))
  expect(commands).toMatchObject(mergeCommands)
})
