import { mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomOf } from './images.ts'
import { type Run, runLoad } from './load.ts'

export type Workspace = { readonly run: Run; readonly directory: string; remove(): void }

const memory = '/dev/shm'
const neededBytes = 500_000_000

/** Images need no disk: memory is faster, where there is enough. */
function home(): string {
  try {
    const { bavail, bsize } = statfsSync(memory)
    if (bavail * bsize > neededBytes) return memory
  } catch {
    // Not on this system.
  }
  return tmpdir()
}

/** Records a run of so many tasks, and a directory for its images. */
export async function recordedRun(seed: number, tasks: number): Promise<Workspace> {
  const base = mkdtempSync(join(home(), 'svc-crash-'))
  const remove = () => rmSync(base, { recursive: true, force: true })
  const [recorded, directory] = [join(base, 'run'), join(base, 'image')]
  try {
    mkdirSync(recorded)
    mkdirSync(directory)
    const run = await runLoad({ home: recorded, random: randomOf(seed), tasks })
    return { run, directory, remove }
  } catch (error) {
    remove()
    throw error
  }
}
