import fc from 'fast-check'
import { anyJson } from './json.ts'

const hexOf = (max: number) =>
  fc.uint8Array({ maxLength: max }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`)

/** What may be sent for a member: any JSON, hex of any length, any number, any text. */
export const looseValue = (): fc.Arbitrary<unknown> =>
  fc.oneof(anyJson(), hexOf(70), fc.integer(), fc.string({ unit: 'grapheme', maxLength: 40 }))
