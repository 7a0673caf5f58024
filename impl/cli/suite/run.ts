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
  svc run local --clause 4.2 --grep signature    some checks, against a stack booted here
  svc run http://127.0.0.1:8600 --tag webhook    against a gateway that runs elsewhere
  svc run local --tag property --exclude explorer --effort 10
  svc run local --only-failed                    what failed in the last run, with its seed
  svc run https://gateway.example --dry-run      what would be asked, and what of it writes
${runHelp}`

/** Runs some checks: those of a certification, chosen. */
export const run: Verb = {
  define: (command) => {
    targetOptions(runOptions(command), 'what to ask')
      .addHelpText('after', help)
      .action((place: string | undefined, flags: RunFlags & TargetFlag) =>
        runCommand(async (world) => {
          const { certify } = await import('polgate-conformance/commands/certify.ts')
          return certify({ ...optionsOf(flags), target: oneTarget(place, flags) }, world)
        }),
      )
  },
}
