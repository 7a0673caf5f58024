/**
 * Runs every command that README.md, the packages' READMEs and the examples of `--help` show: from
 * tarballs in a folder outside this repository, as an ordinary user would; those for contributors with the
 * files of the clone. `npm run try:commands -- [--packed DIR] [--only TEXT] [--all]`; fails if one is not
 * run anywhere, or does not end as expected.
 *
 *   --packed DIR   tarballs of `npm run pack`; by default they are packed
 *   --only TEXT    lines that contain it
 *   --all          all lines; by default a third of the slow ones, another third each day
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readManifest } from '../build/packages/manifest.ts'
import { packAll } from '../build/packages/packAll.ts'
import { ordinaryUser } from '../build/packages/try/ordinaryUser.ts'
import { makePlace, projectWith } from '../build/packages/try/place.ts'
import { keepTemporaryFilesInMemory } from '../testing/temporaryFiles.ts'
import { cloneCommands } from './cloneCommands.ts'
import { dailyShare } from './dailyShare.ts'
import { inFolders } from './inFolders.ts'
import { listedCommands } from './listed.ts'
import { isSlow, plannedLines } from './plannedLines.ts'
import { withBin } from './runLine.ts'
import { prepareTemplate } from './template.ts'

const { values: options } = parseArgs({
  options: {
    packed: { type: 'string' },
    only: { type: 'string', default: '' },
    all: { type: 'boolean', default: false },
  },
})
const names = ['polgate', 'polgate-conformance']
const { tsx } = (readManifest('.') as { readonly devDependencies: Record<string, string> })
  .devDependencies
const begin = performance.now()
const note = (text: string) =>
  console.log(`${text} (${((performance.now() - begin) / 1000).toFixed(1)} s)`)

const removeTemporaryFiles = await keepTemporaryFilesInMemory()
const listed = await listedCommands()
const scratch = mkdtempSync(join(tmpdir(), 'svc-commands-'))
const clone = cloneCommands(listed, scratch)
const failures = [...clone.failures]
note(`${listed.length} commands, ${clone.count} of them scripts of the clone`)
for (const { by, line } of clone.elsewhere) console.log(`  ${by}: ${line}`)

const user = ordinaryUser()
const place = makePlace(user, await tarballs())
try {
  const packages = names.flatMap((name) => place.tarballs.get(name) ?? [])
  const project = await projectWith(place, user, {
    name: 'project',
    // Checks in TypeScript need it on the oldest Node.
    packages: [...packages, `tsx@${tsx}`],
  })
  const env = {
    ...withBin(place.env, project),
    NO_COLOR: '1',
    // One of each for all, as a user has them; the home of each line is its own.
    XDG_CACHE_HOME: place.empty('cache'),
    XDG_DATA_HOME: place.empty('share'),
  }
  const template = await prepareTemplate(project, user, env)
  note('prepared')
  try {
    const planned = plannedLines(listed, template.values)
    failures.push(...planned.failures)
    const wanted = [...planned.lines, ...clone.lines].filter(({ line }) =>
      line.includes(options.only),
    )
    const lines =
      options.all || options.only !== '' ? wanted : dailyShare(wanted, isSlow, Date.now())
    const results = await inFolders(lines, { user, place, project, env })
    for (const { line, sources, failure } of results)
      if (failure !== undefined) failures.push(`${line}\n  of ${sources.join('; ')}\n  ${failure}`)
    note(`${lines.length} of ${wanted.length} run; longest:`)
    for (const { line, ms } of results.sort((a, b) => b.ms - a.ms).slice(0, 8))
      console.log(`  ${(ms / 1000).toFixed(1)} s  ${line.slice(0, 110)}`)
  } finally {
    await template.close()
  }
} finally {
  place.remove()
  rmSync(scratch, { recursive: true, force: true })
  await removeTemporaryFiles()
}
note(`${failures.length} failed`)
for (const failure of failures) console.log(`\n- ${failure}`)
process.exitCode = failures.length === 0 ? 0 : 1

async function tarballs() {
  const directories = ['impl/cli', 'conformance']
  if (options.packed === undefined)
    return packAll(join(scratch, 'packed'), { tarballs: true, directories })
  const folder = resolve(options.packed)
  const { version } = readManifest('impl/cli') as { readonly version: string }
  return names.map((name) => ({ name, tarball: join(folder, `${name}-${version}.tgz`) }))
}
