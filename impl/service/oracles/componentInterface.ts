import { OracleError } from './oracleError.ts'

/** Imports and exports of a component: the part of its WIT that decides whether it is an oracle. */
export type ComponentInterface = {
  /** Names as in the component, with version: `service:provider/http@0.2.0`. */
  imports: string[]
  /** The type of the export `run`, or undefined without one. */
  run: string | undefined
}

/** Read the imports and the `run` export from the WIT text that a component decodes to. */
export function readInterface(wit: string): ComponentInterface {
  const lines = wit.split('\n')
  const start = lines.findIndex((line) => /^world root\b.*\{$/.test(line))
  const length = lines.slice(start).indexOf('}')
  const world = start === -1 ? [] : lines.slice(start + 1, start + length)
  // A resource of the world itself is an import too; its line is used as its name.
  const imports = world.flatMap((line) =>
    /^ {2}(import|resource) /.test(line)
      ? (/^ {2}import ([^;{]+?)\s*[;{]$/.exec(line)?.[1] ?? line.trim())
      : [],
  )
  const run = world.flatMap((line) => /^ {2}export run: (.+);$/.exec(line)?.[1] ?? [])[0]
  return { imports, run }
}

const runTypes = [
  /^func\([\w%-]+: string\) -> result<string, string>$/,
  // Deployed components were also built against a plain string (decision O1).
  /^func\([\w%-]+: string\) -> string$/,
]

const stubbedWasi = /^wasi:(cli|clocks|filesystem|io|random|sockets)\/[\w-]+@0\.2\.\d+$/

/**
 * Rejects a component that is not an oracle (decisions O1 to O3).
 *
 * @param subject the oracle's name for messages, such as `PolicyData 0x...`
 * @throws OracleError `component`, naming the import and the subject
 */
export function assertOracle(
  { imports, run }: ComponentInterface,
  { brand, subject }: { brand: string; subject: string },
): void {
  const provider = ['http', 'secrets', 'tlsn'].map((name) => `${brand}/${name}@0.2.0`)
  const strange = imports.find((name) => !provider.includes(name) && !stubbedWasi.test(name))
  if (strange !== undefined) {
    const advice = strange.startsWith('wasi:http/')
      ? `call ${brand}/http@0.2.0 instead`
      : `an oracle may import ${provider.join(', ')}`
    throw new OracleError(
      'component',
      `the component of ${subject} imports ${shown(strange)}, which is not available: ${advice}`,
    )
  }
  if (run === undefined) {
    throw new OracleError('component', `the component of ${subject} does not export run`)
  }
  if (!runTypes.some((type) => type.test(run))) {
    throw new OracleError(
      'component',
      `the component of ${subject} exports run as ${shown(run)}, ` +
        'expected func(input: string) -> result<string, string>',
    )
  }
}

/** Truncated: an import can be as long as an interface. */
const shown = (name: string): string => (name.length > 120 ? `${name.slice(0, 120)}...` : name)
