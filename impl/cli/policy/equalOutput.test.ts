import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  deployPolicy,
  deployPolicyClient,
  deployPolicyData,
  deployProtocol,
} from 'polgate-chain/deploy.ts'
import { createTransactor } from 'polgate-chain/transactor.ts'
import { buildComponent } from 'polgate-fixtures/oracles/build.ts'
import { type LocalStack, startLocalStack } from 'polgate-local/localStack.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import { createContentStore } from 'polgate-service/content/contentStore.ts'
import { sealSecrets } from 'polgate-service/envelopes/secrets.ts'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runMain } from '../testing/runMain.ts'

/**
 * Runs one oracle package in every way: both commands, both simulations of the gateway, and a task.
 * All must have the same output.
 */

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const folder = at('../../../fixtures/packages/counterparty-risk')
const oracleFolder = join(folder, 'oracles/counterparty_risk')
const key = 'fixture-screening-key'

let upstream: Server
let mode: 'ok' | 'failing' = 'ok'
let url: string
let stack: LocalStack
let scratch: string
let component: Uint8Array
let wasmCid: string
let wasmArgs: string
/** A client of an oracle with secrets, and one of an oracle without. */
let guarded: { client: Address; data: Address }
let open: { client: Address; data: Address }

beforeAll(async () => {
  upstream = createServer((request, response) => {
    const known = request.headers.authorization === `Bearer ${key}`
    const status = mode === 'failing' ? 503 : known ? 200 : 401
    const address = /^\/v1\/addresses\/(0x[0-9a-f]{40})\/risk$/.exec(request.url ?? '')?.[1]
    response.writeHead(address === undefined ? 404 : status, { 'content-type': 'application/json' })
    response.end(status === 200 ? '{"score": 12.50, "category": "exchange"}' : '{}')
  })
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
  const { port } = upstream.address() as AddressInfo
  url = `http://127.0.0.1:${port}`
  const name = 'oracle'
  component = await buildComponent({ name, path: join(oracleFolder, 'oracle.js') })
  wasmArgs = (await readFile(join(oracleFolder, 'wasm_args.json'), 'utf8')).trimEnd()
  scratch = await mkdtemp(join(tmpdir(), 'svc-equal-'))
  await writeFile(join(scratch, 'oracle.wasm'), component)
  stack = await startLocalStack({
    config: (config) => ({
      ...config,
      oracles: { ...config.oracles, allowedHosts: [`127.0.0.1:${port}`] },
    }),
  })
  await deploy()
}, 240_000)
afterAll(async () => {
  await stack?.close()
  upstream?.closeAllConnections()
  upstream?.close()
  if (scratch !== undefined) await rm(scratch, { recursive: true })
})

async function deploy(): Promise<void> {
  const { chain, accounts } = stack.description
  const { rpcUrl, taskManager } = chain
  const account = privateKeyToAccount(accounts.owner.privateKey)
  const owner = await createTransactor({ rpcUrl, account })
  const content = createContentStore({ directory: stack.config.content!.directory! })
  const put = async (path: string) => content.put(await readFile(join(folder, path)))
  wasmCid = await content.put(component)
  const [policyCid, schemaCid, secretsSchemaCid] = await Promise.all(
    ['policy.rego', 'params.schema.json', 'oracles/counterparty_risk/secrets.schema.json'].map(put),
  )
  const policyParams = await readFile(join(folder, 'params.json'), 'utf8')
  const { policyFactory } = await deployProtocol(owner)
  const deployed = async (secretsSchema: string) => {
    const data = await deployPolicyData(owner, { wasmCid, secretsSchemaCid: secretsSchema })
    const entrypoint = 'policy.allow'
    const policy = await deployPolicy(
      owner,
      { policyFactory },
      { entrypoint, policyCid: policyCid!, schemaCid: schemaCid!, policyData: [data] },
    )
    const client = await deployPolicyClient(
      owner,
      { taskManager },
      {
        kind: 'sample',
        policy,
        policyParams,
        expireAfter: 1_000,
        domainName: 'A',
        domainVersion: '1',
      },
    )
    return { client, data }
  }
  guarded = await deployed(secretsSchemaCid!)
  open = await deployed('')
}

/** Response as text, so that parsing loses no digits. */
async function call(method: string, params: object): Promise<string> {
  const { gatewayUrl, apiKeys } = stack.description
  const response = await fetch(`${gatewayUrl}/rpc`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKeys.rpc}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: '1', method: `svc_${method}`, params }),
  })
  return await response.text()
}

const hex = (text: string) => `0x${Buffer.from(text).toString('hex')}`
const textOf = (data: string) => Buffer.from(data.slice(2), 'hex').toString('utf8')
function between(text: string, from: string, to: string) {
  const start = text.indexOf(from)
  const end = text.indexOf(to, start + from.length)
  if (start === -1 || end === -1) throw new Error(`no ${from} in ${text}`)
  return text.slice(start + from.length, end)
}

const seal = (secrets: Readonly<Record<string, string>>) =>
  sealSecrets({
    secrets,
    policyClient: guarded.client,
    chainId: stack.description.chain.chainId,
    recipientPublicKey: stack.service.encryptionKeys.secretsPublicKey,
  })

