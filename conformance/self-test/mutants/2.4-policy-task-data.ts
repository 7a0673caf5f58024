import type { Data } from 'polgate-protocol/scalars.ts'
import { invalidFormat } from 'polgate-protocol/serviceError.ts'
import { isAddress, isArray, isBytes32, isData, isObject, lenient, someAddress } from './lenient.ts'
import type { Mutant } from './mutant.ts'
import { method } from './parts.ts'
import { changedParams } from './wrappedListeners.ts'

function taskData(
  member: string,
  clause: string,
  fits: (value: unknown) => boolean,
  right: unknown,
): Mutant {
  const name = member.split('.').at(-1)!
  return lenient(
    `simulate.lenient-${name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}`,
    [clause],
    {
      method: 'simulateTask',
      path: `policy_task_data.${member}`,
      fits,
      right,
    },
  )
}

const isUint32 = (value: unknown) =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 32

/** Faults in parsing PolicyDataInput and PolicyTaskData (sections 2.3 and 2.4). */
export const policyTaskDataMutants: readonly Mutant[] = [
  lenient('simulate.lenient-listed-policy-data', ['2.3-01'], {
    method: 'simulatePolicy',
    path: 'policy_data.*.policy_data_address',
    fits: isAddress,
    right: someAddress,
  }),
  {
    id: 'simulate.wasm-args-required',
    fault: 'simulatePolicy requires wasm_args for every oracle',
    clauses: ['2.3-02'],
    parts: (markFired) =>
      method('simulatePolicy', async (params, caller, pass) => {
        if (params.policy_data.every(({ wasm_args }) => wasm_args !== undefined))
          return pass(params, caller)
        markFired()
        throw invalidFormat('policy_data[0].wasm_args is required')
      }),
  },
  {
    id: 'simulate.listed-wasm-args-ignored',
    fault: 'simulatePolicy runs its oracles without the sent wasm_args',
    clauses: ['2.3-03', '1-12'],
    parts: (markFired) =>
      method('simulatePolicy', (params, caller, pass) => {
        markFired()
        const policy_data = params.policy_data.map(({ policy_data_address }) => ({
          policy_data_address,
        }))
        return pass({ ...params, policy_data }, caller)
      }),
  },
  {
    id: 'simulate.lenient-policy-id',
    fault:
      'simulateTask takes the policy id of the request before in place of an invalid one, or of none',
    clauses: ['2.4-01'],
    parts: (markFired) => {
      let known = `0x${'11'.repeat(32)}`
      return changedParams('simulateTask', (params) => {
        const { policy_task_data: data } = params
        if (!isObject(data)) return params
        if (isBytes32(data.policyId)) known = data.policyId
        return { ...params, policy_task_data: { ...data, policyId: known } }
      })(markFired)
    },
  },
  taskData('policyAddress', '2.4-02', isAddress, someAddress),
  taskData('policy', '2.4-03', isData, '0x'),
  {
    id: 'simulate.policy-bytes-required',
    fault: 'simulateTask requires the bytes of the policy',
    clauses: ['2.4-03'],
    parts: (markFired) =>
      method('simulateTask', async (params, caller, pass) => {
        if (params.policy_task_data?.policy !== '0x') return pass(params, caller)
        markFired()
        throw invalidFormat('policy_task_data.policy must not be empty')
      }),
  },
  taskData('policyData', '2.4-04', isArray, []),
  taskData('policyData.*.wasmArgs', '2.4-05', isData, '0x'),
  taskData('policyData.*.data', '2.4-06', isData, '0x7b7d'),
  taskData('policyData.*.attestation', '2.4-07', isData, '0x'),
  taskData('policyData.*.policyDataAddress', '2.4-08', isAddress, someAddress),
  taskData('policyData.*.expireBlock', '2.4-09', isUint32, 1),
  {
    id: 'simulate.supplied-data-kept',
    fault: 'simulateTask evaluates on the first data ever sent for a PolicyData',
    clauses: ['2.4-06', '4.4-03'],
    parts: (markFired) => {
      const first = new Map<string, Data>()
      return method('simulateTask', (params, caller, pass) => {
        const given = params.policy_task_data
        if (given === undefined) return pass(params, caller)
        const policyData = given.policyData.map((entry) => {
          const data = first.get(entry.policyDataAddress) ?? entry.data
          first.set(entry.policyDataAddress, data)
          if (data !== entry.data) markFired()
          return { ...entry, data }
        })
        return pass({ ...params, policy_task_data: { ...given, policyData } }, caller)
      })
    },
  },
]
