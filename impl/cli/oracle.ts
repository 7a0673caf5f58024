import type { Command } from 'commander'
import { replaceFile } from 'polgate-lib/files/replaceFile.ts'
import { type CommandDefinition, CommandError } from './commandDefinition.ts'
import type { BuildOracleOptions } from './oracle/buildOracle.ts'

const examples = `
Examples:
  polgate oracle build oracle.js -o oracle.wasm
  polgate oracle build oracle.js -o oracle.wasm --trace
  polgate oracle types -o host.d.ts
  polgate oracle types --wit acme:provider@0.2.0

Sources are JavaScript, TypeScript (types only) and component text. A component has the clock and the random
numbers of each run. JavaScript needs npm install @bytecodealliance/componentize-js oxc-parser, TypeScript
ts-blank-space as well. Built components are kept in the cache that simulations and stacks use.
Exit codes: 0 built, 1 the source does not build, 2 could not run.`

const defaultWit = 'service:provider@0.2.0'

/** Builds oracles, and describes what they import. */
export const oracle: CommandDefinition = {
  define(command: Command) {
    command.addHelpText('after', examples)
    command
      .command('build')
      .description('build a component from the source of an oracle')
      .argument('<source>', '.js, .ts or .wat file')
      .requiredOption('-o, --output <file>', 'the component')
      .option('--wit <package>', 'host interface of another brand, with its version', defaultWit)
      .option('--trace', 'an uncaught error names its place in the source, instead of a trap')
      .option('--json', 'one JSON object on stdout: size, content id, host interface')
      .addHelpText('after', examples)
      .action(async (source: string, options: BuildOracleOptions) => {
        const { buildOracleFile } = await import('./oracle/buildOracle.ts')
        await buildOracleFile(source, options)
      })
    command
      .command('types')
      .description('write the declarations (.d.ts) of the host interface')
      .option('-o, --output <file>', 'by default stdout')
      .option('--wit <package>', 'host interface of another brand, with its version', defaultWit)
      .addHelpText('after', examples)
      .action(async ({ output, wit }: { output?: string; wit: string }) => {
        const [{ hostTypes }, { checkInterface }] = await Promise.all([
          import('./oracle/hostTypes.ts'),
          import('./oracle/buildOracle.ts'),
        ])
        const text = hostTypes(checkInterface(wit))
        if (output === undefined) {
          process.stdout.write(text)
          return
        }
        await replaceFile(output, text, { exclusive: true }).catch(
          (cause: NodeJS.ErrnoException) => {
            const why = cause.code === 'EEXIST' ? 'already exists' : 'cannot be written'
            throw new CommandError(`${output} ${why}`, { hint: 'Choose another file.', cause })
          },
        )
        console.log(`wrote ${output}`)
      })
  },
}
