import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { describedChecks } from '../checks/described.ts'
import { CannotRun } from '../core/conformanceError.ts'
import { importOwnChecks, loadOwnChecks } from './loadOwnChecks.ts'

const directory = mkdtempSync(join(tmpdir(), 'own-checks-'))
afterAll(() => rmSync(directory, { recursive: true }))

let made = 0
/** A folder of its own with these files. */
function folder(files: Readonly<Record<string, string>>): string {
  const place = join(directory, String(made++))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(place, name, '..'), { recursive: true })
    writeFileSync(join(place, name), text)
  }
  return place
}

function check(members: Readonly<Record<string, string>> = {}): string {
  const all = {
    id: "'acme.a'",
    title: "'a title'",
    level: "'must'",
    run: 'async () => {}',
    ...members,
  }
  return `{ ${Object.entries(all)
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${name}: ${text}`)
    .join(', ')} }`
}
const module = (members?: Readonly<Record<string, string>>) =>
  `export const one = ${check(members)}\n`

async function load(cwd: string, ...patterns: string[]) {
  const own = await loadOwnChecks(patterns, cwd, describedChecks)
  const inThread = await importOwnChecks(own.modules)
  own.close()
  expect(inThread.map(({ id }) => id)).toEqual(own.checks.map(({ id }) => id))
  return own.checks
}

async function refusal(cwd: string, ...patterns: string[]): Promise<string> {
  const error = await load(cwd, ...patterns).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(CannotRun)
  expect(error.message).not.toContain('\n')
  return error.message
}

describe('own checks load from', () => {
  test('TypeScript that imports the suite, another file and JSON, outside the clone', async () => {
    const cwd = folder({
      'checks/limits.ts': `
        import { defineCheck, type CheckTools } from 'polgate-conformance'
        import { level } from './shared.ts'
        import names from './names.json' with { type: 'json' }
        enum Id { Burst = 'acme.limits.burst' }
        export const burst = defineCheck({
          id: Id.Burst, title: names.title, level, clause: 'ACME-1',
          run: async (t: CheckTools) => { t.observe('seen') },
        })`,
      'checks/shared.ts': 'export const level = "should" as const\n',
      'checks/names.json': '{ "title": "from a file" }',
    })
    const [only] = await load(cwd, 'checks/limits.ts')
    expect(only).toMatchObject({
      id: 'acme.limits.burst',
      title: 'from a file',
      level: 'should',
      clauses: [],
      own: {
        file: 'checks/limits.ts',
        clause: 'ACME-1',
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    })
  })

  test('JavaScript of every kind: lists, default, CommonJS; each once', async () => {
    const cwd = folder({
      'a.mjs': `const one = ${check()}\nexport { one, one as again }\n`,
      'b.mjs': `export default [${check({ id: "'acme.b'" })}, ${check({ id: "'acme.c'" })}]`,
      'c.cjs': `exports.one = ${check({ id: "'acme.d'" })}`,
      'd.mjs': `import { defineCheck } from 'polgate-conformance'\nexport const e = defineCheck(${check({ id: "'acme.e'" })})`,
    })
    const checks = await load(cwd, './*.{mjs,cjs}')
    expect(checks.map(({ id }) => id)).toEqual(['acme.a', 'acme.b', 'acme.c', 'acme.d', 'acme.e'])
    expect(await load(cwd, '.', 'a.mjs')).toHaveLength(5)
  })

  test('a file that changed between two runs of a process', async () => {
    const cwd = folder({ 'a.mjs': module() })
    expect((await load(cwd, 'a.mjs'))[0]!.title).toBe('a title')
    await new Promise((resolve) => setTimeout(resolve, 20))
    writeFileSync(join(cwd, 'a.mjs'), module({ title: "'another title'" }))
    expect((await load(cwd, 'a.mjs'))[0]!.title).toBe('another title')
  })
})

describe('one line says what is wrong, and in which file:', () => {
  test.each<readonly [said: string, text: string]>([
    ['a.mjs: the id "Acme" is not of the form namespace.name', module({ id: "'Acme'" })],
    ['a.mjs: a check has no id', module({ id: '' })],
    [
      "a.mjs: check 'rpc.mine' is in the namespace 'rpc' of the suite",
      module({ id: "'rpc.mine'" }),
    ],
    ["a.mjs: check 'acme.a' needs a level: must, should or may", module({ level: "'musst'" })],
    ["a.mjs: check 'acme.a' needs a title", module({ title: "' '" })],
    ["did you mean 'needs'?", module({ need: '[]' })],
    [
      "needs 'key:wirte', which no target has: did you mean 'key:write'?",
      module({ needs: "['key:wirte']" }),
    ],
    ["a.mjs: check 'acme.a' has no function run", module({ run: '3' })],
    ['a.mjs: exclusive of check', module({ exclusive: '1' })],
    ['a.mjs: the twin of check', module({ twin: '7' })],
    ['a.mjs: the clause of check', module({ clause: `'${'x'.repeat(501)}'` })],
    [
      "a.mjs: the id 'acme.a' is also that of a check in a.mjs",
      `${module()}export const two = ${check()}`,
    ],
    ['a.mjs exports no check', 'export const nothing = 1'],
    ['cannot load a.mjs: ', 'export const = 1'],
    ['cannot load a.mjs: no configuration', "throw new Error('no configuration\\nmore')"],
    ['cannot load a.mjs: Cannot find', "import './missing.mjs'"],
  ])('%s', async (said, text) => {
    expect(await refusal(folder({ 'a.mjs': text }), 'a.mjs')).toContain(said)
  })

  test('TypeScript that does not parse, two files with one id, patterns without a file', async () => {
    expect(await refusal(folder({ 'a.ts': 'export const a: = 1' }), 'a.ts')).toContain(
      'cannot load a.ts: line 1: ',
    )
    const both = folder({ 'a.mjs': module(), 'b.mjs': module() })
    expect(await refusal(both, '.')).toBe("b.mjs: the id 'acme.a' is also that of a check in a.mjs")
    expect(await refusal(both, './*.ts')).toBe("--checks './*.ts' matches no file")
    expect(await refusal(both, 'missing.ts')).toBe("--checks 'missing.ts' matches no file")
    expect(await refusal(folder({ 'a.yaml': '' }), 'a.yaml')).toBe('a.yaml is not a module')
  })
})
