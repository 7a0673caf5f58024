import type { InitOptions } from 'polgate-conformance/commands/init.ts'
import type { CommandDefinition } from '../commandDefinition.ts'
import { collect, runCommand } from './command.ts'
import { suiteHelp } from './suiteHelp.ts'

const help = `
Examples:
  polgate init https://gateway.example          probe a gateway and write its target file
  polgate init local                            the same for the stack of polgate start
  polgate init --preset command                 for a gateway that the suite starts by a command
  polgate init --preset image --github          for a container image, with a workflow that certifies it
  polgate init https://gateway.example --ci gitlab    with a job for GitLab and the script that it runs

The file contains names of environment variables for keys, never a key.

Exit codes: 0 written, 2 the file exists or the gateway is unreachable.`

const withoutStack = {
  '  polgate init local                            the same for the stack of polgate start\n': '',
}

/** Writes a target file. */
export const init: CommandDefinition = {
  define: (command) => {
    command
      .argument(
        '[url]',
        'URL of the gateway, or local: the stack that runs in this folder or one above',
      )
      .option('--preset <local|remote|command|image>', 'remote with a URL, else command')
      .option('--output <file>', 'file to write; svc-target.yaml by default')
      .option(
        '--ci <github|gitlab|shell>',
        'also write files for CI: a workflow, a job, a script',
        collect,
      )
      .option('--github', 'the same as --ci github')
      .option('--force', 'overwrite existing files')
      .addHelpText('after', suiteHelp(help, withoutStack))
      .action((url: string | undefined, options: Omit<InitOptions, 'url'>) =>
        runCommand(async (world) => {
          const { init: run } = await import('polgate-conformance/commands/init.ts')
          return run({ ...options, url }, world)
        }),
      )
  },
}
