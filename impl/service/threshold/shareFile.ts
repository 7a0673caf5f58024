import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Type } from '@sinclair/typebox'
import { type ReplaceOptions, replaceFile, syncDirectory } from 'polgate-lib/files/replaceFile.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import { type HolderState, StoredState } from './holderState.ts'
import { validatorOf } from './signed.ts'
import { StoredShare } from './storedShare.ts'
import { ThresholdError } from './thresholdError.ts'

const readStored = validatorOf(Type.Union([StoredShare, StoredState]))

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
  /** The completed share with the progress of a resharing; empty if there is none. */
  state(): Promise<HolderState>
  /** Replaces the state as a whole, so that a crash leaves the old or the new one. */
  replace(state: HolderState): Promise<void>
  /** Keeps a copy of the stored file under another name. @returns its path, if there is a file */
  setAside(): Promise<string | undefined>
}

/** Stored in `directory`, under the member's address. Writes are atomic. */
export function shareFile(directory: string, address: Address): ShareFile {
  const path = join(directory, `${address.toLowerCase()}.json`)
  const pending = join(directory, `${address.toLowerCase()}.pending.json`)
  let swept: Promise<void> | undefined
  const ready = () => {
    swept ??= sweep(directory, [path, pending])
    return swept
  }
  const state = async (): Promise<HolderState> => {
    await ready()
    const stored = await load(path)
    if (stored?.version === 2) return stored
    return { version: 2, ...(stored === undefined ? {} : { active: stored }), abandoned: [] }
  }

  return {
    state,
    async replace(next) {
      await ready()
      await write(directory, path, next)
      if (next.active !== undefined) await rm(pending, { force: true })
    },
    async setAside() {
      const copy = `${path}.replaced-${Date.now()}`
      try {
        await replaceFile(copy, await readFile(path), { mode: 0o600, exclusive: true })
        return copy
      } catch (cause) {
        if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw stateError('the stored share cannot be set aside', cause)
      }
    },
    async read() {
      const { active } = await state()
      if (active !== undefined) return active
      const stored = await load(pending)
      return stored?.version === 1 ? stored : undefined
    },
    async keep(share) {
      await ready()
      await write(directory, pending, share)
    },
    async complete(share) {
      const before = await state()
      try {
        if (before.active === undefined && before.abandoned.length > 0)
          await write(directory, path, { ...before, active: share })
        else await write(directory, path, share, { exclusive: true })
      } catch (cause) {
        const { active } = await state()
        if (active === undefined) throw cause
        if (active.session !== share.session || active.share !== share.share)
          throw stateError('the share of another key already exists', cause)
      }
      await rm(pending, { force: true })
      await syncDirectory(directory)
    },
  }
}

/**
 * Deletes the drafts of writes that a crash has interrupted: they contain shares, which would
 * otherwise outlive their epoch. One process at a time uses the directory for this member.
 */
async function sweep(directory: string, paths: readonly string[]): Promise<void> {
  const heads = paths.map((path) => `.${basename(path)}.`)
  const names = await readdir(directory).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return []
    throw stateError('the directory of shares cannot be read', cause)
  })
  for (const name of names)
    if (name.endsWith('.part') && heads.some((head) => name.startsWith(head)))
      await rm(join(directory, name), { force: true })
}

async function load(path: string): Promise<StoredShare | HolderState | undefined> {
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
  content: StoredShare | HolderState,
  options: ReplaceOptions = {},
): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    await replaceFile(path, `${JSON.stringify(content)}\n`, { mode: 0o600, ...options })
  } catch (cause) {
    throw stateError('the share cannot be written', cause)
  }
}

const stateError = (message: string, cause?: unknown) =>
  new ThresholdError('state', message, {
    hint: 'Check the directory of shares; restore it from a backup instead of emptying it.',
    cause,
  })
