import { randomBytes } from 'node:crypto'

/**
 * A random text by which an operator tells new requests from recorded ones when times cannot: its clock
 * went back to a time of which it remembers no nonces, or it has just started. It answers such a request
 * with its challenge, and the gateway repeats the request with the challenge in the nonce, and has it in
 * those of all further ones. A gateway that does not know challenges is refused until that time is over.
 */
export const createChallenge = (): string => randomBytes(16).toString('base64url')

const challenge = '[A-Za-z0-9_-]{22}'
const alone = new RegExp(`^${challenge}$`)
/** Longer than a nonce without a challenge. */
const nonceOf = new RegExp(`^c-(${challenge})-`)

export const isChallenge = (value: unknown): value is string =>
  typeof value === 'string' && alone.test(value)

export const withChallenge = (challenge: string, unique: string): string =>
  `c-${challenge}-${unique}`

/** The challenge in a nonce, whichever operator's it is. */
export const challengeIn = (nonce: string): string | undefined => nonceOf.exec(nonce)?.[1]
