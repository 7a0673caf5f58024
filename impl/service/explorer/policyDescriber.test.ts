import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { character } from 'polgate-lib/testing/character.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ContentStore, createContentStore } from '../content/contentStore.ts'
import { createCompileCheck } from './compileCheck.ts'
import { createPolicyDescriber, type PolicyDescriber } from './policyDescriber.ts'
import { parsePolicyMetadata } from './policyMetadata.ts'

let directory: string
let content: ContentStore
let describer: PolicyDescriber
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'policies-'))
  content = createContentStore({ directory })
  describer = createPolicyDescriber({ content, regoNamespace: 'service' })
})
afterAll(async () => {
  await describer.close()
  rmSync(directory, { recursive: true })
})

const put = (text: string | Uint8Array) => content.put(Buffer.from(text as string))
const putJson = (value: unknown) => put(JSON.stringify(value))
const good =
  'package sample\n\ndefault allow := false\n\nallow if input.value < data.params.limit\n'
/** A valid policy that takes some time to compile. */
const rules = Array.from({ length: 20_000 }, (_, i) => `r${i} := [x | x := ${i}]`)
const large = `package sample\n\n${rules.join('\n')}\n`
const nowhere = 'bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy'
const never = new AbortController().signal

type Info = {
  readonly policy_cid?: string
  readonly metadata_cid?: string
  readonly entrypoint?: string
}
const look = (info: Info) =>
  describer.describe(
    { policy_cid: '', metadata_cid: '', entrypoint: 'sample.allow', ...info },
    never,
  )
const verified = async (source: string | Uint8Array, entrypoint = 'sample.allow') =>
  (await look({ policy_cid: await put(source), entrypoint })).contents.verified

describe('the description of a policy (section 2.10)', () => {
  it('comes from its metadata', async () => {
    const expected = { name: 'Limit', version: '1.2.0', author: 'me', description: 'A limit.' }
    const metadata_cid = await putJson({ ...expected, more: { than: 'that' } })
    const policy_cid = await put(good)
    expect(await look({ metadata_cid, policy_cid })).toEqual({
      contents: { ...expected, verified: true },
      complete: true,
    })
  })

  const nothing = { name: null, version: null, author: null, description: null }
  it.each([
    ['no JSON', '{"name": '],
    ['a list', '["name"]'],
    ['null', 'null'],
    ['a text', '"name"'],
    ['members of other kinds', '{"name": 1, "version": null, "author": ["me"], "description": {}}'],
    ['bytes that are not text', Uint8Array.of(0x7b, 0xff, 0x7d)],
    ['more than 64 KiB', `{"name": "x", "more": "${'x'.repeat(64 * 1024)}"}`],
  ])('is empty when the metadata is %s', async (_, text) => {
    const described = await look({ metadata_cid: await put(text) })
    expect(described).toEqual({ contents: { ...nothing, verified: null }, complete: true })
  })

  it('is bounded and can be stored in the database', () => {
    const value = fc.record({
      name: fc.string({ unit: character, maxLength: 400 }),
      author: fc.json(),
    })
    fc.assert(
      fc.property(value, (sample) => {
        const { name } = parsePolicyMetadata(Buffer.from(JSON.stringify(sample)))
        expect(name?.length).toBeLessThanOrEqual(200)
        expect(name).not.toMatch(/\p{Surrogate}|\0/u)
      }),
    )
    const unusual = `{"name": "a\\u0000b\\ud800c", "description": "${'x'.repeat(3_999)}\u{1f600}"}`
    const { name, description } = parsePolicyMetadata(Buffer.from(unusual))
    expect(name).toBe('a\ufffdb\ufffdc')
    expect(description).toBe('x'.repeat(3_999))
  })

  it('is retried while its content is unavailable, but not if it can never exist', async () => {
    expect(await look({ metadata_cid: nowhere })).toMatchObject({ complete: false })
    expect(await look({ policy_cid: nowhere })).toEqual({
      contents: { ...nothing, verified: null },
      complete: false,
    })
    for (const cid of ['', 'bafypolicy', '../../etc/passwd', 'x'.repeat(2_000)]) {
      const described = await look({ metadata_cid: cid, policy_cid: cid })
      expect(described).toEqual({ contents: { ...nothing, verified: null }, complete: true })
    }
  })
})

describe('a policy is verified (section 2.10)', () => {
  it('when its source compiles and has its entrypoint (decision R9)', async () => {
    expect(await verified(good)).toBe(true)
    expect(await verified(good, 'data.sample.allow')).toBe(true)
    const extension = 'service.crypto.ecdsa_recover_signer(input.a, input.b)'
    expect(await verified(`package sample\n\nallow := ${extension}\n`)).toBe(true)
  })

  it.each([
    ['another entrypoint', good, 'sample.deny'],
    ['a package as entrypoint', good, 'sample'],
    ['no entrypoint', good, ''],
    ['an entrypoint of the prototype', good, '__proto__.constructor'],
    ['a mistake', 'package sample\n\nallow if {'],
    ['an unsafe variable', 'package sample\n\nallow if x == y\n'],
    ['recursion', 'package sample\n\nallow if deny\n\ndeny if allow\n'],
    ['a function that the service does not have', 'package sample\n\nallow := io.jwt.decode("")\n'],
    ['nothing', ''],
    ['bytes that are not text', Uint8Array.of(0xff, 0xfe, 0x00)],
    ['brackets without end', `package sample\n\nallow := ${'['.repeat(100_000)}`],
  ])('not with %s', async (_, source, entrypoint = 'sample.allow') => {
    expect(await verified(source, entrypoint)).toBe(false)
  })

  it('as null when the source is larger than the limit of a policy', async () => {
    expect(await verified(`${good}# ${'x'.repeat(512 * 1024)}`)).toBeNull()
  })

  it('as false when it takes too long, without an effect on the next one', async () => {
    const slow = { source: large, entrypoint: 'sample.r1' }
    const check = createCompileCheck({ namespace: 'service', workMs: 60_000 })
    // A busy machine may give a thread less than 20 ms of CPU time within ten times as long.
    const limited = createCompileCheck({ namespace: 'service', workMs: 20, wallMs: 60_000 })
    try {
      const both = Promise.all([check.compiles(slow), limited.compiles(slow)])
      expect(await both).toEqual([true, false])
      const next = await Promise.all([
        check.compiles({ source: good, entrypoint: 'sample.allow' }),
        check.compiles({ source: 'package', entrypoint: 'sample.allow' }),
      ])
      expect(next).toEqual([true, false])
    } finally {
      await Promise.all([check.close(), limited.close()])
    }
    await expect(check.compiles({ source: 'package a', entrypoint: 'a.b' })).rejects.toThrow(
      'closed',
    )
  })

  it('rejects when the signal aborts', async () => {
    const info = { policy_cid: await put(good), metadata_cid: '', entrypoint: 'sample.allow' }
    const early = AbortSignal.abort(new Error('closing'))
    await expect(describer.describe(info, early)).rejects.toThrow('closing')
    const closing = new AbortController()
    const policy_cid = await put(large)
    const looking = describer.describe({ ...info, policy_cid }, closing.signal)
    setTimeout(() => closing.abort(new Error('closing')), 20)
    await expect(looking).rejects.toThrow('closing')
  })
})
