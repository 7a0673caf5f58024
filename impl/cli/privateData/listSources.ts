import { confidentialSources } from 'polgate-client/index.ts'
import { printable } from 'polgate-conformance/core/printable.ts'
import { withClientErrors } from '../stack/asCommandFailure.ts'
import { findTarget, viemChainOf } from '../stack/serviceTarget.ts'
import { type PolicyClientOptions, policyClientOf, registryOf } from './privateTarget.ts'

export type ListSourcesOptions = PolicyClientOptions & {
  readonly target?: string
  readonly json?: boolean
}

/** `polgate confidential source list`. @throws CommandError */
export async function listSources(options: ListSourcesOptions): Promise<void> {
  const target = await findTarget(options.target)
  const policyClient = await policyClientOf(target, options)
  const confidentialDataRegistry = registryOf(target, 'confidentialDataRegistry')
  const sources = await withClientErrors(() =>
    confidentialSources({ chain: viemChainOf(target) }, { confidentialDataRegistry, policyClient }),
  )
  if (options.json) {
    console.log(JSON.stringify({ policyClient, sources }))
    return
  }
  for (const { dataType, provider, domain, version, granted } of sources) {
    const state = !granted
      ? 'not granted'
      : version === 0
        ? 'nothing published'
        : `version ${version}`
    console.log(`${printable(dataType)}  ${state}  provider ${provider}  domain ${domain}`)
  }
  if (sources.length === 0) console.log('the client has no source of confidential data')
}
