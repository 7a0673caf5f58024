import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { type ReplaceOptions, replaceFile, syncDirectory } from 'polgate-lib/files/replaceFile.ts'
import { Address } from 'polgate-protocol/scalars.ts'
import { maxMembers } from './roster.ts'
import { Signed, validatorOf } from './signed.ts'
import { ThresholdError } from './thresholdError.ts'

const Hex32 = Type.String({ pattern: '^[0-9a-f]{64}$' })

/** The stored result of a run. Without confirmations the run was not completed. */
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

/** The share of one member on disk, readable by its account only. It is not encrypted. */
export type ShareFile = {
  /** The completed share, else that of the last run; undefined if there is none. */
  read(): Promise<StoredShare | undefined>
  /** Stores the share of a run that may still fail; replaces that of an earlier run. */
  keep(share: StoredShare): Promise<void>
  /**
   * Stores a completed share permanently. Storing the same one again changes nothing.
   *
   * @throws ThresholdError `state` if there is another one: data sealed to it must stay decryptable
   */
  complete(share: StoredShare): Promise<void>
}

/** Stored in `directory`, under the member's address. Writes are atomic. */
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
          throw stateError('the share of another key already exists', cause)
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
    // The cause would contain part of the share.
    throw stateError('the share file is damaged')
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
    hint: 'Check the directory of shares; restore it from a backup instead of emptying it.',
    cause,
  })
