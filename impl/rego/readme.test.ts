import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, it } from 'vitest'
import { GROUPS } from './groups/catalogue.ts'
import * as api from './index.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))
const readme = readFileSync(`${folder}README.md`, 'utf8')
const [, example = ''] = /```js\n([\s\S]*?)```/.exec(readme) ?? []

/** Runs a program that imports the package, and returns what it prints. */
async function printed(program: string): Promise<string[]> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: folder },
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'error',
    alias: { 'polgate-rego/regex': './groups/regex.ts', 'polgate-rego': './index.ts' },
    absWorkingDir: folder,
  })
  const lines: string[] = []
  const log = (value: unknown) => lines.push(String(value))
  new Function('console', outputFiles[0]?.text ?? '')({ log })
  return lines
}

it('the example of ten lines prints true, and follows its limits', async () => {
  expect(example.trimEnd().split('\n')).toHaveLength(10)
  expect(await printed(example)).toEqual(['true'])
  expect(await printed(example.replace('amount: 40', 'amount: 400'))).toEqual(['false'])
  expect(readme).toContain('It prints `true`.')
})

it('lists every function and every group', () => {
  const functions = Object.entries(api).filter(
    ([name, value]) => typeof value === 'function' && /^[a-z]/.test(name),
  )
  expect(
    functions.map(([name]) => name).filter((name) => !readme.includes(`| \`${name}(`)),
  ).toEqual([])
  const named = readme.slice(readme.indexOf('## Groups'), readme.indexOf('## Speed'))
  expect(GROUPS.filter(({ subpath }) => !named.includes(`/${subpath}\``))).toEqual([])
})
