// @ts-check
/// <reference lib="dom" />
/** Tracks and limits the memory of the instances of one run. Plain JavaScript, like the worker. */

/** Thrown when the instances of a run would exceed the limit. */
export const memoryLimit = Symbol('memory limit')

/** @typedef {{ initial: number, maximum: number }} MemoryPages */

/** @typedef {{ module: WebAssembly.Module, maxMemoryBytes: number, memory?: MemoryPages | undefined }} Core */

const pageBytes = 65_536
/** Total of the memories that a thread keeps for later runs, bytes. */
const mostKeptBytes = 32 * 1024 * 1024

/**
 * Memories of runs that have ended, in their initial size. Mapping new memory for each instance
 * costs more than most runs: page faults, and a garbage collection after every few of them.
 * @type {{ memory: WebAssembly.Memory, pages: MemoryPages }[]}
 */
const kept = []

/** @param {WebAssembly.Memory} memory */
const wipe = ({ buffer }) => void new Uint8Array(buffer).fill(0)

/** A memory of zeros, of exactly this size and maximum. @param {MemoryPages} pages */
function takeMemory(pages) {
  const { initial, maximum } = pages
  const at = kept.findIndex(
    (each) => each.pages.initial === initial && each.pages.maximum === maximum,
  )
  const [found] = at < 0 ? [] : kept.splice(at, 1)
  if (found === undefined) return new WebAssembly.Memory({ initial, maximum })
  // No code of an earlier run executes from here on: its pending jobs, such as those of promises, ended
  // with its task of the event loop.
  wipe(found.memory)
  return found.memory
}

/** @param {WebAssembly.Memory} memory @param {MemoryPages} pages */
function keepMemory(memory, pages) {
  // A memory cannot shrink, and its size must not depend on earlier runs.
  if (memory.buffer.byteLength !== pages.initial * pageBytes) return
  kept.push({ memory, pages })
  const total = () => kept.reduce((sum, each) => sum + each.memory.buffer.byteLength, 0)
  while (total() > mostKeptBytes) kept.shift()
}

/**
 * Counts every core instance with the maximum memory of its module.
 *
 * @param {{ limits: { memoryBytes: number } }} code
 */
export function trackMemories({ limits }) {
  let reserved = 0
  /** @type {Set<WebAssembly.Memory>} */
  const memories = new Set()
  /** @type {{ memory: WebAssembly.Memory, pages: MemoryPages }[]} */
  const own = []
  return {
    /**
     * @param {Core} core
     * @param {WebAssembly.Imports} [imports]
     */
    instantiate: (core, imports) => {
      reserved += core.maxMemoryBytes
      if (reserved > limits.memoryBytes) throw memoryLimit
      const instance = new WebAssembly.Instance(core.module, withMemory(core, imports))
      for (const exported of Object.values(instance.exports)) {
        if (exported instanceof WebAssembly.Memory) memories.add(exported)
      }
      return instance
    },
    used: () => [...memories].reduce((sum, { buffer }) => sum + buffer.byteLength, 0),
    /**
     * Keeps the memories for later runs; the instances must not be called again.
     * @param {boolean} secret wipes them now instead of when they are used again
     */
    release: (secret) => {
      for (const { memory, pages } of own.splice(0)) {
        if (secret) wipe(memory)
        keepMemory(memory, pages)
      }
    },
  }

  /** @param {Core} core @param {WebAssembly.Imports} [imports] @returns {WebAssembly.Imports} */
  function withMemory({ memory: pages }, imports = {}) {
    if (pages === undefined) return imports
    const memory = takeMemory(pages)
    memories.add(memory)
    own.push({ memory, pages })
    return { ...imports, host: { ...imports.host, 'own memory': memory } }
  }
}
