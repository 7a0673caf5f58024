import type { DoctorOptions } from 'polgate-conformance/commands/doctor.ts'
import type { Verb } from '../verb.ts'
import { runCommand } from './command.ts'

const help = `
Examples:
  svc doctor                                    the target of svc-target.yaml, else a local stack
  svc doctor --target https://gateway.example   what is missing before it can be certified
  svc doctor --print-config                     what the suite knows of it, without secrets
  svc doctor --json                             for a program

Exit codes: 0 nothing is missing, 1 something is, 2 nobody is there to be looked at.`

/** Looks at a target before it is certified. */
export const doctor: Verb = {
  define: (command) => {
    command
      .option('--target <local|URL|file>', 'what to look at')
      .option('--target-file <file>', 'what is known of a remote gateway')
      .option('--explorer-url <URL>', 'the explorer of a remote gateway; or SVC_EXPLORER_URL')
      .option('--read-only', 'send nothing that could write')
      .option('--print-config', 'print what is known of the target, and look at nothing')
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
