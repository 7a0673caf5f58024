import fc from 'fast-check'
import { type AbiFunction, encodeFunctionData, toFunctionSelector, toFunctionSignature } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleClientAbi } from './artifacts/abis.ts'
import { abiArguments } from './testing/abiArguments.ts'
import {
  type CallTarget,
  type ClientKind,
  type IntentCall,
  startCallerRights,
} from './testing/callerRights.ts'
import { setTargetAllowed } from './testing/setTargetAllowed.ts'

const functionsOf = ({ abi }: CallTarget) =>
  abi.filter((entry): entry is AbiFunction => entry.type === 'function')

const isRead = ({ stateMutability }: AbiFunction) =>
  stateMutability === 'view' || stateMutability === 'pure'

/** Calls of a function with generated arguments, beyond those that are known to have an effect. */
const runsOf = (entry: AbiFunction) => (isRead(entry) ? 1 : 6)

describe.each<ClientKind>(['sample', 'withoutDomain', 'guard'])(
  'an intent that the policy of a client allows: %s',
  (kind) => {
    let rights: Awaited<ReturnType<typeof startCallerRights>>
    beforeAll(async () => {
      rights = await startCallerRights(kind)
    })
    afterAll(() => rights.stop())

    const encode = (entry: AbiFunction, args: readonly unknown[]) =>
      encodeFunctionData({ abi: [entry], functionName: entry.name, args })
    const effectiveOf = ({ contract }: CallTarget, { name }: AbiFunction) =>
      rights.effective[contract]?.[name] ?? []

    it('changes nothing that a stranger could not: every function of every contract', async () => {
      for (const target of rights.targets) {
        for (const entry of functionsOf(target)) {
          const effective = effectiveOf(target, entry)
          const ways = ['client', 'relay'] as const
          const examples = effective.flatMap((args) =>
            ways.map((via) => [args, via] as [readonly unknown[], IntentCall['via']]),
          )
          await fc.assert(
            fc.asyncProperty(
              abiArguments(entry.inputs, rights.known),
              fc.constantFrom(...ways),
              async (args, via) => {
                const data = encode(entry, args)
                const excess = await rights.excessOf({ to: target.address, data, via })
                expect({ function: `${target.contract}.${entry.name}`, excess }).toEqual({
                  function: `${target.contract}.${entry.name}`,
                  excess: [],
                })
              },
            ),
            { examples, numRuns: examples.length + runsOf(entry) },
          )
        }
      }
    })

    it('changes exactly what is refused, where the owner allowed every target', async () => {
      const { world, client, targets } = rights
      const selectors = targets.flatMap((target) =>
        functionsOf(target).map((entry) => ({ target, entry })),
      )
      const refused = new Set<string>()
      for (const { entry } of selectors) {
        const isRefused = await world.transactor.client.readContract({
          ...{ address: client, abi: sampleClientAbi, functionName: 'refusesTarget' },
          args: [world.policyData, toFunctionSelector(entry)],
        })
        if (isRefused) refused.add(toFunctionSignature(entry))
      }
      for (const { address } of targets) await setTargetAllowed(world.transactor, client, address)
      const changed = new Set<string>()
      for (const { target, entry } of selectors) {
        // It is refused as a whole.
        if (target.address === client) continue
        const calls = effectiveOf(target, entry).map((args) => encode(entry, args))
        const found = await Promise.all(
          calls.map((data) => rights.excessOf({ to: target.address, data, via: 'client' })),
        )
        if (found.flat().length > 0) changed.add(toFunctionSignature(entry))
      }
      expect([...changed].sort()).toEqual([...refused].sort())
    })
  },
)
