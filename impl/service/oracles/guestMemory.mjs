// @ts-check
/// <reference lib="dom" />
/** How much memory the instances of one run have, and may have. Plain JavaScript, as the worker is. */

/** Thrown where an instance would have more than a run may. */
export const memoryLimit = Symbol('memory limit')

/**
 * Every core instance counts with the most memory its module may grow to.
 *
 * @param {{ limits: { memoryBytes: number } }} code
 */
export function trackMemories({ limits }) {
  let reserved = 0
  /** @type {WebAssembly.Memory[]} */
  const memories = []
  return {
    /** @param {{ module: WebAssembly.Module, maxMemoryBytes: number }} core @param {WebAssembly.Imports} [imports] */
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
