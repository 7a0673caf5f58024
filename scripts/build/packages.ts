/**
 * Writes the packages that are published, and their tarballs: `npm run pack -- [--out DIR] [NAME...]`,
 * by default all of them to `.cache/packages`.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { packageDefinitions } from './packages/definitions.ts'
import { writePackage } from './packages/writePackage.ts'

const { values, positionals } = parseArgs({
  options: { out: { type: 'string', default: '.cache/packages' } },
  allowPositionals: true,
})
const out = resolve(values.out)
const known = packageDefinitions.map(({ directory }) => directory)
const unknown = positionals.filter((directory) => !known.includes(directory))
if (unknown.length > 0) {
  console.error(`unknown package: ${unknown.join(', ')} (known: ${known.join(', ')})`)
  process.exit(2)
}
mkdirSync(out, { recursive: true })
for (const definition of packageDefinitions) {
  if (positionals.length > 0 && !positionals.includes(definition.directory)) continue
  const staged = join(out, definition.directory.replaceAll('/', '-'))
  await writePackage(definition, staged)
  const [{ filename, size, unpackedSize }] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--pack-destination', out], {
      cwd: staged,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  )
  console.log(`${join(out, filename)}: ${megabytes(size)}, unpacked ${megabytes(unpackedSize)}`)
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(2)} MB`
}
