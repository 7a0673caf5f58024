import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { exampleRun } from 'polgate-conformance/reports/exampleRun.fixture.ts'
import { stackDescription } from 'polgate-conformance/targets/stackDescription.fixture.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runProcess } from './testing/runProcess.ts'

/** Nobody has this id: it has no entry in the list of users, and so no home directory. */
const stranger = 54_321
const isRoot = process.getuid?.() === 0

/** Whether others can enter a folder and all above it: not one of `mktemp -d`. */
const isOpen = (path: string): boolean =>
  (statSync(path).mode & 0o001) !== 0 && (path === dirname(path) || isOpen(dirname(path)))
const runnable =
  !isRoot || [fileURLToPath(new URL('.', import.meta.url)), dirname(process.execPath)].every(isOpen)
if (!runnable)
  console.warn('not run: root has cloned into a folder that no other user can enter, chmod 755 it')

let directory: string
let folder: string
let events: string
let policy: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'read-only-'))
  chmodSync(directory, 0o755)
  folder = join(directory, 'folder')
  mkdirSync(folder)
  events = join(directory, 'events.ndjson')
  const [started, ...rest] = exampleRun
  const shard = { index: 1, count: 2, others: [] }
  writeFileSync(
    join(directory, 'shard.ndjson'),
    [{ ...started, shard }, ...rest].map((event) => `${JSON.stringify(event)}\n`).join(''),
  )
  writeFileSync(events, exampleRun.map((event) => `${JSON.stringify(event)}\n`).join(''))
  policy = join(directory, 'policy.rego')
  writeFileSync(policy, 'package a\n\nallow := true\n')
  writeFileSync(join(directory, 'stack.json'), JSON.stringify(stackDescription))
  chmodSync(folder, 0o555)
})
afterAll(() => {
  chmodSync(folder, 0o755)
  rmSync(directory, { recursive: true, force: true })
})

/** As a user who is not root, for whom permissions count, and without HOME. */
const asStranger = (args: readonly string[]) =>
  runProcess(args, {
    cwd: folder,
    env: { HOME: undefined },
    ...(isRoot ? { uid: stranger, gid: stranger } : {}),
  })

const written = [
  { name: 'start', args: () => ['start', '--port', '0', '--chain-port', '0'], path: '.svc' },
  { name: 'start --data-dir', args: () => ['start', '--data-dir', 'data'], path: '.svc' },
  { name: 'init', args: () => ['init', '--preset', 'command'], path: 'svc-target.yaml' },
  {
    name: 'init --output',
    args: () => ['init', '--preset', 'command', '--output', 'below/target.yaml'],
    path: 'below',
  },
  {
    name: 'record',
    args: () => ['record', '--target', '../stack.json', '--out', 'out.fixture', '--', 'true'],
    path: 'out.fixture',
  },
  {
    name: 'keys create',
    args: () => [
      'keys',
      'create',
      '--data-dir',
      'data',
      '--permission',
      'rpc',
      '--owner',
      `0x${'1'.repeat(40)}`,
    ],
    path: 'data',
  },
  { name: 'verify --new-key', args: () => ['verify', '--new-key', 'key.pem'], path: 'key.pem' },
  { name: 'merge', args: () => ['merge', '../shard.ndjson', '--report-dir', 'out'], path: 'out' },
  {
    name: 'baseline update',
    args: () => [
      'baseline',
      'update',
      events,
      '--file',
      'b.yaml',
      '--owner',
      'us',
      '--expires',
      '2099-01-01',
      '--reason',
      'known for long',
    ],
    path: 'b.yaml',
  },
  {
    name: 'content add',
    args: () => ['content', 'add', policy, '--data-dir', 'data'],
    path: 'data',
  },
  {
    name: 'snapshot save',
    args: () => ['snapshot', 'save', 'saved.tar', '--data-dir', 'data'],
    path: 'data',
  },
  {
    name: 'run --report-dir',
    args: () => ['run', '../stack.json', '--report-dir', 'out', '--clause', '4.1'],
    path: '',
  },
]

describe.runIf(process.platform === 'linux' && runnable)(
  'in a folder that cannot be written, without HOME',
  () => {
    test.each(written)(
      '$name ends with 2 and one line',
      async ({ args, path }) => {
        const { code, stdout, stderr } = await asStranger(args())
        const said = `${stdout}${stderr}`
        expect(code, said).toBe(2)
        const errors = stderr.split('\n').filter((line) => line.startsWith('error: '))
        expect(errors, said).toHaveLength(1)
        expect(errors[0]).toContain(path)
        expect(said).not.toMatch(/\n\s+at |node:internal|EACCES: permission/)
        expect(readdirSync(folder)).toEqual([])
      },
      120_000,
    )

    test.each([
      { args: ['--help'] },
      { args: ['list', '--clause', '4.1'] },
      { args: ['clauses', '--clause', '4.1'] },
      { args: ['regorus', 'eval', '-d', '../policy.rego', 'data.a.allow'] },
      { args: ['version'] },
      { args: ['init', '--help'] },
    ])(
      '$args, which writes nothing, works',
      async ({ args }) => {
        const { code, stderr } = await asStranger(args)
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      },
      60_000,
    )
  },
)

test.runIf(isRoot && runnable)(
  'the user of these tests is not one for whom everything can be written',
  () => {
    const script = `try { require('fs').writeFileSync('x', ''); console.log('written') } catch (error) { console.log(error.code) }`
    const said = execFileSync(process.execPath, ['--eval', script], {
      cwd: folder,
      uid: stranger,
      gid: stranger,
      encoding: 'utf8',
    })
    expect(said).toBe('EACCES\n')
  },
)
