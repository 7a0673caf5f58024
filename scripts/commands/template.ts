import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type BuildOptions, buildComponent, buildOracle } from 'polgate-fixtures/oracles/build.ts'
import { startWithCleanup } from 'polgate-lib/async/cleanupStack.ts'
import { userDirectories } from 'polgate-lib/files/userDirectories.ts'
import { freePort } from 'polgate-lib/http/freePort.ts'
import { contentDirectory } from 'polgate-local/chainImage.ts'
import { devEncryptionKeys, devOperators } from 'polgate-local/devKeys.ts'
import { startEnvironment } from 'polgate-local/environment.ts'
import { environmentConfig } from 'polgate-local/environmentConfig.ts'
import { defaultBrand } from 'polgate-protocol/brand.ts'
import { startPostgres } from 'polgate-service/store/testing/postgresServer.ts'
import { root } from '../build/packages/bundle.ts'
import type { OrdinaryUser, RunOptions } from '../build/packages/try/ordinaryUser.ts'
import { startStack } from '../build/packages/try/runningStack.ts'
import type { Values } from './rows.ts'

/** What the commands find: a folder that each gets a copy of, and the services behind it. */
export type Template = {
  readonly folder: string
  readonly values: Values
  readonly close: () => Promise<void>
}

const policy = `package policy

default allow := false

# lint:ignore unrestricted-target: the client restricts its target
allow if count(deny) == 0

deny contains "too much" if input.value > 5
`

const policyTest = `package policy_test

import data.policy

test_allowed if policy.allow with input as {"value": 1}

test_denied if not policy.allow with input as {"value": 6}

test_deny if policy.deny == {"too much"} with input as {"value": 6}
`

/** A check of a gateway's own. */
const ownCheck = `import { defineCheck } from 'polgate-conformance'

export const answers = defineCheck({
  id: 'acme.answers',
  title: 'a public key is answered',
  level: 'must',
  clause: 'ACME-1: every key may read the public key',
  run: async (t) => {
    t.expect.result(await t.call('getSecretsPublicKey', {}))
  },
})
`

/** A key that is valid where an expired one is wanted: a check fails, which other commands need. */
const failingTarget = (gatewayUrl: string) => `gatewayUrl: ${gatewayUrl}
keys: { read: "\${SVC_KEY_READ}", expired: "\${SVC_KEY_READ}" }
`

/**
 * Prepares the folder of a user who has worked with the commands: files of a policy, a running stack, runs
 * and their reports, keys, a snapshot.
 *
 * @param folder of the user, with the packages installed
 */
