import type { CommandDefinition } from '../commandDefinition.ts'
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
import { suiteHelp } from './suiteHelp.ts'

const help = `
Examples:
  polgate certify                                   start a local stack and certify it
  polgate certify --target http://127.0.0.1:8600    certify a running gateway
  polgate certify --shard 1/2 --report-dir out/1    run one half; combine both with polgate merge
  polgate certify --exclude-tag slow --bail 5       a quick look: stop after five failures
  polgate certify --seed 0x5eed42                   repeat the values of an earlier run

A certification runs all checks of the profiles that the target file claims, and names them in its verdict. A part of
them, left by a filter, a shard, --bail, --budget or --read-only, certifies nothing.
${runHelp}`

const withoutStack = {
  'start a local stack and certify it': 'certify the gateway of svc-target.yaml',
}

/** Certifies a gateway against the specification; the suite lives in conformance/. */
export const certify: CommandDefinition = {
  define: (command) => {
    targetOptions(runOptions(command), 'gateway to certify')
      // Kept for compatibility; superseded by polgate list.
      .option('--list', 'list the checks and run none')
      .addHelpText('after', suiteHelp(help, withoutStack))
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
