import { createServiceClient } from 'polgate-client'
import { afterAll, expect, test } from 'vitest'
import { assertAllowed } from '../index.ts'
import { ServiceContainer, type StartedServiceContainer } from './serviceContainer.ts'

// Its cleanup container would have to be pulled.
process.env.TESTCONTAINERS_RYUK_DISABLED = 'true'

/** An image whose entry point is the command line, such as that of `npm run certify:container`. */
const image = process.env.POLGATE_TEST_IMAGE ?? 'svc-under-test'

async function whyNot(): Promise<string | undefined> {
  const { getContainerRuntimeClient } = await import('testcontainers')
  try {
    const { container } = await getContainerRuntimeClient()
    await container.dockerode.getImage(image).inspect()
    return undefined
  } catch (error) {
    return `not run: no container engine, or no image ${image}: ${(error as Error).message}`
  }
}

const reason = await whyNot()
let started: StartedServiceContainer | undefined
afterAll(async () => void (await started?.stop()))

test('the image serves a stack of the brand, with keys and contracts', async (context) => {
  context.skip(reason !== undefined, reason)
  started = await new ServiceContainer(image).withBrand('acme').start()
  const { clients, accounts, chain } = started.description
  const client = createServiceClient({
    ...{ url: started.getGatewayUrl(), key: started.getApiKey('rpc'), brand: 'acme' },
    chain: { id: chain.chainId },
  })
  const task = client.createTask({
    policy_client: clients.cap!.policyClient,
    intent: {
      ...{ from: accounts.sender.address, to: accounts.recipient.address, value: '0x1' },
      ...{ data: '0x', chain_id: `0x${chain.chainId.toString(16)}`, function_signature: '0x' },
    },
  })
  await assertAllowed(task)
  expect((await fetch(`${started.getExplorerUrl()}/openapi.json`)).status).toBe(200)
  expect(started.getChainUrl()).toBe(chain.rpcUrl)
})

test('a brand that is none is refused, and an image without a stack says what it printed', async (context) => {
  expect(() => new ServiceContainer(image).withBrand('Acme!')).toThrow(
    /The brand "Acme!" is not valid/,
  )
  context.skip(reason !== undefined, reason)
  const wrong = new ServiceContainer(image).withEntrypoint(['/bin/sh', '-c', 'echo no stack here'])
  await expect(wrong.start()).rejects.toMatchObject({
    code: 'start',
    message: expect.stringMatching(/The stack did not start: .*no stack here/s),
  })
})
