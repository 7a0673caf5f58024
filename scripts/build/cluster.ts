import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeCluster } from 'polgate-service/store/embedded.ts'
import { prebuiltKey, writePrebuiltCluster } from 'polgate-service/store/prebuiltCluster.ts'
import { clusterKey } from 'polgate-service/store/preparedCluster.ts'

/**
 * Creates the cluster that the embedded database starts from, and writes it to
 * `impl/service/store/prebuiltCluster.br`. With `--check`: exits 1 unless the file is of these
 * migrations and this version of PGlite.
 */
const key = await clusterKey()
if ((await prebuiltKey()) === key) {
  console.log('impl/service/store/prebuiltCluster.br is up to date')
} else if (process.argv.includes('--check')) {
  console.error('impl/service/store/prebuiltCluster.br is out of date: run npm run cluster:build')
  process.exitCode = 1
} else {
  const directory = await mkdtemp(join(tmpdir(), 'svc-cluster-'))
  try {
    await writePrebuiltCluster(key, await makeCluster(join(directory, 'cluster')))
    console.log('wrote impl/service/store/prebuiltCluster.br and prebuiltCluster.json')
  } finally {
    await rm(directory, { recursive: true })
  }
}
