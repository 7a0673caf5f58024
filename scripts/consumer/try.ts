/**
 * Installs `fixtures/consumer` from tarballs in a folder outside this repository, as its owner would, and
 * runs its types and tests: `npm run try:consumer -- [--packed DIR] [--lock]`.
 *
 *   --packed DIR   tarballs of `npm run pack`; by default they are packed
 *   --lock         resolves its dependencies again and writes its lock file
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readManifest } from '../build/packages/manifest.ts'
import { packAll } from '../build/packages/packAll.ts'
import { keepTemporaryFilesInMemory } from '../testing/temporaryFiles.ts'
import { writeConsumerLock } from './writeConsumerLock.ts'

const { values } = parseArgs({
  options: { packed: { type: 'string' }, lock: { type: 'boolean', default: false } },
})
const consumer = fileURLToPath(new URL('../../fixtures/consumer', import.meta.url))
const removeTemporaryFiles = await keepTemporaryFilesInMemory()
const place = mkdtempSync(join(tmpdir(), 'consumer-'))
try {
  const tarballs = await tarballsIn(values.packed)
  const project = join(place, 'project')
  cpSync(consumer, project, {
    recursive: true,
    filter: (path) => !/[/\\](node_modules|packages)$/.test(path),
  })
  mkdirSync(join(project, 'packages'))
  for (const [name, tarball] of tarballs)
    copyFileSync(tarball, join(project, 'packages', `${name}.tgz`))
  if (values.lock) {
    writeConsumerLock(project)
    copyFileSync(join(project, 'package-lock.json'), join(consumer, 'package-lock.json'))
  }
  // Whether the steps of its workflow pass.
  run(project, 'npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'])
  run(project, 'npm', ['run', 'types'])
  run(project, 'npm', ['test'])
  console.log('the consumer passes from tarballs')
} finally {
  rmSync(place, { recursive: true, force: true, maxRetries: 5 })
  await removeTemporaryFiles()
}

async function tarballsIn(directory: string | undefined): Promise<Map<string, string>> {
  const packages = { 'polgate-client': 'impl/client', 'polgate-testing': 'impl/testing' }
  if (directory === undefined) {
    const directories = Object.values(packages)
    const packed = await packAll(join(place, 'packed'), { tarballs: true, directories })
    return new Map(packed.map(({ name, tarball }) => [name, String(tarball)]))
  }
  const { version } = readManifest('impl/testing') as { readonly version: string }
  const file = (name: string) => resolve(directory, `${name}-${version}.tgz`)
  return new Map(Object.keys(packages).map((name) => [name, file(name)]))
}

/** Without what this repository sets, as on another machine. */
function run(cwd: string, command: string, words: readonly string[]): void {
  const { NODE_OPTIONS: _, ...env } = process.env
  const own = Object.entries(env).filter(
    ([name]) => !/^(npm_(?!config_)|VITEST|INIT_CWD)/.test(name),
  )
  execFileSync(command, words, { cwd, stdio: 'inherit', env: Object.fromEntries(own) })
}
