import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { type ReplaceOptions, replaceFile, syncDirectory } from 'polgate-lib/files/replaceFile.ts'
import { Address } from 'polgate-protocol/scalars.ts'
import { maxMembers } from './roster.ts'
import { Signed, validatorOf } from './signed.ts'
import { ThresholdError } from './thresholdError.ts'

const Hex32 = Type.String({ pattern: '^[0-9a-f]{64}$' })

/** What a member keeps of a run. Without confirmations the run was not completed. */
export const StoredShare = Type.Object({
  version: Type.Literal(1),
  session: Hex32,
  needed: Type.Integer(),
  members: Type.Array(Type.Object({ address: Address, publicKey: Hex32 }), {
    maxItems: maxMembers,
  }),
  place: Type.Integer({ minimum: 1, maximum: maxMembers }),
  share: Hex32,
  commitments: Type.Array(Hex32, { maxItems: maxMembers }),
  confirmations: Type.Optional(Type.Array(Signed, { maxItems: maxMembers })),
})
export type StoredShare = Static<typeof StoredShare>
const readStored = validatorOf(StoredShare)

/** The share of one member on disk, readable by its account alone. It is not encrypted there. */
export type ShareFile = {
  /** The completed share, or else that of the last run; undefined when there is none. */
  read(): Promise<StoredShare | undefined>
  /** Keeps the share of a run that others may still refuse; replaces that of an earlier run. */
  keep(share: StoredShare): Promise<void>
  /**
   * Keeps a completed share for good. The same one again changes nothing.
   *
   * @throws ThresholdError `state` when another one is there: what was sealed to it must stay openable
   */
  complete(share: StoredShare): Promise<void>
}

/** In `directory`, under the member's address. Every write is whole or not at all. */
export function shareFile(directory: string, address: Address): ShareFile {
  const path = join(directory, `${address.toLowerCase()}.json`)
  const pending = join(directory, `${address.toLowerCase()}.pending.json`)

  return {
    async read() {
      return (await load(path)) ?? (await load(pending))
    },
    async keep(share) {
      await write(directory, pending, share)
    },
    async complete(share) {
      try {
        await write(directory, path, share, { exclusive: true })
      } catch (cause) {
        const there = await load(path)
        if (there === undefined) throw cause
        if (there.session !== share.session || there.share !== share.share)
          throw stateError('the share of another key is there', cause)
      }
      await rm(pending, { force: true })
      await syncDirectory(directory)
    },
  }
}

async function load(path: string): Promise<StoredShare | undefined> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw stateError('the share cannot be read', cause)
  }
  try {
    return readStored(JSON.parse(text))
  } catch {
    // The cause would repeat a piece of the share.
    throw stateError('the file of the share is damaged')
  }
}

async function write(
  directory: string,
  path: string,
  share: StoredShare,
  options: ReplaceOptions = {},
): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    await replaceFile(path, `${JSON.stringify(share)}\n`, { mode: 0o600, ...options })
  } catch (cause) {
    throw stateError('the share cannot be written', cause)
  }
}

const stateError = (message: string, cause?: unknown) =>
  new ThresholdError('state', message, {
    hint: 'Look at the directory of shares; restore it from a backup rather than empty it.',
    cause,
  })
