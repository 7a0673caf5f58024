import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Value } from '@sinclair/typebox/value'
import { replaceFile } from 'polgate-lib/files/replaceFile.ts'
import { ConformanceRun } from 'polgate-protocol/control/conformance.ts'

const recordFile = 'run.json'

/** Runs that are kept; older ones are removed when another starts. */
const keptRuns = 50

/** The id of a run is the time of its start, so that names sort by age. */
const idPattern = /^[0-9]{4}(-[0-9]{2}){2}T[0-9]{2}(-[0-9]{2}){2}-[0-9]{3}Z$/

export const runIdOf = (startedAt: Date): string => startedAt.toISOString().replaceAll(/[:.]/g, '-')

/** Writes what is known of a run beside its log. */
export async function writeRunRecord(directory: string, run: ConformanceRun): Promise<void> {
  const place = join(directory, run.id)
  await mkdir(place, { recursive: true })
  await replaceFile(join(place, recordFile), `${JSON.stringify(run, undefined, 2)}\n`)
}

async function readRecord(place: string): Promise<ConformanceRun | undefined> {
  const path = join(place, recordFile)
  try {
    const run: unknown = JSON.parse(await readFile(path, 'utf8'))
    // Another release may write other members.
    return Value.Check(ConformanceRun, run) ? run : undefined
  } catch (error) {
    // Not written by a stack.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    const why = error instanceof SyntaxError ? 'it is not JSON' : (error as Error).message
    console.error(`warning: ${path} is damaged: ${why}. The run is left out; delete its folder.`)
    return undefined
  }
}

/** The runs of a directory, the newest first. One that was going on when its stack ended is interrupted. */
export async function readRunRecords(directory: string): Promise<readonly ConformanceRun[]> {
  const names = await readdir(directory).catch(() => [])
  const ids = names.filter((name) => idPattern.test(name)).sort()
  const runs = await Promise.all(ids.reverse().map((id) => readRecord(join(directory, id))))
  return runs.flatMap((run) => {
    if (run === undefined) return []
    return run.state === 'running' ? [{ ...run, state: 'interrupted' as const }] : [run]
  })
}

/** Removes the oldest of these runs, so that one more is not too many. */
export async function removeOldRuns(
  directory: string,
  runs: readonly ConformanceRun[],
): Promise<readonly ConformanceRun[]> {
  const old = runs.slice(keptRuns - 1)
  await Promise.all(old.map(({ id }) => rm(join(directory, id), { recursive: true, force: true })))
  return runs.slice(0, keptRuns - 1)
}
