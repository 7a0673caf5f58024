import { execFile } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

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
