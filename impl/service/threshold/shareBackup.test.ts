import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEncryptionKey, type EncryptionKey } from '../envelopes/encryptionKey.ts'
import { groupOf, makeKey } from './keyGeneration.fixture.ts'
import { generate, lifecycleOf, operatorsOf, startAll } from './lifecycle.fixture.ts'
import { reshareKey } from './reshareKey.ts'
import { restoreShare, shareToBackUp } from './restoreShare.ts'
import { openBackup, readBackup, type ShareBackup, sealBackup } from './shareBackup.ts'
import { shareFile } from './shareFile.ts'
import { type StoredShare, storedForm } from './storedShare.ts'

const passphrase = 'correct horse battery staple'
const cost = 14
let stored: StoredShare
let other: StoredShare
let key: EncryptionKey
beforeAll(async () => {
  key = (await createEncryptionKey()).key
  const group = groupOf(2, 2)
  const [one, another] = [await makeKey(group), await makeKey(group)]
  const of = ({ shares, certificate }: typeof one) => ({
    ...storedForm(shares[0]!),
    confirmations: certificate.confirmations,
  })
  stored = of(one)
  other = of(another)
})

describe('a backup', () => {
  it.each(['key', 'passphrase'] as const)(
    'opens with its %s only, and shows no share',
    async (kind) => {
      const to = kind === 'key' ? { publicKey: key.publicKey } : { passphrase, cost }
      const right = kind === 'key' ? { key } : { passphrase }
      const wrong =
        kind === 'key'
          ? { key: (await createEncryptionKey()).key }
          : { passphrase: `${passphrase}.` }
      const backup = await sealBackup(stored, to, randomBytes)
      const text = JSON.stringify(backup)
      expect(text).not.toContain(stored.share)
      const read = readBackup(JSON.parse(text))
      expect(await openBackup(read, right)).toEqual(stored)
      await expect(openBackup(read, wrong)).rejects.toMatchObject({ code: 'open' })
      const otherKind = kind === 'key' ? { passphrase } : { key }
      await expect(openBackup(read, otherKind)).rejects.toThrow(`the backup is sealed to a ${kind}`)
    },
  )

  it('cannot be changed in any part', async () => {
    const backup = await sealBackup(stored, { publicKey: key.publicKey }, randomBytes)
    const { header, sealed } = backup
    const changes: ShareBackup[] = [
      { header, sealed: `${sealed.slice(0, -2)}${sealed.endsWith('00') ? '01' : '00'}` },
      { header: { ...header, epoch: 2 }, sealed },
      { header: { ...header, session: 'cd'.repeat(32) }, sealed },
      { header: { ...header, publicKey: 'ab'.repeat(32) }, sealed },
      { header: { ...header, address: `0x${'9'.repeat(40)}` }, sealed },
    ]
    for (const changed of changes)
      await expect(openBackup(changed, { key })).rejects.toMatchObject({ code: 'open' })
  })

  it('is refused for a short passphrase, an invalid recipient and an incomplete share', async () => {
    const seal = (to: Parameters<typeof sealBackup>[1], share = stored) =>
      sealBackup(share, to, randomBytes)
    await expect(seal({ passphrase: 'short', cost })).rejects.toThrow('at least 12 characters')
    await expect(seal({ publicKey: 'ab' })).rejects.toThrow('64 hex digits')
    const { confirmations: _, ...incomplete } = stored
    await expect(seal({ publicKey: key.publicKey }, incomplete)).rejects.toThrow('not complete')
    for (const value of [undefined, {}, { header: {}, sealed: '00' }])
      expect(() => readBackup(value)).toThrow('not a backup of a share')
  })
})

describe('a restore', () => {
  let directory: string
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'svc-backup-'))
  })
  afterEach(() => rm(directory, { recursive: true, force: true }))
  const member = () => stored.members[0]!
  const file = () => shareFile(directory, member().address)
  const path = () => join(directory, `${member().address.toLowerCase()}.json`)
  const restore = (share: StoredShare, said: object = {}) =>
    restoreShare(share, { file: file(), member: member(), ...said })

  it('stores the share where there is none, or a damaged one, which is set aside', async () => {
    expect(await restore(stored)).toEqual({ outcome: 'restored', setAside: undefined })
    expect(await restore(stored)).toEqual({ outcome: 'unchanged', setAside: undefined })
    await writeFile(path(), '{"version":')
    const { setAside } = await restore(stored)
    expect(await readFile(setAside!, 'utf8')).toBe('{"version":')
    expect(await file().read()).toEqual(stored)
  })

  it('of another key has to be asked for, and keeps what it replaces', async () => {
    await restore(stored)
    await expect(restore(other)).rejects.toThrow('a share of another key')
    const known = [{ publicKey: 'ab'.repeat(32), epoch: 1 }]
    await expect(restore(other, { known, olderEpoch: true })).rejects.toThrow('another key')
    const { setAside } = await restore(other, { anotherKey: true, known })
    expect(await readFile(setAside!, 'utf8')).toContain(stored.share)
    expect(await file().read()).toEqual(other)
  })

  it('is refused for another member', async () => {
    const { address } = stored.members[1]!
    await expect(
      restoreShare(stored, { file: shareFile(directory, address), member: { address } }),
    ).rejects.toThrow(`the backup is not of ${address}`)
    expect(await readdir(directory)).toEqual([])
  })

  it('of an older epoch has to be asked for, also where the own share is lost', async () => {
    const operators = operatorsOf(directory, { all: 2, needed: 2 })
    const members = startAll(operators)
    await generate(operators, members)
    const [first] = operators.identities
    const own = () => shareFile(directory, first!.address)
    const old = await shareToBackUp(own())
    await reshareKey(lifecycleOf(operators, members))
    const { publicKey, epoch } = (await reshareKey(lifecycleOf(operators, members))).key
    const again = (said: object = {}) => restoreShare(old, { file: own(), member: first!, ...said })
    await expect(again()).rejects.toMatchObject({
      message: 'this operator has epoch 3, the backup has epoch 1',
      hint: expect.stringContaining('polgate key recover'),
    })
    await expect(again({ anotherKey: true })).rejects.toThrow('epoch 3')
    await rm(join(directory, `${first!.address.toLowerCase()}.json`))
    const known = [{ publicKey, epoch }]
    await expect(again({ known })).rejects.toThrow('the operators have epoch 3')
    expect((await again({ known, olderEpoch: true })).outcome).toBe('restored')
  })
})
