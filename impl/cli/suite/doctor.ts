import type { DoctorOptions } from 'polgate-conformance/commands/doctor.ts'
import type { CommandDefinition } from '../commandDefinition.ts'
import { runCommand } from './command.ts'

const help = `
Examples:
  svc doctor                                    the target of svc-target.yaml, else a local stack
  svc doctor --target https://gateway.example   report what it lacks for certification
  svc doctor --print-config                     print the target configuration without secrets
  svc doctor --json                             print JSON

Exit codes: 0 nothing is missing, 1 something is missing, 2 target unreachable.`

/** Diagnoses a target before certification. */
export const doctor: CommandDefinition = {
  define: (command) => {
    command
      .option('--target <local|URL|file>', 'target to diagnose')
      .option('--target-file <file>', 'target file of a remote gateway')
      .option('--explorer-url <URL>', 'explorer of a remote gateway; or SVC_EXPLORER_URL')
      .option('--read-only', 'send no requests that write')
      .option('--print-config', 'print the target configuration and send no requests')
      .option('--json', 'print JSON')
      .addHelpText('after', help)
      .action(({ readOnly, ...options }: DoctorOptions & { readonly readOnly?: boolean }) =>
        runCommand(async (world) => {
          const { doctor: run } = await import('polgate-conformance/commands/doctor.ts')
          return run({ ...options, limits: readOnly ? { readOnly } : {} }, world)
        }),
      )
  },
}
