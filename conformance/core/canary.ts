import { createHash } from 'node:crypto'

/**
 * A secret that the suite uploads and that no response may contain. Its form is fixed and part of no name
 * or text of a gateway, and 26 of its characters depend on the seed: no legal answer contains one by
 * chance. Valid for every schema of the fixtures, in a header and in a URL.
 */
export type Canary = `canary-${string}`

const prefix = 'canary-'
const length = 26
const shape = new RegExp(`${prefix}[0-9a-z]{${length}}`, 'g')

/** The same for the same seed and use. */
export function canaryOf(seed: string, ...names: readonly string[]): Canary {
  const digest = createHash('sha256').update([seed, 'canary', ...names].join('\n'))
  const digits = BigInt(`0x${digest.digest('hex')}`).toString(36)
  return `${prefix}${digits.slice(-length).padStart(length, '0')}`
}

export const canariesIn = (text: string): readonly string[] => [...new Set(text.match(shape))]

export const isCanary = (text: string): text is Canary => canariesIn(text)[0] === text
