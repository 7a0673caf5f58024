import { type Command, InvalidArgumentError } from 'commander'
import type { CommandDefinition } from './commandDefinition.ts'
import type { DevOptions } from './dev/runDev.ts'
import { collect } from './regorus.ts'
import { endingSignal } from './signals.ts'
import { targetOption } from './stack/serviceTarget.ts'

const examples = `
Examples:
  polgate dev my-package
  polgate dev my-package --running           on the stack that policy publish would use
  polgate dev my-package --json              an object per event; the README of this package has the members

Starts a local stack with the mocks and allowed hosts of the package, publishes it with its test secrets, and
does so again after every save: policy and parameters get into force in one transaction, mocks at once, an
oracle after it is built. Then it evaluates the last intent that the service saw for the client again (before
the first task, that of the first case that allows) and runs the tests that are affected. A file with an error
changes nothing: the last good version decides on.
Exit codes: 0 stopped by Ctrl-C, 2 could not begin.`

/** Publishes a policy package after every save. */
export const dev: CommandDefinition = {
  define(command: Command) {
    command
      .argument('[folder]', 'policy package', '.')
      .option(...targetOption)
      .option('--running', 'use the running stack of this folder or machine instead of an own one')
      .option('--port <number>', 'port of the gateway (default 8600, or a free one)', portNumber)
      .option('--allow-host <host:port>', 'let oracles ask a service of this machine', collect, [])
      .option('--no-tests', 'do not run the tests of the package')
      .option('--json', 'one JSON object per event')
      .addHelpText('after', examples)
      .action(async (folder: string, options: DevOptions) => {
        // Before its module loads, which takes a moment: a signal is acknowledged from the beginning.
        void endingSignal()
        const { runDev } = await import('./dev/runDev.ts')
        await runDev(folder, options)
      })
  },
}

function portNumber(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new InvalidArgumentError('Use a number from 0 to 65535.')
}
