/** What is not measured; every value can be changed with an option of `npm run capacity`. */
export const assumptions = {
  /** Milliseconds of CPU of a load balancer per request. */
  balancerMs: 0.05,
  /** Milliseconds between two processes of one site, there and back. */
  siteMs: 0.5,
  /** Milliseconds between gateway and operator, there and back. */
  operatorMs: 10,
  /** Part of the operators whose responses are the quorum. */
  quorum: 0.67,
  /** Cores of one PostgreSQL server. */
  partitionCores: 16,
  /** Cores of one machine that runs processes of Node; a process takes one. */
  machineCores: 8,
  /** Gas of one transaction that stores a Merkle root for any number of results. */
  commitmentGas: 60_000,
  /** Bytes per task in the store, those of the explorer included. */
  storedBytesPerTask: 8_000,
} as const

export type Assumptions = { readonly [Name in keyof typeof assumptions]: number }

/** As in `impl/service/tasks/postOnChain.ts`. */
export const poster = {
  /** Gas limit of a transaction. */
  maxGas: 15_000_000,
  /** Results in flight per account. */
  maxInFlight: 160,
  /** Milliseconds between transactions while others are in flight. */
  spacing: 1_000,
} as const