export function prepareTemplate(
  folder: string,
  user: OrdinaryUser,
  env: RunOptions['env'],
): Promise<Template> {
  return startWithCleanup(async (cleanup) => {
    const write = (path: string, text: string | Uint8Array) => {
      mkdirSync(join(folder, path, '..'), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    const [postgres, environment] = await Promise.all([
      startPostgres().then((started) => {
        cleanup.defer(() => started.stop())
        return started
      }),
      startEnvironment({ brand: defaultBrand }).then((started) => {
        cleanup.defer(() => started.close())
        return started
      }),
      writeFiles(folder, String(env.XDG_CACHE_HOME), write),
    ])
    const at = async () => ({ host: '127.0.0.1', port: await freePort() })
    const listen = { gateway: await at(), explorer: await at(), control: await at() }
    write('environment.json', JSON.stringify({ ...environment.environment, listen }))
    // Several examples start this one, at the same time.
    const any = { host: '127.0.0.1', port: 0 }
    const config = environmentConfig(
      { ...environment.environment, listen: { gateway: any, explorer: any, control: any } },
      contentDirectory,
    )
    const content = { ...config.content, directory: './content' }
    write(
      'service.json',
      JSON.stringify({ ...config, content, store: { dataDir: './service-data' } }),
    )
    const [first] = devOperators
    const { rpcUrl, chainId, taskManager } = environment.environment.chain
    write(
      'operator.json',
      JSON.stringify({
        ...{ listen: { host: '127.0.0.1', port: 0 }, token: 'a-token-of-24-characters-or-more' },
        ...{
          address: first?.address,
          blsKey: first?.blsKey,
          secretsKey: devEncryptionKeys.secrets,
        },
        ...{ chainId, chain: { rpcUrl, taskManager }, content },
        oracles: { cacheDir: './cache' },
      }),
    )
    user.owns(folder)
    user.owns(String(env.XDG_CACHE_HOME))
    const options = { cwd: folder, env: { ...env, SVC_KEY_READ: 'dev-read-public-key' } }
    const polgate = (line: string, code = 0) =>
      user.run(['bash', '-c', `polgate ${line}`], { ...options, code })
    // Elsewhere: a stack describes itself in its folder.
    const elsewhere = join(folder, '../stack')
    mkdirSync(elsewhere)
    user.owns(elsewhere)
    const [stack] = await Promise.all([
      startStack(user, ['polgate'], { ...options, cwd: elsewhere }).then((started) => {
        cleanup.defer(started.stop)
        return started
      }),
      polgate('start --data-dir ./dev --exec true'),
      polgate('keys create --permission rpc --data-dir ./data'),
      polgate('keys create --permission rpc --data-dir ./service-data'),
      polgate(`db migrate --database-url ${postgres.url}`),
    ])
    stack.describeIn(folder)
    stack.describeIn(join(folder, 'other'))
    const url = stack.gatewayUrl
    await Promise.all([
      polgate('verify --new-key key.pem'),
      polgate('policy simulate my-package --replay my-package/exchanges.yaml'),
      polgate(`init ${url}`),
    ])
    const seed = '--grep rpc.keys.invalid --seed 0x5eed42'
    const [created, deleted, added] = await Promise.all([
      polgate('keys create --permission rpc --json'),
      polgate('keys create --permission rpc --json'),
      polgate('content add oracle.wasm'),
      polgate(`certify --target ${url} ${seed} --shard 1/2 --report-dir out/1`),
      polgate(`certify --target ${url} ${seed} --shard 2/2 --report-dir out/2`),
      polgate('snapshot save monday.snapshot'),
      polgate(`record --target ${url} --out client.fixture -- node client.mjs`),
    ])
    // Alone: it changes keys and limits. A selection of checks gets no certificate.
    await polgate(`certify --target ${url} --require base --sign-key key.pem --report-dir signed`)
    write('failing.yaml', failingTarget(url))
    const selected = '--grep rpc.keys.invalid.expired'
    const ran = await polgate(`run failing.yaml ${selected} --report-dir failed --json`, 1)
    const replayId =
      /replay (\w{8})\b/.exec(ran.stdout)?.[1] ?? /"replay(?:Id)?": ?"(\w+)"/.exec(ran.stdout)?.[1]
    const entry = "--owner 'gateway team' --expires 2027-01-31 --reason 'next release'"
    await polgate(`baseline update failed --file baseline.yaml ${entry}`)
    copyResults(folder)
    user.owns(folder)
    const ports = [await freePort(), await freePort()]
    const keyIds = [created, deleted].map(({ stdout }) => String(JSON.parse(stdout).id))
    const description = JSON.parse(readFileSync(join(folder, '.svc/stack.json'), 'utf8'))
    return {
      folder,
      close: cleanup.close,
      values: {
        ...{
          gatewayUrl: url,
          explorerUrl: description.explorerUrl,
          adminUrl: description.adminUrl,
        },
        rpcUrl: description.chain.rpcUrl,
        policyClient: description.clients.cap.policyClient,
        databaseUrl: postgres.url,
        replayId: String(replayId),
        nextPort: () => {
          const port = ports.pop()
          if (port === undefined) throw new Error('more lines need a port')
          return port
        },
        nextKeyId: () => {
          const id = keyIds.pop()
          if (id === undefined) throw new Error('more lines need a key')
          return id
        },
        contentId: added.stdout.trim().split(/\s+/)[0] ?? '',
      },
    }
  })
}

async function writeFiles(
  folder: string,
  cache: string,
  write: (path: string, text: string | Uint8Array) => void,
): Promise<void> {
  const packages = join(root, 'fixtures/packages/counterparty-risk')
  const oracle = join(root, 'fixtures/oracles/price/oracle.js')
  cpSync(packages, join(folder, 'my-package'), { recursive: true })
  cpSync(join(root, 'fixtures/recorded'), join(folder, 'recorded'), { recursive: true })
  for (const path of ['policy.rego', 'policies/policy.rego']) write(path, policy)
  for (const path of ['policy_test.rego', 'policies/policy_test.rego']) write(path, policyTest)
  for (const name of ['intent.json', 'params.json', 'other.json', 'schema.json'])
    write(
      name,
      name === 'params.json' || name === 'schema.json'
        ? '{}'
        : readFileSync(join(packages, 'intent.json')),
    )
  await putIntoCache(cache, oracle, {})
  await putIntoCache(cache, oracle, { trace: true })
  // Compilers are optional packages, and are not installed: an own oracle is a component.
  const screening = join(folder, 'my-package/oracles/counterparty_risk')
  write(
    'my-package/oracles/counterparty_risk/oracle.wasm',
    await buildComponent({ name: 'oracle', path: join(screening, 'oracle.js') }),
  )
  rmSync(join(screening, 'oracle.js'))
  const described = readFileSync(join(packages, 'policy.yaml'), 'utf8')
  write('my-package/mocks.yaml', 'hosts: { screening.example: { "*": { json: {} } } }\n')
  write('my-package/policy.yaml', described.replace('oracle.js', 'oracle.wasm'))
  write('oracle.js', readFileSync(oracle))
  write('oracle.wasm', await buildOracle('price'))
  write(
    'secrets.json',
    '{"PRICE_FEED_URL": "http://127.0.0.1:8604", "PRICE_API_KEY": "key-of-the-feed"}',
  )
  write('secrets.schema.json', readFileSync(join(oracle, '../secrets.schema.json')))
  // A policy in another layout.
  write('old-policy/policy.rego', readFileSync(join(packages, 'policy.rego')))
  write('old-policy/policy.js', 'module.exports = { run: (input) => input }\n')
  write('old-policy/params_schema.json', '{}')
  for (const name of ['kyc', 'spending-limit'])
    cpSync(join(root, 'impl/cli/templates', name), join(folder, name), { recursive: true })
  write('checks/own.ts', ownCheck)
  write('client.mjs', client)
  write('me.json', '{"status": "approved", "birthdate": "1990-02-28"}')
  write('list.json', '{"entries": ["0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65"]}')
  write('bid.json', '{"amount_gwei": 7}')
}

/** The component of `oracle.js`, as if it had been built here. */
async function putIntoCache(
  cache: string,
  path: string,
  options: Pick<BuildOptions, 'trace'>,
): Promise<void> {
  const component = Buffer.from(await buildComponent({ name: 'oracle', path }, options))
  const own = join(userDirectories().cache, 'oracles')
  const file = readdirSync(own).find(
    (name) => name.startsWith('oracle-') && component.equals(readFileSync(join(own, name))),
  )
  if (file === undefined) throw new Error(`the component of ${path} is not in ${own}`)
  mkdirSync(join(cache, 'polgate/oracles'), { recursive: true })
  writeFileSync(join(cache, 'polgate/oracles', file), component)
}

/** One call, as any client would make it. */
const client = `const response = await fetch(new URL('/rpc', process.env.SVC_GATEWAY_URL), {
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: 'Bearer dev-read-public-key' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'svc_getSecretsPublicKey', params: {} }),
})
if (!response.ok) throw new Error(await response.text())
`

/** The same results under the names that the documents use. */
function copyResults(folder: string): void {
  const copy = (from: string, to: string) =>
    cpSync(join(folder, from), join(folder, to), { recursive: true })
  for (const name of readdirSync(join(folder, 'signed'))) copy(`signed/${name}`, `out/${name}`)
  for (const name of ['main', 'before', 'after', 'monday', 'today']) copy('signed', `out/${name}`)
  copy('signed/certificate.json', 'certificate.json')
  copy('signed/events.ndjson', 'events.ndjson')
  for (const name of ['main.ndjson', 'branch.ndjson']) copy('signed/events.ndjson', name)
  for (const name of ['their.pub', 'certify-key.pem.pub'])
    copyFileSync(join(folder, 'key.pem.pub'), join(folder, name))
  copy('svc-target.yaml', 'gateway.yaml')
  copy('client.fixture', 'session.fixture')
}
