import { Command } from 'commander'
import { expect, test } from 'vitest'
import { start } from '../start.ts'
import { checkCombinations } from './startCombinations.ts'
import type { StartOptions } from './startOptions.ts'

/** A value of every option of `start`, as it is parsed. */
const values: Readonly<Record<keyof StartOptions, StartOptions[keyof StartOptions]>> = {
  port: 0,
  chainPort: 0,
  explorerPort: 0,
  dataDir: 'dir',
  readyFile: 'file',
  exec: 'true',
  json: true,
  operatorProcesses: true,
  threshold: 2,
  secondNetwork: true,
  brand: ['acme'],
  mock: ['mocks.yaml'],
  secretsFile: ['secrets.json'],
  allowHost: ['localhost:3000'],
  chainId: '84532',
  forkUrl: 'http://127.0.0.1:1',
  blockTime: 1,
  detached: true,
  studio: false,
  open: true,
  log: 'info',
}

/** Where an option would be ignored or break; every other pair has both effects. */
const refused: readonly (readonly [keyof StartOptions, keyof StartOptions, string])[] = [
  ['mock', 'operatorProcesses', '--mock has no effect on operators in processes of their own'],
  [
    'secretsFile',
    'operatorProcesses',
    '--secrets-file has no effect on operators in processes of their own',
  ],
  ['forkUrl', 'dataDir', '--fork-url makes a chain that cannot be kept'],
  ['forkUrl', 'secondNetwork', '--fork-url puts the contracts at other addresses'],
  ['open', 'studio', '--open has nothing to open'],
  ['chainId', 'secondNetwork', '84532 is the chain id of the second network'],
]

test('the table has all options of start', () => {
  const command = new Command()
  start.define(command, async () => command)
  const names = command.options.map((option) => option.attributeName())
  expect(Object.keys(values).sort()).toEqual([...new Set(names)].sort())
})

const names = Object.keys(values) as (keyof StartOptions)[]
const pairs = names.flatMap((one, at) => names.slice(at + 1).map((other) => [one, other] as const))

test.each(pairs)('--%s with --%s', (one, other) => {
  const check = () => checkCombinations({ [one]: values[one], [other]: values[other] })
  const found = refused.find((row) => [one, other].every((name) => row.slice(0, 2).includes(name)))
  if (found === undefined) check()
  else expect(check).toThrow(found[2])
})

test('another chain id is fine beside the second network', () => {
  checkCombinations({ chainId: '5', secondNetwork: true })
})

test('a node that is not a URL is refused without showing it', () => {
  expect(() => checkCombinations({ forkUrl: 'ws://key@host' })).toThrow(
    /^--fork-url is not an http or https URL$/,
  )
})
