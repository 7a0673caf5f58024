import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { AppError } from 'polgate-lib/errors/appError.ts'
import { replaceFile } from 'polgate-lib/files/replaceFile.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import { loadEncryptionKey } from 'polgate-service/envelopes/encryptionKey.ts'
import type { KnownEpoch } from 'polgate-service/threshold/restoreShare.ts'
import { restoreShare, shareToBackUp } from 'polgate-service/threshold/restoreShare.ts'
import { openBackup, readBackup, sealBackup } from 'polgate-service/threshold/shareBackup.ts'
import { shareFile } from 'polgate-service/threshold/shareFile.ts'
import { CommandError } from '../commandDefinition.ts'
import { findStack } from '../stack/findStack.ts'
import { requestKey } from './keySource.ts'
import { operatorAddress } from './operatorAddress.ts'

type ShareOptions = {
  readonly target?: string
  readonly directory?: string
  readonly passphraseFile?: string
  readonly json?: boolean
}
export type BackupOptions = ShareOptions & { readonly out: string; readonly recipient?: string }
export type RestoreOptions = ShareOptions & {
  readonly privateKeyFile?: string
  readonly olderEpoch?: boolean
  readonly anotherKey?: boolean
}

/** `polgate key backup`. @throws CommandError */
export const backupShare = (operator: string, options: BackupOptions): Promise<void> =>
  asCommand(async () => {
    const { recipient, passphraseFile, out } = options
    if ((recipient === undefined) === (passphraseFile === undefined))
      throw new CommandError('a backup needs either --recipient or --passphrase-file', {
        hint: 'Pass one: a public key, or a file with a passphrase in its first line.',
      })
    const { directory, address } = await placeOf(operator, options)
    const to =
      recipient === undefined
        ? { passphrase: await secretIn(passphraseFile as string) }
        : { publicKey: recipient.toLowerCase().replace(/^0x/, '') }
    const backup = await sealBackup(
      await shareToBackUp(shareFile(directory, address)),
      to,
      randomBytes,
    )
    await replaceFile(out, `${JSON.stringify(backup, null, 2)}\n`, { mode: 0o600, exclusive: true })
    const { publicKey, epoch } = backup.header
    const machine = { file: out, address, publicKey, epoch }
    print(options, machine, `${out}: share of ${address}, epoch ${epoch} of key ${publicKey}`)
  })

/** `polgate key restore`. @throws CommandError */
export const restoreFromFile = (
  operator: string,
  file: string,
  options: RestoreOptions,
): Promise<void> =>
  asCommand(async () => {
    const { privateKeyFile, passphraseFile, olderEpoch = false, anotherKey = false } = options
    if ((privateKeyFile === undefined) === (passphraseFile === undefined))
      throw new CommandError('a restore needs either --private-key-file or --passphrase-file', {
        hint: 'Pass the one that belongs to what the backup was made with.',
      })
    const { directory, address, known } = await placeOf(operator, options)
    const backup = readBackup(await jsonIn(file))
    const stored = await openBackup(
      backup,
      privateKeyFile === undefined
        ? { passphrase: await secretIn(passphraseFile as string) }
        : { key: await loadEncryptionKey(await secretIn(privateKeyFile)) },
    )
    const { outcome, setAside } = await restoreShare(stored, {
      file: shareFile(directory, address),
      ...{ member: { address }, known, olderEpoch, anotherKey },
    })
    const { epoch } = backup.header
    const replaced = setAside === undefined ? '' : `; the share before is in ${setAside}`
    const said = outcome === 'unchanged' ? 'holds this share already' : 'has its share again'
    print(
      options,
      { address, epoch, outcome, setAside: setAside ?? null },
      `${address} ${said}, epoch ${epoch}${replaced}`,
    )
  })

type Place = {
  readonly directory: string
  readonly address: Address
  /** What the operators of a running stack use. */
  readonly known: readonly KnownEpoch[]
}

async function placeOf(operator: string, options: ShareOptions): Promise<Place> {
  const { directory, target } = options
  if (directory !== undefined)
    return { directory, address: operatorAddress(operator, []), known: [] }
  const { stack } = await findStack(target)
  const report = await requestKey(stack.controlUrl, { action: 'status' })
  const { publicKey, epoch } = report
  if (report.directory === null)
    throw new CommandError('the stack does not say where its shares are', {
      hint: 'Pass --directory.',
    })
  return {
    directory: report.directory,
    address: operatorAddress(operator, report.operators),
    known: publicKey === null || epoch === null ? [] : [{ publicKey, epoch }],
  }
}

/** The first line of a file, never shown. */
async function secretIn(path: string): Promise<string> {
  const [line = ''] = (await textIn(path)).split(/\r?\n/)
  if (line === '')
    throw new CommandError(`${path} is empty`, { hint: 'Its first line must be the secret.' })
  return line
}

async function jsonIn(path: string): Promise<unknown> {
  const text = await textIn(path)
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const textIn = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch((cause) => {
    throw new CommandError(`Cannot read ${path}`, { hint: 'Check the path.', cause })
  })

/** Errors of the key name members and epochs, never a share. */
async function asCommand(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof CommandError) throw error
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new CommandError('the file of --out exists already', {
        hint: 'Choose another name; a backup is not overwritten.',
        cause: error,
      })
    if (!(error instanceof AppError)) throw error
    const { message, hint } = error
    throw new CommandError(message, {
      hint: hint ?? 'polgate key status shows the shares.',
      cause: error,
    })
  }
}

function print({ json }: ShareOptions, machine: object, person: string): void {
  console.log(json ? JSON.stringify(machine) : person)
}
