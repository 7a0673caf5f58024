import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { afterEach, expect, it } from 'vitest'
import { collectorTls } from './collectorTls.ts'

const cleanup = createCleanupStack()
afterEach(cleanup.close)

async function files(...names: readonly string[]): Promise<readonly string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-tls-'))
  cleanup.defer(() => rm(directory, { recursive: true }))
  const paths = names.map((name) => join(directory, name))
  await Promise.all(paths.map((path, at) => writeFile(path, names[at]!)))
  return paths
}

it('reads the files of the standard variables, those for traces first', async () => {
  const [all, traces, cert, key] = await files('all', 'traces', 'cert', 'key')
  const env = {
    OTEL_EXPORTER_OTLP_CERTIFICATE: all,
    OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE: traces,
    OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: ` ${cert} `,
    OTEL_EXPORTER_OTLP_CLIENT_KEY: key,
  }
  const { ca, ...own } = await collectorTls(env)
  expect([String(ca), String(own.cert), String(own.key)]).toEqual(['traces', 'cert', 'key'])
  const other = await collectorTls({ ...env, OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE: ' ' })
  expect(String(other.ca)).toBe('all')
  expect(await collectorTls({})).toEqual({})
})

it('names the variable whose file cannot be read', async () => {
  const env = { OTEL_EXPORTER_OTLP_CLIENT_KEY: join(tmpdir(), 'no', 'such.pem') }
  await expect(collectorTls(env)).rejects.toThrow(
    'Invalid configuration: the file of OTEL_EXPORTER_OTLP_CLIENT_KEY cannot be read: ENOENT',
  )
})
