import type { Mutant } from './mutant.ts'
import {
  changedAnswer,
  changedMember,
  changedResult,
  type Json,
  refusing,
} from './wrappedListeners.ts'

const text = (change: (value: string) => string) => (value: Json) =>
  typeof value === 'string' ? change(value) : value

/** A value of wei, corrected before validation, so that an invalid one is accepted. */
const lenientValue = (mend: (value: Json) => Json) => changedMember('*', 'intent.value', mend)
const lenientData = (mend: (value: string) => string) =>
  changedMember('*', 'intent.data', text(mend))

/** Adds the prefix to bare hex. */
const prefixed = (data: string) => (/^([0-9a-f]{2})+$/i.test(data) ? `0x${data}` : data)

/** A fault in one parameter of one method: the matrix of methods, parameters and rules detects it. */
const lenientIn = (
  id: string,
  [method, path]: readonly [string, string],
  fault: string,
  clause: string,
  mend: (value: string) => string,
): Mutant => ({
  id: `rpc.${id}`,
  fault: `${method} accepts ${path} ${fault}`,
  clauses: [clause],
  parts: changedMember(method, path, text(mend)),
})

const compact = (value: string) => value.replace(/^0x0+(?=[0-9a-f])/i, '0x')
const even = (value: string) => (value.length % 2 === 1 ? value.replace(/^0x/, '0x0') : value)

const inOneMethod: readonly Mutant[] = [
  lenientIn(
    'create-task-leading-zero',
    ['createTask', 'intent.value'],
    'with leading zeros',
    '2.1-02',
    compact,
  ),
  lenientIn(
    'send-task-leading-zero',
    ['sendTask', 'intent.chain_id'],
    'with leading zeros',
    '2.1-02',
    compact,
  ),
  lenientIn(
    'create-task-odd-data',
    ['createTask', 'intent.data'],
    'with an odd digit count',
    '2.1-05',
    even,
  ),
  lenientIn(
    'simulate-task-odd-data',
    ['simulateTask', 'intent.data'],
    'with an odd digit count',
    '2.1-05',
    even,
  ),
  lenientIn('send-task-bare-sender', ['sendTask', 'intent.from'], 'without 0x', '2.1-07', prefixed),
  lenientIn(
    'store-secrets-bare-client',
    ['storeEncryptedSecrets', 'policy_client'],
    'without 0x',
    '2.1-07',
    prefixed,
  ),
]

