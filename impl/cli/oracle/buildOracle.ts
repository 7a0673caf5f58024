import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { buildComponent } from 'polgate-fixtures/oracles/build.ts'
import { writeOutput } from 'polgate-lib/files/writeOutput.ts'
import { contentIdOf } from 'polgate-service/content/contentId.ts'
import { defaultOracleLimits, formatBytes } from 'polgate-service/oracles/limits.ts'
import { CommandError } from '../commandDefinition.ts'
import { readText } from '../policy/inputFiles.ts'

export type BuildOracleOptions = {
  readonly output: string
  readonly wit: string
  readonly trace?: boolean
  readonly json?: boolean
}

/** @throws CommandError for an invalid name */
export function checkInterface(text: string): string {
  if (/^[a-z][a-z0-9]*(-[a-z0-9]+)*:[a-z][a-z0-9]*(-[a-z0-9]+)*@\d+\.\d+\.\d+$/.test(text))
    return text
  throw new CommandError(`--wit takes the package of the host interface, not "${text}"`, {
    hint: 'For example service:provider@0.2.0.',
  })
}

/**
 * `polgate oracle build`: a component from JavaScript, TypeScript or component text. Exit code 1 if the source
 * does not build.
 *
 * @throws CommandError
 */
export async function buildOracleFile(path: string, options: BuildOracleOptions): Promise<void> {
  const { output, trace = false, json } = options
  const hostInterface = checkInterface(options.wit)
  if (!/\.(js|ts|wat)$/.test(path)) {
    throw new CommandError(`${path} is not a source of an oracle`, {
      hint: 'Sources are .js, .ts and .wat files.',
    })
  }
  await readText(path)
  if (resolve(output) === resolve(path))
    throw new CommandError('--output would replace the source', {
      hint: 'Choose another file, such as oracle.wasm.',
    })
  const begin = performance.now()
  const name = basename(path).replace(/\.\w+$/, '')
  const component = await buildComponent(
    { name: /^[\w-]{1,60}$/.test(name) ? name : 'oracle', path },
    { hostInterface, trace },
  ).catch((cause: Error) => {
    const text = cause.message.replace(/^failed to build oracle [\w-]+: /, '')
    throw new CommandError(text.startsWith(path) ? text : `${path}: ${text}`, {
      exitCode: 1,
      hint: 'Correct the source and build it again.',
      cause,
    })
  })
  const limit = defaultOracleLimits.componentBytes
  if (component.length > limit) {
    throw new CommandError(
      `the component of ${path} has ${component.length} bytes, more than ${formatBytes(limit)}`,
      { exitCode: 1, hint: 'The service has this limit.' },
    )
  }
  await writeOutput(output, component).catch((cause: Error) => {
    throw new CommandError(`${output} cannot be written`, {
      hint: 'Check that its directory exists and is writable.',
      cause,
    })
  })
  const { size } = await stat(output)
  const specifier = contentIdOf(component)
  const ms = Math.round(performance.now() - begin)
  if (json === true) console.log(JSON.stringify({ output, size, specifier, hostInterface, ms }))
  else console.log(`wrote ${output}  ${size} bytes (${formatMb(size)})  ${specifier}`)
}

const formatMb = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`
