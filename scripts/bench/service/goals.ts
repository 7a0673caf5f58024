import type { ProfiledLoad } from './profiledLoads.ts'

/** What a figure cannot go below, or a rate above; measured in the same run, except gas. */
type Limit =
  /** Milliseconds of the cryptography of a task of so many operators, and of one fsync. */
  | { readonly kind: 'task'; readonly operators: number }
  /** Calls per second of a server that only parses and writes JSON. */
  | { readonly kind: 'echo'; readonly connections: Connections }
  | { readonly kind: 'constant'; readonly value: number; readonly why: string }

export type Connections = 1 | 16 | 64

export type Goal = {
  readonly figure: string
  /** The section of the bench that measures it, and the name of its reading there. */
  readonly section: string
  readonly reading: string
  readonly unit: 'ms' | 's' | '/s' | 'gas' | '×'
  /** At most this, or at least this for a rate. */
  readonly atMost?: number
  readonly atLeast?: number
  readonly limit?: Limit
  /** The measured figure divided by its limit is what the goal is about. */
  readonly ofLimit?: true
  /** The machine is compared at this number of connections; undefined: does not depend on it. */
  readonly machine?: Connections
  /** The load whose profile explains a miss. */
  readonly load?: ProfiledLoad
}

/** Calls per second of the echo server on the machine for which the goals were set. */
export const machineOfGoals: Readonly<Record<Connections, number>> = {
  1: 3_725,
  16: 5_989,
  64: 5_192,
}

/** Figures of the same machine at the same code differ by as much. */
export const noise = 0.1

/** A transaction, and the pairing check of two pairs (EIP-1108): what no contract can avoid. */
const leastGas: Limit = {
  kind: 'constant',
  value: 21_000 + 45_000 + 2 * 34_000,
  why: '21,000 for a transaction, 113,000 for a pairing check of two pairs',
}

/** createTask by so many operators: sequential, without and with an oracle. */
const sequential = (
  operators: 4 | 16,
  fixture: 'allow-list' | 'priced-transfer',
  atMost: number,
): Goal => ({
  figure: `createTask, ${operators} operators, ${fixture === 'allow-list' ? 'no oracle' : 'JavaScript oracle'}, p50`,
  section: operators === 4 ? 'tasks' : 'operators',
  reading: `${operators} operators, ${fixture}, p50`,
  unit: 'ms',
  atMost,
  limit: { kind: 'task', operators },
  machine: 1,
  load: { kind: 'operators', operators, fixture },
})

/** Calls per second of a group of methods. */
const rate = (name: string, group: string, connections: Connections, atLeast: number): Goal => ({
  figure: `${name} at ${connections} connections`,
  section: 'methods',
  reading: `${group} at ${connections}, per second`,
  unit: '/s',
  atLeast,
  limit: { kind: 'echo', connections },
  machine: connections,
  load: { kind: 'methods', group, connections },
})

const tail = (connections: Connections): Goal => ({
  figure: `createTask at ${connections} connections, p99 / p50`,
  section: 'methods',
  reading: `tasks at ${connections}, p99 / p50`,
  unit: '×',
  atMost: 4,
  load: { kind: 'methods', group: 'tasks', connections },
})

const simulations = (connections: Connections): Goal => ({
  figure: `simulateTask, simulatePolicy at ${connections} connections`,
  section: 'methods',
  reading: `simulations at ${connections}, per second`,
  unit: '/s',
  atLeast: 0.3,
  ofLimit: true,
  limit: { kind: 'echo', connections },
  load: { kind: 'methods', group: 'simulations', connections },
})

const ready = (kind: 'cold' | 'warm', atMost: number): Goal => ({
  figure: `npm start to ready, ${kind === 'cold' ? 'cold clone' : 'warm'}`,
  section: 'ready',
  reading: `${kind}, seconds`,
  unit: 's',
  atMost,
  machine: 1,
  load: { kind: 'start', cold: kind === 'cold' },
})

const gas = (oracles: 'no oracle' | 'one oracle', atMost: number): Goal => ({
  figure: `gas of validateAttestationDirect, ${oracles}`,
  section: 'gas',
  reading: `validateAttestationDirect, ${oracles}`,
  unit: 'gas',
  atMost,
  limit: leastGas,
  load: { kind: 'gas', transaction: oracles },
})

export const goals: readonly Goal[] = [
  sequential(4, 'priced-transfer', 50),
  sequential(4, 'allow-list', 25),
  sequential(16, 'allow-list', 35),
  sequential(16, 'priced-transfer', 90),
  rate('createTask', 'tasks', 16, 120),
  rate('createTask', 'tasks', 64, 120),
  tail(16),
  tail(64),
  simulations(1),
  simulations(16),
  simulations(64),
  {
    figure: 'simulations, rate from connections to more',
    section: 'methods',
    reading: 'simulations, least growth',
    unit: '×',
    atLeast: 1,
    load: { kind: 'methods', group: 'simulations', connections: 64 },
  },
  rate('storeEncryptedSecrets', 'secrets', 64, 600),
  rate('uploads', 'sealed data, up', 64, 1_000),
  rate('registerWebhook', 'webhooks', 64, 1_500),
  rate('simulatePolicyData', 'oracles', 16, 250),
  {
    figure: 'durability of a task, where a sync takes 0.2 ms, p50',
    section: 'durability',
    reading: 'a task, at a sync of 0.2 ms',
    unit: 'ms',
    atMost: 1.5,
  },
  ready('cold', 4),
  ready('warm', 1.5),
  {
    figure: 'npm run certify, warm',
    section: 'certify',
    reading: 'wall, seconds',
    unit: 's',
    atMost: 45,
    machine: 1,
    load: { kind: 'certify' },
  },
  gas('no oracle', 220_000),
  gas('one oracle', 250_000),
  {
    figure: 'explorer at 1 M tasks, 16 connections, p99 of 10 rows',
    section: 'explorer',
    reading: 'p99 of 10 rows',
    unit: 'ms',
    atMost: 10,
    machine: 16,
    load: { kind: 'explorer' },
  },
  {
    figure: 'explorer, p99 of 10 rows from 10,000 to 1 M tasks',
    section: 'explorer',
    reading: 'growth of p99',
    unit: '×',
    atMost: 1.3,
    load: { kind: 'explorer' },
  },
]
