import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { afterEach, expect, test } from 'vitest'

const cleanup = createCleanupStack()
afterEach(cleanup.close)

const here = fileURLToPath(new URL('.', import.meta.url))
const resolved = createRequire(import.meta.url).resolve('vitest/package.json')
const vitestBinary = join(dirname(resolved), 'vitest.mjs')

/** The examples of the page by the name in their first line, as files of one project. */
async function examples(): Promise<string> {
  const page = await readFile(join(here, 'README.md'), 'utf8')
  const directory = await mkdtemp(join(here, '.readme-'))
  cleanup.defer(() => rm(directory, { recursive: true, force: true }))
  for (const [, name, text] of page.matchAll(/```ts\n\/\/ (\S+?),?(?: [^\n]*)?\n([\s\S]+?)```/g))
    await writeFile(join(directory, name!), text!)
  return directory
}

async function run(words: readonly string[], cwd: string) {
  const env = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('VITEST') && name !== 'NODE_TEST_CONTEXT',
  )
  const child = spawn(process.execPath, words, {
    ...{ cwd, env: { ...Object.fromEntries(env), NO_COLOR: '1' } },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, output }
}

test('the example with vitest passes', async () => {
  const directory = await examples()
  const { code, output } = await run([vitestBinary, 'run', '--root', directory], directory)
  expect(output).toMatch(/Tests +3 passed \(3\)/)
  expect(code).toBe(0)
})

test('the example with the test runner of Node passes', async () => {
  const directory = await examples()
  const words = ['--import', 'tsx', '--test', join(directory, 'nodeTest.mts')]
  const { code, output } = await run(words, directory)
  expect(output).toMatch(/# pass 1|ℹ pass 1/)
  expect(code).toBe(0)
})
