import { dirname, resolve } from 'node:path'
import { startedUnlessAborted } from 'polgate-lib/async/startedUnlessAborted.ts'
import { CannotRun } from '../core/conformanceError.ts'
import type { Limits, Target } from '../core/target.ts'
import { startCommand } from './command.ts'
import { digestOf, startImage } from './image.ts'
import { type LoadLocalServices, loadLocalServices } from './localServices.ts'
import { type PreparedTarget, withWaivers } from './target.ts'
import { brandOf } from './targetFile.ts'
import type { TargetFile } from './targetSchema.ts'
import { startUnderTest } from './underTest.ts'
import { receiverOf, targetOf } from './url.ts'
import { stackFileOf, type WantedTarget, wantedTarget, wantedText } from './wantedTarget.ts'

export type PrepareOptions = {
  /**
   * `local`, a URL, the name or the path of a target file; else `SVC_TARGET`, a file found,
   * `local`.
   */
  readonly target?: string | undefined
  /** The description itself, in the form of a target file; excludes `target` and `targetFile`. */
  readonly description?: TargetFile | undefined
  /** A file that describes the gateway at the given URL. */
  readonly targetFile?: string | undefined
  readonly explorerUrl?: string | undefined
  /**
   * Names of the fixtures' policy clients that will be used: the others are not deployed. All of them
   * by default.
   */
  readonly fixtureClients?: ReadonlySet<string> | undefined
  /** From the command line: they override those of the file. */
  readonly limits?: Limits | undefined
}

export type PrepareWorld = {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal?: AbortSignal | undefined
  /** Services that can be started on this machine. */
  readonly local?: LoadLocalServices | undefined
  /** Says what is done, for --verbose. */
  readonly detail?: ((text: string) => void) | undefined
}

const readyWithinSeconds = 90

/** Values of a file override those of the environment; flags override both. */
function described(target: Target, file: TargetFile | undefined, limits: Limits = {}): Target {
  const given = Object.fromEntries(
    Object.entries(limits).filter(([, value]) => value !== undefined),
  ) as Limits
  return withWaivers({
    ...target,
    ...(file?.identity === undefined ? {} : { identity: file.identity }),
    ...receiverOf(file),
    limits: { ...file?.limits, ...given },
    notApplicable: { ...target.notApplicable, ...file?.notApplicable },
  })
}

function without(options: PrepareOptions) {
  if (options.targetFile !== undefined)
    throw new CannotRun('--target-file requires a remote gateway', 'Add --target URL.')
  if (options.explorerUrl !== undefined)
    throw new CannotRun('--explorer-url requires a remote gateway', 'Add --target URL.')
}

/** Ctrl-C does not wait for the end of a start that takes long. */
const unlessInterrupted = <Started extends { readonly close: () => Promise<unknown> }>(
  { signal }: PrepareWorld,
  start: (signal?: AbortSignal) => Promise<Started>,
): Promise<Started> =>
  signal === undefined
    ? start()
    : startedUnlessAborted(signal, { starting: start(signal), close: ({ close }) => close() })

async function ownDigest(file: TargetFile): Promise<TargetFile> {
  const { name } = file.image!
  const digest = await digestOf(name)
  const declared = file.identity?.digest
  if (declared !== undefined && digest !== declared)
    throw new CannotRun(
      `the image ${name} is ${digest}, but the target file names ${declared}`,
      'Build or pull the image to be certified, or correct identity.digest.',
    )
  return { ...file, identity: { image: name, ...(digest && { digest }), ...file.identity } }
}

/** Starts the command or image of a file in a new environment. */
async function startFromFile(
  given: TargetFile,
  path: string,
  options: PrepareOptions,
  world: PrepareWorld,
  note: (text: string) => void,
): Promise<PreparedTarget> {
  without(options)
  const file = given.image === undefined ? given : await ownDigest(given)
  const { localEnvironment } = await loadLocalServices(world.local)
  const bed = await unlessInterrupted(world, (signal) =>
    localEnvironment({ brand: brandOf(file), progress: note, signal }),
  )
  const { command, image } = file
  const prepared = await startUnderTest({
    name: file.name ?? command?.run.join(' ') ?? image!.name,
    bed,
    readyWithinSeconds:
      command?.readyWithinSeconds ?? image?.readyWithinSeconds ?? readyWithinSeconds,
    note,
    signal: world.signal,
    start: (environment) =>
      command === undefined
        ? startImage(image!, environment)
        : startCommand(
            {
              run: command.run,
              cwd: resolve(path === world.cwd ? path : dirname(path), command.cwd ?? '.'),
              env: command.env,
              world: world.env,
            },
            environment,
          ),
  })
  return { ...prepared, target: described(prepared.target, file, options.limits) }
}

