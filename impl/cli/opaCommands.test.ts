import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runMain } from './testing/runMain.ts'
import { startProcess } from './testing/runProcess.ts'

let home: string
const file = (name: string): string => join(home, name)
const opa = (...args: readonly string[]) => runMain('opa', ...args)

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'opa-commands-'))
  await mkdir(file('bundle/limits'), { recursive: true })
  await mkdir(file('bundle/.hidden'))
  await writeFile(
    file('bundle/p.rego'),
    '# METADATA\n# title: the policy\npackage p\n\nallow if input.x <= data.limits.most\n',
  )
  await writeFile(file('bundle/.hidden/q.rego'), 'package q\n\nseen := true\n')
  await writeFile(
    file('bundle/p_test.rego'),
    'package p_test\n\ntest_most if data.p.allow with input as {"x": 3}\n',
  )
  await writeFile(file('bundle/limits/data.yaml'), 'most: 3\n')
  await writeFile(file('bundle/limits/other.json'), '{"most": 4}')
  await writeFile(
    file('bundle/.manifest'),
    '{"revision": "r1", "roots": ["p", "q", "p_test", "limits"]}',
  )
  execFileSync('tar', ['-czf', file('bundle.tar.gz'), '-C', file('bundle'), '.'])
  await writeFile(file('input.json'), '{"x": 3}')
})

afterAll(() => rm(home, { recursive: true }))

describe('bundles', () => {
  it.each(['bundle', 'bundle.tar.gz'])('%s is tested with its data alone', async (name) => {
    expect(await opa('test', '-b', file(name), '-v')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('data.p_test.test_most: PASS'),
    })
    expect((await opa('check', '--strict', '--bundle', file(name))).code).toBe(0)
  })

  it('an archive is a bundle everywhere', async () => {
    const { stdout } = await opa('eval', '-d', file('bundle.tar.gz'), 'data.limits', '-f=values')
    expect(JSON.parse(stdout)).toEqual([{ most: 3 }])
    expect((await opa('test', file('bundle.tar.gz'))).code).toBe(0)
  })

  it('without -b, every data file counts, and two for one path conflict', async () => {
    const { code, stderr } = await opa('test', file('bundle'))
    expect([code, stderr]).toEqual([1, expect.stringContaining('already has a value')])
  })

  it('a file outside of the roots is refused', async () => {
    await mkdir(file('narrow'))
    await writeFile(file('narrow/p.rego'), 'package p\n\nallow := true\n')
    await writeFile(file('narrow/.manifest'), '{"roots": ["other"]}')
    const { code, stderr } = await opa('eval', '-b', file('narrow'), 'data.p.allow')
    expect([code, stderr]).toEqual([2, expect.stringContaining('do not permit the package at /p')])
  })

  it('a damaged archive is refused', async () => {
    await writeFile(file('damaged.tar.gz'), 'no archive')
    const { code, stderr } = await opa('test', '-b', file('damaged.tar.gz'))
    expect([code, stderr]).toEqual([1, expect.stringContaining('not a whole gzipped tar')])
  })
})

