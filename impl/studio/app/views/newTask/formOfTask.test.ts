import { stringToHex } from 'viem'
import { expect, it } from 'vitest'
import { formOfTask } from './formOfTask.ts'
import { buildIntent, emptyForm } from './intentForm.ts'

const one = `0x${'11'.repeat(20)}`
const form = (changes: object) => ({
  ...{ ...emptyForm, policyClient: one, from: one, to: one },
  ...changes,
})

it.each([
  [{ value: '250', wasmArgs: '{"symbol":"ETH"}' }],
  [{ call: 'data', data: '0x1234' }],
  [{ call: 'signature', signature: 'transfer(address,uint256)', args: [one, '7'] }],
  [{ call: 'signature', signature: 'set(uint256[],bool)', args: ['["1","2"]', 'true'] }],
])('makes the same task again: %j', (changes) => {
  const built = buildIntent(form(changes), 31_337)
  if ('problems' in built) throw new Error(JSON.stringify(built.problems))
  const again = formOfTask({ taskId: '0x', ...built } as never)
  expect(again).toMatchObject(changes)
  expect(buildIntent(form(again), 31_337)).toEqual(built)
})

it('keeps calldata that is of another function than the signature', () => {
  const intent = {
    ...{ from: one, to: one, value: '0x1', data: '0x12345678' },
    function_signature: stringToHex('transfer(address,uint256)'),
  }
  expect(formOfTask({ intent } as never)).toMatchObject({
    ...{ value: '1', call: 'data', data: '0x12345678' },
  })
})
