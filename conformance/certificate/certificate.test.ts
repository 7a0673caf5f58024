import { generateKeyPairSync, sign, verify as verifySignature } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type SuiteCheck, suiteCheck } from '../core/check.ts'
import type { CheckFinished, RunEvent } from '../core/events.ts'
import {
  cleanRun,
  exampleClauses,
  exampleRun,
  interruptedRun,
} from '../reports/exampleRun.fixture.ts'
import { readEvents } from '../reports/readEvents.ts'
import { reportOf } from '../reports/report.ts'
import { canonicalJson } from './canonicalJson.ts'
import { challenge, sampleOf } from './challenge.ts'
import { type Envelope, payloadType, preAuthEncoding, signEnvelope } from './dsse.ts'
import { merkleRoot } from './merkle.ts'
import { checkSet, requirementSet } from './requirementSet.ts'
import { type Statement, statementOf } from './statement.ts'
import { verifyCertificate } from './verifyCertificate.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const issuedAt = new Date('2026-11-21T03:01:00.000Z')
const now = new Date('2026-11-22T00:00:00.000Z')

const isStart = (event: RunEvent) => event.type === 'run-started'
const isCheck = (event: RunEvent): event is CheckFinished => event.type === 'check-finished'
/** The checks of the events, as if they were those of the suite. */
function plan(events: readonly RunEvent[]): readonly SuiteCheck[] {
  const lacking = new Map(events.filter(isCheck).map(({ id, lacks }) => [id, lacks ?? []]))
  return (events.find(isStart)?.checks ?? []).map((check) =>
    suiteCheck({ ...check, needs: (lacking.get(check.id) ?? []) as SuiteCheck['needs'] }),
  )
}

const textOf = (events: readonly RunEvent[]) =>
  events.map((event) => `${JSON.stringify(event)}\n`).join('')

function statement(events: readonly RunEvent[], checks = plan(events)) {
  const { lines } = readEvents(textOf(events))
  return statementOf(reportOf(events, exampleClauses), { checks, lines, issuedAt })
}
/** The same results, of a gateway that claims profiles whose checks did not run. */
const claimingMore = cleanRun.map(
  (event): RunEvent =>
    isStart(event) ? { ...event, profiles: ['base', 'tasks', 'webhooks'] } : event,
)
const seal = (value: unknown, key = privateKey) =>
  JSON.stringify(signEnvelope(Buffer.from(JSON.stringify(value)), key))

type Given = {
  readonly certificate?: string
  readonly evidence?: readonly RunEvent[]
  readonly key?: typeof publicKey
  readonly at?: Date
  readonly checks?: readonly SuiteCheck[]
}
const verify = (events: readonly RunEvent[], given: Given = {}) =>
  verifyCertificate({
    certificate: given.certificate ?? seal(statement(events)),
    evidence: readEvents(textOf(given.evidence ?? events)),
    publicKey: given.key ?? publicKey,
    now: given.at ?? now,
    clauses: exampleClauses,
    checks: given.checks ?? plan(events),
  })
const refusals = (verified: ReturnType<typeof verify>) =>
  verified.steps.flatMap(({ name, ok, says }) => (ok ? [] : [`${name}: ${says}`]))

/** The example's statement with one member of its predicate changed by the key holder. */
function forged(events: readonly RunEvent[], change: (it: Statement['predicate']) => object) {
  const it = statement(events)
  return seal({ ...it, predicate: { ...it.predicate, ...change(it.predicate) } })
}

test('the statement of a run, as it is signed', async () => {
  const made = { example: statement(exampleRun), clean: statement(cleanRun) }
  await expect(`${JSON.stringify(made, null, 2)}\n`).toMatchFileSnapshot(
    '../reports/golden/certificate.json.golden',
  )
})

