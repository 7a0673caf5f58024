import { OracleError } from './oracleError.ts'
import { transpiledComponent } from './transpiledComponent.ts'
import { createTranspiler } from './transpiler.ts'

const componentStart = [0x00, 0x61, 0x73, 0x6d, 0x0d, 0x00, 0x01, 0x00]

/** Whether bytes begin as a WebAssembly component does. */
export const looksLikeComponent = (bytes: Uint8Array): boolean =>
  componentStart.every((byte, at) => bytes[at] === byte)

/**
 * Makes a component ready in a cache before anybody uses it: the first run need not wait.
 * @returns why it cannot be used, or was not made ready; undefined when it is ready
 */
export async function prepareComponent(options: {
  readonly component: Uint8Array
  readonly cacheDir: string
}): Promise<string | undefined> {
  const transpiler = createTranspiler({ threads: 1 })
  try {
    const { cacheDir, component } = options
    await transpiledComponent({ cacheDir, transpiler, component: async () => component })
    return undefined
  } catch (error) {
    if (error instanceof OracleError) return error.details
    throw error
  } finally {
    await transpiler.close()
  }
}
