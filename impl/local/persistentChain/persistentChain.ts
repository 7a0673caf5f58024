import { dirname } from 'node:path'
import { type AnvilSettings, type RunningAnvil, startAnvil } from 'polgate-chain/anvil.ts'
import { AppError } from 'polgate-lib/errors/appError.ts'
import {
  besideOf,
  type Found,
  NoWholeGeneration,
  takeNewest,
} from 'polgate-lib/files/generations.ts'
import { latestBlock } from './dumpState.ts'
import { createStateSaver } from './stateSaver.ts'

export type PersistentChainOptions = {
  readonly anvil: Pick<AnvilSettings, 'port' | 'chainId'>
  /** Path of the state file; the previous generation is stored next to it. */
  readonly path: string
  /** Receives a sentence when state was lost or cannot be written. */
  readonly warn: (line: string) => void
  readonly intervalMs?: number
  /** What `newestState` found. Default: looks itself. */
  readonly found?: Found | undefined
}

export type PersistentChain = RunningAnvil & {
  /** Starts persisting the state; resolves once the first state is on disk. */
  keep(): Promise<void>
}

/** The kept state of a chain is missing or damaged. */
export class ChainStateError extends AppError<{ hint: string; cause?: unknown }> {
  constructor(message: string, hint: string, cause?: unknown) {
    super(message, { hint, cause })
  }
}

/**
 * Starts Anvil on the newest valid generation of the stored state, or on `image` if there is none.
 *
 * @throws ChainStateError, AnvilError
 */
export async function startPersistentChain(
  options: PersistentChainOptions,
  image: string | undefined,
): Promise<PersistentChain> {
  const { anvil, path, warn, intervalMs } = options
  const found = options.found ?? (await newestState(path))
  if (found?.instead !== undefined) warn(lossOf(found, path))
  const loadState = found?.generation.path ?? image
  const chain = await startAnvil({ ...anvil, ...(loadState && { loadState }) }).catch(
    (error: Error) => {
      if (found === undefined || !isRefused(error)) throw error
      throw damaged(path, `Anvil cannot load it: ${error.message.slice(0, 300)}`, error)
    },
  )
  try {
    const keptHash = found === undefined ? undefined : (await latestBlock(chain.url)).hash
    const keeper = createStateSaver({
      rpcUrl: chain.url,
      path,
      keptHash,
      warn,
      ...(intervalMs && { intervalMs }),
    })
    return {
      ...chain,
      keep: () => keeper.start(),
      async stop() {
        await keeper.stop()
        await chain.stop()
      },
    }
  } catch (error) {
    await chain.stop()
    throw error
  }
}

/** Anvil's message for a file that it cannot load. */
const isRefused = ({ message }: Error): boolean =>
  /--load-state|parse json|deserialize/i.test(message)

/**
 * The newest valid generation of a stored state; undefined if there is none.
 *
 * @throws ChainStateError
 */
export async function newestState(path: string): Promise<Found | undefined> {
  try {
    return await takeNewest(path)
  } catch (error) {
    if (error instanceof NoWholeGeneration) throw damaged(path, error.message, error)
    throw new ChainStateError(
      `The state of the chain in ${dirname(path)} cannot be used: ${(error as Error).message}`,
      'Make the folder readable and writable for this user.',
      error,
    )
  }
}

function lossOf({ generation, instead }: Found, path: string): string {
  const lost =
    instead?.mark === undefined || generation.mark === undefined
      ? 'the blocks after it are lost'
      : `${Math.max(0, instead.mark - generation.mark)} blocks are lost`
  const at = generation.mark === undefined ? '' : ` at block ${generation.mark}`
  return `${dirname(path)}: ${instead?.problem}. The chain continues from the previous generation${at}; ${lost}. The damaged file is ${besideOf(path, 'damaged')}.`
}

export const damaged = (path: string, problem: string, cause?: unknown) =>
  new ChainStateError(
    `The state of the chain in ${dirname(path)} is damaged: ${problem}`,
    `Load a snapshot with \`polgate snapshot load FILE --data-dir ${dirname(path)} --replace\`, or move the folder away to start with a new chain.`,
    cause,
  )
