import { InvalidArgumentError } from 'commander'
import type { Verb } from '../verb.ts'

const whole = (text: string): number => {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('give a whole number.')
  return value
}
const positive = (text: string): number => {
  const value = Number(text)
  if (!(value > 0 && value <= 100)) throw new InvalidArgumentError('give a number up to 100.')
  return value
}
const collect = (value: string, previous: readonly string[] = []): readonly string[] => [
  ...previous,
  ...value.split(','),
]

const help = `
Examples:
  svc certify                                   boot everything here and certify it
  svc certify --target http://127.0.0.1:8600    a gateway that runs elsewhere
  svc certify --clause 4.2 --grep signature     some of it
  svc certify --list                            what would be asked

Keys of a remote gateway: SVC_KEY_READ, SVC_KEY_WRITE, SVC_KEY_RPC, SVC_KEY_NONE,
SVC_KEY_EXPIRED, SVC_KEY_STRANGER; never on the command line.

Exit codes: 0 conformant, 1 not conformant, 2 could not run, 3 inconclusive, 130 interrupted.`

/** Certifies a gateway against the specification; the suite lives in conformance/. */
export const certify: Verb = {
  define: (command) => {
    command
      .option('--target <local|URL>', 'what to certify', 'local')
      .option('--target-file <file>', 'what is known of a remote gateway (JSON)')
      .option('--explorer-url <URL>', 'the explorer of a remote gateway; or SVC_EXPLORER_URL')
      .option('--grep <pattern>', 'checks whose id or title matches', collect)
      .option('--clause <section|id>', 'checks of a section or clause', collect)
      .option('--seed <number>', 'values of an earlier run, as it printed them')
      .option('--effort <factor>', 'multiplies the runs of property checks', positive, 1)
      .option('--concurrency <number>', 'checks under way at a time', whole, 8)
      .option('--bail [failures]', 'end after so many failures of required checks', whole)
      .option('--report-dir <directory>', 'where the event log and the reports go')
      .option('--list', 'list the checks and run none')
      .option('-v, --verbose', 'show what open points turned out to be')
      .addHelpText('after', help)
      .action(async ({ bail, ...options }) => {
        const { certify: run } = await import('../../../conformance/certify.ts')
        const { stdout, stderr, env } = process
        const interrupt = new AbortController()
        // The first interrupt stops the run and writes what there is; the second ends at once.
        // One key press may arrive twice: from the terminal and from npm.
        let first = 0
        const onSignal = () => {
          if (interrupt.signal.aborted) {
            if (performance.now() - first > 500) process.exit(130)
            return
          }
          first = performance.now()
          stderr.write('\nstopping ...\n')
          interrupt.abort()
        }
        process.on('SIGINT', onSignal)
        process.on('SIGTERM', onSignal)
        const world = { stdout, stderr, env, signal: interrupt.signal, cwd: process.cwd() }
        const code = await run({ ...options, bail: bail === true ? 1 : bail }, world)
        process.exit(code)
      })
  },
}