type Remote =
  | Extract<WantedTarget, { kind: 'stack' }>
  | Omit<Extract<WantedTarget, { kind: 'url' }>, 'from'>

/**
 * Determines the target, starts it if necessary, and describes it.
 *
 * @throws CannotRun
 */
export async function prepareTarget(
  given: PrepareOptions,
  world: PrepareWorld,
  note: (text: string) => void,
): Promise<PreparedTarget> {
  if (given.description !== undefined)
    return prepareDescribed(given.description, world.cwd, given, world, note)
  // A file given alone is the target.
  const options =
    given.target === undefined && !world.env.SVC_TARGET
      ? { ...given, targetFile: undefined }
      : given
  const wanted = wantedTarget(given, world)
  world.detail?.(`target ${wantedText(wanted)}`)
  const prepared = await prepareWanted(wanted, options, world, note)
  return wanted.kind === 'local' || wanted.path === undefined
    ? prepared
    : { ...prepared, file: resolve(world.cwd, wanted.path) }
}

async function prepareWanted(
  wanted: WantedTarget,
  options: PrepareOptions,
  world: PrepareWorld,
  note: (text: string) => void,
): Promise<PreparedTarget> {
  if (wanted.kind === 'local') {
    without(options)
    note('starting the local stack')
    const { localTarget } = await loadLocalServices(world.local)
    const { target, close } = await unlessInterrupted(world, (signal) =>
      localTarget({ progress: note, storeThread: true, signal }),
    )
    return { target: described(target, undefined, options.limits), close }
  }
  if (wanted.kind !== 'url') note(`target ${wanted.path}`)
  if (wanted.kind === 'file')
    return prepareDescribed(wanted.file, wanted.path, options, world, note)
  return prepareRemote(wanted, options, world, note)
}

/** `path` is that of the file, or the working directory. */
async function prepareDescribed(
  file: TargetFile,
  path: string,
  options: PrepareOptions,
  world: PrepareWorld,
  note: (text: string) => void,
): Promise<PreparedTarget> {
  if (file.command ?? file.image) return startFromFile(file, path, options, world, note)
  if (file.gatewayUrl === undefined)
    throw new CannotRun(
      'the description of the target has no gateway',
      'Set gatewayUrl, or a command or an image to start.',
    )
  const stackFile = stackFileOf(world.cwd)
  const remote = { kind: 'url', url: file.gatewayUrl, file, stackFile } as const
  return prepareRemote(remote, options, world, note)
}

async function prepareRemote(
  wanted: Remote,
  options: PrepareOptions,
  world: PrepareWorld,
  note: (text: string) => void,
): Promise<PreparedTarget> {
  const file = wanted.kind === 'stack' ? undefined : wanted.file
  const stackFile = wanted.kind === 'stack' ? wanted.path : wanted.stackFile
  const target = targetOf({
    url: wanted.kind === 'stack' ? wanted.stack.gatewayUrl : wanted.url,
    name: file?.name,
    file,
    explorerUrl: options.explorerUrl,
    stackFile,
    env: world.env,
  })
  if (target.reference) world.detail?.(`keys and contracts of the stack of ${stackFile}`)
  const prepared: PreparedTarget = {
    target: described(target, file, options.limits),
    ...(target.reference ? { inUse: true } : {}),
    close: async () => {},
  }
  if (file?.chain?.deployer === undefined) return prepared
  const { deployForTarget } = await import('./deployFixtures.ts')
  return deployForTarget(prepared, file, { ...world, wanted: options.fixtureClients }, note)
}
