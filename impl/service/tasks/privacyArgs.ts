import type { CreateTaskParams } from 'polgate-protocol/methods/createTask.ts'
import type { Address, Data } from 'polgate-protocol/scalars.ts'
import { invalidFormat } from 'polgate-protocol/serviceError.ts'
import { parseEnvelope } from '../envelopes/envelope.ts'
import { EnvelopeError } from '../envelopes/envelopeError.ts'
import type { FingerprintQueries } from '../store/envelopeFingerprints.ts'
import { formatTree, parseTree, type Tree } from './numberLeaves.ts'

/** The reserved member of `wasm_args`: ephemeral envelopes by name (section 4.10). */
const reserved = '_privacy'
const maxEnvelopes = 8
const nameForm = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/

export type SplitArgs = {
  /** Hex, without the reserved member: what oracles, stores and chain see. */
  readonly wasmArgs: Data
  readonly privacy: Readonly<Record<string, string>>
}

/**
 * Takes the ephemeral envelopes out of `wasm_args`. Arguments without them stay unchanged, whatever
 * they contain.
 *
 * @param hex of UTF-8
 * @throws ServiceError -32602 for envelopes of another form, and for their text in anything but a
 * JSON object
 */
export function splitPrivacy(hex: Data): SplitArgs {
  const text = Buffer.from(hex.slice(2), 'hex').toString('utf8')
  if (!mayContain(text)) return { wasmArgs: hex, privacy: {} }
  const tree = treeOf(text)
  if (!(tree instanceof Map) || !tree.has(reserved)) {
    if (text.includes(`"${reserved}"`) && tree === undefined)
      throw invalidFormat(`wasm_args with ${reserved} is not JSON, or nested too deeply`)
    return { wasmArgs: hex, privacy: {} }
  }
  const privacy = envelopesOf(tree.get(reserved))
  const rest = new Map([...tree].filter(([name]) => name !== reserved))
  return { wasmArgs: `0x${Buffer.from(formatTree(rest)).toString('hex')}`, privacy }
}

/** A name can be written with escapes. */
const mayContain = (text: string): boolean => text.includes(reserved) || text.includes('\\u')

function treeOf(text: string): Tree | undefined {
  try {
    return parseTree(text)
  } catch {
    return undefined
  }
}

function envelopesOf(given: Tree | undefined): Readonly<Record<string, string>> {
  if (!(given instanceof Map)) throw invalidFormat(`wasm_args.${reserved} is not an object`)
  if (given.size > maxEnvelopes)
    throw invalidFormat(`wasm_args.${reserved} has more than ${maxEnvelopes} members`)
  for (const [name, envelope] of given) {
    if (!nameForm.test(name))
      throw invalidFormat(`a name in wasm_args.${reserved} is not a name of up to 64 characters`)
    if (typeof envelope !== 'string')
      throw invalidFormat(`wasm_args.${reserved}.${name} is not an envelope in a string`)
  }
  return Object.fromEntries(given as ReadonlyMap<string, string>)
}

/** @throws ServiceError -32602 for an envelope that no operator would open for this client */
export function requireSealedFor(policyClient: Address, { privacy }: SplitArgs): void {
  for (const [name, envelope] of Object.entries(privacy)) {
    const member = `wasm_args.${reserved}.${name}`
    const { policy_client: sealedFor, bound_use } = parsed(member, envelope)
    if (bound_use !== undefined && bound_use !== 'ephemeral')
      throw invalidFormat(`${member}: bound_use is ${bound_use}, not ephemeral`)
    if (sealedFor.toLowerCase() !== policyClient.toLowerCase())
      throw invalidFormat(`${member}: policy_client is not that of the task`)
  }
}

/**
 * Data of one task is not stored anywhere: what was ever submitted for storage is somebody's secrets or sealed data
 * (decision K17).
 *
 * @throws ServiceError -32602
 */
export async function requireNeverSubmitted(
  fingerprints: Pick<FingerprintQueries, 'wasSubmitted'>,
  { privacy }: Pick<SplitArgs, 'privacy'>,
): Promise<void> {
  const envelopes = Object.values(privacy)
  if (envelopes.length > 0 && (await fingerprints.wasSubmitted(envelopes)))
    throw invalidFormat(
      `wasm_args.${reserved}: an envelope was submitted for storage; seal the data again for the task`,
    )
}

function parsed(member: string, envelope: string) {
  try {
    return parseEnvelope(envelope)
  } catch (error) {
    if (error instanceof EnvelopeError) throw invalidFormat(`${member}: ${error.message}`)
    throw error
  }
}

/** The member of a stored request that says that ephemeral envelopes were taken out of it. */
const takenOut = reserved

/** A request as it is stored: envelopes of one task are never stored. */
export function storedRequest(request: CreateTaskParams, { wasmArgs, privacy }: SplitArgs): object {
  const { [takenOut]: _, ...rest } = request as CreateTaskParams & { [takenOut]?: unknown }
  if (Object.keys(privacy).length === 0) return rest
  return { ...rest, wasm_args: wasmArgs, [takenOut]: Object.keys(privacy).length }
}

/** Whether a stored request had envelopes, which no other process has. */
export const hadPrivacy = (stored: unknown): boolean =>
  typeof stored === 'object' && stored !== null && Object.hasOwn(stored, takenOut)
