import { PROFILES, type ProfileName } from 'polgate-rego/builtins/profiles.ts'
import { nearest } from 'polgate-rego/report/nearest.ts'
import { CommandError } from '../commandDefinition.ts'

/** @throws CommandError for an unknown profile */
export function profileOf(text: string): ProfileName {
  const known = PROFILES.find((name) => name === text)
  if (known !== undefined) return known
  const near = nearest(text, PROFILES)
  throw new CommandError(`Unknown profile ${text}`, {
    hint: near === undefined ? `Profiles are ${PROFILES.join(', ')}.` : `Did you mean ${near}?`,
  })
}
