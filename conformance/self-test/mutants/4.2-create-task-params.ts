import { isContentId } from 'polgate-protocol/contentId.ts'
import type { Hex } from 'viem'
import type { Mutant } from './mutant.ts'
import { ignoring } from './taskServiceFaults.ts'
import { changedMember, type Json, refusing } from './wrappedListeners.ts'

const isObject = (value: Json) => typeof value === 'object' && value !== null

/** A method that accepts invalid values, and replaces them. */
type Method = { readonly name: 'createTask' | 'sendTask'; readonly section: '4.2' | '4.3' }

/** Faults common to both methods, and the numbers of the violated clauses. */
type Row = {
  readonly id: string
  readonly fault: string
  readonly path: string
  readonly numbers: Readonly<Record<Method['section'], string>>
  readonly mend: (value: Json) => Json
}

const transfer = (params: Json) => ({
  from: params.policy_client,
  to: params.policy_client,
  value: '0x0',
  data: '0x',
  chain_id: '0x7a69',
  function_signature: '0x',
})

const rows: readonly Row[] = [
  {
    id: 'signature-object',
    fault: 'treats an object as an absent intent_signature',
    path: 'intent_signature',
    numbers: { '4.2': '05', '4.3': '05' },
    mend: (value) => (isObject(value) ? undefined : value),
  },
  {
    id: 'quorum-number-as-number',
    fault: 'accepts a number as quorum_number',
    path: 'quorum_number',
    numbers: { '4.2': '10', '4.3': '06' },
    mend: (value) =>
      typeof value === 'number' ? `0x${value.toString(16).padStart(2, '0')}` : value,
  },
  {
    id: 'threshold-above-100',
    fault: 'treats a threshold above 100 as 100',
    path: 'quorum_threshold_percentage',
    numbers: { '4.2': '12', '4.3': '07' },
    mend: (value) => (typeof value === 'number' ? Math.min(value, 100) : value),
  },
  {
    id: 'threshold-below-0',
    fault: 'treats a threshold below 0 as 0',
    path: 'quorum_threshold_percentage',
    numbers: { '4.2': '12', '4.3': '07' },
    mend: (value) => (typeof value === 'number' ? Math.max(value, 0) : value),
  },
  {
    id: 'threshold-text',
    fault: 'accepts a threshold in a string',
    path: 'quorum_threshold_percentage',
    numbers: { '4.2': '11', '4.3': '07' },
    mend: (value) => (typeof value === 'string' ? Number(value) : value),
  },
  {
    id: 'wasm-args-odd',
    fault: 'treats wasm_args with an odd number of digits as absent',
    path: 'wasm_args',
    numbers: { '4.2': '14', '4.3': '08' },
    mend: (value) => (typeof value === 'string' && value.length % 2 === 1 ? '0x' : value),
  },
  {
    id: 'proof-cid-number',
    fault: 'accepts a number as proof_cid',
    path: 'proof_cid',
    numbers: { '4.2': '17', '4.3': '09' },
    mend: (value) => (typeof value === 'number' ? undefined : value),
  },
  {
    id: 'proof-cid-any-text',
    fault: 'accepts any text as proof_cid',
    path: 'proof_cid',
    numbers: { '4.2': '32', '4.3': '20' },
    mend: (value) => (typeof value === 'string' && !isContentId(value) ? undefined : value),
  },
  {
    id: 'intent-array',
    fault: 'treats a list as an intent with default values',
    path: 'intent',
    numbers: { '4.2': '04', '4.3': '04' },
    mend: (value) => value,
  },
]

const methods: readonly Method[] = [
  { name: 'createTask', section: '4.2' },
  { name: 'sendTask', section: '4.3' },
]

const prefix = { createTask: 'create', sendTask: 'send' } as const

const lenient = ({ name, section }: Method): readonly Mutant[] => [
  ...rows.map(
    ({ id, fault, path, numbers, mend }): Mutant => ({
      id: `task.${prefix[name]}-${id}`,
      fault: `${name} ${fault}`,
      clauses: [`${section}-${numbers[section]}`],
      parts: changedMember(name, path, (value, params) =>
        path === 'intent' && Array.isArray(value) ? transfer(params) : mend(value),
      ),
    }),
  ),
  {
    id: `task.${prefix[name]}-client-of-last-call`,
    fault: `${name} uses the policy client of the previous call if none is given`,
    clauses: [`${section}-03`],
    parts: (markFired) => {
      let last: Hex | undefined
      return changedMember(name, 'policy_client', (client) => {
        if (typeof client === 'string' && client.length === 42) last = client as Hex
        return client ?? last
      })(markFired)
    },
  },
]

/** Faults in the params of createTask and sendTask (sections 4.2 and 4.3). */
export const taskParamsMutants: readonly Mutant[] = [
  ...methods.flatMap(lenient),
  {
    id: 'task.signature-required',
    fault: 'createTask refuses a task without an intent_signature',
    clauses: ['4.2-05'],
    parts: refusing('createTask', (params) => params?.intent_signature === undefined),
  },
  {
    id: 'task.threshold-zero-refused',
    fault: 'createTask refuses a threshold of 0',
    clauses: ['4.2-11'],
    parts: refusing('createTask', (params) => params?.quorum_threshold_percentage === 0),
  },
  {
    id: 'task.calldata-flag-text',
    fault: 'createTask accepts the string true as include_validate_calldata',
    clauses: ['4.2-18'],
    parts: changedMember('createTask', 'include_validate_calldata', (value) =>
      typeof value === 'string' ? value === 'true' : value,
    ),
  },
  {
    id: 'task.timeout-text',
    fault: 'createTask accepts a timeout in a string',
    clauses: ['4.2-15'],
    parts: changedMember('createTask', 'timeout', (value) =>
      typeof value === 'string' ? Number(value) : value,
    ),
  },
  {
    id: 'task.proof-cid-refused',
    fault: 'refuses a proof_cid',
    clauses: ['4.2-17', '4.3-09'],
    parts: refusing('*', (params) => typeof params?.proof_cid === 'string'),
  },
  {
    id: 'task.unknown-quorum-as-default',
    fault: 'uses the default quorum if the requested one does not exist',
    clauses: ['4.2-26'],
    parts: changedMember('*', 'quorum_number', (value) =>
      typeof value === 'string' && /7f$/.test(value) ? '0x00' : value,
    ),
  },
  {
    id: 'task.empty-params-null',
    fault: 'passes policies null as the parameters of a client without parameters',
    clauses: ['4.2-33'],
    parts: (markFired) => ({
      chain: (chain) => ({
        ...chain,
        configuredPolicy: async (...args) => {
          const configured = await chain.configuredPolicy(...args)
          const { policyConfig } = configured
          if (policyConfig === undefined || policyConfig.policyParams.trim() !== '')
            return configured
          markFired()
          return { ...configured, policyConfig: { ...policyConfig, policyParams: 'null' } }
        },
      }),
    }),
  },
  {
    id: 'task.wasm-args-ignored',
    fault: 'creates tasks without their wasm_args',
    clauses: ['4.2-14', '4.3-08'],
    parts: ignoring('wasm_args'),
  },
  {
    id: 'task.signature-ignored',
    fault: 'creates tasks without their intent_signature',
    clauses: ['4.2-06', '4.3-05', '5.4-01'],
    parts: ignoring('intent_signature'),
  },
  {
    id: 'task.threshold-ignored',
    fault: 'creates tasks with the default threshold, ignoring the requested one',
    clauses: ['4.2-11', '4.2-13', '4.3-07'],
    parts: ignoring('quorum_threshold_percentage'),
  },
]
