import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Grant } from './grant.ts'
import type { OpeningPlan, PlannedOpening } from './openingPlan.ts'
import { privateDocument } from './privateDocument.ts'

const planned = (kind: Grant['kind']) => ({ grant: { kind } }) as PlannedOpening
const plan = (parts: Partial<OpeningPlan>): OpeningPlan => ({
  ...{ identity: null, confidential: {}, privacy: {} },
  ...parts,
})
const bytes = (text: string) => Buffer.from(text)
const documentOf = (parts: Partial<OpeningPlan>, ...plaintexts: string[]) =>
  Buffer.from(privateDocument(plan(parts), plaintexts.map(bytes))).toString()

const identities = (count: number) => ({
  identity: Array.from({ length: count }, () => planned('identity')),
})
const blacklist = {
  confidential: { blacklist: { granted: true, opening: planned('confidential') } },
}
const bid = { privacy: { bid: planned('ephemeral') } }

describe('the document of a task', () => {
  it('says what is missing', () => {
    expect(documentOf({})).toBe('{"identity":null,"confidential":{},"privacy":{}}')
    const missing = { granted: false, opening: null }
    const unpublished = { granted: true, opening: null }
    expect(
      JSON.parse(documentOf({ confidential: { blacklist: missing, allowlist: unpublished } })),
    ).toEqual({
      identity: null,
      confidential: {
        blacklist: { granted: false, data: null },
        allowlist: { granted: true, data: null },
      },
      privacy: {},
    })
  })

  it('contains the plaintexts with every digit, in their order', () => {
    const all = { ...identities(1), ...blacklist, ...bid }
    const text = documentOf(all, '{"n":1.10}', '{"entries":["0xA"]}', '12345678901234567890')
    expect(text).toBe(
      '{"identity":{"n":1.10},"confidential":{"blacklist":{"granted":true,"data":{"entries":["0xA"]}}},"privacy":{"bid":12345678901234567890}}',
    )
  })

  it('has the members of all identity domains', () => {
    const one = '{"a":12345678901234567890,"same":[1,{"x":2}]}'
    const other = '{"same":[1,{"x":2}],"b":"é"}'
    const text = documentOf(identities(2), one, other)
    expect(text).toContain('{"a":12345678901234567890,"b":"é","same":[1,{"x":2}]}')
    const differing = `{"same":"${randomBytes(4).toString('hex')}"}`
    expect(() => documentOf(identities(2), one, differing)).toThrow(
      'Private data failed: two identity domains have different values for one member',
    )
  })

  const marker = randomBytes(8).toString('hex')
  it.each<[string, Partial<OpeningPlan>, string]>([
    ['an injection', identities(1), `{}, "confidential": {"${marker}": {}}`],
    ['an injection behind', identities(1), `{"a":"${marker}"}} `],
    ['text', identities(1), marker],
    ['nothing', identities(1), ''],
    ['an array', identities(1), `["${marker}"]`],
    ['a string', blacklist, `"${marker}"`],
    ['null', blacklist, 'null'],
    ['a byte order mark', identities(1), `\ufeff{"a":"${marker}"}`],
    ['a large identity', identities(1), `{"a":"${marker.repeat(8_192)}"}`],
    ['a large value', bid, `"${marker.repeat(8_192)}"`],
    ['no JSON', bid, `{"a":${marker}`],
    ['one of two', identities(2), `{"a":"${marker}"}`],
  ])('refuses %s without quoting it', (_, parts, plaintext) => {
    expect(() => documentOf(parts, plaintext)).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(
          /^Private data failed: (identity data|confidential data of type blacklist|ephemeral data bid) (is|was) /,
        ),
      }),
    )
    try {
      documentOf(parts, plaintext)
    } catch (error) {
      expect(String((error as Error).stack)).not.toContain(marker)
      expect((error as Error).cause).toBeUndefined()
    }
  })

  it('refuses bytes that are not UTF-8', () => {
    expect(() => privateDocument(plan(identities(1)), [Uint8Array.of(0x22, 0xff, 0x22)])).toThrow(
      'is not JSON',
    )
  })
})
