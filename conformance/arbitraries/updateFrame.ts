import fc from 'fast-check'
import { codePoint } from './codePoint.ts'
import { anyJson } from './json.ts'

/** Frames that are mostly invalid messages: any JSON, known members with wrong values, any text. */
export const anyFrame = (topic: string): fc.Arbitrary<string> =>
  fc.oneof(
    anyJson().map((value) => JSON.stringify(value) ?? 'null'),
    fc
      .record(
        {
          type: fc.constantFrom('subscribe', 'unsubscribe', 'update', '__proto__', '', null),
          id: fc.oneof(fc.string(), anyJson()),
          method: fc.oneof(fc.constant(topic), fc.string(), anyJson()),
          subscription: fc.oneof(fc.string(), anyJson()),
          params: fc.oneof(fc.constant(null), anyJson()),
        },
        { requiredKeys: [] },
      )
      .map((value) => JSON.stringify(value)),
    fc.string({ unit: codePoint, maxLength: 200 }),
  )
