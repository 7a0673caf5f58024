import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Rerun } from '../certificate/challenge.ts'
import { CannotRun } from '../core/conformanceError.ts'
import type { CheckFinished } from '../core/events.ts'
import type { CommandIo } from './world.ts'

export type RerunTarget = {
  /** URL or name of the target, as `polgate run` takes it. */
  readonly target: string
  readonly targetFile?: string | undefined
}

/** Runs checks in a run of their own and reads the results from its log. */
export const rerunOn =
  ({ target, targetFile }: RerunTarget, world: CommandIo): Rerun =>
  async (ids) => {
    const directory = mkdtempSync(join(tmpdir(), 'svc-rerun-'))
    try {
      // Imported here: `polgate explain` seldom runs anything.
      const { certify } = await import('./certify.ts')
      const { loadEvents } = await import('../reports/readEvents.ts')
      const grep = ids.map((id) => `^${id.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`)
      const silent = { write: () => true }
      const options = {
        target,
        targetFile,
        grep,
        reportDir: directory,
        report: ['json'],
        repeats: 'a command' as const,
      }
      await certify(options, { ...world, stdout: silent })
      if (!existsSync(join(directory, 'events.ndjson')))
        throw new CannotRun(
          `The checks could not be run on ${target}`,
          'Check that it is reachable and that its keys are set: polgate doctor.',
        )
      return loadEvents(directory).events.filter(
        (event): event is CheckFinished => event.type === 'check-finished',
      )
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  }
