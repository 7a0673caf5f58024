import type { Operator } from '../operator.ts'

async function unexpected(): Promise<never> {
  throw new Error('not asked here')
}

/** An operator with the given calls only. */
export const operatorThat = (does: Partial<Operator> = {}): Operator => ({
  address: `0x${'ab'.repeat(20)}`,
  id: `0x${'01'.repeat(32)}`,
  collectData: unexpected,
  evaluate: unexpected,
  beginOpening: unexpected,
  sign: unexpected,
  checkSecrets: unexpected,
  ...does,
})

export const sharedToken = 'token-between-gateway-and-operator'

/** A data request without sources, which any operator can answer. */
export const quick = { policyClient: `0x${'ab'.repeat(20)}`, sources: [] } as const

export const never = new AbortController().signal