describe('an unmodified certificate', () => {
  test('of a clean run is valid, and says PASSED, recomputed', () => {
    const verified = verify(cleanRun)
    expect(refusals(verified)).toEqual([])
    expect(verified.authentic).toBe(true)
    expect(verified.statement?.predicate.result).toBe('PASSED')
    expect(verified.steps.at(-1)?.says).toBe(
      'recomputed from the evidence: PASSED, CONFORMANT TO base, 3 of 9 clauses proven',
    )
  })
  test.each([
    ['with findings', exampleRun],
    ['that was interrupted', interruptedRun],
  ])('of a run %s is valid too, and says FAILED', (_, events) => {
    const verified = verify(events)
    expect(refusals(verified)).toEqual([])
    expect(verified.statement?.predicate.result).toBe('FAILED')
  })
  test('of a part of the suite is never PASSED', () => {
    const partial = statement(claimingMore, plan(exampleRun)).predicate
    expect(partial.result).toBe('FAILED')
    expect(partial['x-scope'].notPlanned).toHaveLength(4)
  })
  test('of a run with an expected failure is still FAILED', () => {
    const check = 'rpc.createTask.allow'
    const known = { check, reason: 'known', owner: 'somebody', expires: '2027-01-01' }
    const expected = cleanRun.map((event): RunEvent => {
      if (isStart(event)) return { ...event, baseline: [known] }
      return isCheck(event) && event.id === check ? { ...event, verdict: 'failed' } : event
    })
    expect(reportOf(expected, exampleClauses).summary.code).toBe(0)
    expect(statement(expected).predicate).toMatchObject({
      result: 'FAILED',
      failedTests: ['4.2/rpc.createTask.allow'],
    })
  })
  test('nor one with a recommended check that failed', () => {
    const events = cleanRun.map((event) =>
      isCheck(event) && event.level === 'may'
        ? ({ ...event, verdict: 'failed', reason: 'no batch' } as const)
        : event,
    )
    expect(statement(events).predicate).toMatchObject({
      result: 'WARNED',
      warnedTests: ['4.1/rpc.batch.two'],
      failedTests: [],
    })
  })
})

describe('signature', () => {
  test('is made over the pre-authentication encoding, as other tools verify it', () => {
    const envelope = JSON.parse(seal(statement(cleanRun))) as Envelope
    const payload = Buffer.from(envelope.payload, 'base64')
    const said = Buffer.from(`DSSEv1 28 ${payloadType} ${payload.length} ${payload}`)
    expect(preAuthEncoding(payloadType, payload)).toEqual(said)
    const signature = Buffer.from(envelope.signatures[0]!.sig, 'base64')
    expect(verifySignature(null, said, publicKey, signature)).toBe(true)
  })

  test('of another key is rejected, whatever key id it names', () => {
    const other = generateKeyPairSync('ed25519')
    const envelope = JSON.parse(seal(statement(cleanRun), other.privateKey)) as Envelope
    const honest = JSON.parse(seal(statement(cleanRun))) as Envelope
    const keyid = honest.signatures[0]!.keyid
    const confused = { ...envelope, signatures: [{ ...envelope.signatures[0]!, keyid }] }
    for (const certificate of [envelope, confused])
      expect(refusals(verify(cleanRun, { certificate: JSON.stringify(certificate) }))[0]).toMatch(
        /^signature: the key .* did not sign it$/,
      )
  })

  test('by another algorithm is rejected, even if the public key is used as a secret', () => {
    const payload = Buffer.from(JSON.stringify(statement(cleanRun)))
    const message = preAuthEncoding(payloadType, payload)
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const signed = (sig: Buffer) =>
      JSON.stringify({
        payload: payload.toString('base64'),
        payloadType,
        signatures: [{ keyid: 'x', sig: sig.toString('base64'), alg: 'none' }],
      })
    const byRsa = signed(sign('sha256', message, rsa.privateKey))
    const byCurve = signed(sign('sha256', message, curve.privateKey))
    const empty = signed(Buffer.alloc(0))
    const zero = signed(Buffer.alloc(64))
    for (const certificate of [byRsa, byCurve, empty, zero])
      expect(verify(cleanRun, { certificate }).authentic).toBe(false)
    // Nor does a reader accept a key of another kind.
    expect(verify(cleanRun, { certificate: byRsa, key: rsa.publicKey }).authentic).toBe(false)
    expect(verify(cleanRun, { certificate: byCurve, key: curve.publicKey }).authentic).toBe(false)
  })

  test('over bytes of another type is rejected', () => {
    const payload = Buffer.from(JSON.stringify(statement(cleanRun)))
    const sig = sign(null, payload, privateKey).toString('base64')
    const envelope = { payload: payload.toString('base64'), payloadType, signatures: [{ sig }] }
    expect(verify(cleanRun, { certificate: JSON.stringify(envelope) }).authentic).toBe(false)
    const typed = JSON.parse(seal(statement(cleanRun))) as Envelope
    const other = JSON.stringify({ ...typed, payloadType: 'application/json' })
    expect(refusals(verify(cleanRun, { certificate: other }))[0]).toMatch(/^envelope/)
  })

  test('any flipped bit of payload or signature is rejected', () => {
    const certificate = JSON.parse(seal(statement(cleanRun))) as Envelope
    const flip = (base64: string, bit: number) => {
      const bytes = Buffer.from(base64, 'base64')
      const at = bit % (bytes.length * 8)
      bytes[at >> 3]! ^= 1 << (at & 7)
      return bytes.toString('base64')
    }
    fc.assert(
      fc.property(fc.nat(), fc.boolean(), (bit, ofPayload) => {
        const [one] = certificate.signatures
        const changed = ofPayload
          ? { ...certificate, payload: flip(certificate.payload, bit) }
          : { ...certificate, signatures: [{ ...one, sig: flip(one!.sig, bit) }] }
        expect(verify(cleanRun, { certificate: JSON.stringify(changed) }).authentic).toBe(false)
      }),
      { numRuns: 150 },
    )
  })
})

