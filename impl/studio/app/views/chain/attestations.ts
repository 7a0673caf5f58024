import { decodeLog, type Log } from './decode.ts'

/** A response on chain, which can be spent up to its expiry, once. */
export type Attestation = {
  readonly taskId: string
  readonly policyClient: string
  /** The first block in which it can no longer be spent. */
  readonly expirationBlock: number
  readonly state: 'valid' | 'expired' | 'spent'
}

/** The attestations among events of the task manager, newest first, as the block after `latest` sees them. */
export function attestationsOf(logs: readonly Log[], latest: number): Attestation[] {
  const found = new Map<string, Attestation>()
  const spent = new Set<string>()
  for (const log of logs) {
    const decoded = decodeLog(log)
    const taskId = String(decoded?.args.taskId ?? '').toLowerCase()
    if (decoded?.name === 'AttestationSpent') spent.add(taskId)
    if (decoded?.name !== 'TaskResponded') continue
    const { response, certificate } = decoded.args as {
      readonly response: { readonly policyClient: string }
      readonly certificate: { readonly expirationBlock: number }
    }
    const { expirationBlock } = certificate
    const state = latest + 1 >= expirationBlock ? 'expired' : 'valid'
    found.set(taskId, { taskId, policyClient: response.policyClient, expirationBlock, state })
  }
  return [...found.values()]
    .reverse()
    .map((each) => (spent.has(each.taskId) ? { ...each, state: 'spent' } : each))
}
