import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterEach, beforeEach, expect, it } from 'vitest'

const module = fileURLToPath(new URL('./sourceStacks.mjs', import.meta.url))

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stacks-'))
  const source =
    'type Text = string\n\nexport const fail = (text: Text) => {\n  throw Error(text)\n}\n'
  await writeFile(join(folder, 'failing.ts'), source)
  await build({
    entryPoints: [join(folder, 'failing.ts')],
    outfile: join(folder, 'bundle/failing.mjs'),
    sourcemap: 'linked',
    format: 'esm',
  })
})
afterEach(() => rm(folder, { recursive: true }))

/** The stack of an error that the bundle throws, in a process that maps the bundles of `bundle`. */
async function stackIn() {
  const script = `
    import { showSourcesInStacks } from ${JSON.stringify(pathToFileURL(module).href)}
    import { fail } from ${JSON.stringify(pathToFileURL(join(folder, 'bundle/failing.mjs')).href)}
    showSourcesInStacks(${JSON.stringify(join(folder, 'bundle'))})
    try { fail('broken') } catch ({ stack }) { console.log(stack) }`
  const args = ['--input-type=module', '--eval', script]
  return (await promisify(execFile)(process.execPath, args)).stdout
}
const sourceAt = (place: string) => pathToFileURL(join(folder, place)).href

it('refers to the source of a frame of a bundle; other frames stay as they are', async () => {
  const [message, frame, caller] = (await stackIn()).split('\n')
  expect(message).toBe('Error: broken')
  expect(frame).toBe(`    at fail (${sourceAt('failing.ts')}:4:9)`)
  expect(caller).toMatch(/^ {4}at file:.*\[eval1\]:5:11$/)
})

it('refers to the bundle where its map was removed', async () => {
  await rm(join(folder, 'bundle/failing.mjs.map'))
  expect(await stackIn()).toContain(`at fail (${sourceAt('bundle/failing.mjs')}:`)
})