describe('opa eval', () => {
  const evaluate = (...args: readonly string[]) =>
    opa('eval', '-b', file('bundle'), '-i', file('input.json'), ...args)

  it.each([
    ['raw', 'true 3\n'],
    ['values', '[\n  true,\n  3\n]\n'],
    ['bindings', '{}\n'],
    ['discard', '{\n  "result": "discarded"\n}\n'],
  ])('prints %s', async (format, text) => {
    const { stdout } = await evaluate('data.p.allow; data.limits.most', '--format', format)
    expect(stdout).toBe(text)
  })

  it('exits with the codes of OPA', async () => {
    const codes = async (query: string) => [
      (await evaluate(query)).code,
      (await evaluate(query, '--fail')).code,
      (await evaluate(query, '--fail-defined')).code,
    ]
    expect(await codes('data.p.allow')).toEqual([0, 0, 1])
    expect(await codes('data.p.missing')).toEqual([0, 1, 0])
    expect(await codes('1 == 2')).toEqual([0, 0, 1])
    expect(await codes('data.p.allow ==')).toEqual([2, 2, 2])
  })

  it('opa.runtime() is that of OPA, but not in the profile of the service', async () => {
    const query = 'opa.runtime().version; object.get(opa.runtime().env, "PATH", "") != ""'
    expect((await evaluate(query, '-f', 'raw')).stdout).toBe('1.2.0 true\n')
    await writeFile(
      file('runtime_test.rego'),
      'package runtime_test\n\ntest_version if opa.runtime().version == "1.2.0"\n',
    )
    const codeOf = async (...args: readonly string[]) =>
      (await opa('test', file('runtime_test.rego'), ...args)).code
    expect([await codeOf(), await codeOf('--capabilities', 'service')]).toEqual([0, 2])
  })

  it('reads input and query from stdin', async () => {
    const given = startProcess(
      ['opa', 'eval', '-I', '-d', file('bundle/p.rego'), '-f', 'raw', 'input.x'],
      {
        stdio: 'pipe',
      },
    )
    given.child.stdin?.end('{"x": "y"}')
    expect((await given.ended).stdout).toBe('y\n')
    const { child, ended } = startProcess(['opa', 'eval', '--stdin', '-f', 'raw'], {
      stdio: 'pipe',
    })
    child.stdin?.end('1 + 1')
    expect((await ended).stdout).toBe('2\n')
  })

  it('an error in a built-in makes its expression undefined, unless it is strict', async () => {
    expect((await evaluate('1 / 0')).code).toBe(0)
    expect((await evaluate('1 / 0', '--strict-builtin-errors')).code).toBe(2)
  })

  it('--package and --import are those of the query', async () => {
    const raw = async (query: string, ...args: readonly string[]) =>
      (await evaluate(query, '-f', 'raw', ...args)).stdout
    expect(await raw('allow', '--package', 'p')).toBe('true\n')
    expect(await raw('l.most', '--import', 'data.limits as l')).toBe('3\n')
    expect(await raw('[allow, seen]', '--package', 'p', '--import', 'data.q.seen')).toBe(
      '[true,true]\n',
    )
    for (const args of [
      ['--package', 'q'],
      ['--import', 'data.limits'],
      ['--import', 'limits'],
    ])
      expect((await evaluate('allow', ...args)).code).toBe(2)
  })

  it('explains with the values of failed expressions, and refuses traces by name', async () => {
    const input = ['-i', file('bundle/limits/other.json')]
    const { stderr } = await opa(
      'eval',
      '-b',
      file('bundle'),
      ...input,
      'data.p',
      '--explain=fails',
    )
    expect(stderr).toContain('input.x <= data.limits.most')
    const { code, stderr: refused } = await evaluate('data.p', '--explain', 'full')
    expect([code, refused]).toEqual([1, expect.stringContaining('--explain full is not supported')])
  })

  it('refuses partial evaluation by name', async () => {
    for (const args of [['--partial'], ['-p'], ['--unknowns', 'input']]) {
      const { code, stderr } = await evaluate('data.p', ...args)
      expect([code, stderr]).toEqual([1, expect.stringMatching(/--(partial|unknowns) is not supp/)])
    }
  })
})

