import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, type TestContext, test } from 'vitest'

const here = fileURLToPath(new URL('.', import.meta.url))
const vitestBinary = join(
  dirname(createRequire(import.meta.url).resolve('vitest/package.json')),
  'vitest.mjs',
)

/** Runs vitest on a project of these files. */
async function runVitest({ onTestFinished }: TestContext, files: Readonly<Record<string, string>>) {
  const directory = await mkdtemp(join(here, '.project-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  await mkdir(join(directory, 'notes'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text)
  const env = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'))
  const child = spawn(
    process.execPath,
    [vitestBinary, 'run', '--root', directory, '--reporter', 'verbose'],
    {
      env: { ...Object.fromEntries(env), NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  const noteOf = async (name: string) =>
    JSON.parse(await readFile(join(directory, 'notes', name), 'utf8')) as Record<string, unknown>
  return { code, output, noteOf }
}

const config = `import { defineConfig } from 'vitest/config'
export default defineConfig({
  test: {
    include: ['*.spec.ts'], maxWorkers: 2, testTimeout: 120_000, hookTimeout: 120_000,
    globalSetup: ['./setup.ts'],
  },
})`
const setup = `import { stackSetup } from '../globalSetup.ts'
export const setup = stackSetup({ brand: 'acme' })`

/** Waits in its test until the other file has begun its own: they run at the same time. */
const workerFile = (
  own: string,
  other: string,
) => `import { existsSync, writeFileSync } from 'node:fs'
import { expect } from 'vitest'
import { test } from '../index.ts'
const notes = new URL('./notes/', import.meta.url)
test('${own}', async ({ stack, client, clock }) => {
  const { gatewayUrl } = stack
  writeFileSync(new URL('${own}', notes), JSON.stringify({ gatewayUrl, prefix: stack.brand.methodPrefix }))
  await expect.poll(() => existsSync(new URL('${other}', notes)), { timeout: 100_000 }).toBe(true)
  const policy_client = stack.clients.cap.policyClient
  const before = (await stack.explorer.listTasks()).total
  const task = await client.createTask({ policy_client, intent: stack.intent({ value: 1n }) })
  await expect(task).toBeAllowed()
  await clock.mine(20)
  expect(before).toBe(0)
  writeFileSync(new URL('${own}-done', notes), JSON.stringify({ taskId: task.task_id }))
})
test('${own}, set back', async ({ stack }) => {
  expect((await stack.explorer.listTasks()).total).toBe(0)
})`

test.concurrent('two workers have a stack each, at the same time, from one global setup', async (context) => {
  const { code, output, noteOf } = await runVitest(context, {
    'vitest.config.ts': config,
    'setup.ts': setup,
    'one.spec.ts': workerFile('one', 'two'),
    'two.spec.ts': workerFile('two', 'one'),
  })
  expect(output).toMatch(/Tests +4 passed \(4\)/)
  expect(code).toBe(0)
  const [one, two] = [await noteOf('one'), await noteOf('two')]
  expect(one.prefix).toBe('acme_')
  expect(one.gatewayUrl).not.toBe(two.gatewayUrl)
  // They have ended with the run.
  for (const { gatewayUrl } of [one, two])
    await expect(fetch(String(gatewayUrl))).rejects.toThrow('fetch failed')
})

const fileThatChanges = (name: string) => `import { beforeAll, expect } from 'vitest'
import { writeFileSync } from 'node:fs'
import { test, workerStack } from '../index.ts'
beforeAll(async () => {
  const stack = await workerStack()
  // What the other file did in its beforeAll is gone.
  expect((await stack.explorer.listTasks()).total).toBe(0)
  await stack.client.createTask({ policy_client: stack.clients.cap.policyClient, intent: stack.intent() })
  writeFileSync(new URL('./notes/${name}', import.meta.url), JSON.stringify({ gatewayUrl: stack.gatewayUrl }))
})
test('${name}', async ({ stack }) => {
  await expect.poll(async () => (await stack.explorer.listTasks()).total).toBe(1)
})`

test.concurrent('test files of one worker share a stack, each from its first state', async (context) => {
  const { code, output, noteOf } = await runVitest(context, {
    'vitest.config.ts': config.replace('maxWorkers: 2', 'maxWorkers: 1'),
    'setup.ts': setup,
    'one.spec.ts': fileThatChanges('one'),
    'two.spec.ts': fileThatChanges('two'),
  })
  expect(output).toMatch(/Tests +2 passed \(2\)/)
  expect(code).toBe(0)
  expect((await noteOf('one')).gatewayUrl).toBe((await noteOf('two')).gatewayUrl)
})

test.concurrent('a concurrent test, and an option that is wrong, are refused with a reason', async (context) => {
  const concurrent = await runVitest(context, {
    'vitest.config.ts': config.replace("globalSetup: ['./setup.ts'],", ''),
    'one.spec.ts': `import { test } from '../index.ts'\ntest.concurrent('shares', async ({ stack }) => { stack.gatewayUrl })`,
  })
  expect(concurrent.output).toMatch(
    /The test "shares" is concurrent\. Its stack would be set back under other tests/,
  )
  expect(concurrent.code).toBe(1)
  const wrong = await runVitest(context, {
    'vitest.config.ts': config,
    'setup.ts': setup.replace('brand', 'brnad'),
    'one.spec.ts': `import { test } from 'vitest'\ntest('runs', () => {})`,
  })
  expect(wrong.output).toMatch(/Unknown option "brnad" of a stack\. Did you mean brand\?/)
  expect(wrong.code).toBe(1)
})
