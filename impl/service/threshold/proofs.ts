import {
  base,
  hashToScalar,
  hexOf,
  type Point,
  type RandomBytes,
  scalarOf,
  scalars,
} from './group.ts'

/** A Schnorr proof as challenge and response, each 64 hex digits. */
export type Proof = { readonly challenge: string; readonly response: string }

/** The statement of a proof: bases, and the image of each under the secret. */
type Statement = readonly { readonly base: Point; readonly image: Point }[]

/** The nonce is also derived from the secret, so that poor randomness does not reveal it. */
function prove(
  label: string,
  context: Uint8Array,
  statement: Statement,
  secret: bigint,
  random: RandomBytes,
): Proof {
  const bytes = bytesOf(statement)
  const nonce = hashToScalar(`${label} nonce`, scalars.toBytes(secret), random(32), context, bytes)
  const announced = statement.map((each) => each.base.multiply(nonce))
  const challenge = challengeOf(label, context, bytes, announced)
  const response = scalars.add(nonce, scalars.mul(challenge, secret))
  return { challenge: hexOf(challenge), response: hexOf(response) }
}

function verify(label: string, context: Uint8Array, statement: Statement, proof: Proof): boolean {
  let challenge: bigint
  let response: bigint
  try {
    challenge = scalarOf(proof.challenge)
    response = scalarOf(proof.response)
  } catch {
    return false
  }
  const announced = statement.map((each) =>
    each.base.multiplyUnsafe(response).subtract(each.image.multiplyUnsafe(challenge)),
  )
  return challengeOf(label, context, bytesOf(statement), announced) === challenge
}

const bytesOf = (statement: Statement): Uint8Array =>
  Buffer.concat(statement.flatMap((each) => [each.base.toBytes(), each.image.toBytes()]))

const challengeOf = (
  label: string,
  context: Uint8Array,
  statement: Uint8Array,
  announced: readonly Point[],
): bigint =>
  hashToScalar(label, context, statement, Buffer.concat(announced.map((each) => each.toBytes())))

const knowledge = 'threshold proof of knowledge 1'
const equality = 'threshold proof of equal exponents 1'

/**
 * Proves knowledge of `secret` in `image = secret * B`. `context` is the purpose, so that the proof
 * is invalid elsewhere.
 */
export const proveKnowledge = (
  context: Uint8Array,
  image: Point,
  secret: bigint,
  random: RandomBytes,
): Proof => prove(knowledge, context, [{ base, image }], secret, random)

export const verifyKnowledge = (context: Uint8Array, image: Point, proof: Proof): boolean =>
  verify(knowledge, context, [{ base, image }], proof)

/** `publicKey = x * B` and `image = x * of` for the same `x` (Chaum and Pedersen). */
export type EqualExponents = {
  readonly publicKey: Point
  readonly of: Point
  readonly image: Point
}

const both = ({ publicKey, of, image }: EqualExponents): Statement => [
  { base, image: publicKey },
  { base: of, image },
]

export const proveEquality = (
  context: Uint8Array,
  statement: EqualExponents,
  secret: bigint,
  random: RandomBytes,
): Proof => prove(equality, context, both(statement), secret, random)

export const verifyEquality = (
  context: Uint8Array,
  statement: EqualExponents,
  proof: Proof,
): boolean => verify(equality, context, both(statement), proof)
