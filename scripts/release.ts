/**
 * Prepares a release: one version for all packages, the entries of the changelog under it, and the
 * tarballs. Publishes nothing, and commits nothing.
 *
 *   npm run release -- minor                 or patch, major, 1.2.3
 *   npm run release -- minor --dry-run       says what would change, and changes nothing
 *   npm run release -- minor --out DIR       folder of the tarballs; by default .cache/release/VERSION
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { errorText } from 'polgate-lib/errors/errorText.ts'
import { packageVersion } from 'polgate-lib/packageVersion.ts'
import { releaseEntries, unreleased } from './release/changelog.ts'
import { lockWithVersion, nextVersion, withVersion } from './release/versions.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

try {
  await release()
} catch (error) {
  console.error(errorText(error))
  process.exitCode = 2
}

async function release(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { 'dry-run': { type: 'boolean', default: false }, out: { type: 'string' } },
    allowPositionals: true,
  })
  const [wanted, ...more] = positionals
  if (wanted === undefined || more.length > 0)
    throw new Error('name one version: npm run release -- patch | minor | major | 1.2.3')
  const version = nextVersion(packageVersion, wanted)
  const changed = git('status', '--porcelain')
  if (changed !== '')
    throw new Error(`the work tree is not clean: commit or remove these first\n${changed}`)
  const before = textsOfRelease()
  const after = new Map([...before].map(([path, text]) => [path, released(path, text, version)]))
  console.log(`${packageVersion} becomes ${version}`)
  for (const path of after.keys()) console.log(`  ${path}`)
  console.log(`\n${unreleased(String(before.get('CHANGELOG.md')))}\n`)
  if (values['dry-run']) return console.log('nothing was changed: this was a dry run')
  try {
    for (const [path, text] of after) writeFileSync(join(root, path), text)
    pack(resolve(values.out ?? join(root, '.cache/release', version)))
  } catch (error) {
    for (const [path, text] of before) writeFileSync(join(root, path), text)
    throw error
  }
  console.log(
    `\nnothing was published. Next: read git diff, commit it, tag v${version}, and publish`,
  )
  console.log('the tarballs in this order.')
}

/** Files that name the version, with their texts. */
function textsOfRelease(): Map<string, string> {
  const manifests = git('ls-files', 'package.json', '*/package.json')
    .split('\n')
    .filter((path) => /^polgate/.test(JSON.parse(readFileSync(join(root, path), 'utf8')).name))
  const paths = ['CHANGELOG.md', 'package-lock.json', ...manifests]
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
}

function released(path: string, text: string, version: string): string {
  if (path === 'CHANGELOG.md')
    return releaseEntries(text, version, new Date().toISOString().slice(0, 10))
  return path === 'package-lock.json' ? lockWithVersion(text, version) : withVersion(text, version)
}

/** In a process of its own, which reads the new version. */
function pack(out: string): void {
  const tsx = ['--import', 'tsx', join(root, 'scripts/build/packages.ts'), '--tarballs']
  const printed = execFileSync(process.execPath, [...tsx, '--out', out], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for (const tarball of printed.split('\n').filter((line) => line.endsWith('.tgz'))) {
    const hash = createHash('sha512').update(readFileSync(tarball)).digest('base64')
    console.log(`${basename(tarball)}  sha512-${hash}`)
  }
  console.log(`in ${out}`)
}
