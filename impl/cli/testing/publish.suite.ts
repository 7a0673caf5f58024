import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { componentFor } from 'polgate-fixtures/hostNames.ts'
import { buildOracle } from 'polgate-fixtures/oracles/build.ts'
import { drain, listen } from 'polgate-lib/http/listen.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publishedFileName } from '../publish/publication.ts'
import type { AuthorStack } from './authorStack.ts'
import { runMain } from './runMain.ts'

const template = (name: string) => fileURLToPath(new URL(`../templates/${name}`, import.meta.url))

/** `polgate policy publish` and `polgate secrets`. */
export function publishSuite(author: () => AuthorStack): void {
  let scratch: string
  let folder: string
  beforeAll(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'svc-publish-'))
    folder = join(scratch, 'signed-intent')
    await cp(template('signed-intent'), folder, { recursive: true })
  })
  afterAll(() => rm(scratch, { recursive: true }))

  const publish = (...args: readonly string[]) => author().run('policy', 'publish', folder, ...args)
  const published = async () => JSON.parse((await publish('--json')).stdout)
  const stateFile = () => join(folder, publishedFileName)
  const state = async () => JSON.parse(await readFile(stateFile(), 'utf8'))

  test('a dry run prints plan and cost, and sends nothing', async () => {
    const { code, stdout, stderr } = await publish('--dry-run')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/content {3}policy {2}bafk\w+ {2}\d+ bytes\n/)
    expect(stdout).toMatch(/deploy {4}Policy policy\.allow {2}at most \d+ gas\n/)
    expect(stdout).toMatch(/deploy {4}policy client {2}at most \d+ gas\n/)
    expect(stdout).toMatch(/cost {6}at most [\d.]+ ETH at the current price; the account has/)
    await expect(readFile(stateFile())).rejects.toThrow('ENOENT')
  })

  test('what was published decides tasks; publishing again sends nothing', async () => {
    const { code, stdout } = await publish()
    expect(code).toBe(0)
    expect(stdout).toMatch(/verified {2}policy 0x[0-9a-fA-F]{40}\n/)
    const again = await publish()
    expect(again.stdout).toContain('deploy    nothing: the chain is up to date')
    const { client, transactions } = await published()
    expect(transactions).toBe(0)
    const denied = await author().run(
      ...['task', 'create', '--client', client, '--to', 'recipient'],
    )
    expect(denied).toMatchObject({ code: 1, stderr: '' })
    expect(denied.stdout).toContain('reason    signature is missing\n')
  })

  test('changed parameters keep the client, a changed policy keeps it as well', async () => {
    const before = await published()
    const params = join(folder, 'params.json')
    const { max_ether: _, ...rest } = JSON.parse(await readFile(params, 'utf8'))
    await writeFile(params, JSON.stringify({ ...rest, max_ether: 3 }))
    const plan = await publish('--dry-run', '--json')
    expect(JSON.parse(plan.stdout).steps).toHaveLength(1)
    const changed = await published()
    expect(changed).toMatchObject({ client: before.client, policy: before.policy, transactions: 1 })
    expect(changed.policyId).not.toBe(before.policyId)
    const rego = join(folder, 'policy.rego')
    await writeFile(rego, `${await readFile(rego, 'utf8')}\n# Changed.\n`)
    const replaced = await published()
    expect(replaced).toMatchObject({ client: before.client, transactions: 2 })
    expect(replaced.policy).not.toBe(before.policy)
  })

  test('a component that no operator could run is refused', async () => {
    const directory = join(scratch, 'foreign')
    await mkdir(directory)
    const files = {
      'policy.yaml':
        'name: foreign\npolicy: policy.rego\noracles: [{ id: price, source: a.wasm }]\n',
      'policy.rego': 'package policy\n\ndefault allow := false\n',
      'a.wasm': componentFor(
        { witPackage: 'acme:provider', regoNamespace: 'acme' },
        await buildOracle('price'),
      ),
    }
    for (const [name, content] of Object.entries(files))
      await writeFile(join(directory, name), content)
    const { code, stderr } = await author().run('policy', 'publish', directory, '--json')
    expect(code).toBe(2)
    expect(stderr).toMatch(/oracle price cannot be loaded: .* imports acme:provider\/http@0\.2\.0/)
    await expect(readFile(join(directory, publishedFileName))).rejects.toThrow('ENOENT')
  })

  test.each(['policy', 'client'])(
    'what was sent for the %s before an interruption is found',
    async (step) => {
      const before = await published()
      const { publications } = await state()
      const [own] = publications
      const { [step]: gone, ...kept } = own
      expect(gone).toBeDefined()
      // As it was written before the transaction: with the nonce of it, or one that another one has taken.
      const { block, nonce } = await deploymentOf(step === 'client' ? before.client : before.policy)
      await writeFile(
        stateFile(),
        JSON.stringify({
          version: 1,
          publications: [{ ...kept, pending: { step, nonce, block } }],
        }),
      )
      expect(await published()).toMatchObject({ ...before, transactions: 0, spent: '0' })
      expect((await state()).publications).toEqual([own])
    },
  )

  /** Nonce and block before the transaction that created a contract. */
  async function deploymentOf(address: string): Promise<{ block: number; nonce: number }> {
    const { rpcUrl, policyFactory: factory = '' } = author().stack.description.chain
    const ask = async (method: string, ...params: readonly unknown[]) => {
      const response = await fetch(rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      })
      return ((await response.json()) as { result: unknown }).result
    }
    const latest = Number(await ask('eth_blockNumber'))
    for (let block = latest; block > 0; block -= 1) {
      const found = (await ask('eth_getBlockByNumber', `0x${block.toString(16)}`, true)) as {
        transactions: readonly { hash: string; nonce: string }[]
      }
      for (const { hash, nonce } of found.transactions) {
        const receipt = (await ask('eth_getTransactionReceipt', hash)) as {
          contractAddress: string | null
          logs: readonly { topics: readonly string[]; data: string; address: string }[]
        }
        // The factory's event has the policy it created.
        const isCreation =
          receipt.contractAddress?.toLowerCase() === address.toLowerCase() ||
          receipt.logs.some(
            (log) =>
              log.address.toLowerCase() === factory.toLowerCase() &&
              JSON.stringify(log.topics).toLowerCase().includes(address.slice(2).toLowerCase()),
          )
        if (isCreation) return { block: block - 1, nonce: Number(nonce) }
      }
    }
    throw new Error(`no transaction created ${address}`)
  }

  test('a node that fails while the chain is read leads to an error, never to a deployment', async () => {
    const { description } = author().stack
    const node = description.chain.rpcUrl
    let calls = 0
    let most = 0
    const proxy = createServer(async (request, response) => {
      const body = await text(request)
      if (body.includes('eth_call') && calls++ >= most) {
        response.writeHead(503).end()
        return
      }
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(node, { method: 'POST', headers, body })
      response.writeHead(answer.status, headers).end(await answer.text())
    })
    const { url } = await listen(proxy)
    const target = join(scratch, 'failing.json')
    const chain = { ...description.chain, rpcUrl: url }
    await writeFile(target, JSON.stringify({ ...description, chain }))
    const kept = await readFile(stateFile(), 'utf8')
    try {
      for (; ; most += 1) {
        calls = 0
        const ran = await runMain('policy', 'publish', folder, '--json', '--target', target)
        expect(await readFile(stateFile(), 'utf8')).toBe(kept)
        if (ran.code === 0) break
        expect([most, ran.code, ran.stdout]).toEqual([most, 2, ''])
      }
    } finally {
      await drain(proxy)
    }
    expect(most).toBeGreaterThan(5)
  })

  test('warnings of policy test are printed; --strict ends before anything is sent', async () => {
    const loose = join(scratch, 'loose')
    await cp(template('price-feed'), loose, { recursive: true })
    const params = join(loose, 'params.json')
    const kept = JSON.parse(await readFile(params, 'utf8'))
    // As in a manifest: nothing that the policy reads is given.
    await writeFile(params, JSON.stringify({ params: kept }))
    await rm(join(loose, 'params.schema.json'))
    const manifest = join(loose, 'policy.yaml')
    await writeFile(manifest, (await readFile(manifest, 'utf8')).replace(/^paramsSchema:.*\n/m, ''))
    await writeFile(join(loose, 'cases.yaml'), 'cases:\n  - name: any\n    expect: deny\n')
    const run = (...args: readonly string[]) => author().run('policy', 'publish', loose, ...args)
    const strict = await run('--strict', '--json')
    expect(strict.code).toBe(1)
    expect(strict.stderr).toContain('Nothing was sent')
    const tested = JSON.parse((await runMain('policy', 'test', loose, '--json')).stdout)
    const { warnings } = JSON.parse(strict.stdout)
    expect(warnings).toEqual(tested.warnings)
    const ids = warnings.map(({ id }: { id: string }) => id)
    expect(ids).toContain('unread-param')
    expect(ids).toContain('missing-param')
    await expect(readFile(join(loose, publishedFileName))).rejects.toThrow('ENOENT')
    const dry = await run('--dry-run')
    expect(dry).toMatchObject({ code: 0, stderr: '' })
    expect(dry.stdout.match(/^warning /gm)).toHaveLength(warnings.length)
  })

  test('a package that allows while a host fails is refused, unless a reason is given', async () => {
    const folder = join(scratch, 'swallowing')
    await cp(template('multi-oracle'), folder, { recursive: true })
    const source = join(folder, 'oracles/sanctions.js')
    const honest = 'sanctions: { error: textOf(error) }'
    const swallowing = 'sanctions: { address: JSON.parse(input).address, listed: false }'
    await writeFile(source, (await readFile(source, 'utf8')).replace(honest, swallowing))
    await writeFile(join(folder, 'cases.yaml'), 'cases:\n  - name: small\n    expect: allow\n')
    const publish = (...args: readonly string[]) =>
      author().run('policy', 'publish', folder, '--dry-run', ...args)
    const refused = await publish('--strict', '--json')
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('not published, because policy test fails:')
    expect(refused.stderr).toContain('and it is allowed')
    const reason = ['--allow-failing', 'the host has no failures']
    const { code, stdout } = await publish('--json', ...reason)
    const plan = JSON.parse(stdout)
    expect({ code, reason: plan.allowedFailing }).toEqual({ code: 0, reason: reason[1] })
    expect(plan.failures).not.toEqual([])
    const ids = plan.warnings.map(({ id }: { id: string }) => id)
    expect(new Set(ids)).toEqual(new Set(['swallowed-failure']))
    expect((await publish('--allow-failing', ' ')).stderr).toContain('--allow-failing is empty')
  })

  test.each([
    { name: 'cases that are not cases', files: { 'cases.yaml': 'cases: none\n' }, code: 2 },
    { name: 'a failing test', files: { 'x_test.rego': 'package x_test\ntest_x if false\n' } },
    { name: 'a typo in test_', files: { 'x_test.rego': 'package x_test\ntset_x if true\n' } },
    { name: 'no test', files: { 'x_test.rego': 'package x_test\n' } },
    { name: 'a skipped test', files: { 'x_test.rego': 'package x_test\ntodo_test_x if true\n' } },
  ])(
    'a package with $name is refused, by publish as by test',
    async ({ name, files, code = 1 }) => {
      const folder = join(scratch, `with ${name}`)
      await cp(template('spending-limit'), folder, { recursive: true })
      for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text)
      const manifest = join(folder, 'policy.yaml')
      if ('x_test.rego' in files) {
        const text = await readFile(manifest, 'utf8')
        await writeFile(manifest, `${text.replace(/^tests:.*\n/m, '')}tests: [x_test.rego]\n`)
      }
      expect((await runMain('policy', 'test', folder)).code).toBe(code)
      const published = await author().run('policy', 'publish', folder)
      expect(published.code).toBe(code)
      await expect(readFile(join(folder, publishedFileName))).rejects.toThrow('ENOENT')
    },
  )

  test('a package without tests is published with a warning, and not with --strict', async () => {
    const folder = join(scratch, 'untested')
    await mkdir(folder)
    await writeFile(join(folder, 'policy.yaml'), 'name: untested\npolicy: policy.rego\n')
    await writeFile(
      join(folder, 'policy.rego'),
      'package policy\n\ndefault allow := false\n\nallow if input.value == 0\n',
    )
    const publish = (...args: readonly string[]) =>
      author().run('policy', 'publish', folder, '--dry-run', ...args)
    const dry = await publish()
    expect(dry.code).toBe(0)
    expect(dry.stdout).toContain('(no-tests)')
    expect((await publish('--strict')).code).toBe(1)
  })

  test('what is refused', async () => {
    const kept = await readFile(stateFile(), 'utf8')
    await writeFile(stateFile(), '{}')
    expect(await publish()).toMatchObject({ code: 2 })
    await writeFile(stateFile(), kept)
    const none = await publish('--key', 'NO_SUCH_VARIABLE')
    expect(none.code).toBe(2)
    expect(none.stderr).toContain('NO_SUCH_VARIABLE')
    expect((await publish('--attester', 'x')).stderr).toContain("--attester 'x' is not an address")
    expect(await readFile(stateFile(), 'utf8')).toBe(kept)
  })

  test('a pattern of a schema that does not end ends publish and secrets with its name', async () => {
    const hostile = join(scratch, 'hostile')
    await cp(template('price-feed'), hostile, { recursive: true })
    const at = (name: string) => join(hostile, name)
    const json = async (name: string) => JSON.parse(await readFile(at(name), 'utf8'))
    const pattern = { pattern: '^(a+)+$' }
    const schema = 'oracles/price_feed.secrets.schema.json'
    const { properties, ...rest } = await json(schema)
    await writeFile(
      at(schema),
      JSON.stringify({ ...rest, properties: { ...properties, A: pattern } }),
    )
    expect(await author().run('policy', 'publish', hostile)).toMatchObject({ code: 0, stderr: '' })
    const long = `${'a'.repeat(41)}!`
    const secretsFile = join(scratch, 'hostile.json')
    await writeFile(secretsFile, JSON.stringify({ PRICE_API_KEY: 'q7', A: long }))
    for (const command of ['verify', 'put']) {
      const { code, stderr } = await author().run(
        'secrets',
        command,
        hostile,
        '--file',
        secretsFile,
      )
      expect(code).toBe(2)
      expect(stderr).toContain(`${schema}: its pattern ^(a+)+$ takes too long`)
      expect(stderr).not.toContain(long)
    }
    const params = { ...(await json('params.json')), note: long }
    await writeFile(at('params.json'), JSON.stringify(params))
    await writeFile(at('params.schema.json'), JSON.stringify({ properties: { note: pattern } }))
    const description = await readFile(at('policy.yaml'), 'utf8')
    await writeFile(
      at('policy.yaml'),
      `${description.replace(/^paramsSchema:.*\n/m, '')}paramsSchema: params.schema.json\n`,
    )
    const dry = await author().run('policy', 'publish', hostile, '--dry-run')
    expect(dry.code).toBe(2)
    expect(dry.stderr).toContain('params.schema.json: its pattern ^(a+)+$ takes too long')
  }, 300_000)

  test('a format that no validator knows is a warning of publish', async () => {
    const formats = join(scratch, 'formats')
    await cp(folder, formats, { recursive: true })
    await writeFile(
      join(formats, 'params.schema.json'),
      JSON.stringify({
        properties: { a: { format: 'iban' }, b: { format: 'uri' } },
        enum: undefined,
      }),
    )
    const description = await readFile(join(formats, 'policy.yaml'), 'utf8')
    await writeFile(
      join(formats, 'policy.yaml'),
      `${description.replace(/^paramsSchema:.*\n/m, '')}paramsSchema: params.schema.json\n`,
    )
    const { stdout } = await author().run('policy', 'publish', formats, '--dry-run')
    expect(stdout).toContain(
      'no validator knows the format "iban": any text fits it (unknown-format)',
    )
    expect(stdout).not.toContain('"uri"')
  })

  describe('secrets of an oracle', () => {
    const secret = 'q7-never-shown'
    let priced: string
    const secrets = (command: string, ...args: readonly string[]) =>
      author().run('secrets', command, priced, ...args)
    beforeAll(async () => {
      priced = join(scratch, 'price-feed')
      await cp(template('price-feed'), priced, { recursive: true })
      const { code, stderr } = await author().run('policy', 'publish', priced)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      await writeFile(join(scratch, 'secrets.json'), JSON.stringify({ PRICE_API_KEY: secret }))
      await writeFile(join(scratch, 'wrong.json'), JSON.stringify({ PRICE_API_KEZ: secret }))
      await writeFile(join(scratch, 'broken.json'), `{"PRICE_API_KEY": ${secret}`)
    })
    const file = (name: string) => join(scratch, name)

    test('are missing until they are stored', async () => {
      const before = await secrets('list', '--missing')
      expect(before).toMatchObject({ code: 1, stderr: '' })
      expect(before.stdout).toMatch(/^price_feed {2}0x[0-9a-fA-F]{40} {2}schema baf\w+\n$/)
      const valid = await secrets('verify', '--file', file('secrets.json'))
      expect(valid.stdout).toMatch(/^valid {2}1 secrets of oracle price_feed/)
      expect((await secrets('list', '--missing')).code).toBe(1)
      const stored = await secrets('put', '--file', file('secrets.json'))
      expect(stored).toMatchObject({ code: 0, stderr: '' })
      expect(stored.stdout).toMatch(/^stored {2}1 secrets of oracle price_feed/)
      expect(await secrets('list', '--missing')).toMatchObject({
        code: 0,
        stdout: 'no secrets are missing\n',
      })
      expect((await secrets('list')).stdout).toContain('price_feed')
    })

    test.each([
      [
        'a name that the schema does not have',
        ['--file', 'wrong.json'],
        1,
        'do not fit the schema',
      ],
      ['a file that is not JSON', ['--file', 'broken.json'], 2, 'broken.json'],
      ['a file that does not exist', ['--file', 'none.json'], 2, 'none.json'],
      ['a variable that is not set', ['--env', 'NO_SUCH_SECRET'], 2, 'NO_SUCH_SECRET is not set'],
      ['a value with --env', ['--env', `A=${secret}`], 2, 'not its value'],
      [
        'a value as an argument',
        [`PRICE_API_KEY=${secret}`],
        2,
        'not accepted on the command line',
      ],
      ['an unknown oracle', ['--oracle', 'x', '--file', 'secrets.json'], 2, 'unknown oracle x'],
    ])('%s is refused, and no error has the secret', async (_, args, code, reason) => {
      const paths = args.map((each) => (each.endsWith('.json') ? file(each) : each))
      for (const command of ['put', 'verify']) {
        const ran = await secrets(command, ...paths)
        expect([command, ran.code, ran.stdout]).toEqual([command, code, ''])
        expect(ran.stderr).toContain(reason)
        expect(ran.stderr).not.toContain(secret)
      }
    })
  })
}
