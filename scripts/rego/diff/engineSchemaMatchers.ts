import type { Value } from 'polgate-rego/values/value.ts'
import { made } from './callMatchers.ts'
import { textOf } from './callsOf.ts'
import type { Matcher } from './matcher.ts'

const NAME = 'json.match_schema'

/** What OPA reads as draft 4 to 7 of JSON Schema, the engine at 0.9 as its own draft. */
const OF_DRAFTS =
  /"(?:\$\w+|contains|dependencies|definitions|exclusiveM\w+|format|id|items|additionalItems)":/

const isMatch = (result: Value | undefined): boolean => textOf(result) === '[true,[]]'

/** Entries about JSON Schema in the engine at 0.9. */
export const ENGINE_SCHEMA_MATCHERS: Readonly<Record<string, readonly Matcher[]>> = {
  'engine-json-match-schema': [
    {
      // Messages, and what is not JSON; a text is JSON in OPA, a text at 0.9.
      peer: 'regorus',
      made: made(
        [NAME],
        ([document, schema], result) =>
          !isMatch(result) ||
          typeof document === 'string' ||
          typeof schema === 'string' ||
          OF_DRAFTS.test(textOf(schema)),
      ),
    },
    {
      // The second member for a document that matches.
      peer: 'regorus',
      made: made([NAME], (_, result) => isMatch(result)),
      cause: (evidence) =>
        evidence.isSameWith([NAME], (result) => (isMatch(result) ? [true, null] : result)),
    },
  ],
}
