import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { devPrivateKeys } from 'polgate-chain/accounts.ts'
import { transpiledDirectory } from 'polgate-local/chainImage.ts'
import { transpilerVersion } from 'polgate-service/oracles/transpiledComponent.ts'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadPolicyPackage } from '../package/loadPolicyPackage.ts'
import { readComponent } from '../policy/inputFiles.ts'
import { templateNames } from '../policy/templateNames.ts'
import type { AuthorStack } from './authorStack.ts'
import { runMain } from './runMain.ts'

const another = '{"address":"0x0000000000000000000000000000000000000001"}'

/** Options of a task that each template denies, and the reason; operators report none of private data. */
const denied: Readonly<
  Record<(typeof templateNames)[number], readonly [string[], string | undefined]>
> = {
  'price-feed': [['--value', '50ether'], 'value exceeds the limit'],
  kyc: [['--wasm-args', another], 'another address was checked'],
  counterparty: [['--wasm-args', another], 'another address was screened'],
  'spending-limit': [['--value', '50ether'], 'transfer exceeds the limit'],
  'multi-oracle': [['--value', '50ether'], 'value exceeds the limit'],
  'signed-intent': [[], 'signature is missing'],
  'kyc-gate': [[], undefined],
  'sanctions-list': [['--to', '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'], undefined],
  'sealed-bid': [[], undefined],
}

type Prepared = {
  /** Commands before the first task. */
  readonly commands: readonly (readonly string[])[]
  /** Options of a task that is allowed. */
  readonly allowed: readonly string[]
}

/** Private data of the template's tests, sealed as its README says. */
async function prepared(template: string, folder: string): Promise<Prepared> {
  const nothing = { commands: [], allowed: [] }
  if (template === 'signed-intent')
    return { ...nothing, allowed: ['--signature', await approval(folder)] }
  const { testPrivateData } = await loadPolicyPackage(folder)
  if (testPrivateData === undefined) return nothing
  const { identity, confidential, privacy } = JSON.parse(await readFile(testPrivateData, 'utf8'))
  const file = join(folder, 'sealed.json')
  await writeFile(file, JSON.stringify(identity ?? confidential?.blacklist ?? privacy.bid))
  if (identity) {
    const shared = ['--domain', 'kyc', '--key', 'sender']
    const upload = ['identity', 'upload', file, ...shared]
    const link = ['identity', 'link', '--package', folder, ...shared]
    return { commands: [upload, link], allowed: ['--sign'] }
  }
  if (privacy) return { ...nothing, allowed: ['--private', `bid=${file}`] }
  const [domain, key] = [
    ['--domain', 'sanctions'],
    ['--key', 'owner'],
  ]
  const own = ['--provider', 'owner', '--type', 'blacklist']
  return {
    ...nothing,
    commands: [
      ['confidential', 'register', ...own],
      ['confidential', 'publish', file, ...domain, ...key],
      ['confidential', 'grant', '--package', folder, ...domain, ...key],
      ['confidential', 'source', 'set', '--package', folder, ...own, ...domain],
    ],
  }
}

/** What the approver of the template signs, a development account. */
async function approval(folder: string): Promise<string> {
  const { from, to, value, data, chain_id } = JSON.parse(
    await readFile(join(folder, 'intent.json'), 'utf8'),
  )
  const message = [
    'I approve this intent',
    `from: ${from.toLowerCase()}`,
    `to: ${to.toLowerCase()}`,
    `value: ${BigInt(value)}`,
    `data: ${data}`,
    `chain: ${BigInt(chain_id)}`,
  ].join('\n')
  return await privateKeyToAccount(devPrivateKeys[2]).signMessage({ message })
}

/**
 * When each oracle of a package was compiled: which file of the cache it is in, and which version of it. Compiling it
 * again would replace the file.
 */
async function compiled(folder: string): Promise<readonly string[]> {
  const { oracles } = await loadPolicyPackage(folder)
  return await Promise.all(
    oracles.map(async ({ source }) => {
      const component = await readComponent(source, () => {})
      const name = createHash('sha256').update(component).digest('hex')
      const { ino, mtimeMs } = await stat(join(transpiledDirectory, transpilerVersion, name))
      return `${name} ${ino} ${mtimeMs}`
    }),
  )
}

/** From an empty folder to a spent attestation in six commands, with every template. */
export function templatesSuite(author: () => AuthorStack): void {
  let scratch: string
  beforeAll(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'svc-templates-'))
  })
  afterAll(() => rm(scratch, { recursive: true }))

  test.each(templateNames)('%s', async (template) => {
    const { run } = author()
    const folder = join(scratch, template)
    expect(await runMain('policy', 'init', folder, '--template', template)).toMatchObject({
      code: 0,
    })
    const tested = await runMain('policy', 'test', folder)
    expect([tested.code, tested.stderr]).toEqual([0, ''])
    const once = await compiled(folder)
    const published = await run('policy', 'publish', folder, '--fund', '10ether')
    expect([published.code, published.stderr]).toEqual([0, ''])
    const listed = JSON.parse((await run('secrets', 'list', folder, '--json')).stdout)
    for (const { name } of listed.oracles) {
      const file = join(folder, 'oracles', `${name}.test-secrets.json`)
      const stored = await run('secrets', 'put', folder, '--oracle', name, '--file', file)
      expect([stored.code, stored.stderr]).toEqual([0, ''])
      expect(stored.stdout).not.toContain(
        Object.values(JSON.parse(await readFile(file, 'utf8')))[0],
      )
    }
    const { commands, allowed: options } = await prepared(template, folder)
    for (const command of commands) {
      const ran = await run(...command)
      expect([ran.code, ran.stderr]).toEqual([0, ''])
    }
    const create = (...args: readonly string[]) =>
      run('task', 'create', '--package', folder, ...args)
    const allowed = await create('--json', ...options)
    expect([allowed.code, allowed.stderr]).toEqual([0, ''])
    const { taskId } = JSON.parse(allowed.stdout)
    const spent = await run('task', 'spend', taskId)
    expect([spent.code, spent.stderr]).toEqual([0, ''])
    const [others, reason] = denied[template]
    const refused = await create(...others)
    expect([refused.code, refused.stderr]).toEqual([1, ''])
    const reasons = [...refused.stdout.matchAll(/^reason {4}(.*)$/gm)].map(([, text]) => text)
    if (reason === undefined) expect(reasons).toEqual([])
    else expect(reasons).toContain(reason)
    // The gateway and its operators have used what the local test compiled.
    expect(await compiled(folder)).toEqual(once)
  })
}
