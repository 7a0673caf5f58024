import { OracleError } from './oracleError.ts'
import { isTranspiled, transpiledComponent } from './transpiledComponent.ts'
import { createTranspiler } from './transpiler.ts'

const componentStart = [0x00, 0x61, 0x73, 0x6d, 0x0d, 0x00, 0x01, 0x00]

/** Whether bytes begin with the header of a WebAssembly component. */
export const looksLikeComponent = (bytes: Uint8Array): boolean =>
  componentStart.every((byte, at) => bytes[at] === byte)

/**
 * Prepares a component in a cache ahead of its first run.
 * @returns why it is unusable or was not prepared; undefined when it is ready
 * @throws what `component` rejects with
 */
export async function prepareComponent(options: {
  /** Content id, if known. */
  readonly key?: string
  readonly component: () => Promise<Uint8Array>
  readonly cacheDir: string
  /** Cancels the preparation. */
  readonly signal?: AbortSignal
}): Promise<string | undefined> {
  const { key, cacheDir, signal } = options
  if (key !== undefined && (await isTranspiled({ key, cacheDir }))) return undefined
  signal?.throwIfAborted()
  const transpiler = createTranspiler({ threads: 1 })
  const end = () => void transpiler.close()
  signal?.addEventListener('abort', end, { once: true })
  try {
    await transpiledComponent({
      ...(key === undefined ? {} : { key }),
      component: options.component,
      cacheDir,
      transpiler,
    })
    return undefined
  } catch (error) {
    if (error instanceof OracleError) return error.details
    throw error
  } finally {
    signal?.removeEventListener('abort', end)
    await transpiler.close()
  }
}
