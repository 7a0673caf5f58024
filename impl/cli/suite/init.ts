import type { InitOptions } from 'polgate-conformance/commands/init.ts'
import type { Verb } from '../verb.ts'
import { runCommand } from './command.ts'

const help = `
Examples:
  svc init https://gateway.example          a target file from what the gateway shows of itself
  svc init --preset command                 one for a gateway that the suite starts
  svc init --preset image --github          the same by an image, and a workflow that certifies it

The file holds names of variables for keys, never a key.

Exit codes: 0 written, 2 it is there already, or nobody answers.`

/** Writes a target file. */
export const init: Verb = {
  define: (command) => {
    command
      .argument('[url]', 'of the gateway')
      .option('--preset <local|remote|command|image>', 'remote with a URL, else command')
      .option('--output <file>', 'svc-target.yaml by default')
      .option('--github', 'also write a workflow for GitHub')
      .option('--force', 'write anew what is there already')
      .addHelpText('after', help)
      .action((url: string | undefined, options: Omit<InitOptions, 'url'>) =>
        runCommand(async (world) => {
          const { init: run } = await import('polgate-conformance/commands/init.ts')
          return run({ ...options, url }, world)
        }),
      )
  },
}
