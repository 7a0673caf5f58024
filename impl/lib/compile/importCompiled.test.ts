import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

const module = new URL('./importCompiled.mjs', import.meta.url).href
/** Modules that nothing else loads as an entry. */
const paths = [
  'impl/lib/errors/errorText.ts',
  'impl/lib/async/cleanupStack.ts',
  'impl/service/gateway/gateway.ts',
]
const manifests = paths.map((path) => {
  const name = path.replace('.ts', '').replaceAll('/', '-')
  return fileURLToPath(new URL(`../../../.cache/compiled/${name}.json`, import.meta.url))
})

test('modules that are built at the same time do not end the builds of each other', async () => {
  for (const manifest of manifests) rmSync(manifest, { force: true })
  const script = `
    import { importCompiled } from ${JSON.stringify(module)}
    const modules = await Promise.all(${JSON.stringify(paths)}.map((path) => importCompiled(path)))
    console.log(modules.map((loaded) => Object.keys(loaded).length > 0).join(' '))`
  const args = ['--input-type=module', '-e', script]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  expect(stdout).toBe('true true true\n')
  // Without a bundle, the sources would have been loaded instead.
  expect(manifests.filter((manifest) => !existsSync(manifest))).toEqual([])
})

test('a bundle whose source changed while it was built is not used again', async () => {
  const path = `.cache/changing-${process.pid}/module.ts`
  const source = fileURLToPath(new URL(`../../../${path}`, import.meta.url))
  const name = path.replace('.ts', '').replaceAll(/[^A-Za-z0-9]+/g, '-')
  const manifest = fileURLToPath(new URL(`../../../.cache/compiled/${name}.json`, import.meta.url))
  mkdirSync(dirname(source), { recursive: true })
  onTestFinished(() => {
    rmSync(dirname(source), { recursive: true })
    rmSync(manifest, { force: true })
  })
  const load = async () => {
    const script = `
      import { importCompiled } from ${JSON.stringify(module)}
      console.log((await importCompiled(${JSON.stringify(path)})).value)`
    const args = ['--input-type=module', '-e', script]
    return (await promisify(execFile)(process.execPath, args)).stdout
  }
  writeFileSync(source, 'export const value: string = "first"')
  // As if it had been written after the build began.
  const later = Date.now() / 1000 + 3_600
  utimesSync(source, later, later)
  expect(await load()).toBe('first\n')
  expect(existsSync(manifest)).toBe(false)
  // The same time and size: only what was read tells them apart.
  writeFileSync(source, 'export const value: string = "other"')
  utimesSync(source, later, later)
  expect(await load()).toBe('other\n')
  utimesSync(source, later - 7_200, later - 7_200)
  expect(await load()).toBe('other\n')
  expect(existsSync(manifest)).toBe(true)
})