describe('evidence', () => {
  test('a flipped bit anywhere in it is rejected, or makes it an invalid log', () => {
    const certificate = seal(statement(exampleRun))
    const bytes = Buffer.from(textOf(exampleRun))
    fc.assert(
      fc.property(fc.nat(bytes.length * 8 - 1), (bit) => {
        const changed = Buffer.from(bytes)
        changed[bit >> 3]! ^= 1 << (bit & 7)
        let evidence: ReturnType<typeof readEvents>
        try {
          evidence = readEvents(changed.toString('utf8'))
        } catch {
          return
        }
        const checks = plan(exampleRun)
        const input = { certificate, evidence, publicKey, now, clauses: exampleClauses, checks }
        expect(verifyCertificate(input).authentic).toBe(false)
      }),
      { numRuns: 150 },
    )
  })

  test.each([
    ['a failing line left out', exampleRun.filter((e) => !isCheck(e) || e.verdict !== 'failed')],
    [
      'two lines in another order',
      [...exampleRun.slice(0, 2), exampleRun[3]!, exampleRun[2]!, ...exampleRun.slice(4)],
    ],
    ['a line twice', [...exampleRun.slice(0, 2), ...exampleRun.slice(1)]],
  ])('%s is rejected', (_, evidence) => {
    expect(refusals(verify(exampleRun, { evidence })).join()).toMatch(/evidence: /)
  })
})

