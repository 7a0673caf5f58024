// @ts-check
/// <reference lib="dom" />
/** Tracks and limits the memory of the instances of one run. Plain JavaScript, like the worker. */

/** Thrown when the instances of a run would exceed the limit. */
export const memoryLimit = Symbol('memory limit')

/**
 * Counts every core instance with the maximum memory of its module.
 *
 * @param {{ limits: { memoryBytes: number } }} code
 */
export function trackMemories({ limits }) {
  let reserved = 0
  /** @type {WebAssembly.Memory[]} */
  const memories = []
  return {
    /**
     * @param {{ module: WebAssembly.Module, maxMemoryBytes: number }} core
     * @param {WebAssembly.Imports} [imports]
     */
    instantiate: (core, imports) => {
      reserved += core.maxMemoryBytes
      if (reserved > limits.memoryBytes) throw memoryLimit
      const instance = new WebAssembly.Instance(core.module, imports)
      for (const exported of Object.values(instance.exports)) {
        if (exported instanceof WebAssembly.Memory) memories.push(exported)
      }
      return instance
    },
    used: () => [...new Set(memories)].reduce((sum, { buffer }) => sum + buffer.byteLength, 0),
  }
}
