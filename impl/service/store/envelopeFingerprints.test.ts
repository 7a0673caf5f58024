import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines } from './engines.fixture.ts'
import { migrate, migrateTo } from './migrate.ts'
import type { Store } from './openStore.ts'
import { openEmptyStore } from './testing/openEmptyStore.ts'

const client = `0x${'aa'.repeat(20)}` as const
let made = 0
const byte = (n: number) => (n % 256).toString(16).padStart(2, '0')
/** An envelope with its own `enc` and `ciphertext`. */
function envelope(change: Record<string, unknown> = {}): string {
  made += 1
  return JSON.stringify({
    ...{ enc: `${byte(made)}00`.repeat(16), ciphertext: `${byte(made)}ff`.repeat(16) },
    ...{ policy_client: client, chain_id: 1, recipient_pubkey: 'ef'.repeat(32), ...change },
  })
}
const reference = () => `0x${byte(made).repeat(32)}` as const

describe.each(engines)('fingerprints of envelopes on the $name engine', ({ url }) => {
  let store: Store
  beforeAll(async () => {
    store = await openEmptyStore(url)
  })
  afterAll(() => store.close())

  const scopeOf = (n: number) => ({
    ...{ policyClient: client, policyDataAddress: `0x${byte(n).repeat(20)}` as const },
  })
  const putSecrets = (sent: string, n = 1) => store.secrets.put(scopeOf(n), sent)
  const keepIdentity = (sent: string, dataRefId = reference()) =>
    store.sealedData.keepIdentity(
      { dataRefId, keyId: 'key' },
      { identityOwner: client, identityDomain: reference(), chainId: 1, envelope: sent },
    )
  const keepConfidential = (sent: string, dataRefId = reference()) =>
    store.sealedData.keepConfidential(
      { dataRefId, keyId: 'key' },
      { provider: client, domain: reference(), dataType: 'list', chainId: 1, envelope: sent },
    )

  it('are of what was submitted or stored, and of nothing else', async () => {
    const { fingerprints } = store
    const [fresh, submitted, one, two, three] = Array.from({ length: 5 }, () => envelope())
    await fingerprints.recordSubmitted(submitted!)
    await fingerprints.recordSubmitted(submitted!)
    await putSecrets(one!)
    await putSecrets(envelope())
    await keepIdentity(two!)
    await keepConfidential(three!)
    for (const sent of [submitted!, one!, two!, three!])
      expect(await fingerprints.wasSubmitted([fresh!, sent])).toBe(true)
    expect(await fingerprints.wasSubmitted([fresh!])).toBe(false)
    expect(await fingerprints.wasSubmitted([])).toBe(false)
    const { enc } = JSON.parse(one!)
    const { ciphertext } = JSON.parse(two!)
    expect(await fingerprints.wasSubmitted([envelope({ enc })])).toBe(true)
    expect(await fingerprints.wasSubmitted([envelope({ ciphertext })])).toBe(true)
    expect(await fingerprints.wasSubmitted([envelope({ enc: ciphertext })])).toBe(false)
  })

  it('let an envelope be stored again for its use, also if it was submitted for another before', async () => {
    const sent = envelope()
    await store.fingerprints.recordSubmitted(sent)
    await putSecrets(sent)
    await putSecrets(sent, 2)
    const identity = envelope()
    expect(await keepIdentity(identity)).toEqual(await keepIdentity(identity))
  })

  it('refuse another use, and store nothing then', async () => {
    const secret = envelope()
    await putSecrets(secret)
    const { enc } = JSON.parse(secret)
    const another = 'already stored for another use'
    for (const sent of [secret, envelope({ enc })]) {
      await expect(keepIdentity(sent)).rejects.toThrow(another)
      await expect(keepConfidential(sent)).rejects.toThrow(another)
      expect(await store.sealedData.identity(reference())).toBeUndefined()
    }
    const identity = envelope()
    await keepIdentity(identity)
    await expect(putSecrets(identity)).rejects.toThrow(another)
    expect(await store.secrets.get(scopeOf(1))).toBe(secret)
  })

  it('give an envelope to one of two uses that store it at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const sent = envelope()
      const ends = await Promise.allSettled([
        putSecrets(sent),
        keepIdentity(sent),
        keepConfidential(sent),
      ])
      expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    }
  })

  it('are made from the rows of an earlier release, whatever these contain', async () => {
    const old = await openEmptyStore(url)
    const { database } = old
    await database.execute(
      'drop table envelope_fingerprints; delete from schema_migrations where id >= 13',
    )
    const rows = Array.from({ length: 230 }, (_, n) =>
      JSON.stringify({ ...JSON.parse(envelope()), enc: n.toString(16).padStart(64, '0') }),
    )
    // PostgreSQL reads neither of these as JSON.
    const odd = envelope({ note: '\ud800', deep: null }).replace(
      'null',
      `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
    )
    for (const [n, sent] of [...rows, odd, '{ "enc" : "é" }', ''].entries()) {
      await database.query(`insert into identity_data values ($1, 'o', 'd', 1, $2, 'key', now())`, [
        `0x${n}`,
        sent,
      ])
    }
    const [secret, confidential, both] = [envelope(), envelope(), envelope()]
    await database.query(
      `insert into secrets values ('a', 'b', $1, now()), ('a', 'c', $2, now())`,
      [secret, both],
    )
    await database.query(
      `insert into confidential_data values ('0x1', 'p', 'd', 't', 1, $1, 'key', now()),
         ('0x2', 'p', 'd', 't', 1, $2, 'key', now())`,
      [confidential, both],
    )
    expect(await migrate(database)).toContain(13)
    for (const sent of [...rows, odd, secret, confidential, both])
      expect(await old.fingerprints.wasSubmitted([sent!])).toBe(true)
    expect(await old.fingerprints.wasSubmitted([envelope()])).toBe(false)
    expect(await database.transaction((tx) => migrateTo(13, tx))).toEqual([])
    await old.close()
  })
})
