import { readdirSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import {
  buildComponent,
  buildOracle,
  componentFile,
  oracleFile,
  oracleNames,
} from 'polgate-fixtures/oracles/build.ts'
import {
  type PrebuiltArchive,
  prebuiltFiles,
  writePrebuilt,
} from 'polgate-fixtures/oracles/prebuilt.ts'
import { root } from './packages/bundle.ts'

/**
 * Builds the oracles of the fixtures and of the templates of policy packages from their sources, and writes
 * them to `fixtures/oracles/prebuilt.br` and `templates.br`. With `--check`: exits 1 unless the files are of
 * these sources.
 */
type Source = {
  readonly name: string
  /** Its file in the archive. */
  readonly file: string
  readonly build: (cacheDir: string) => Promise<Uint8Array>
}

const onProgress = ({ oracle, state, ms }: { oracle: string; state: string; ms: number }) =>
  console.log(`${oracle.padEnd(14)} ${state} ${(ms / 1000).toFixed(1)} s`)

const ofFixtures = (): Promise<Source[]> =>
  Promise.all(
    oracleNames().map(async (name) => ({
      ...{ name, file: await oracleFile(name) },
      build: (cacheDir: string) => buildOracle(name, { cacheDir, prebuilt: false, onProgress }),
    })),
  )

/** Templates may share an oracle. */
async function ofTemplates(): Promise<Source[]> {
  const templates = join(root, 'impl/cli/templates')
  const paths = readdirSync(templates, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.js'))
    .map((path) => join(templates, path))
  const sources = await Promise.all(
    paths.map(async (path) => {
      const name = basename(path, '.js')
      return {
        ...{ name, file: await componentFile(name, await readFile(path, 'utf8')) },
        build: (cacheDir: string) =>
          buildComponent({ name, path }, { cacheDir, prebuilt: false, onProgress }),
      }
    }),
  )
  return [...new Map(sources.map((source) => [source.file, source])).values()]
}

const archives: Readonly<Record<PrebuiltArchive, () => Promise<readonly Source[]>>> = {
  prebuilt: ofFixtures,
  templates: ofTemplates,
}

async function update(archive: PrebuiltArchive, sources: readonly Source[]): Promise<void> {
  const place = `fixtures/oracles/${archive}.br`
  const present = await prebuiltFiles(archive)
  const absent = sources.filter(({ file }) => !present.includes(file))
  if (absent.length === 0) {
    console.log(`${place} is up to date`)
  } else if (process.argv.includes('--check')) {
    const names = absent.map(({ name }) => name).join(', ')
    console.error(`${place} is not of the sources of ${names}: run npm run oracles:build`)
    process.exitCode = 1
  } else {
    // Not those of the cache, which any process of this user may have written.
    const cacheDir = await mkdtemp(join(tmpdir(), 'svc-oracles-'))
    const built = await Promise.all(
      sources.map(async ({ file, build }) => [file, await build(cacheDir)] as const),
    )
    await rm(cacheDir, { recursive: true })
    await writePrebuilt(archive, new Map(built))
    console.log(`wrote ${place} and ${archive}.json`)
  }
}

for (const archive of ['prebuilt', 'templates'] as const)
  await update(archive, await archives[archive]())
