import { describe, expect, it } from 'vitest'
import {
  client,
  createCall,
  created,
  idOf,
  multicall,
  respondCall,
  responded,
  setOwnerCall,
  spent,
} from './chain.fixture.ts'
import { decodeCall, decodeLog } from './decode.ts'

describe('a call', () => {
  it('of a known contract, with its arguments by name', () => {
    expect(decodeCall(setOwnerCall)).toEqual({
      ...{ contract: 'PolicyClient', name: 'setOwner' },
      args: { newOwner: expect.stringMatching(new RegExp(client, 'i')) },
    })
    // Integers beyond the safe ones are text.
    expect(decodeCall(createCall(idOf(3)))).toMatchObject({
      ...{ contract: 'TaskManager', name: 'createNewTask' },
      args: {
        task: { taskId: idOf(3), intent: { value: '1208925819614629174706176', chainId: 1 } },
      },
    })
  })

  it('of several calls, also those that are unknown', () => {
    const call = decodeCall(multicall(createCall(idOf(1)), '0x12345678', respondCall(idOf(1))))
    expect(call).toMatchObject({ name: 'multicall', args: {} })
    expect(call!.calls!.map((each) => each?.name)).toEqual([
      'createNewTask',
      undefined,
      'respondToTask',
    ])
  })

  it.each(['0x', '0x12', '0x12345678', createCall(idOf(1)).slice(0, 100)])('not of %s', (input) => {
    expect(decodeCall(input as `0x${string}`)).toBeUndefined()
  })
})

describe('an event', () => {
  it('of a known contract', () => {
    expect(decodeLog(created(idOf(1)))).toMatchObject({ name: 'NewTaskCreated' })
    expect(decodeLog(responded(idOf(1), 30))).toMatchObject({
      args: { taskId: idOf(1), certificate: { expirationBlock: 30 } },
    })
    expect(decodeLog(spent(idOf(1)))).toMatchObject({ args: { allowed: true } })
  })

  it.each([
    [{ topics: [], data: '0x' }],
    [{ topics: [idOf(9)], data: '0x' }],
    [{ ...spent(idOf(1)), data: '0x' }],
    [{ ...spent(idOf(1)), topics: spent(idOf(1)).topics.slice(0, 1) }],
  ] as const)('not of %j', (log) => {
    expect(decodeLog(log as never)).toBeUndefined()
  })
})
