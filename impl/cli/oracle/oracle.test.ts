import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runMain } from '../testing/runMain.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-oracle-'))
})
afterAll(() => rm(folder, { recursive: true }))

const file = (name: string) => join(folder, name)
async function write(name: string, text: string) {
  await writeFile(file(name), text)
  return file(name)
}
const build = (...args: string[]) => runMain('oracle', 'build', ...args)
async function outputOf(component: string, input = '{}') {
  const simulated = ['policy-data', 'simulate', '--wasm-file', component, '--input-json', input]
  return await runMain(...simulated)
}

/** The types are those of `oracle types`. */
const typed = `import { fetch, type HttpResponse } from 'service:provider/http@0.2.0'

type Input = { readonly fail?: boolean }

export function run(input: string): string {
  const { fail = false } = JSON.parse(input) as Input
  const url: string | undefined = undefined
  if (fail) return (url as unknown as { a: { b: string } }).a.b
  const ask = (): HttpResponse => fetch({ url: '', method: 'GET', headers: [], body: undefined })
  return JSON.stringify({ a: { now: Date.now(), id: crypto.randomUUID(), ask: typeof ask } })
}
`

describe('oracle build', { timeout: 120_000 }, () => {
  test('TypeScript: live clock and randomness, size and content id', async () => {
    const source = await write('typed.ts', typed)
    const built = await build(source, '-o', file('typed.wasm'), '--json')
    expect(built).toMatchObject({ code: 0, stderr: '' })
    const component = await readFile(file('typed.wasm'))
    expect(JSON.parse(built.stdout)).toMatchObject({
      output: file('typed.wasm'),
      size: component.length,
      specifier: expect.stringMatching(/^baf/),
      hostInterface: 'service:provider@0.2.0',
    })
    const begin = Date.now()
    const [first, second] = [await outputOf(file('typed.wasm')), await outputOf(file('typed.wasm'))]
    const parsed = [first, second].map(({ stdout }) => JSON.parse(stdout).a)
    for (const { now } of parsed) {
      expect(now).toBeGreaterThanOrEqual(begin)
      expect(now).toBeLessThanOrEqual(Date.now())
    }
    expect(parsed[0].id).not.toBe(parsed[1].id)
    expect(parsed[0].ask).toBe('function')
  })

  test('--trace: an uncaught error names its place in the source, instead of a trap', async () => {
    const source = await write('typed.ts', typed)
    await build(source, '-o', file('usual.wasm'))
    expect((await outputOf(file('usual.wasm'), '{"fail":true}')).stderr).toContain('trap')
    const traced = await build(source, '-o', file('traced.wasm'), '--trace')
    expect(traced.stdout).toMatch(/^wrote \S+traced\.wasm {2}\d+ bytes \(\d+\.\d MB\) {2}baf/)
    const { code, stderr } = await outputOf(file('traced.wasm'), '{"fail":true}')
    expect(code).toBe(1)
    expect(stderr).toMatch(/TypeError: .*undefined.* \(typed\.ts:8:\d+\)/)
    expect((await outputOf(file('traced.wasm'))).code).toBe(0)
  })

  test('--wit: for the host interface of another brand, which this service does not have', async () => {
    const source = await write(
      'acme.js',
      "import { get } from 'acme:provider/secrets@1.0.0'\nexport const run = () => String(get)\n",
    )
    const built = await build(source, '-o', file('acme.wasm'), '--wit', 'acme:provider@1.0.0')
    expect(built.code).toBe(0)
    expect((await readFile(file('acme.wasm'))).includes('acme:provider/secrets@1.0.0')).toBe(true)
    expect((await outputOf(file('acme.wasm'))).stderr).toContain('acme:provider/')
  })

  test.each([
    ['syntax.js', 'export function run(input) {\n  const x =\n  return 1\n}\n', ':3:3 '],
    ['run.js', 'export function runs() {}\n', ':1:1 there is no export run'],
    [
      'brand.js',
      "import { get } from 'acme:provider/secrets@1.0.0'\nexport const run = () => get\n",
      ':1:21 acme:provider/secrets@1.0.0 cannot be imported: the host has service:provider@0.2.0; build with --wit acme:provider@1.0.0',
    ],
    [
      'module.js',
      "\nimport x from 'lodash'\nexport const run = () => x\n",
      ':2:15 lodash cannot be imported: an oracle imports service:provider/http@0.2.0',
    ],
    [
      'enum.ts',
      'enum A {\n  B,\n}\nexport const run = () => A.B\n',
      ':1:1 TypeScript that is more',
    ],
    ['text.wat', '(component', ':1:11 expected `)`'],
  ])('%s does not build, and says where', async (name, text, expected) => {
    const source = await write(name, text)
    const ran = await build(source, '-o', file('none.wasm'))
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 1, stdout: '' })
    expect(ran.stderr).toContain(expected.startsWith(':') ? `${source}${expected}` : expected)
    await expect(readFile(file('none.wasm'))).rejects.toThrow('ENOENT')
  })

  test.each([
    [['none.js', '-o', 'x.wasm'], 'does not exist'],
    [['x.rs', '-o', 'x.wasm'], 'is not a source of an oracle'],
    [['same.js', '-o', 'same.js'], '--output would replace the source'],
    [['same.js', '-o', 'x.wasm', '--wit', 'acme'], '--wit takes the package of the host interface'],
    [['same.js'], "required option '-o, --output <file>' not specified"],
  ])('%j exits with 2', async (args, text) => {
    await write('same.js', 'export const run = () => ""\n')
    const ran = await build(...args.map((arg) => (/\.\w+$/.test(arg) ? file(arg) : arg)))
    expect(ran.code).toBe(2)
    expect(ran.stderr).toContain(text)
  })
})

describe('oracle types', () => {
  test('declare what an oracle imports, so that it type-checks; nothing is replaced', async () => {
    const declared = file('host.d.ts')
    expect(await runMain('oracle', 'types', '-o', declared)).toMatchObject({ code: 0 })
    const program = ts.createProgram([await write('typed.ts', typed), declared], {
      ...{ strict: true, noEmit: true, target: ts.ScriptTarget.ES2022, types: [] },
      lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
    })
    const errors = ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText)
    expect(errors).toEqual([])
    const again = await runMain('oracle', 'types', '-o', declared)
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('already exists') })
  })

  test('of another brand, on stdout', async () => {
    const { stdout } = await runMain('oracle', 'types', '--wit', 'acme:provider@1.2.0')
    expect(stdout).toContain("declare module 'acme:provider/http@1.2.0'")
    expect(stdout).not.toContain('service:provider')
  })
})
