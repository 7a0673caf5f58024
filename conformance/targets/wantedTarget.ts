import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { CannotRun } from '../core/conformanceError.ts'
import { emptyTarget, findTarget, upward } from './findTarget.ts'
import { readStackDescription, readTargetFile } from './targetFile.ts'
import type { TargetFile } from './targetSchema.ts'

type Environment = Readonly<Record<string, string | undefined>>

export type WantedOptions = {
  readonly target?: string | undefined
  readonly targetFile?: string | undefined
}

/** Which target a command uses, before anything is started or sent. */
export type WantedTarget = {
  /** What decided: an option, a variable, a file that was found, or nothing. */
  readonly from: string
} & (
  | { readonly kind: 'local' }
  /** The gateway of a description that `polgate start` wrote. */
  | { readonly kind: 'stack'; readonly path: string; readonly stack: StackDescription }
  | {
      readonly kind: 'url'
      readonly url: string
      /** The file of `--target-file`. */
      readonly file?: TargetFile | undefined
      readonly path?: string | undefined
      /** The description of a stack in this folder or above, which may be that of another gateway. */
      readonly stackFile: string
    }
  | {
      readonly kind: 'file'
      readonly path: string
      readonly file: TargetFile
      readonly stackFile: string
    }
)

/** `.svc/stack.json` of the folder or of the nearest one above that has it, up to the repository. */
export function stackFileOf(cwd: string): string {
  const files = upward(cwd).map((directory) => join(directory, '.svc/stack.json'))
  return files.find((file) => existsSync(file)) ?? files[0]!
}

function sourceOf(
  { target, targetFile }: WantedOptions,
  found: 'named' | 'discovered' | undefined,
  path: string | undefined,
  { SVC_TARGET }: Environment,
): string {
  if (target !== undefined) return 'given'
  if (SVC_TARGET) return 'SVC_TARGET'
  if (targetFile !== undefined) return '--target-file'
  return found === 'discovered' && path !== undefined
    ? `found in ${dirname(path)}`
    : 'no svc-target.yaml here or above'
}

/**
 * Determines the target as a run does: `--target`, else SVC_TARGET, else `--target-file`, else a file
 * here or above, else the local stack.
 *
 * @throws CannotRun
 */
export function wantedTarget(
  given: WantedOptions,
  world: { readonly cwd: string; readonly env: Environment },
): WantedTarget {
  const { cwd, env } = world
  if (given.targetFile === '') throw emptyTarget()
  // A file given alone is the target.
  const alone = given.target === undefined && !env.SVC_TARGET
  const wanted = findTarget(alone ? given.targetFile : given.target, world)
  const found = wanted.kind === 'file' ? wanted.found : undefined
  const from = sourceOf(given, found, wanted.kind === 'file' ? wanted.path : undefined, env)
  if (wanted.kind === 'local') return { kind: 'local', from }
  const stackFile = stackFileOf(cwd)
  if (wanted.kind === 'url') {
    const path = alone ? undefined : given.targetFile
    const file = path === undefined ? undefined : readTargetFile(path, env)
    return { kind: 'url', from, url: wanted.url, file, path, stackFile }
  }
  const { path } = wanted
  if (!alone && given.targetFile !== undefined)
    throw new CannotRun('two target files given', 'Omit --target-file.')
  const stack = readStackDescription(path)
  if (stack !== undefined) return { kind: 'stack', from, path, stack }
  const file = readTargetFile(path, env)
  if (file.gatewayUrl === undefined && file.command === undefined && file.image === undefined)
    throw new CannotRun(
      `${path} has no gateway`,
      'Set gatewayUrl, or a command or an image to start.',
    )
  return { kind: 'file', from, path, file, stackFile }
}

/** One line: the gateway, the file that describes it, and how it was found. */
export function wantedText(wanted: WantedTarget): string {
  const { from } = wanted
  switch (wanted.kind) {
    case 'local':
      return `local, a stack that the run starts (${from})`
    case 'stack':
      return `${wanted.stack.gatewayUrl}, described by ${wanted.path} (${from})`
    case 'url':
      return `${wanted.url}${wanted.path === undefined ? '' : `, described by ${wanted.path}`} (${from})`
    case 'file': {
      const { gatewayUrl, command, image } = wanted.file
      const what =
        gatewayUrl ??
        (command === undefined
          ? `the image ${image!.name}`
          : `the command ${command.run.join(' ')}`)
      return `${what}, described by ${wanted.path} (${from})`
    }
  }
}

/** The same for programs. */
export const wantedJson = (wanted: WantedTarget) => ({
  kind: wanted.kind,
  from: wanted.from,
  ...('path' in wanted && wanted.path !== undefined ? { file: wanted.path } : {}),
  ...(gatewayOf(wanted) === undefined ? {} : { gatewayUrl: gatewayOf(wanted) }),
})

function gatewayOf(wanted: WantedTarget): string | undefined {
  switch (wanted.kind) {
    case 'local':
      return undefined
    case 'stack':
      return wanted.stack.gatewayUrl
    case 'url':
      return wanted.url
    case 'file':
      return wanted.file.gatewayUrl
  }
}
