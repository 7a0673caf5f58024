import type { SuppliedTaskData } from 'polgate-protocol/policyTaskData.ts'
import type { ConfiguredPolicy } from './taskChain.ts'

/** Why a task may be decided differently than a simulation, as reported in `details` of the result. */
export type SuppliedWarning = {
  readonly code: 'no_policy_client' | 'policy_not_deployed' | 'unlisted_policy_data'
  readonly message: string
}

const noPolicyClient: SuppliedWarning = {
  code: 'no_policy_client',
  message:
    'policy_client was not sent: policyId may be a former one of its client, and input.intent_digest is undefined',
}

/**
 * What is refused, or known, where the caller sends `policy_client` as well (decision T15).
 *
 * @param policy undefined if it is not deployed
 */
export function warningsWithoutClient(
  { policyAddress, policyData }: SuppliedTaskData,
  policy: ConfiguredPolicy | undefined,
): readonly SuppliedWarning[] {
  if (policy === undefined) {
    const message = `there is no contract at policyAddress ${policyAddress}: the parameters are empty, and the entrypoint is the default`
    return [noPolicyClient, { code: 'policy_not_deployed', message }]
  }
  const unlisted = unlistedData(policyData, policy.policyData)
  return [
    noPolicyClient,
    ...unlisted.map(
      (at): SuppliedWarning => ({
        code: 'unlisted_policy_data',
        message: `the policy does not list policyData[${at}], ${policyData[at]!.policyDataAddress}: no task has its data`,
      }),
    ),
  ]
}

/** The places of entries whose PolicyData the policy does not list. */
export function unlistedData(
  entries: SuppliedTaskData['policyData'],
  listed: readonly string[],
): readonly number[] {
  const known = new Set(listed.map((address) => address.toLowerCase()))
  return [...entries.keys()].filter(
    (at) => !known.has(entries[at]!.policyDataAddress.toLowerCase()),
  )
}