/** Runs it in every way; returns the outputs. */
async function byAllWays(where: typeof guarded, secrets: Readonly<Record<string, string>> | null) {
  const intent = JSON.parse(await readFile(join(folder, 'intent.json'), 'utf8'))
  const allow = ['--allow-host', new URL(url).host]
  const secretsFile = join(scratch, 'secrets.json')
  const policyFolder = await mkdtemp(join(scratch, 'package-'))
  let sealed: string | undefined // for the simulation: what is stored is not opened there
  await cp(folder, policyFolder, { recursive: true })
  if (secrets === null) {
    const path = join(policyFolder, 'policy.yaml')
    const lines = (await readFile(path, 'utf8')).split('\n')
    await writeFile(
      path,
      lines.filter((line) => !/testSecrets|secretsSchema/.test(line)).join('\n'),
    )
  } else {
    await writeFile(secretsFile, JSON.stringify(secrets))
    sealed = await seal(secrets)
    const stored = await call('storeEncryptedSecrets', {
      policy_client: where.client,
      policy_data_address: where.data,
      envelope: await seal(secrets),
    })
    expect(stored).toContain('"success":true')
  }
  const withSecrets = secrets === null ? [] : ['--secrets-file', secretsFile]
  // Sequentially, because the output of commands in this process is captured globally.
  const oracle = await runMain(
    ...['--chain-id', '31337', 'policy-data', 'simulate'],
    ...['--wasm-file', join(scratch, 'oracle.wasm'), '--input-json', wasmArgs],
    ...[...withSecrets, ...allow],
  )
  const domainFile = join(scratch, 'intent_domain.json')
  const domain = { name: 'A', version: '1', chainId: 31337, verifyingContract: where.client }
  await writeFile(domainFile, JSON.stringify(domain))
  const signed = ['--intent-domain', domainFile]
  const command = [
    'policy',
    'simulate',
    policyFolder,
    ...withSecrets,
    ...signed,
    ...allow,
    '--json',
  ]
  const policy = await runMain(...command)
  const [simulatedData, simulatedPolicy, task] = await Promise.all([
    call('simulatePolicyData', {
      policy_data_address: where.data,
      chain_id: 31337,
      wasm_args: hex(wasmArgs),
      ...(sealed === undefined ? {} : { secrets: Buffer.from(sealed).toString('base64') }),
    }),
    call('simulatePolicy', {
      policy_client: where.client,
      policy: await readFile(join(folder, 'policy.rego'), 'utf8'),
      intent,
      policy_data: [{ policy_data_address: where.data, wasm_args: hex(wasmArgs) }],
      policy_params: JSON.parse(await readFile(join(folder, 'params.json'), 'utf8')),
    }),
    call('createTask', { policy_client: where.client, intent, wasm_args: hex(wasmArgs) }),
  ])
  return { oracle, policy, simulatedData, simulatedPolicy, task: JSON.parse(task).result }
}

describe('an oracle package has the same output in every way', { timeout: 240_000 }, () => {
  test.each([
    {
      name: 'with a working upstream',
      world: 'ok' as const,
      secret: key,
      output:
        '{"address":"0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc","score":12.5,"category":"exchange"}',
      allowed: true,
    },
    {
      name: 'with a failing upstream',
      world: 'failing' as const,
      secret: key,
      output: '{"error":"screening answered 503"}',
      allowed: false,
    },
    {
      name: 'with a wrong credential',
      world: 'ok' as const,
      secret: 'a-key-of-somebody-else',
      output: '{"error":"screening answered 401"}',
      allowed: false,
    },
  ])('$name', async ({ world, secret, output, allowed }) => {
    mode = world
    const ways = await byAllWays(guarded, { RISK_API_URL: url, RISK_API_KEY: secret })
    const whole = `{"counterparty_risk":${output}}`

    expect(ways.oracle).toMatchObject({ code: 0, stdout: `${whole}\n` })
    expect(between(ways.simulatedData, '"data":', ',"timestamp"')).toBe(whole)
    expect(between(ways.simulatedData, '"specifier":"', '"')).toBe(wasmCid)
    expect(ways.task.status).toBe('success')
    expect(textOf(ways.task.task_response.policy_task_data.policyData[0].data)).toBe(whole)

    // The whole result, digit by digit.
    const shown = between(ways.simulatedPolicy, '"evaluation_result":', ',"error":null')
    expect(between(ways.policy.stdout, '"evaluation_result":', ',"error":null')).toBe(shown)
    expect(JSON.parse(shown)).toMatchObject({
      policy_params_and_data: { wasm: JSON.parse(whole) },
      result: allowed,
    })
    const [last] = ways.task.task_response.evaluation_result.slice(-1)
    expect(last).toBe(allowed ? 1 : 0)
    for (const text of [ways.oracle, ways.policy, ways.task].map((each) => JSON.stringify(each)))
      expect(text).not.toContain(secret)
  })

  test('with missing secrets: the error is the same', async () => {
    mode = 'ok'
    const { oracle, policy, ...ways } = await byAllWays(open, null)
    const text =
      'WASM execution failed: no secrets are stored for this policy client and policy data'
    expect(oracle).toMatchObject({ code: 1, stdout: '', stderr: `error: ${text}\n` })
    expect(policy.code).toBe(1)
    expect(JSON.parse(policy.stdout)).toMatchObject({ success: false, error: text })
    expect(JSON.parse(ways.simulatedData).result).toMatchObject({ success: false, error: text })
    expect(JSON.parse(ways.simulatedPolicy).result).toMatchObject({ success: false, error: text })
    expect(ways.task.status).toBe('failed')
    expect(ways.task.operator_errors.map(({ message }: { message: string }) => message)).toEqual(
      stack.description.operators.map(() => text),
    )
  })
})
