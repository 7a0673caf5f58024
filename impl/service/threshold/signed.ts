import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Ajv, type ValidateFunction } from 'ajv'
import { framed } from './group.ts'
import { type Identity, type Member, maxMembers } from './roster.ts'
import { ThresholdError } from './thresholdError.ts'

/** Maximum size of a signed body: encrypted shares for the largest roster, with a margin. */
const maxBody = 128 * 1024

/** A member's message. The text itself is signed, so that no canonical form is needed. */
export const Signed = Type.Object({
  body: Type.String({ maxLength: maxBody }),
  /** Ed25519, hex. */
  signature: Type.String({ pattern: '^[0-9a-f]{128}$' }),
})
export type Signed = Static<typeof Signed>

const ajv = new Ajv({ allErrors: false, ownProperties: true })

/** A validator whose errors contain member names, never values. */
export function validatorOf<T extends TSchema>(schema: T): (value: unknown) => Static<T> {
  // Compiled on first use: only threshold mode needs it.
  let validate: ValidateFunction<Static<T>> | undefined
  return (value) => {
    validate ??= ajv.compile<Static<T>>(schema)
    if (validate(value)) return value
    const { instancePath = '', message = 'is malformed' } = validate.errors?.[0] ?? {}
    throw new ThresholdError('run', `${instancePath.slice(1) || 'message'} ${message}`)
  }
}

/** A kind of message; its name is signed, so that no message can be used as another kind. */
export type Kind<T> = { readonly name: string; readonly read: (value: unknown) => T }

export const kindOf = <T extends TSchema>(name: string, schema: T): Kind<Static<T>> => ({
  name,
  read: validatorOf(schema),
})

const signedBytes = (kind: string, context: Uint8Array, body: string): Uint8Array =>
  framed('threshold message 1', Buffer.from(kind), context, Buffer.from(body, 'utf8'))

/** `context` is the digest of the session. */
export function signMessage<T>(
  kind: Kind<T>,
  context: Uint8Array,
  message: T,
  identity: Pick<Identity, 'sign'>,
): Signed {
  const body = JSON.stringify(message)
  const signature = identity.sign(signedBytes(kind.name, context, body))
  return { body, signature: Buffer.from(signature).toString('hex') }
}

/** @throws ThresholdError `dealer` with the member */
export function readMessage<T>(
  kind: Kind<T>,
  context: Uint8Array,
  signed: Signed,
  member: Member,
): T {
  const refuse = (what: string, cause?: unknown): never => {
    throw new ThresholdError('dealer', `${member.address} sent ${what} (${kind.name})`, {
      hint: 'Check this operator and the gateway that relays its messages.',
      cause,
    })
  }
  if (!verified(signedBytes(kind.name, context, signed.body), signed.signature, member.publicKey))
    refuse('a message that it has not signed for this session')
  try {
    return kind.read(JSON.parse(signed.body))
  } catch (cause) {
    return refuse('a message that cannot be read', cause)
  }
}

/** The prefix of an Ed25519 public key in DER (RFC 8410). */
const spkiHead = Buffer.from('302a300506032b6570032100', 'hex')

/** Loaded keys of members: loading one takes as long as a verification. */
const loaded = new Map<string, KeyObject>()

function publicKeyOf(hex: string): KeyObject {
  const known = loaded.get(hex)
  if (known !== undefined) return known
  const der = Buffer.concat([spkiHead, Buffer.from(hex, 'hex')])
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  if (loaded.size >= 2 * maxMembers) loaded.clear()
  loaded.set(hex, key)
  return key
}

function verified(message: Uint8Array, signature: string, publicKey: string): boolean {
  try {
    return verify(null, message, publicKeyOf(publicKey), Buffer.from(signature, 'hex'))
  } catch {
    return false
  }
}
