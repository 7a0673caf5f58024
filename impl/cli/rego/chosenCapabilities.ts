import { existsSync } from 'node:fs'
import type { ProfileName } from 'polgate-rego/builtins/profiles.ts'
import { type CapabilityJson, declaredBuiltin } from 'polgate-rego/builtins/typeJson.ts'
import { CommandError } from '../commandDefinition.ts'
import type { Capabilities } from './capabilities.ts'
import { readText } from './files.ts'
import { profileOf } from './profileOf.ts'

/** What `--capabilities` names. */
export type ChosenCapabilities = {
  readonly profile: ProfileName
  /** Those of the profile that may be called, and those that are declared beside them. */
  readonly of: (known: Capabilities) => Capabilities
}

/**
 * A profile, the version of OPA that one is like, or a file in the format of OPA's `capabilities.json`, which may
 * declare built-ins of another program.
 *
 * @throws CommandError if it is none of them
 */
export function chosenCapabilities(text: string): ChosenCapabilities {
  if (/^v1\.2\.\d+$/.test(text)) return { profile: 'opa-1.2', of: all }
  if (/^v\d+\.\d+\.\d+$/.test(text)) {
    throw new CommandError(`The capabilities of OPA ${text} are not part of polgate`, {
      hint: 'Pass its capabilities.json, as opa capabilities --version prints it, or v1.2.0.',
    })
  }
  if (!existsSync(text)) return { profile: profileOf(text), of: all }
  const declared = declarations(text)
  return {
    profile: 'latest',
    of: (known) =>
      new Map(declared.map((each) => [each.name, known.get(each.name) ?? declaredBuiltin(each)])),
  }
}

const all = (known: Capabilities): Capabilities => known

function declarations(path: string): readonly CapabilityJson[] {
  const text = readText(path)
  try {
    const { builtins = [] } = JSON.parse(text) as { builtins?: readonly CapabilityJson[] }
    return builtins.map((each) => {
      if (typeof each.name === 'string' && typeof each.decl === 'object') return each
      throw new TypeError('a built-in has no name or no declaration')
    })
  } catch (cause) {
    throw new CommandError(`${path}: ${(cause as Error).message}`, {
      cause,
      hint: 'Capabilities are a file such as opa capabilities --current prints.',
    })
  }
}
