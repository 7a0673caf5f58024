import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { yaml } from '../groups/yaml.ts'
import {
  BuiltinError,
  compile,
  defineBuiltin,
  entrypoints,
  evaluate,
  setData,
  test,
} from '../index.ts'
import { loadBundle, readBundle } from './bundle.ts'

const source = `package limit

# METADATA
# entrypoint: true
allow if input.amount <= data.most

test_most if data.most == 7
`

describe('setData', () => {
  const policy = compile({ 'limit.rego': source }, { data: { most: 1, other: 2 } })

  it('replaces all documents of a copy, and compiles nothing again', () => {
    const larger = setData(policy, { data: { most: 7 } })
    const allowed = (each: typeof policy) =>
      evaluate(each, 'data.limit.allow', { input: { amount: 3 } })
    expect([allowed(policy).defined, allowed(larger).defined]).toEqual([false, true])
    expect(evaluate(larger, 'data.other').defined).toBe(false)
    expect(larger.engine.modules).toBe(policy.engine.modules)
    expect([test(policy).passed, test(larger).passed]).toEqual([false, true])
    const exact = setData(policy, { dataJson: '{"most": 12345678901234567891}' })
    expect(evaluate(exact, 'data.most').json).toBe('12345678901234567891')
  })

  it('refuses a document at the path of a rule', () => {
    expect(() => setData(policy, { data: { limit: { allow: true } } })).toThrow(
      /data\.limit\.allow|conflict/,
    )
  })
})

it('entrypoints are what the policy says', () => {
  const policy = compile({ 'limit.rego': source }, { builtins: [yaml] })
  expect(entrypoints(policy)).toEqual(['data.limit.allow'])
  expect(() => entrypoints(compile({ 'limit.rego': source }))).toThrow(/builtins: \[yaml\]/)
})

describe('defineBuiltin', () => {
  const decl = {
    type: 'function',
    args: [{ type: 'string' }],
    result: { type: 'any' },
  }
  const own = (call: (...args: readonly unknown[]) => unknown) => ({
    builtins: [[defineBuiltin({ name: 'own.find', decl }, call)]],
  })
  const sources = { 'a.rego': 'package a\np := own.find(input.name)\ndeny if not own.find("x")\n' }

  it('takes and returns plain data; undefined is undefined', () => {
    const policy = compile(
      sources,
      own((name) => (name === 'a' ? { id: 1 } : undefined)),
    )
    expect(evaluate(policy, 'data.a.p', { input: { name: 'a' } }).value).toEqual({ id: 1 })
    expect(evaluate(policy, 'data.a.p', { input: { name: 'b' } }).defined).toBe(false)
    expect(() =>
      compile(
        { 'b.rego': 'package b\np := own.find(1)' },
        own(() => 1),
      ),
    ).toThrow(/own\.find/)
  })

  it('an error never decides', () => {
    const failing = compile(
      sources,
      own(() => {
        throw new TypeError('not reachable')
      }),
    )
    expect(() => evaluate(failing, 'data.a.deny')).toThrow('the engine failed')
    expect(() => evaluate(failing, 'data.a.deny', { strict: false })).toThrow('the engine failed')
    const refusing = compile(
      sources,
      own(() => {
        throw new BuiltinError('not reachable')
      }),
    )
    expect(() => evaluate(refusing, 'data.a.deny')).toThrow('own.find: not reachable')
  })
})

describe('bundles', () => {
  let home: string
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'bundles-'))
    await mkdir(join(home, 'b/limits/deep'), { recursive: true })
    await writeFile(
      join(home, 'b/limit.rego'),
      'package limit\n\nallow if input.amount <= data.limits.most\n',
    )
    await writeFile(join(home, 'b/limits/data.yaml'), 'most: 12345678901234567891\n')
    await writeFile(join(home, 'b/limits/deep/data.json'), '{"a": 1}')
    await writeFile(join(home, 'b/limits/ignored.json'), '{"most": 0}')
    await writeFile(join(home, 'b/.manifest'), '{"revision": "r1", "roots": ["limit", "limits"]}')
    execFileSync('tar', ['-czf', join(home, 'b.tar.gz'), '-C', join(home, 'b'), '.'])
  })
  afterAll(() => rm(home, { recursive: true }))

  it.each(['b', 'b.tar.gz'])('%s has policies, data and manifest', async (name) => {
    const { sources, dataJson, manifest } = await loadBundle(join(home, name))
    expect(Object.keys(sources)).toEqual(['limit.rego'])
    expect(dataJson).toBe('{"limits":{"deep":{"a":1},"most":12345678901234567891}}')
    expect(manifest?.revision).toBe('r1')
    const policy = compile(sources, { dataJson })
    expect(evaluate(policy, 'data.limit.allow', { input: { amount: 9 } }).value).toBe(true)
  })

  it('refuses what is damaged, conflicts or is outside of the roots', async () => {
    await expect(readBundle(new Uint8Array([1, 2, 3]))).rejects.toThrow('not a whole gzipped tar')
    await writeFile(join(home, 'b/limits/deep/data.yml'), 'a: 2\n')
    await expect(loadBundle(join(home, 'b'))).rejects.toThrow('data.limits.deep.a already has')
    await writeFile(join(home, 'b/limits/deep/data.yml'), '[\n')
    await expect(loadBundle(join(home, 'b'))).rejects.toThrow('data.yml')
    await rm(join(home, 'b/limits/deep/data.yml'))
    await writeFile(join(home, 'b/.manifest'), '{"roots": ["limit"]}')
    await expect(loadBundle(join(home, 'b'))).rejects.toThrow('do not permit data at /limits')
  })
})
