import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { counted } from 'polgate-lib/text/counted.ts'
import { type ExitCode, exitCode } from '../core/verdict.ts'
import { diffTargets, type Side, type TargetDifference } from '../fixtures/diffTargets.ts'
import { environmentOf, replaySecrets } from '../fixtures/environment.ts'
import { loadFixtures } from '../fixtures/loadFixtures.ts'
import { prepareTarget } from '../targets/prepare.ts'
import type { PreparedTarget } from '../targets/target.ts'
import { freshFetch } from '../wire/freshFetch.ts'
import { redactJson, redactorOf } from '../wire/redact.ts'
import type { CommandIo } from './world.ts'

export type DiffOptions = {
  /** `local`, URLs, names or paths of target files. */
  readonly a: string
  readonly b: string
  /** The requests to send; by default the recorded exchanges of the reference implementation. */
  readonly fixtures?: readonly string[] | undefined
  readonly windowMs?: number | undefined
  readonly json?: boolean | undefined
}

/** Recorded exchanges of the reference implementation: the default requests. */
const usualFixtures = fileURLToPath(new URL('../../fixtures/recorded', import.meta.url))

/** Sends the same requests to two targets and reports differences: exit code 1 if there are any. */
export async function diff(options: DiffOptions, world: CommandIo): Promise<ExitCode> {
  const loaded = loadFixtures(options.fixtures ?? [usualFixtures], world.cwd)
  const note = (text: string) => world.stderr.write(`${text}\n`)
  const prepared: PreparedTarget[] = []
  try {
    for (const target of [options.a, options.b])
      prepared.push(await prepareTarget({ target }, world, note))
    const found: ({ readonly fixture: string } & TargetDifference)[] = []
    for (const { file, fixture } of loaded) {
      if (world.signal.aborted) return exitCode.interrupted
      const [a, b] = prepared.map(
        ({ target }): Side => ({
          target,
          environment: environmentOf(target, world.env, dirname(file)),
        }),
      )
      note(basename(file))
      const differences = await diffTargets(fixture, a!, b!, {
        fetch: freshFetch,
        signal: world.signal,
        windowMs: options.windowMs,
      })
      const secrets = [a, b].flatMap((side) =>
        Object.entries(replaySecrets(side!.target, world.env)),
      )
      const told = redactJson(differences, redactorOf(secrets))
      found.push(...told.map((difference) => ({ fixture: basename(file), ...difference })))
    }
    if (world.signal.aborted) return exitCode.interrupted
    if (options.json)
      world.stdout.write(
        `${JSON.stringify({ a: options.a, b: options.b, differences: found }, undefined, 2)}\n`,
      )
    else {
      for (const { fixture, line, what, path, a, b } of found)
        world.stdout.write(`${fixture}:${line} ${what} ${path}\n  a ${a}\n  b ${b}\n`)
      world.stdout.write(
        `${counted(loaded.length, 'fixture')}, ${counted(found.length, 'difference')}\n`,
      )
    }
    return found.length === 0 ? exitCode.conformant : exitCode.notConformant
  } finally {
    for (const { close } of prepared) await close()
  }
}
