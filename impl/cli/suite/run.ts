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
  polgate run local --clause 4.2 --grep signature    selected checks, against a temporary local stack
  polgate run http://127.0.0.1:8600 --tag webhook    against a running gateway
  polgate run local --tag property --exclude explorer --effort 10
  polgate run local --exclude-tag slow --bail 3 --workers 2
  polgate run --only-failed                          what failed since the last run of all checks, with its seed and target
  polgate run https://gateway.example --dry-run      list the checks and which of them write
${runHelp}`

const withoutStack = {
  'run local': 'run gateway.yaml',
  'against a temporary local stack': 'of the gateway of a target file',
}

/** Runs selected checks of a certification. */
export const run: CommandDefinition = {
  define: (command) => {
    targetOptions(runOptions(command), 'gateway to test')
      .addHelpText('after', suiteHelp(help, withoutStack))
      .action((place: string | undefined, flags: RunFlags & TargetFlag) =>
        runCommand(async (world) => {
          const { certify } = await import('polgate-conformance/commands/certify.ts')
          return certify({ ...optionsOf(flags), target: oneTarget(place, flags) }, world)
        }),
      )
  },
}
