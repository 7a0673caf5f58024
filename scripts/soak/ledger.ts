import type { TaskStatus } from 'polgate-protocol/task.ts'

/** Status in the response of createTask; `sent` for a task of sendTask. */
export type Acknowledged = TaskStatus | 'sent'

/** A value that requests replace: the values that may be found at the end. */
export type Replaced = {
  /** Of the last acknowledged request. */
  acknowledged: string | undefined
  /** Of requests with an unknown outcome. */
  readonly possible: Set<string>
  /** Whether a request is in flight. */
  busy: boolean
}

/** Everything that gateways acknowledged, for the audit. */
export type Ledger = {
  /** By task id, lower case. */
  readonly tasks: Map<string, Acknowledged>
  /** Ids that were acknowledged more than once. */
  readonly repeatedIds: Set<string>
  /** Envelopes by `client/policyData`. */
  readonly secrets: Map<string, Replaced>
  /** URLs by API key name. */
  readonly webhooks: Map<string, Replaced>
  /** Envelopes by their data reference. */
  readonly sealedData: Map<string, string>
  /** Number of responses of each kind. */
  readonly answers: Map<string, number>
  /** Responses not explained by an outage, by text. */
  readonly unexplained: Map<string, number>
}

export const newLedger = (): Ledger => ({
  tasks: new Map(),
  repeatedIds: new Set(),
  secrets: new Map(),
  webhooks: new Map(),
  sealedData: new Map(),
  answers: new Map(),
  unexplained: new Map(),
})

/** Increments a count. */
export function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

/**
 * Sends a replacement of a value, and records the values that may be found afterwards. Sequential:
 * the order of overlapping requests would be unknown, so a concurrent one is skipped.
 */
export async function replaceValue(
  values: Map<string, Replaced>,
  name: string,
  value: string,
  send: () => Promise<boolean>,
): Promise<void> {
  const kept = values.get(name) ?? { acknowledged: undefined, possible: new Set(), busy: false }
  values.set(name, kept)
  if (kept.busy) return
  kept.busy = true
  kept.possible.add(value)
  const acknowledged = await send().finally(() => {
    kept.busy = false
  })
  if (!acknowledged) return
  kept.acknowledged = value
  kept.possible.delete(value)
}