describe('opa check', () => {
  it('--strict refuses names that are not used, as OPA does', async () => {
    const source = `package s

import data.limits
import data.other as used

f(a, _, [b]) := a

g(x) if used.y else := x

h(x, y) if x

p if {
	unused := 1
	some v in input.list
	w := [v | other := 2]
	count(w) > 0
}
`
    await writeFile(file('strict.rego'), source)
    expect((await opa('check', file('strict.rego'))).code).toBe(0)
    const { code, stderr } = await opa('check', '-S', '-f', 'json', '-m', '-1', file('strict.rego'))
    expect(code).toBe(1)
    const found = JSON.parse(stderr).errors as { message: string; location: { row: number } }[]
    expect(found.map(({ message, location }) => `${location.row} ${message}`)).toEqual([
      '3 import data.limits unused',
    ])
    await writeFile(file('strict.rego'), source.replace('import data.limits', ''))
    const { stderr: names } = await opa('check', '--strict', file('strict.rego'))
    expect(names.match(/(?<=rego_compile_error: ).*/g)).toEqual([
      'unused argument b. (hint: use _ (wildcard variable) instead)',
      'unused argument y. (hint: use _ (wildcard variable) instead)',
      'assigned var other unused',
    ])
  })

  it('-s takes the types of the input from JSON schemas, also for tests', async () => {
    await mkdir(file('schemas'))
    const schema = { type: 'object', properties: { x: { type: 'string' } } }
    await writeFile(file('schemas/own.json'), JSON.stringify(schema))
    const source = (name: string) => `# METADATA
# schemas:
#   - input: schema.own
package typed_test

test_x if input.${name} == "a" with input as {"x": "a", "y": "a"}
`
    const args = [file('typed_test.rego'), '-s', file('schemas')]
    await writeFile(file('typed_test.rego'), source('x'))
    expect([(await opa('check', ...args)).code, (await opa('test', ...args)).code]).toEqual([0, 0])
    await writeFile(file('typed_test.rego'), source('y'))
    expect((await opa('check', ...args)).stderr).toContain('undefined ref: input.y')
    expect([(await opa('check', ...args)).code, (await opa('test', ...args)).code]).toEqual([1, 1])
    expect((await opa('check', file('typed_test.rego'))).code).toBe(0)
    expect((await opa('check', file('typed_test.rego'), '-s', file('none'))).code).toBe(1)
  })

  it('declared built-ins of a capabilities file compile, others do not', async () => {
    const decl = { type: 'function', args: [{ type: 'string' }], result: { type: 'boolean' } }
    const infix = {
      type: 'function',
      args: [{ type: 'any' }, { type: 'any' }],
      result: { type: 'boolean' },
    }
    const builtins = [
      { name: 'own.check', decl },
      { name: 'eq', decl: infix, infix: '=' },
    ]
    await writeFile(file('capabilities.json'), JSON.stringify({ builtins }))
    const own = ['--capabilities', file('capabilities.json'), file('own.rego')]
    await writeFile(file('own.rego'), 'package own_test\n\ntest_a if own.check("a")\n')
    expect((await opa('check', file('own.rego'))).code).toBe(1)
    expect((await opa('check', ...own)).code).toBe(0)
    expect((await opa('test', ...own)).stdout).toContain('test_a: ERROR')
    const unknown = await opa('eval', ...own.slice(0, 2), 'not own.check("a")')
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      expect.stringContaining('unsupported built-in'),
    ])
    await writeFile(
      file('own.rego'),
      'package own_test\n\nyes(_) := true\n\ntest_a if own.check("a") with own.check as yes\n',
    )
    expect((await opa('test', ...own)).code).toBe(0)
    await writeFile(
      file('own.rego'),
      'package own_test\n\ntest_a if own.check("a") with own.check as true\n',
    )
    expect((await opa('test', ...own)).stdout).toMatch(
      /test_a: ERROR .*\n {2}\S+:3: eval_internal_error/,
    )
    await writeFile(file('own.rego'), 'package own_test\n\ntest_a if upper("a") = "A"\n')
    expect((await opa('check', ...own)).stderr).toContain('undefined function upper')
    expect((await opa('check', '--capabilities', 'v0.60.0', file('own.rego'))).stderr).toContain(
      'OPA v0.60.0 are not part',
    )
  })
})

describe('opa inspect', () => {
  it('shows the manifest, packages, data and annotations of a bundle', async () => {
    const { code, stdout } = await opa('inspect', '-a', '-f', 'json', file('bundle.tar.gz'))
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      manifest: { revision: 'r1', roots: ['p', 'q', 'p_test', 'limits'] },
      namespaces: { 'data.p': ['p.rego'], 'data.limits': ['limits/data.yaml'] },
      annotations: [{ annotations: { title: 'the policy' }, location: { row: 3 } }],
      capabilities: { builtins: [{ name: 'lte', infix: '<=' }] },
    })
    const text = (await opa('inspect', file('bundle'))).stdout
    expect(text).toMatch(/^MANIFEST:\n.*\nRevision +r1$/m)
    expect(text).toMatch(/^data\.p +\S*bundle\/p\.rego$/m)
  })

  it('an error of the compiler, but not a function that the program with the bundle may have', async () => {
    const inspected = async (rule: string) => {
      await writeFile(file('refused.rego'), `package a\n\n${rule}\n`)
      const { code, stderr } = await opa('inspect', file('refused.rego'))
      return [code, /rego_\w+/.exec(stderr)?.[0]]
    }
    expect(await inspected('p if p')).toEqual([1, 'rego_recursion_error'])
    expect(await inspected('p if upper(1)')).toEqual([1, 'rego_type_error'])
    expect(await inspected('p if own.check(1)\n\nq if q')).toEqual([1, 'rego_recursion_error'])
    expect(await inspected('p if own.check(1)')).toEqual([0, undefined])
    expect(await inspected('p if x > 1')).toEqual([0, undefined])
  })

  it('a syntax error', async () => {
    await writeFile(file('bad.rego'), 'package a\n\np if {')
    const { code, stderr } = await opa('inspect', file('bad.rego'))
    expect([code, stderr]).toEqual([1, expect.stringContaining('rego_parse_error')])
  })
})
