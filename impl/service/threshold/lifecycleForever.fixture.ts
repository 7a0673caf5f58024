import { randomBytes, randomInt } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { replaceFile } from 'polgate-lib/files/replaceFile.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import { createEncryptionKey, loadEncryptionKey } from '../envelopes/encryptionKey.ts'
import type { KeyMember } from './keyHolder.ts'
import {
  lifecycleOf,
  type Operators,
  operatorsFrom,
  rosterOf,
  startAll,
} from './lifecycle.fixture.ts'
import { recoverShare } from './recoverShare.ts'
import { requireEpoch, reshareKey } from './reshareKey.ts'
import { restoreShare, shareToBackUp } from './restoreShare.ts'
import { identityOf } from './roster.ts'
import { openBackup, readBackup, sealBackup } from './shareBackup.ts'
import { type ShareFile, shareFile } from './shareFile.ts'

/** What a process repeats. A resharing to `otherRoster` adds one member and removes another. */
export type Operation = 'refresh' | 'otherRoster' | 'recovery' | 'backup'

/** What is the same for the processes of a test: keys in hex, of which the last is not a member. */
export type Setting = { readonly keys: readonly string[]; readonly recipient: string }

export const newSetting = async (operators: number): Promise<Setting> => ({
  keys: Array.from({ length: operators }, () => randomBytes(32).toString('hex')),
  recipient: (await createEncryptionKey()).privateHex,
})

export const needed = 2

export function operatorsIn(directory: string, { keys }: Setting): Operators {
  const identities = keys.map((key, at) => identityOf(`0x${String(at + 1).repeat(40)}`, key))
  return operatorsFrom(directory, identities, { members: keys.length - 1, needed })
}

/** Elsewhere than the shares: an unfinished draft of it is sealed, and may stay. */
export const backupPath = (directory: string): string => join(directory, 'backups', 'backup')

/** Restores the share of a backup as the command does. @returns whether there is a backup */
export async function restoreBackup(directory: string, { recipient }: Setting): Promise<boolean> {
  const text = await readFile(backupPath(directory), 'utf8').catch(() => undefined)
  if (text === undefined) return false
  const backup = readBackup(JSON.parse(text))
  const { address } = backup.header
  const stored = await openBackup(backup, { key: await loadEncryptionKey(recipient) })
  await restoreShare(stored, { file: shareFile(directory, address), member: { address } })
  return true
}

export const shareOf = (directory: string, address: Address): string =>
  join(directory, `${address.toLowerCase()}.json`)

/** When a process kills itself: at a step, or some milliseconds after it. */
export type Kill = { readonly step: number; readonly afterMs: number }
export type Given = {
  readonly directory: string
  readonly setting: Setting
  readonly operation: Operation
  readonly kill: Kill
}

/** Repeats an operation until it kills this process. Each call and each write is two steps. */
export async function repeat(given: string): Promise<never> {
  const { directory, setting, operation, kill } = JSON.parse(given) as Given
  last = kill
  const operators = operatorsIn(directory, setting)
  const { identities } = operators
  for (let run = 0; ; run += 1) {
    const options = lifecycleOf(operators, startAll(operators, observedFile).map(observed))
    const { roster } = await requireEpoch(options)
    const [first, ...others] = identities.filter(isIn(roster))
    const { address } = roster.members[run % roster.members.length]!
    if (operation === 'refresh') await reshareKey(options, 'same')
    if (operation === 'otherRoster') {
      const added = identities.filter((one) => one !== first && !others.includes(one))
      await reshareKey(options, rosterOf([...others, ...added], needed))
    }
    if (operation === 'recovery') {
      await step(() => rm(shareOf(directory, address)))
      await recoverShare(options, address)
    }
    if (operation === 'backup') {
      const key = await loadEncryptionKey(setting.recipient)
      const stored = await shareToBackUp(shareFile(directory, address))
      const backup = await sealBackup(stored, key, randomBytes)
      const path = backupPath(directory)
      await step(() => replaceFile(path, JSON.stringify(backup), { mode: 0o600, exclusive: true }))
      await step(() => rm(shareOf(directory, address)))
      await step(() => restoreBackup(directory, setting))
      await step(() => rm(path))
    }
  }
}

const isIn =
  ({ members }: { readonly members: readonly { readonly address: Address }[] }) =>
  ({ address }: { readonly address: Address }) =>
    members.some((member) => member.address === address)

let last: Kill | undefined
let steps = 0

/** No handler of this process runs after the signal, and no write in progress is completed by it. */
function count(): void {
  steps += 1
  if (steps !== last?.step) return
  const die = () => process.kill(process.pid, 'SIGKILL')
  if (last.afterMs === 0) die()
  else setTimeout(die, last.afterMs)
}

async function step<T>(take: () => Promise<T>): Promise<T> {
  count()
  const made = await take()
  count()
  return made
}

/** Members write at different times, as in processes of their own: a kill falls between two of them. */
const observedFile = (file: ShareFile): ShareFile => ({
  ...file,
  async replace(state) {
    await wait(randomInt(8))
    await step(() => file.replace(state))
  },
})

const observed = (member: KeyMember): KeyMember => ({
  address: member.address,
  status: (signal) => step(() => member.status(signal)),
  generate: (request, signal) => step(() => member.generate(request, signal)),
  complete: (request, signal) => step(() => member.complete(request, signal)),
  open: (request, signal) => step(() => member.open(request, signal)),
  reshare: (request, signal) => step(() => member.reshare(request, signal)),
  settle: (request, signal) => step(() => member.settle(request, signal)),
  recover: (request, signal) => step(() => member.recover(request, signal)),
})
