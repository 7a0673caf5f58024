import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { commands } from './commands.ts'
import { regoCommands } from './regoCommands.ts'

it('the file of the command loads these, and no others, from regoMain.ts', () => {
  const source = readFileSync(new URL('./polgate.mjs', import.meta.url), 'utf8')
  const [, quick = ''] = /isQuick = \[(.*?)\]/.exec(source) ?? []
  expect(quick.split(', ').map((name) => name.slice(1, -1))).toEqual(Object.keys(regoCommands))
  expect(commands).toMatchObject(regoCommands)
})
