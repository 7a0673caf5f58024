import fc from 'fast-check'
import { counted } from 'polgate-lib/text/counted.ts'
import { ConformanceError, Untestable } from '../core/conformanceError.ts'
import type { CheckContext } from '../core/context.ts'
import { failureText } from '../core/failureText.ts'

/** The environment of a sequence, and the check at its end. */
export type Stage<M extends object, R> = {
  readonly model: M
  readonly real: R
  /** A line for each step so far, with the results of every surface. */
  readonly story: readonly string[]
}

export type SequenceOptions<M extends object, R> = {
  /** At effort 1. */
  readonly runs: number
  readonly steps: readonly fc.Arbitrary<fc.AsyncCommand<M, R>>[]
  /** Number of steps: the maximum, and the minimum until a failure is found. */
  readonly most: number
  readonly least: number
  /** Sets up a new stage, runs the sequence, and tears the stage down. */
  readonly withStage: (play: (stage: Stage<M, R>) => Promise<void>) => Promise<void>
  /** Checked after the last step. */
  readonly atEnd: (model: M, real: R) => Promise<void>
  /** Each shrinking attempt is a sequence on the target. */
  readonly shrinkMs?: number
}

const countOf = <M extends object, R>(commands: Iterable<fc.AsyncCommand<M, R>>): number =>
  [...commands].length

/**
 * Runs sequences of steps derived from the run's seed, the check and the name. A failure contains
 * the shortest failing sequence found, line by line with its results, and the seed and path that
 * lead to it.
 *
 * @throws ConformanceError for a failing sequence, Untestable if a stage cannot be set up
 */
export async function checkSequences<M extends object, R>(
  t: Pick<CheckContext, 'seed' | 'runs'>,
  name: string,
  options: SequenceOptions<M, R>,
): Promise<void> {
  let deadline = Number.POSITIVE_INFINITY
  let told: readonly string[] = []
  const commands = fc.commands([...options.steps], { maxCommands: options.most, size: 'max' })
  const property = fc.asyncProperty(commands, async (given) => {
    // A short sequence proves little; once one fails, shorter is better. Not a filter: it would
    // pass copies on, and fast-check can shrink only commands that were run.
    fc.pre(deadline !== Number.POSITIVE_INFINITY || countOf(given) >= options.least)
    if (performance.now() > deadline) return
    await options.withStage(async ({ model, real, story }) => {
      try {
        await fc.asyncModelRun(() => ({ model, real }), given)
        await options.atEnd(model, real)
      } catch (error) {
        if (!(error instanceof Untestable)) {
          told = [...story]
          if (deadline === Number.POSITIVE_INFINITY)
            deadline = performance.now() + (options.shrinkMs ?? 6_000)
        }
        throw error
      }
    })
  })
  const seed = t.seed(name)
  const details = await fc.check(property, { seed, numRuns: t.runs(options.runs) })
  if (!details.failed) return
  const cause = details.errorInstance
  if (cause instanceof Untestable) throw cause
  const known = cause instanceof ConformanceError
  const message = known ? cause.message : failureText(cause)
  const where = `seed ${seed}, path ${details.counterexamplePath}, shortened ${details.numShrinks} times`
  throw new ConformanceError(`after ${counted(told.length, 'step')} ${message}`, {
    expected: known ? cause.expected : 'every surface agrees',
    observed: known ? cause.observed : 'an error',
    counterexample: [`the shortest sequence found (${where})`, ...told].join('\n'),
    cause,
  })
}
