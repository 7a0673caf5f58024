import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { profileSpending } from 'polgate-chain/testing/gas.ts'
import type { GasPart } from 'polgate-chain/testing/gasProfile.ts'
import { type ReadingProfile, readingLines } from '../explorer/profileReading.ts'
import { nameOf, type ProfiledLoad, runProfiled } from './profiledLoads.ts'
import { type ProcessThread, profileLines, summariseFiles } from './profileFiles.ts'
import { profileExplorer } from './sections/explorer.ts'

export type Explanation = {
  readonly load: string
  readonly processorMs?: number | undefined
  readonly threads: readonly ProcessThread[]
  /** What a transaction spends its gas on. */
  readonly gas?: readonly GasPart[]
  /** What a page of the explorer costs. */
  readonly explorer?: ReadingProfile
}

/**
 * Repeats loads under the profiler, each once, and says where their time is spent. The figures of
 * the run are measured without a profiler, which slows everything down.
 *
 * @param directory keeps the profiles, one folder per load; default: they are removed
 */
export async function explain(
  loads: readonly ProfiledLoad[],
  options: {
    readonly directory: string | undefined
    readonly seconds: number
    readonly say: (line: string) => void
  },
): Promise<Explanation[]> {
  const { directory, seconds, say } = options
  const parent = directory ?? (await mkdtemp(join(tmpdir(), 'svc-profiles-')))
  const byName = new Map(loads.map((load) => [nameOf(load), load]))
  const explanations: Explanation[] = []
  try {
    for (const [name, load] of byName) {
      const folder = join(parent, name)
      await rm(folder, { recursive: true, force: true })
      if (load.kind === 'gas') {
        const gas = (await profileSpending())[load.transaction]
        explanations.push({ load: name, threads: [], gas })
        say(`\ngas of validateAttestationDirect, ${load.transaction}`)
        for (const { part, gas: used } of gas) say(`  ${String(used).padStart(8)}  ${part}`)
        continue
      }
      if (load.kind === 'explorer') {
        const { profile } = await profileExplorer(folder)
        const threads = summariseFiles(folder, profile.window)
        explanations.push({ load: name, processorMs: profile.apiMs, threads, explorer: profile })
        say('\nprofile of the slowest page of the explorer')
        for (const line of readingLines(profile)) say(line)
        for (const line of profileLines(threads, profile.apiMs)) say(line)
        continue
      }
      const { window, processorMs } = await runProfiled(load, folder, seconds)
      const threads = summariseFiles(folder, window)
      explanations.push({ load: name, processorMs, threads })
      say(`\nprofile of ${name}${directory === undefined ? '' : ` (${folder})`}`)
      for (const line of profileLines(threads, processorMs)) say(line)
    }
    return explanations
  } finally {
    if (directory === undefined) await rm(parent, { recursive: true, force: true })
  }
}
