import type { LocalStack } from 'polgate-local/localStack.ts'
import { startTestStack } from 'polgate-local/testing/startTestStack.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkCompatibility } from './checkCompatibility.ts'

let stack: LocalStack
beforeAll(async () => {
  stack = await startTestStack()
})
afterAll(() => stack.close())

function ofClient(name: string) {
  const { chain, clients } = stack.description
  return checkCompatibility({ policyClient: clients[name]!.policyClient, rpcUrl: chain.rpcUrl })
}

describe('the contracts of a policy client', () => {
  it('are compatible, each listed with its address', async () => {
    const { policyAddress, policyData } = stack.description.clients['multi-oracle']!
    expect(await ofClient('multi-oracle')).toEqual(
      [policyAddress, ...policyData.map(({ address }) => address)].map((address, at) => ({
        contract: at === 0 ? 'policy' : 'policyData',
        address,
        version: '1.1.0',
        minimum: '1.0.0',
        compatible: true,
      })),
    )
  })

  it('are incompatible if one has another major version', async () => {
    const misfits = async (name: string) =>
      (await ofClient(name)).filter(({ compatible }) => !compatible)
    expect(await misfits('policy-of-version-9')).toMatchObject([
      { contract: 'policy', version: '9.0.0' },
    ])
    expect(await misfits('policy-data-of-version-9')).toMatchObject([
      { contract: 'policyData', version: '9.0.0' },
    ])
  })

  it('cannot be read from an account, an invalid address or an unreachable node', async () => {
    const { rpcUrl } = stack.description.chain
    const policyClient = stack.description.accounts.sender.address
    await expect(checkCompatibility({ policyClient, rpcUrl })).rejects.toThrow(
      'Contract read failed',
    )
    await expect(checkCompatibility({ policyClient: '0x12', rpcUrl })).rejects.toThrow(
      '0x12 is not an address',
    )
    await expect(
      checkCompatibility({ policyClient, rpcUrl: 'http://127.0.0.1:1' }),
    ).rejects.toMatchObject({ exitCode: 2, hint: expect.stringContaining('node') })
  })
})

describe('versions from the command line', () => {
  it.each([
    ['1.0.0', true],
    ['1.7.3', true],
    ['2.0.0', false],
    ['1.0.0-rc.1', false],
    ['1.0.0+build.7', true],
    ['v1.0.0', false],
    ['1.0', false],
    ['0.9.0', false],
    ['one', false],
  ])('%s: %s', async (policy, compatible) => {
    expect(await checkCompatibility({ policy })).toMatchObject([{ compatible }])
  })

  it('are required without a policy client', async () => {
    await expect(checkCompatibility({})).rejects.toThrow('Nothing to check')
  })
})
