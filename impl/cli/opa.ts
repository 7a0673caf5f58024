import type { Command } from 'commander'
import type { TestCommandOptions } from './rego/testCommand.ts'
import { collect, formatOption, positive } from './regorus.ts'
import type { Verb } from './verb.ts'

const examples = `
Examples:
  svc opa test policy.rego policy_test.rego -v
  svc opa test policies --coverage --threshold 90
  svc opa test policies --run 'deny' --watch

Tests are rules named test_...; todo_test_... are skipped; test_x[name] is one test for each name.
Exit codes: 0 all passed, 1 a test failed or --threshold was missed, 2 they could not be run.`

/** Section 1: unit tests of Rego. */
export const opa: Verb = {
  define(command: Command) {
    command.addHelpText('after', examples)
    command
      .command('test')
      .description('run the tests of policies')
      .argument('<path...>', 'policies, tests and data: files or directories')
      .option('-v, --verbose', 'a line for each test, with its time')
      .option('-r, --run <regex>', 'only tests whose full name matches')
      .addOption(formatOption('pretty'))
      .option('--capabilities <profile>', 'functions: service, opa-1.2, latest', 'opa-1.2')
      .option('-c, --coverage', 'which lines of the policies were never evaluated')
      .option('--threshold <percent>', 'fail below this coverage', positive('--threshold', 100))
      .option('--ignore <pattern>', 'leave out files of this name', collect, [])
      .option('--timeout <ms>', 'longest test', positive('--timeout', 3_600_000), 10_000)
      .option('-w, --watch', 'run again whenever a file changes')
      .addHelpText('after', examples)
      .action(async (paths: readonly string[], options: TestCommandOptions) => {
        const { testCommand } = await import('./rego/testCommand.ts')
        await testCommand(paths, options)
      })
  },
}
