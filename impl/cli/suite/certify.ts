import type { Verb } from '../verb.ts'
import { runCommand } from './command.ts'
import {
  oneTarget,
  optionsOf,
  type RunFlags,
  runHelp,
  runOptions,
  type TargetFlag,
  targetOptions,
} from './runOptions.ts'

const help = `
Examples:
  svc certify                                   boot everything here and certify it
  svc certify --target http://127.0.0.1:8600    a gateway that runs elsewhere
  svc certify --shard 1/2 --report-dir out/1    one half; the other elsewhere, then svc merge
  svc certify --seed 0x5eed42                   the values of an earlier run

A certification asks everything: with filters, or one shard alone, it is a run of some checks.
${runHelp}`

/** Certifies a gateway against the specification; the suite lives in conformance/. */
export const certify: Verb = {
  define: (command) => {
    targetOptions(runOptions(command), 'what to certify')
      // Of old; svc list has it.
      .option('--list', 'list the checks and run none')
      .addHelpText('after', help)
      .action((place: string | undefined, flags: RunFlags & TargetFlag & { list?: boolean }) =>
        runCommand(async (world) => {
          if (flags.list) {
            const { list } = await import('polgate-conformance/commands/list.ts')
            return list(flags, world)
          }
          const { certify: run } = await import('polgate-conformance/commands/certify.ts')
          return run({ ...optionsOf(flags), target: oneTarget(place, flags) }, world)
        }),
      )
  },
}
