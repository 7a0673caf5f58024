import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildOracle, oracleFile, oracleNames } from 'polgate-fixtures/oracles/build.ts'
import { prebuiltFiles, writePrebuilt } from 'polgate-fixtures/oracles/prebuilt.ts'

/**
 * Builds the oracles of the fixtures from their sources, and writes them to
 * `fixtures/oracles/prebuilt.br`. With `--check`: exits 1 unless the file is of these sources.
 */
async function missing(): Promise<string[]> {
  const present = await prebuiltFiles()
  const wanted = await Promise.all(
    oracleNames().map(async (name) => ({ name, file: await oracleFile(name) })),
  )
  return wanted.filter(({ file }) => !present.includes(file)).map(({ name }) => name)
}

const absent = await missing()
if (absent.length === 0) {
  console.log('fixtures/oracles/prebuilt.br is up to date')
} else if (process.argv.includes('--check')) {
  console.error(
    `fixtures/oracles/prebuilt.br is not of the sources of ${absent.join(', ')}: run npm run oracles:build`,
  )
  process.exitCode = 1
} else {
  // Not those of the cache, which any process of this user may have written.
  const cacheDir = await mkdtemp(join(tmpdir(), 'svc-oracles-'))
  const built = await Promise.all(
    oracleNames().map(async (name) => {
      const component = await buildOracle(name, {
        ...{ cacheDir, prebuilt: false },
        onProgress: ({ oracle, state, ms }) =>
          console.log(`${oracle.padEnd(14)} ${state} ${(ms / 1000).toFixed(1)} s`),
      })
      return [await oracleFile(name), component] as const
    }),
  )
  await rm(cacheDir, { recursive: true })
  await writePrebuilt(new Map(built))
  console.log('wrote fixtures/oracles/prebuilt.br and prebuilt.json')
}
