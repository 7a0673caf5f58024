import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fixtureApiKey, startFixtureHost } from 'polgate-fixtures/host/fixtureHost.ts'
import type { OracleHostOptions } from 'polgate-service/oracles/oracleHost.ts'
import { createOracleHost, type OracleHost } from 'polgate-service/oracles/oracleHost.ts'

/**
 * Environment of the sections: a fixture host on loopback, its secrets, and oracle hosts with a
 * shared cache.
 */
export type BenchWorld = {
  url: string
  cacheDir: string
  /** A copy of the secrets for each run, because a run wipes them. */
  secrets(): Uint8Array
  /** A host that may reach the fixture host; closed by its user. */
  newHost(options?: Partial<OracleHostOptions>): OracleHost
}

/** Runs `work` in a temporary environment. */
export async function withOracleData(work: (world: BenchWorld) => Promise<void>): Promise<void> {
  const cacheDir = await mkdtemp(join(tmpdir(), 'bench-oracles-'))
  const world = await startFixtureHost()
  const secrets = JSON.stringify({ PRICE_API_KEY: fixtureApiKey, PRICE_FEED_URL: world.url })
  try {
    await work({
      url: world.url,
      cacheDir,
      secrets: () => new TextEncoder().encode(secrets),
      newHost: (options) =>
        createOracleHost({
          clock: Date,
          cacheDir,
          egress: { allowedHosts: [world.hostPort] },
          ...options,
        }),
    })
  } finally {
    await world.stop()
    await rm(cacheDir, { recursive: true, force: true })
  }
}
