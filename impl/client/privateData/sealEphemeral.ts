import { getPrivacyPublicKey } from '../actions/getPrivacyPublicKey.ts'
import { chainIdOf } from '../client/chainIdOf.ts'
import type { CallOptions } from '../client/connection.ts'
import type { BaseClient } from '../client/createBaseClient.ts'
import { InvalidOptionsError } from '../errors/accessErrors.ts'
import type { Hex } from '../hex.ts'
import { hexOf } from '../sealing/bytes.ts'
import { boundWhere } from '../sealing/envelopeBinding.ts'
import { sealEnvelope } from '../sealing/sealEnvelope.ts'

export type SealEphemeralOptions = {
  /** Of the task: the data opens for its operators only. */
  readonly policyClient: Hex
  /** One to eight objects; the policy reads each as `data.privacy.<name>`. */
  readonly data: Readonly<Record<string, object>>
  /** Arguments of the oracles, which do not see the data; default none. */
  readonly wasmArgs?: Readonly<Record<string, unknown>> | undefined
  /** Default: the chain of the client. */
  readonly chainId?: number | undefined
}

/** The reserved member of `wasm_args`, which is removed before oracles see them. */
const reserved = '_privacy'
const most = 8
/** Of `wasm_args` as a whole (decisions, section 9). */
const mostBytes = 64 * 1024

function jsonOf(what: string, value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch {
    // The cause may quote the data.
    throw new InvalidOptionsError(`${what} cannot be written as JSON.`, 'Pass plain values.')
  }
}

/**
 * Seals data of one task to the privacy key, and returns `wasm_args` of that task which contain it. Operators open it
 * together for this evaluation and store it nowhere. An envelope fits any task of this client: put what must not
 * be used twice, such as a deadline or a nonce, into the data, and let the policy check it. Needs RpcRead.
 *
 * @returns hex of JSON: pass it to `createTask` or `sendTask`
 * @throws InvalidOptionsError without the data; others by cause
 */
export async function sealEphemeral(
  client: BaseClient,
  { policyClient, data, wasmArgs = {}, chainId }: SealEphemeralOptions,
  options?: CallOptions,
): Promise<Hex> {
  const chain = chainIdOf(client, chainId)
  const entries = Object.entries(data)
  if (entries.length === 0 || entries.length > most)
    throw new InvalidOptionsError(
      `There are ${entries.length} objects to seal.`,
      `Pass one to ${most} of them.`,
    )
  for (const [name, value] of entries) {
    if (!/^[A-Za-z_]\w{0,63}$/.test(name))
      throw new InvalidOptionsError(
        'A name of the data is not one that policies can read.',
        'Use letters, digits and _, at most 64: data.privacy.<name>.',
      )
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new InvalidOptionsError(`The data ${name} is not an object.`, 'Pass an object.')
  }
  if (Object.hasOwn(wasmArgs, reserved))
    throw new InvalidOptionsError(
      `wasmArgs have the reserved member ${reserved}.`,
      'Pass what is sealed as data.',
    )
  const key = await getPrivacyPublicKey(client, {}, options)
  const envelopes = await Promise.all(
    entries.map(async ([name, value]) => {
      const plaintext = new TextEncoder().encode(jsonOf(`The data ${name}`, value))
      const envelope = await sealEnvelope({
        ...{ plaintext, policyClient, chainId: chain, recipientPublicKey: key.public_key },
        proven: true,
        binding: boundWhere(key, { use: 'ephemeral' }),
      })
      plaintext.fill(0)
      return [name, envelope] as const
    }),
  )
  const args = { ...wasmArgs, [reserved]: Object.fromEntries(envelopes) }
  const bytes = new TextEncoder().encode(jsonOf('The arguments', args))
  if (bytes.length > mostBytes)
    throw new InvalidOptionsError(
      `The arguments with the sealed data have ${bytes.length} bytes.`,
      `wasm_args have at most ${mostBytes}, and sealing doubles the data.`,
    )
  return `0x${hexOf(bytes)}`
}