describe('claims that even the signer cannot make', () => {
  test('PASSED over evidence that failed', () => {
    const certificate = forged(exampleRun, () => ({ result: 'PASSED', failedTests: [] }))
    expect(refusals(verify(exampleRun, { certificate }))).toEqual([
      'result: the certificate contradicts its evidence: result, failedTests (it says PASSED, the evidence FAILED)',
    ])
  })

  test('PASSED over evidence without its failed checks, signed again', () => {
    const dropped = exampleRun.filter((e) => !isCheck(e) || e.verdict === 'passed')
    const sealed = forged(dropped, () => ({ result: 'PASSED' }))
    expect(refusals(verify(dropped, { certificate: sealed })).join()).toContain('FAILED')
    // Nor with a shorter plan: checks of the suite that did not run are in the certificate.
    const checks = plan(exampleRun)
    const it = statement(claimingMore, checks)
    const whole = seal({
      ...it,
      predicate: {
        ...it.predicate,
        result: 'PASSED',
        'x-scope': { ...it.predicate['x-scope'], notPlanned: [] },
      },
    })
    expect(refusals(verify(claimingMore, { certificate: whole, checks })).join()).toContain(
      'it says PASSED, the evidence FAILED',
    )
  })

  test.each([
    ['results', (e: RunEvent) => (isCheck(e) ? ({ ...e, level: 'may' } as const) : e)],
    [
      'plan and results',
      (e: RunEvent) =>
        isCheck(e)
          ? ({ ...e, level: 'may' } as const)
          : isStart(e)
            ? { ...e, checks: plan([e]).map((c) => ({ ...c, level: 'may' as const })) }
            : e,
    ],
    [
      'plan',
      (e: RunEvent) =>
        isStart(e) ? { ...e, checks: plan([e]).map((c) => ({ ...c, clauses: [] })) } : e,
    ],
  ])('a weaker plan than the suite has, in the %s', (_, change) => {
    const changed = exampleRun.map((event): RunEvent => change(event))
    const checks = plan(exampleRun)
    const certificate = seal(statement(changed, checks))
    expect(refusals(verify(changed, { certificate, checks })).join()).toMatch(/log: /)
  })

  test('a duplicate member in a line, of which a parser reads the last', () => {
    const checks = plan(exampleRun)
    const lines = exampleRun.map((event) => JSON.stringify(event))
    const at = exampleRun.findIndex((e) => isCheck(e) && e.verdict === 'passed')
    lines[at] = lines[at]!.replace('{', '{"verdict":"failed",')
    const evidence = readEvents(`${lines.join('\n')}\n`)
    const it = statementOf(reportOf(evidence.events, exampleClauses), {
      checks,
      lines: evidence.lines,
      issuedAt,
    })
    const input = {
      certificate: seal(it),
      evidence,
      publicKey,
      now,
      clauses: exampleClauses,
      checks,
    }
    expect(refusals(verifyCertificate(input)).join()).toContain(
      `log: line ${at + 1} is not formatted`,
    )
  })

  test('a second result of one check', () => {
    const again = [...cleanRun.slice(0, -1), cleanRun[1]!, cleanRun.at(-1)!]
    expect(refusals(verify(again)).join()).toContain('log: a check has two results')
  })

  test('another target, other requirements, another seed, another suite', () => {
    const wrong = (change: (it: Statement) => object) => {
      const it = statement(cleanRun)
      return refusals(verify(cleanRun, { certificate: seal({ ...it, ...change(it) }) })).join()
    }
    const other = {
      name: 'x',
      uri: 'https://x.example',
      digest: { sha256: '0'.repeat(64) },
      annotations: { digestOf: 'url' },
    }
    expect(wrong(() => ({ subject: [other] }))).toMatch(/^subject: it names https:\/\/x.example/)
    const predicate = (change: object) => (it: Statement) => ({
      predicate: { ...it.predicate, ...change },
    })
    const [requirements, asked] = statement(cleanRun).predicate.configuration
    const unknown = { ...requirements, digest: { sha256: '1'.repeat(64) } }
    expect(wrong(predicate({ configuration: [unknown, asked] }))).toMatch(/^requirements: /)
    expect(wrong(predicate({ configuration: [asked, requirements] }))).toMatch(/^requirements: /)
    expect(wrong(predicate({ 'x-suite': { version: 'other 1' } }))).toMatch(/^result: .*x-suite/)
    const scope = { ...statement(cleanRun).predicate['x-scope'], seed: '0x00000001' }
    expect(wrong(predicate({ 'x-scope': scope }))).toMatch(/^result: .*x-scope/)
  })
})

describe('validity', () => {
  const valid = (change: object) =>
    forged(cleanRun, (it) => ({ 'x-validity': { ...it['x-validity'], ...change } }))
  test.each([
    ['after its last day', {}, new Date('2027-02-20T00:00:00Z'), 'it expired on 2027-02-19'],
    ['before its first', { issuedAt: '2026-12-24T00:00:00.000Z' }, now, 'which is in the future'],
    [
      'issued before its run',
      { issuedAt: '2025-01-01T00:00:00.000Z' },
      now,
      'before its run ended',
    ],
    ['for years', { expiresAt: '2036-01-01T00:00:00.000Z' }, now, 'valid for more than 90 days'],
  ])('%s it is rejected', (_, change, at, says) => {
    expect(refusals(verify(cleanRun, { certificate: valid(change), at })).join()).toContain(says)
  })
})

