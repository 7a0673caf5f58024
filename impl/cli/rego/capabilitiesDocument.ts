import { DESCRIPTIONS } from 'polgate-rego/builtins/descriptions.ts'
import { serviceExtensions } from 'polgate-rego/builtins/extensions.ts'
import type { ProfileName } from 'polgate-rego/builtins/profiles.ts'
import { builtinJson, type CapabilityJson } from 'polgate-rego/builtins/typeJson.ts'
import { indentJson } from 'polgate-rego/report/answer.ts'
import { capabilitiesOf } from './capabilities.ts'

/**
 * What policies of a profile may call, with the extensions of the service, as the `capabilities.json` of OPA: other
 * tools then accept a policy of the service, and know what each extension takes.
 */
export function capabilitiesDocument(profile: ProfileName): string {
  const described = new Map(
    serviceExtensions().map(({ name }) => [name, DESCRIPTIONS[name.replace(/^[^.]+\./, '')]]),
  )
  const builtins = [...capabilitiesOf(profile).values()]
    .filter(({ deprecated }) => deprecated !== true)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((builtin): CapabilityJson & { readonly description?: string } => {
      const description = described.get(builtin.name)
      return { ...builtinJson(builtin), ...(description === undefined ? {} : { description }) }
    })
  // Nothing that a policy of the service calls reaches a network.
  const network = profile === 'service' ? { allow_net: [] } : {}
  return `${indentJson(JSON.stringify({ builtins, features: ['rego_v1'], ...network }))}\n`
}

/** Files of a policy package by which Regal and editors know the built-ins of the service. */
export const editorFiles = (): readonly (readonly [name: string, text: string])[] => [
  ['.regal/capabilities.json', capabilitiesDocument('service')],
  ['.regal/config.yaml', REGAL_CONFIG],
]

const REGAL_CONFIG = `# The built-ins of the service, for Regal and for editors that use it.
# polgate rego capabilities > .regal/capabilities.json writes them again.
capabilities:
  from:
    file: .regal/capabilities.json
`
