import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'
import { certify } from '../commands/certify.ts'
import { prepareTarget } from './prepare.ts'
import { stackDescription } from './stackDescription.fixture.ts'

let root: string
let below: string
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'wanted-')))
  below = join(root, 'a/b')
  mkdirSync(below, { recursive: true })
  mkdirSync(join(root, '.git'))
  mkdirSync(join(root, '.svc'))
  writeFileSync(join(root, '.svc/stack.json'), JSON.stringify(stackDescription))
})
afterAll(() => rmSync(root, { recursive: true }))

const gatewayUrl = stackDescription.gatewayUrl

/** The target line of `polgate run --dry-run`, and its JSON. */
async function dryRun(options: { target?: string; targetFile?: string }, env = {}, cwd = below) {
  const out: string[] = []
  const err: string[] = []
  const world = {
    stdout: { write: (text: string) => out.push(text) },
    stderr: { write: (text: string) => err.push(text) },
    env,
    cwd,
    signal: new AbortController().signal,
  }
  const code = await certify({ ...options, clause: ['4.1'], dryRun: true }, world)
  const line = /^target {3}(.*)$/m.exec(out.join(''))?.[1]
  return { code, line, err: err.join('') }
}

test('a dry run names the target of the run and what decided', async () => {
  expect(await dryRun({})).toMatchObject({
    code: 0,
    line: 'local, a stack that the run starts (no svc-target.yaml here or above)',
  })
  expect((await dryRun({ target: 'http://b.example' })).line).toBe('http://b.example (given)')
  expect((await dryRun({}, { SVC_TARGET: 'http://c.example' })).line).toBe(
    'http://c.example (SVC_TARGET)',
  )
  expect((await dryRun({ target: '../../.svc/stack.json' })).line).toBe(
    `${gatewayUrl}, described by ${root}/.svc/stack.json (given)`,
  )
  const file = join(root, 'svc-target.yaml')
  writeFileSync(file, 'gatewayUrl: https://found.example\n')
  expect((await dryRun({})).line).toBe(
    `https://found.example, described by ${file} (found in ${root})`,
  )
  writeFileSync(join(root, 'svc-target.other.yaml'), 'command: { run: [serve, it] }\n')
  expect((await dryRun({ target: 'other' })).line).toBe(
    `the command serve it, described by ${root}/svc-target.other.yaml (given)`,
  )
  expect((await dryRun({ targetFile: file })).line).toBe(
    `https://found.example, described by ${file} (--target-file)`,
  )
})

test('a target that the run would refuse, the dry run refuses too', async () => {
  const file = join(root, 'broken.yaml')
  writeFileSync(file, 'keys: {}\n')
  const { code, line, err } = await dryRun({ target: file })
  expect({ code, line }).toEqual({ code: 2, line: undefined })
  expect(err).toContain(`${file} has no gateway`)
})

test('an empty option is refused, though another target could be found', async () => {
  const url = 'http://b.example'
  for (const options of [{ target: '' }, { targetFile: '' }, { target: url, targetFile: '' }]) {
    const { code, line, err } = await dryRun(options)
    expect({ code, line, err }).toEqual({
      code: 2,
      line: undefined,
      err: expect.stringContaining('the target is empty'),
    })
  }
})

test('a stack description is a target from any folder, with its keys and contracts', async () => {
  const world = { cwd: tmpdir(), env: {} }
  const { target } = await prepareTarget({ target: join(root, '.svc/stack.json') }, world, () => {})
  expect(target).toMatchObject({
    gatewayUrl,
    keys: stackDescription.apiKeys,
    clients: stackDescription.clients,
    controlUrl: stackDescription.controlUrl,
  })
})

test('the stack of a folder above is that of its URL', async () => {
  const { target } = await prepareTarget({ target: gatewayUrl }, { cwd: below, env: {} }, () => {})
  expect(target.keys).toEqual(stackDescription.apiKeys)
})