test('any certificate content is rejected with a reason, and nothing is thrown', () => {
  const envelope = JSON.parse(seal(statement(cleanRun))) as Envelope
  const anything = fc.oneof(
    fc.json(),
    fc.string(),
    fc
      .record({
        payload: fc.base64String(),
        payloadType: fc.constant(payloadType),
        signatures: fc.array(fc.record({ sig: fc.base64String() })),
      })
      .map((it) => JSON.stringify(it)),
    // Signed, but not a statement.
    fc.json().map((text) => JSON.stringify(signEnvelope(Buffer.from(text), privateKey))),
    fc
      .constantFrom('payload', 'payloadType', 'signatures')
      .map((name) => JSON.stringify({ ...envelope, [name]: null })),
  )
  fc.assert(
    fc.property(anything, (certificate) => {
      const verified = verify(cleanRun, { certificate })
      expect(verified.authentic).toBe(false)
      expect(refusals(verified)[0]).toMatch(/^(envelope|signature|statement): ./)
    }),
    { numRuns: 200 },
  )
})

describe('Merkle root', () => {
  test('of one line is its leaf; a node is not a leaf; an odd line moves up unchanged', () => {
    const roots = [
      [],
      [''],
      ['a'],
      ['a', 'a'],
      ['a', 'b'],
      ['b', 'a'],
      ['a', 'b', 'b'],
      ['a', 'b', 'c'],
    ]
    expect(new Set(roots.map(merkleRoot)).size).toBe(roots.length)
    const lines = ['a€', '', 'é'.repeat(500), 'b', '\u{1f600}']
    expect(merkleRoot(lines.map((line) => Buffer.from(line)))).toBe(merkleRoot(lines))
    const inPieces = lines.map((line) => [line.slice(0, 2), Buffer.from(line.slice(2)), ''])
    expect(merkleRoot(inPieces)).toBe(merkleRoot(lines))
    expect(merkleRoot([''])).toBe(
      '0x6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    )
  })
})

describe('requirement set', () => {
  test('is the same in any order, and different after a change of any word', () => {
    const [first, ...rest] = exampleClauses
    expect(requirementSet([...rest, first!])).toEqual(requirementSet(exampleClauses))
    const reworded = [{ ...first!, text: `${first!.text} ` }, ...rest]
    expect(requirementSet(reworded).sha256).not.toBe(requirementSet(exampleClauses).sha256)
    expect(requirementSet().name).toMatch(/^requirements\/[0-9a-f]{8}$/)
    expect(checkSet(plan(cleanRun)).sha256).not.toBe(checkSet(plan(exampleRun)).sha256)
  })
  test('canonical JSON has one form', () => {
    expect(canonicalJson({ b: [1, { d: undefined, c: 'é"' }], a: null })).toBe(
      '{"a":null,"b":[1,{"c":"é\\""}]}',
    )
  })
})

describe('challenge', () => {
  const ids = Array.from({ length: 200 }, (_, i) => `rpc.${i}`)
  const results = (some: readonly string[], verdict: CheckFinished['verdict']) =>
    some.map((id) => ({ ...cleanRun.find(isCheck)!, id, verdict }))

  test('selects a few, different ones for each nonce, and at least one', () => {
    expect(sampleOf(ids, 5, 'a')).toHaveLength(10)
    expect(sampleOf(ids, 5, 'a')).toEqual(sampleOf([...ids].reverse(), 5, 'a'))
    expect(sampleOf(ids, 5, 'a')).not.toEqual(sampleOf(ids, 5, 'b'))
    expect(sampleOf(ids.slice(0, 3), 1, 'a')).toHaveLength(1)
  })
  test('is valid only if all of them pass again', async () => {
    const ask = (verdict: CheckFinished['verdict'], missing = 0) =>
      challenge(ids, {
        percent: 5,
        nonce: 'n',
        rerun: async (some) => results(some.slice(missing), verdict),
      })
    expect((await ask('passed')).ok).toBe(true)
    for (const refused of [await ask('failed'), await ask('untestable'), await ask('passed', 1)])
      expect(refused.ok).toBe(false)
    expect((await ask('passed', 1)).says).toContain('did not report')
  })
})
