import { randomBytes } from 'node:crypto'
import { chainRpc } from 'polgate-lib/http/chainRpc.ts'
import type { Address, Hex } from 'polgate-protocol/scalars.ts'
import { privateKeyToAddress } from 'viem/accounts'
import { createControlClient } from './controlClient.ts'
import type { StackConnection } from './controlWire.ts'
import { addLiveStack } from './liveStacks.ts'
import { oracleMocks } from './oracleMocks.ts'
import { policyRequest } from './policyDeployment.ts'
import type { Stack, StackAccounts, StackKeys, StackSnapshot } from './stack.ts'
import type { StackAccount } from './stackAccount.ts'
import { stackClients } from './stackClients.ts'
import { stackClock } from './stackClock.ts'
import { TestingError } from './testingError.ts'

/** What the process that started a stack knows of it. */
export type StackProcess = {
  readonly ended: () => string | undefined
  readonly close: () => Promise<void>
}

const ether = 10n ** 18n

/** A handle of a stack that another process has started; closing it leaves the stack running. */
export function connectStack(connection: StackConnection, process?: StackProcess): Stack {
  const { description, contracts, adminUrl } = connection
  const { rpcUrl, chainId } = description.chain
  const call = createControlClient(connection, process?.ended)
  const oracles = oracleMocks(call)
  const forget = addLiveStack({ record: async (id) => (await call('/task', { id })).record })

  function snapshotOf(id: string): StackSnapshot {
    const restore = async (keep: boolean) => {
      await oracles.reset()
      await call('/restore', { id, keep })
    }
    return {
      id,
      restore: () => restore(true),
      restoreAndDrop: () => restore(false),
      async drop() {
        await call('/drop', { id })
      },
    }
  }
  async function setBalance(address: Address, wei: bigint): Promise<void> {
    await chainRpc(rpcUrl, 'anvil_setBalance', [address, `0x${wei.toString(16)}`])
  }
  let closing: Promise<void> | undefined
  const close = () => {
    forget()
    closing ??= oracles.close().then(() => process?.close())
    return closing
  }
  return {
    ...stackClients(description),
    gatewayUrl: description.gatewayUrl,
    explorerUrl: description.explorerUrl!,
    adminUrl,
    brand: description.brand,
    chain: { rpcUrl, chainId },
    keys: description.apiKeys as StackKeys,
    contracts,
    accounts: description.accounts as StackAccounts,
    operators: description.operators,
    clients: description.clients,
    clock: stackClock(call, rpcUrl),
    oracles,
    deployPolicy: async (policy) => await call('/policy', await policyRequest(policy)),
    async createAccount({ balance = 100n * ether } = {}) {
      const account = newAccount()
      await setBalance(account.address, balance)
      return account
    },
    setBalance,
    createKey: async ({ permissions, owners, expiresAt }) =>
      await createKey(description.controlUrl, {
        name: 'created by a test',
        permissions,
        owners: owners ?? [description.accounts.owner.address],
        ...(expiresAt === undefined ? {} : { expiresAt: expiresAt.toISOString() }),
      }),
    snapshot: async () => snapshotOf((await call('/snapshot', {})).id),
    reset: () => snapshotOf(connection.firstSnapshot).restore(),
    connection,
    close,
    [Symbol.asyncDispose]: close,
  }
}

function newAccount(): StackAccount {
  const privateKey: Hex = `0x${randomBytes(32).toString('hex')}`
  return { privateKey, address: privateKeyToAddress(privateKey) as Address }
}

async function createKey(controlUrl: string, key: Record<string, unknown>): Promise<string> {
  const response = await fetch(`${controlUrl}/keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(key),
  })
  const answer = (await response.json()) as { key?: string; error?: string; hint?: string }
  if (answer.key !== undefined) return answer.key
  throw new TestingError(`The stack cannot create the key: ${answer.error}`, {
    code: 'stack',
    hint: answer.hint ?? 'Permissions are rpc_read, rpc_write, rpc and admin.',
  })
}
