import type { DoctorOptions } from 'polgate-conformance/commands/doctor.ts'
import type { CommandDefinition } from '../commandDefinition.ts'
import { runCommand } from './command.ts'
import { oneTarget, targetOptions } from './runOptions.ts'
import { suiteHelp } from './suiteHelp.ts'

const help = `
Examples:
  polgate doctor                                    the target of svc-target.yaml, else a local stack
  polgate doctor https://gateway.example            report what it lacks for certification
  polgate doctor gateway.yaml                       the same for the gateway of a target file
  polgate doctor --print-config                     print the target configuration without secrets
  polgate doctor --json                             print JSON

Exit codes: 0 nothing is missing, 1 something is missing, 2 target unreachable.`

const withoutStack = {
  ', else a local stack': '',
}

type DoctorFlags = DoctorOptions & { readonly readOnly?: boolean }

/** Diagnoses a target before certification. */
export const doctor: CommandDefinition = {
  define: (command) => {
    targetOptions(command, 'target to diagnose')
      .option('--target-file <file>', 'target file of a remote gateway')
      .option('--explorer-url <URL>', 'explorer of a remote gateway; or SVC_EXPLORER_URL')
      .option('--read-only', 'send no requests that write')
      .option('--print-config', 'print the target configuration and send no requests')
      .option('--json', 'print JSON')
      .addHelpText('after', suiteHelp(help, withoutStack))
      .action((place: string | undefined, { readOnly, ...options }: DoctorFlags) =>
        runCommand(async (world) => {
          const { doctor: run } = await import('polgate-conformance/commands/doctor.ts')
          const target = oneTarget(place, options)
          return run({ ...options, target, limits: readOnly ? { readOnly } : {} }, world)
        }),
      )
  },
}
