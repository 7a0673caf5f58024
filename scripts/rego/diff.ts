/**
 * Compares this engine with `opa` 1.2 and `regorus` 0.9 on generated programs.
 *
 *   npm run diff:rego -- [--programs 2000] [--seed N] [--only N] [--most N] [--json]
 *
 * Exits 0 if each difference is on the page of differences, or if no peer is installed, which it says;
 * 1 otherwise, with the smallest program, all answers and the command that reproduces it; 2 for
 * invalid usage.
 */

import { parseArgs } from 'node:util'
import { AppError } from 'polgate-lib/errors/appError.ts'
import type { Peer } from './diff/answers.ts'
import { Engines } from './diff/engines.ts'
import { opaPeer } from './diff/opaPeer.ts'
import { entryFaults } from './diff/page.ts'
import { regorusPeer } from './diff/regorusPeer.ts'
import { type Report, reportOf, texts, unlistedText } from './diff/report.ts'
import { search } from './diff/search.ts'

const USAGE = 'usage: npm run diff:rego -- [--programs N] [--seed N] [--only N] [--most N] [--json]'

class UsageError extends AppError {}

function whole(text: string | undefined, name: string, least: number): number | undefined {
  if (text === undefined) return undefined
  const number = Number(text)
  if (!/^\d{1,9}$/.test(text) || number < least) {
    throw new UsageError(`${name} must be an integer from ${least} to 999999999`)
  }
  return number
}

function options() {
  const flags = {
    programs: { type: 'string' },
    seed: { type: 'string' },
    only: { type: 'string' },
    most: { type: 'string' },
    json: { type: 'boolean' },
  } as const
  try {
    const { values } = parseArgs({ options: flags })
    return {
      programs: whole(values.programs, '--programs', 1) ?? 2_000,
      seed: whole(values.seed, '--seed', 0) ?? Date.now() % 1_000_000,
      only: whole(values.only, '--only', 0),
      most: whole(values.most, '--most', 1) ?? 10,
      json: values.json ?? false,
    }
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

async function main(): Promise<number> {
  const { programs, seed, only, most, json } = options()
  const peers: Peer[] = []
  const stop = (): void => {
    for (const peer of peers) void peer.close()
    process.exit(130)
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
  const missing: string[] = []
  try {
    for (const find of [opaPeer(), regorusPeer()]) {
      if (typeof find === 'string') missing.push(find)
      else peers.push(await find())
    }
    const comparing = new Engines(peers)
    const started = performance.now()
    const summary = await search(comparing, {
      seed,
      from: only ?? 0,
      programs: only === undefined ? programs : 1,
      most,
      ...(json
        ? {}
        : {
            progress: (done) => {
              if (done % 1_000 === 0) console.error(`${done} programs`)
            },
            found: async (each) => console.log(await unlistedText(comparing, seed, each)),
          }),
    })
    const faults = await entryFaults(peers)
    const report: Report = await reportOf(comparing, {
      seed,
      summary,
      faults,
      missing,
      peers: peers.map(({ name, version }) => `${name} ${version}`),
      seconds: Math.round((performance.now() - started) / 100) / 10,
    })
    console.log(json ? JSON.stringify(report, null, 2) : texts(report))
    return report.unlisted.length + faults.length > 0 ? 1 : 0
  } finally {
    for (const peer of peers) await peer.close()
  }
}

try {
  process.exitCode = await main()
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(`${error.message}\n${USAGE}`)
  process.exitCode = 2
}
