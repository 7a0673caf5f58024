import type { TaskStatus } from 'polgate-protocol/task.ts'

/** The status that the answer of createTask gave; `sent` for a task of sendTask. */
export type Acknowledged = TaskStatus | 'sent'

/** A value that each request replaces: what may be found at the end. */
export type Replaced = {
  /** Of the request that was acknowledged last. */
  acknowledged: string | undefined
  /** Of requests whose outcome the client does not know. */
  readonly possible: Set<string>
  /** Whether a request is under way. */
  busy: boolean
}

/** What gateways acknowledged, so that it can be looked for at the end. */
export type Ledger = {
  /** By task id, lower case. */
  readonly tasks: Map<string, Acknowledged>
  /** Ids that were acknowledged more than once. */
  readonly repeatedIds: Set<string>
  /** Envelopes by `client/policyData`. */
  readonly secrets: Map<string, Replaced>
  /** URLs by the name of the API key. */
  readonly webhooks: Map<string, Replaced>
  /** Envelopes by their data reference. */
  readonly sealedData: Map<string, string>
  /** How many answers there were of each kind. */
  readonly answers: Map<string, number>
  /** Answers that no outage explains, by their text. */
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

/** Adds one to a count. */
export const count = (counts: Map<string, number>, name: string): void => {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

/**
 * Sends a replacement of a value, and keeps which values may be found afterwards. One at a time: the
 * order of overlapping requests would be unknown, so that a second one is left out meanwhile.
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
