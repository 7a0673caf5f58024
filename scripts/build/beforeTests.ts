import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import {
  hostileComponent,
  hostileFixture,
  hostileNames,
} from 'polgate-fixtures/hostile/catalogue.ts'
import { buildOracle, oracleNames } from 'polgate-fixtures/oracles/build.ts'
import { sharePostgres } from 'polgate-service/store/testing/sharedPostgres.ts'
import type { TestProject } from 'vitest/node'
import { keepTemporaryFilesInMemory } from '../testing/temporaryFiles.ts'

/** What tests find ready; what is returned ends it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Node 20 parses these certificates whenever a process starts: 70 ms for those of a system. Later versions do
  // when they are needed, as by tests that install packages.
  if (Number.parseInt(process.versions.node, 10) < 22) delete process.env.NODE_EXTRA_CA_CERTS
  const removeTemporaryFiles = await keepTemporaryFilesInMemory()
  const postgres = await sharePostgres()
  project.provide('postgres', postgres.askAt)
  await Promise.all([buildComponents(), buildCommandBundle()])
  return async () => {
    await postgres.close()
    await removeTemporaryFiles()
  }
}

/**
 * Builds the components that tests share before the first test runs. On a fresh clone one in
 * JavaScript takes ten seconds, on a busy machine a minute: more than a test waits that happens to
 * be the first to ask for it. Where they are built already this takes no time. What does not build
 * fails the tests that ask for it, and no others.
 */
async function buildComponents(): Promise<void> {
  await Promise.allSettled([...oracleNames().map((name) => buildOracle(name)), ...hostile()])
}

/** Without this, processes that a test starts at the same time would each build the bundle of the command. */
async function buildCommandBundle(): Promise<void> {
  const command = fileURLToPath(new URL('../../impl/cli/polgate.mjs', import.meta.url))
  await promisify(execFile)(process.execPath, [command, '--help']).catch(() => {})
}

const hostile = () =>
  hostileNames().map(async (name) => {
    const fixture = hostileFixture(name)
    return await Promise.all(fixture.cases.map((each) => hostileComponent(fixture, each)))
  })
