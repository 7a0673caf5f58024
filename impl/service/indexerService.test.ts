import { describe, expect, it } from 'vitest'
import { createIndexerService } from './indexerService.ts'

const network = {
  chainId: 31_337,
  rpcUrl: 'http://127.0.0.1:1',
  taskManager: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
  policyFactory: '0x5fbdb2315678afecb367f032d93f642f64180aa4',
} as const
const explorer = { indexer: false, networks: { testnet: network } }
const content = { directory: '/nowhere' }
const secret = 'password-that-nobody-prints'
const unreachable = `postgresql://svc:${secret}@127.0.0.1:1/svc`

describe('a standalone indexer', () => {
  it.each([
    ['no network', { content, store: { url: unreachable } }, 'explorer.networks is empty'],
    ['no store', { content, explorer }, 'store is not configured'],
    ['a member of a gateway', { content, explorer, operators: [] }, 'operators'],
  ])('does not start with %s', async (_, config, message) => {
    await expect(createIndexerService(config)).rejects.toThrow(message)
  })

  it('reports an unreachable store without its password', async () => {
    const failed = await createIndexerService({ content, explorer, store: { url: unreachable } })
      .then(() => undefined)
      .catch((error: unknown) => error)
    expect(failed).toMatchObject({ code: 'unavailable' })
    expect(JSON.stringify(failed) + String((failed as Error).stack)).not.toContain(secret)
  })
})
