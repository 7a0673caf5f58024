import { sampleClientAbi } from 'polgate-chain/artifacts/abis.ts'
import type { LocalStack } from 'polgate-local/localStack.ts'
import { recoverAddress, stringToHex, toFunctionSelector } from 'viem'
import { readContract, sendTransaction } from 'viem/actions'
import { beforeAll, describe, expect, it } from 'vitest'
import { attestationArguments } from '../chain/attestationArguments.ts'
import { spendAttestation } from '../chain/spendAttestation.ts'
import { waitForReceipt } from '../chain/waitForReceipt.ts'
import { chainOf, clientOf, newIntent, policyClientOf, walletOf } from './stackClients.ts'

/** Intents signed, and attestations spent, on a chain. */
export function chainSuite(stack: () => LocalStack): void {
  const allowList = () => policyClientOf(stack(), 'allow-list')
  const task = (more: object = {}) =>
    clientOf(stack()).createTask({
      policy_client: allowList(),
      intent: newIntent(stack()),
      ...more,
    })

  describe('intents', () => {
    it('are signed under the domain that the client states, or the given one', async () => {
      const client = clientOf(stack())
      const wallet = walletOf(stack())
      const kinds = Object.values(stack().description.clients)
      for (const exposes of [true, false]) {
        const fixture = kinds.find(({ exposesDomain }) => exposesDomain === exposes)!
        const { policyClient } = fixture
        const intent = newIntent(stack())
        const given = exposes ? {} : { domain: fixture.domain }
        const signing = { intent, policyClient, ...given }
        const { chain_id, function_signature, value, ...rest } = intent
        const digest = await readContract(wallet, {
          address: policyClient,
          abi: sampleClientAbi,
          functionName: 'hashIntent',
          args: [
            {
              ...rest,
              value: BigInt(value),
              chainId: BigInt(chain_id),
              functionSignature: function_signature,
            },
          ],
        })
        expect(await client.hashIntent(signing)).toBe(digest)
        for (const account of [wallet, wallet.account]) {
          const signature = await client.signIntent({ ...signing, account })
          expect(await recoverAddress({ hash: digest, signature })).toBe(wallet.account.address)
        }
        const offline = clientOf(stack(), 'rpc', { chain: { id: chainOf(stack()).id } })
        expect(await offline.hashIntent({ ...signing, publicClient: wallet })).toBe(digest)
        if (exposes) continue
        const unknown = client.signIntent({ intent, policyClient, account: wallet })
        await expect(unknown).rejects.toMatchObject({
          code: 'DOMAIN_UNKNOWN',
          hint: expect.stringContaining('domain: { name, version }'),
        })
      }
    })

    it('need a chain that answers', async () => {
      const rpcUrls = { default: { http: ['http://127.0.0.1:9/secret-path'] } }
      const client = clientOf(stack(), 'rpc', { chain: { id: 1, rpcUrls } })
      const signing = { intent: newIntent(stack()), policyClient: allowList() }
      const error = await client.hashIntent(signing).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ code: 'CONTRACT_ERROR' })
      expect(String(error)).not.toContain('secret-path')
      await expect(
        clientOf(stack(), 'rpc', { chain: { id: 1 } }).hashIntent(signing),
      ).rejects.toMatchObject({
        code: 'INVALID_OPTIONS',
      })
    })
  })

  describe('attestations', () => {
    beforeAll(async () => {
      const wallet = walletOf(stack())
      const hash = await sendTransaction(wallet, { to: allowList(), value: 1_000_000n })
      await waitForReceipt(wallet, { hash })
    })

    it('have the same arguments with and without validate_calldata', async () => {
      const result = await task({ include_validate_calldata: true })
      const { validate_calldata: _, ...without } = result
      const lower = (value: unknown) =>
        JSON.stringify(value, (__, each) =>
          typeof each === 'bigint' ? each.toString() : each,
        ).toLowerCase()
      expect(JSON.parse(lower(attestationArguments(without as typeof result)))).toEqual(
        JSON.parse(lower(attestationArguments(result))),
      )
    })

    it('are spent once', async () => {
      const walletClient = walletOf(stack())
      for (const include_validate_calldata of [true, false]) {
        const result = await task({ include_validate_calldata })
        const spent = await spendAttestation({ walletClient, result })
        expect(spent).toMatchObject({
          executed: true,
          returned: '0x',
          receipt: { status: 'success' },
        })
        await expect(spendAttestation({ walletClient, result })).rejects.toMatchObject({
          code: 'ATTESTATION_SPENT',
          errorName: 'AttestationAlreadySpent',
          args: [result.task_id],
        })
      }
    })

    it('are not spent by another sender, on another chain, without a function, or when altered', async () => {
      const result = await task()
      const walletClient = walletOf(stack())
      await expect(
        spendAttestation({ walletClient: walletOf(stack(), 'stranger'), result }),
      ).rejects.toMatchObject({ code: 'NOT_SPENDABLE' })
      const elsewhere = {
        ...result,
        task: { ...result.task, intent: { ...result.task.intent, chainId: '0x1' as const } },
      }
      await expect(spendAttestation({ walletClient, result: elsewhere })).rejects.toThrow(
        'another chain',
      )
      await expect(
        spendAttestation({ walletClient, result, functionName: 'noSuchFunction' }),
      ).rejects.toMatchObject({
        code: 'NOT_SPENDABLE',
        shortMessage: expect.stringContaining('has no function noSuchFunction('),
      })
      const { from } = result.task.intent
      const nowhere = { ...result, task: { ...result.task, policyClient: from } }
      await expect(spendAttestation({ walletClient, result: nowhere })).rejects.toMatchObject({
        code: 'NOT_SPENDABLE',
        shortMessage: expect.stringContaining('There is no contract'),
      })
      const { validate_calldata: _, ...rest } = result
      const altered = {
        ...rest,
        task: { ...rest.task, quorumThresholdPercentage: 1 },
      } as typeof result
      await expect(spendAttestation({ walletClient, result: altered })).rejects.toMatchObject({
        code: 'ATTESTATION_REFUSED',
        errorName: 'ThresholdBelowMinimum',
      })
    })

    it.each([
      [toFunctionSelector('noSuch()'), 'noSuch()', 'has no function noSuch()'],
      ['0x0badf00d', '', 'has no function 0x0badf00d'],
      ['0xa9059cbb', 'transfer(address,uint256)', 'does not have the arguments of transfer('],
    ] as const)('of a call of %s as "%s" name what is wrong', async (data, signature, problem) => {
      const walletClient = walletOf(stack())
      const policy_client = policyClientOf(stack(), 'cap')
      const to = stack().description.contracts!.addresses.OperatorRegistry!
      const function_signature = stringToHex(signature)
      const intent = { ...newIntent(stack()), to, value: '0x0' as const, data, function_signature }
      const result = await task({ policy_client, intent })
      await expect(spendAttestation({ walletClient, result })).rejects.toMatchObject({
        code: 'NOT_SPENDABLE',
        shortMessage: expect.stringContaining(problem),
      })
    })

    it('of a denial are kept, unless asked for', async () => {
      const walletClient = walletOf(stack())
      const intent = { ...newIntent(stack()), value: '0xffffffffffffffffffffff' as const }
      const result = await clientOf(stack()).createTask({ policy_client: allowList(), intent })
      await expect(spendAttestation({ walletClient, result })).rejects.toMatchObject({
        code: 'POLICY_DENIED',
      })
      const spent = await spendAttestation({ walletClient, result, spendDenied: true })
      expect(spent.executed).toBe(false)
    })

    it('expire', async () => {
      const walletClient = walletOf(stack())
      const policy_client = policyClientOf(stack(), 'short-lived')
      const result = await task({ policy_client })
      await stack().mine(result.expiration - result.reference_block)
      await expect(spendAttestation({ walletClient, result })).rejects.toMatchObject({
        code: 'ATTESTATION_EXPIRED',
        expiration: BigInt(result.expiration),
      })
      const later = { ...result, expiration: result.expiration + 1_000 }
      await expect(spendAttestation({ walletClient, result: later })).rejects.toMatchObject({
        code: 'ATTESTATION_EXPIRED',
        errorName: expect.stringMatching(/Expired/),
      })
    })
  })
}
