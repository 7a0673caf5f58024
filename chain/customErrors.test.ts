import {
  confidentialDataRegistryProvocations,
  identityRegistryProvocations,
} from 'polgate-service/attestation/testing/provocations/dataRegistries.ts'
import {
  sampleClientProvocations,
  sampleClientWithoutDomainProvocations,
  sampleTokenProvocations,
  tokenVaultProvocations,
} from 'polgate-service/attestation/testing/provocations/policyClients.ts'
import type { Provocations } from 'polgate-service/attestation/testing/provocations/provocation.ts'
import { registryProvocations } from 'polgate-service/attestation/testing/provocations/registry.ts'
import { taskManagerProvocations } from 'polgate-service/attestation/testing/provocations/taskManager.ts'
import { startWorld, type World } from 'polgate-service/attestation/testing/world.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as abis from './artifacts/abis.ts'
import { decodeRevert } from './customErrors.ts'
import { ChainWriteError } from './errors.ts'
import { readClientContext } from './reads.ts'

/** By contract: a call that triggers each custom error of its ABI. */
const provocations: Readonly<Record<string, Provocations>> = {
  confidentialDataRegistry: confidentialDataRegistryProvocations,
  contextReader: {
    ReadFailed: ({ transactor, policy }) =>
      readClientContext({ client: transactor.client, policyClient: policy }).catch((error) => {
        throw error.cause
      }),
  },
  identityRegistry: identityRegistryProvocations,
  operatorRegistry: registryProvocations,
  policy: {
    ExpireAfterTooLong: ({ transactor, policy }) =>
      transactor.write({
        address: policy,
        abi: abis.policyAbi,
        functionName: 'setPolicy',
        args: [{ policyParams: '0x', expireAfter: 50_401 }],
      }),
  },
  policyData: {},
  policyFactory: {},
  sampleClient: sampleClientProvocations,
  sampleClientWithoutDomain: sampleClientWithoutDomainProvocations,
  sampleToken: sampleTokenProvocations,
  taskManager: taskManagerProvocations,
  tokenVault: tokenVaultProvocations,
}

/** Library errors that no call can trigger, in every contract or in one. */
const unreachable: Readonly<Record<string, string>> = {
  InvalidShortString: 'only the constructor writes short strings, correctly',
  'identityRegistry.StringTooLong': 'the domain name is a constant of valid length',
}

const { customErrorsAbi: _, ...contractAbis } = abis

describe('custom errors', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld()
  })
  afterAll(() => world.stop())

  it.each(Object.entries(contractAbis))('has a trigger for each error of %s', (name, abi) => {
    const contract = name.replace(/Abi$/, '')
    const declared = abi
      .flatMap((entry) => (entry.type === 'error' ? [entry.name] : []))
      .filter((error) => !(error in unreachable || `${contract}.${error}` in unreachable))
    const provoked = Object.keys(provocations[contract] ?? { none: undefined })
    expect(provoked.sort()).toEqual(declared.sort())
  })

  for (const [contract, cases] of Object.entries(provocations)) {
    for (const [name, provoke] of Object.entries(cases)) {
      it(`${contract} refuses with ${name}`, async () => {
        const outcome = await provoke(world).then(
          () => 'no call reverted',
          (error: unknown) => {
            const cause = error instanceof ChainWriteError ? error.cause : error
            return decodeRevert(cause)?.errorName ?? error
          },
        )
        expect(outcome).toBe(name)
      })
    }
  }
})
