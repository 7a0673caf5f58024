import { customErrorsAbi, sampleClientAbi } from 'polgate-chain/artifacts/abis.ts'
import { type Abi, encodeErrorResult, pad, parseAbi } from 'viem'
import { describe, expect, it, vi } from 'vitest'
import {
  boundedMulticall,
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
import { decodeCall, decodeLog, decodeRevert } from './decode.ts'
import { panicText } from './panicText.ts'

vi.stubGlobal('location', { hash: '', origin: 'http://127.0.0.1', pathname: '/' })
vi.stubGlobal('sessionStorage', { getItem: () => null, setItem() {} })
const { revertDataOf } = await import('./readRevert.ts')
const builtIn = parseAbi(['error Error(string message)', 'error Panic(uint256 code)'])

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
    const bounded = decodeCall(boundedMulticall(9n, createCall(idOf(1))))
    expect(bounded).toMatchObject({ name: 'boundedMulticall', args: { gasLimits: [9] } })
    expect(bounded!.calls!.map((each) => each?.name)).toEqual(['createNewTask'])
  })

  it.each(['0x', '0x12', '0x12345678', createCall(idOf(1)).slice(0, 100)])('not of %s', (input) => {
    expect(decodeCall(input as `0x${string}`)).toBeUndefined()
  })
})

describe('a revert', () => {
  const failed = (reason: `0x${string}`) =>
    encodeErrorResult({ abi: sampleClientAbi, errorName: 'IntentFailed', args: [reason] })

  it('with every custom error of the contracts', () => {
    for (const error of customErrorsAbi) {
      const inputs: readonly { readonly type: string }[] = error.inputs
      const args = inputs.map(({ type }) =>
        /^(u?int|bytes\d)/.test(type)
          ? type.startsWith('bytes')
            ? pad('0x', { size: Number(type.slice(5)), dir: 'right' })
            : 1
          : type === 'address'
            ? client
            : type === 'bool'
              ? true
              : '0x',
      )
      const data = encodeErrorResult({ abi: [error] as Abi, errorName: error.name, args })
      expect([error.name, decodeRevert(data)?.name]).toEqual([error.name, error.name])
    }
  })

  it('with a message, a panic, and what an error quotes', () => {
    const message = encodeErrorResult({ abi: builtIn, errorName: 'Error', args: ['too late'] })
    expect(decodeRevert(message)).toEqual({
      ...{ contract: 'Solidity', name: 'Error', args: { message: 'too late' } },
    })
    const panic = encodeErrorResult({ abi: builtIn, errorName: 'Panic', args: [0x11n] })
    const decoded = decodeRevert(panic)
    expect(panicText(decoded?.args.code)).toBe('0x11: arithmetic overflow or underflow')
    expect(panicText(0x99)).toBe('0x99: a code that Solidity does not define')
    expect(decodeRevert(failed(message))).toMatchObject({
      ...{ contract: 'PolicyClient', name: 'IntentFailed' },
      calls: [{ name: 'Error', args: { message: 'too late' } }],
    })
  })

  it.each(['0x', '0x08c379a0', '0x12345678', failed('0x').slice(0, 20)])('not with %s', (data) => {
    expect(decodeRevert(data as `0x${string}`)).toBeUndefined()
  })

  it.each([
    [{ data: '0x12' }, '0x12'],
    [{ data: { data: '0x34' } }, '0x34'],
    [{ message: 'execution reverted' }, '0x'],
    [{ message: 'the method is not there', data: 'x' }, undefined],
    [undefined, undefined],
  ])('has its data in the error of a node: %j', (error, data) => {
    expect(revertDataOf(error)).toBe(data)
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
