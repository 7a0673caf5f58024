import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const script = (directory: string) => `
import { importCompiled } from 'polgate-lib/compile/importCompiled.mjs'
const { createService } = await importCompiled('impl/service/service.ts')
const key = '11'.repeat(32)
const address = '0x' + 'ab'.repeat(20)
const service = await createService({
  logLevel: 'silent',
  admin: {},
  chain: { rpcUrl: 'http://127.0.0.1:1', chainId: 1, taskManager: address, operatorRegistry: address },
  keys: { gateway: key, secrets: key, privacy: key },
  operators: [{ kind: 'local', address, blsKey: key }],
  content: { directory: ${JSON.stringify(join(directory, 'content'))} },
  oracles: { cacheDir: ${JSON.stringify(join(directory, 'cache'))} },
})
const { key: apiKey } = await service.store.apiKeys.create({ name: 'test', permissions: ['rpc'] })
const ask = (url, init) => fetch(url, init).then((response) => response.text())
const call = (method, params) =>
  ask(service.gatewayUrl + '/rpc', {
    method: 'POST',
    headers: { authorization: 'Bearer ' + apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: '1', method: 'svc_' + method, params }),
  })
const intent = { from: address, to: address, value: '0x0', data: '0x', chain_id: '0x1', function_signature: '0x' }
const policy = 'package policy\\n\\nallow := true\\n'
const simulated = await call('simulatePolicy', { policy_client: address, policy, intent, policy_data: [] })
const created = await call('createTask', { policy_client: address, intent })
const ready = await ask(service.adminUrl + '/readyz')
await service.close()
await service.close()
console.log(JSON.stringify({ simulated: JSON.parse(simulated), created: JSON.parse(created), ready }))
`

it('lets the process exit once the service is closed', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'svc-close-'))
  try {
    const args = ['--input-type=module', '--eval', script(directory)]
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 150_000 })
    expect(JSON.parse(stdout)).toMatchObject({
      // The EIP-712 domain of intents needs the chain, which is unavailable.
      simulated: {
        result: { success: false, error: expect.stringMatching(/^Contract read failed/) },
      },
      created: {
        result: { status: 'failed', error: expect.stringMatching(/^Contract read failed/) },
      },
      ready: expect.stringMatching(
        /^not ready\nchain: chain 1: the chain node is unreachable \(127\.0\.0\.1:1, since .+\): /,
      ),
    })
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}, 180_000)