/** Faults in the scalar types of the gateway (section 2.1). */
export const scalarMutants: readonly Mutant[] = [
  ...inOneMethod,
  {
    id: 'rpc.quantity-without-prefix',
    fault: 'accepts a Quantity without 0x, as a decimal number',
    clauses: ['2.1-01'],
    parts: lenientValue(
      text((value) => (/^\d+$/.test(value) ? `0x${BigInt(value).toString(16)}` : value)),
    ),
  },
  {
    id: 'rpc.quantity-leading-zero',
    fault: 'accepts a Quantity with leading zeros',
    clauses: ['2.1-02'],
    parts: lenientValue(text((value) => value.replace(/^0x0+(?=[0-9a-f])/i, '0x'))),
  },
  {
    id: 'rpc.quantity-empty-is-zero',
    fault: 'treats 0x as the Quantity zero',
    clauses: ['2.1-03'],
    parts: lenientValue(text((value) => (value === '0x' ? '0x0' : value))),
  },
  {
    id: 'rpc.quantity-zero-refused',
    fault: 'refuses a Quantity of zero',
    clauses: ['2.1-03'],
    parts: refusing('*', (params) => params?.intent?.value === '0x0'),
  },
  {
    id: 'rpc.quantity-json-number',
    fault: 'accepts a JSON number as a Quantity',
    clauses: ['2.1-16'],
    parts: lenientValue((value) =>
      typeof value === 'number' && value >= 0 ? `0x${Math.floor(value).toString(16)}` : value,
    ),
  },
  {
    id: 'rpc.quantity-of-64-bits',
    fault: 'refuses a value of more than 64 bits',
    clauses: ['2.1-01'],
    parts: refusing('*', (params) => /^0x[0-9a-f]{17,64}$/i.test(params?.intent?.value)),
  },
  {
    id: 'rpc.hex-parsed-to-first-fault',
    fault: 'reads hex up to the first character that is not a digit',
    clauses: ['2.1-17'],
    parts: lenientValue(text((value) => /^0x[0-9a-f]+/i.exec(value)?.[0] ?? value)),
  },
  {
    id: 'rpc.data-without-prefix',
    fault: 'accepts Data without 0x',
    clauses: ['2.1-04'],
    parts: lenientData(prefixed),
  },
  {
    id: 'rpc.data-odd',
    fault: 'accepts Data with an odd number of digits, left-padded',
    clauses: ['2.1-05'],
    parts: lenientData((data) =>
      /^0x[0-9a-f]+$/i.test(data) && data.length % 2 === 1 ? `0x0${data.slice(2)}` : data,
    ),
  },
  {
    id: 'rpc.data-blank',
    fault: 'treats the empty string as empty Data',
    clauses: ['2.1-06'],
    parts: lenientData((data) => (data === '' ? '0x' : data)),
  },
  {
    id: 'rpc.address-padded',
    fault: 'accepts an address of fewer than 20 bytes, left-padded',
    clauses: ['2.1-07'],
    parts: changedMember(
      '*',
      'intent.to',
      text((to) => (/^0x[0-9a-f]{1,39}$/i.test(to) ? `0x${to.slice(2).padStart(40, '0')}` : to)),
    ),
  },
  {
    id: 'rpc.address-mixed-case-refused',
    fault: 'refuses an address with upper-case letters',
    clauses: ['2.1-08'],
    parts: refusing('*', (params) => /^0x.*[A-F]/.test(params?.intent?.to)),
  },
  {
    id: 'rpc.address-case-kept',
    fault: 'looks up a policy client by its address case-sensitively',
    clauses: ['2.1-08', '4.2-03'],
    parts: refusing('createTask', (params) => /^0x.*[A-F]/.test(params?.policy_client)),
  },
  {
    id: 'rpc.wasm-args-object',
    fault: 'accepts an object as wasm_args, and encodes it',
    clauses: ['2.1-10'],
    parts: changedMember('*', 'wasm_args', (value) =>
      typeof value === 'object' && value !== null
        ? `0x${Buffer.from(JSON.stringify(value)).toString('hex')}`
        : value,
    ),
  },
  {
    id: 'rpc.wasm-args-without-prefix',
    fault: 'accepts wasm_args without 0x in simulations of policy data',
    clauses: ['2.1-13'],
    parts: changedMember('simulatePolicyData', 'wasm_args', text(prefixed)),
  },
  {
    id: 'rpc.wasm-args-only-with-prefix',
    fault: 'refuses wasm_args without 0x in tasks, which existing clients send',
    clauses: ['2.1-13'],
    parts: refusing(
      'createTask',
      (params) => typeof params?.wasm_args === 'string' && /^[0-9a-f]+$/i.test(params.wasm_args),
    ),
  },
  {
    id: 'rpc.id-only-uuid',
    fault: 'refuses an id that is not a UUID',
    clauses: ['2.1-12'],
    parts: changedAnswer('*', (answer) =>
      typeof answer?.id === 'string' && !/^[0-9a-f-]{36}$/i.test(answer.id)
        ? { jsonrpc: '2.0', error: { code: -32600, message: 'Invalid request: id' }, id: null }
        : answer,
    ),
  },
  {
    id: 'rpc.result-without-prefix',
    fault: 'returns Data without 0x',
    clauses: ['2.1-15'],
    parts: changedResult('createTask', (result) =>
      result.task === undefined
        ? result
        : { ...result, task: { ...result.task, wasmArgs: result.task.wasmArgs.slice(2) } },
    ),
  },
  {
    id: 'rpc.result-decimal-value',
    fault: 'returns a value of wei in decimal digits',
    clauses: ['2.1-15'],
    parts: changedResult('createTask', (result) => {
      if (result.task === undefined) return result
      const { intent } = result.task
      const value = BigInt(intent.value).toString()
      return { ...result, task: { ...result.task, intent: { ...intent, value } } }
    }),
  },
]
