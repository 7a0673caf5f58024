import { OracleError } from './oracleError.ts'
import { isTranspiled, transpiledComponent } from './transpiledComponent.ts'
import { createTranspiler } from './transpiler.ts'

const componentStart = [0x00, 0x61, 0x73, 0x6d, 0x0d, 0x00, 0x01, 0x00]

/** Whether bytes begin as a WebAssembly component does. */
export const looksLikeComponent = (bytes: Uint8Array): boolean =>
  componentStart.every((byte, at) => bytes[at] === byte)

/**
 * Makes a component ready in a cache before anybody uses it: the first run need not wait.
 * @returns why it cannot be used, or was not made ready; undefined when it is ready
 * @throws what `component` rejects with
 */
export async function prepareComponent(options: {
  /** Content id, where it is known. */
  readonly key?: string
  readonly component: () => Promise<Uint8Array>
  readonly cacheDir: string
  /** Ends it. */
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
