import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

const module = new URL('./importScript.mjs', import.meta.url).href
const root = fileURLToPath(new URL('../../../', import.meta.url))
const compiled = join(root, '.cache/compiled')

async function load(path: string): Promise<string> {
  const script = `
    import { importScript } from ${JSON.stringify(module)}
    const { answer, fail } = await importScript(${JSON.stringify(path)})
    console.log(await answer())
    try { fail() } catch (error) { console.log(/module.ts:\\d+/.exec(error.stack)?.[0]) }`
  const args = ['--input-type=module', '-e', script]
  return (await promisify(execFile)(process.execPath, args)).stdout
}

test('a script keeps its code, which is replaced when it is damaged', async () => {
  const folder = `.cache/script-${process.pid}`
  const name = `cache-script-${process.pid}-module-command`
  mkdirSync(join(root, folder), { recursive: true })
  const filesOf = () => readdirSync(compiled).filter((file) => file.includes(name))
  onTestFinished(() => {
    rmSync(join(root, folder), { recursive: true })
    for (const file of filesOf()) rmSync(join(compiled, file), { recursive: true })
  })
  const path = `${folder}/module.ts`
  writeFileSync(
    join(root, folder, 'other.ts'),
    "export const text: string = 'später'\nexport const at = import.meta.url\n",
  )
  writeFileSync(
    join(root, path),
    `export async function answer(): Promise<string> {
  const { text, at } = await import('./other.ts')
  const { basename } = await import('node:path')
  return text + ' ' + basename(at)
}
export const fail = (): never => {
  throw new Error('failed')
}
`,
  )
  const expected = 'später other.ts\nmodule.ts:7\n'
  // A bundle of sources that are younger than its build is used once.
  const earlier = Date.now() / 1000 - 60
  for (const file of ['module.ts', 'other.ts'])
    utimesSync(join(root, folder, file), earlier, earlier)
  expect(await load(path)).toBe(expected)
  const bundle = filesOf().find((file) => !file.endsWith('.json')) ?? ''
  const code = join(compiled, bundle, `module.cjs.${process.version}.code`)
  const kept = readFileSync(code)
  expect(await load(path)).toBe(expected)
  expect(readFileSync(code)).toEqual(kept)
  writeFileSync(code, 'damaged')
  expect(await load(path)).toBe(expected)
  expect(readFileSync(code).length).toBeGreaterThan(100)
})
