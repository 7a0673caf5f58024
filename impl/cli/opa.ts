import type { Command } from 'commander'
import type { CommandDefinition } from './commandDefinition.ts'
import type { TestCommandOptions } from './rego/testCommand.ts'
import { defineCheck, defineFmt } from './rego.ts'
import { collect, formatOption, positive } from './regorus.ts'

const examples = `
Examples:
  polgate opa test policy.rego policy_test.rego -v
  polgate opa test policies --coverage --threshold 90
  polgate opa test policies --run 'deny' --watch
  polgate opa fmt --list policies
  polgate opa check policies --format json

Tests are rules named test_...; todo_test_... are skipped; test_x[name] is one test per name.
Exit codes: 0 all passed, 1 a test failed or coverage is below --threshold, 2 could not run.`

/** Section 1: unit tests of Rego. */
export const opa: CommandDefinition = {
  define(command: Command) {
    command.addHelpText('after', examples)
    command
      .command('test')
      .description('run the tests of policies')
      .argument('<path...>', 'files or directories of policies, tests and data')
      .option('-v, --verbose', 'one line per test, with its duration')
      .option('-r, --run <regex>', 'run only tests whose full name matches')
      .addOption(formatOption('pretty'))
      .option('--capabilities <profile>', 'built-ins: service, opa-1.2, latest', 'opa-1.2')
      .option('-c, --coverage', 'report policy lines that were never evaluated')
      .option('--threshold <percent>', 'fail below this coverage', positive('--threshold', 100))
      .option('--ignore <pattern>', 'skip files with this name', collect, [])
      .option('--timeout <ms>', 'timeout of a test', positive('--timeout', 3_600_000), 10_000)
      .option('-w, --watch', 'rerun when a file changes')
      .addHelpText('after', examples)
      .action(async (paths: readonly string[], options: TestCommandOptions) => {
        const { testCommand } = await import('./rego/testCommand.ts')
        await testCommand(paths, options)
      })
    defineFmt(command)
    defineCheck(command, 'opa-1.2')
  },
}
