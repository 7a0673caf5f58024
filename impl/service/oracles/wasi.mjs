// @ts-check
/**
 * WASI preview 2 as inert stubs (decision O3): the imports that the runtime of a component's
 * language requires, without any effect. No files, no environment, no sockets; output to the
 * standard streams is dropped. Plain JavaScript because the run's worker, which loads it, has no
 * loader.
 *
 * Both clocks start with the run and advance together. A waiting guest is not delayed: its clocks
 * move to the end of the wait immediately.
 */

import { bare } from './bare.mjs'

const maxRandomBytes = 65_536n
const outputPermit = 65_536n
const readStepNs = 1_000n
const nsOfMs = 1_000_000n
const nsOfSecond = 1_000_000_000n

/**
 * @typedef {object} WasiOptions
 * @property {number} nowMs wall clock at the start of the run, Unix milliseconds
 * @property {(text: string) => unknown} trap creates the error that ends the run
 * @property {(length: number) => Uint8Array} randomBytes
 * @property {(text: string) => unknown} trap makes the error that ends the run
 */

/**
 * The WASI part of the import object, by interface name without version.
 * @param {WasiOptions} options
 * @returns {(name: string) => object | undefined} undefined for an interface without a stub
 */
export function inertWasi(options) {
  const time = runTime(options.passedNs)
  const streams = streamTypes(time)
  /** @type {Record<string, object>} */
  const known = bare({
    'wasi:io/error': { Error: streams.IoError },
    'wasi:io/poll': { Pollable: time.Pollable, poll: time.poll },
    'wasi:io/streams': { InputStream: streams.InputStream, OutputStream: streams.OutputStream },
    'wasi:clocks/monotonic-clock': {
      now: time.now,
      resolution: () => readStepNs,
      subscribeDuration: time.subscribeDuration,
      subscribeInstant: time.subscribeInstant,
    },
    'wasi:clocks/wall-clock': {
      now: () => {
        const ns = BigInt(Math.floor(options.nowMs)) * nsOfMs + time.elapsedNs()
        return { seconds: ns / nsOfSecond, nanoseconds: Number(ns % nsOfSecond) }
      },
      resolution: () => ({ seconds: 0n, nanoseconds: Number(readStepNs) }),
    },
    'wasi:cli/environment': {
      getEnvironment: () => [],
      getArguments: () => [],
      initialCwd: () => undefined,
    },
    'wasi:cli/exit': {
      exit: () => {
        throw options.trap('the component called exit')
      },
      exitWithCode: () => {
        throw options.trap('the component called exit')
      },
    },
    'wasi:cli/stdin': { getStdin: () => new streams.InputStream() },
    'wasi:cli/stdout': { getStdout: () => new streams.OutputStream() },
    'wasi:cli/stderr': { getStderr: () => new streams.OutputStream() },
    'wasi:cli/terminal-stdin': { getTerminalStdin: () => undefined },
    'wasi:cli/terminal-stdout': { getTerminalStdout: () => undefined },
    'wasi:cli/terminal-stderr': { getTerminalStderr: () => undefined },
    'wasi:filesystem/preopens': { getDirectories: () => [] },
    ...randomInterfaces(options),
  })
  for (const [name, members] of Object.entries(known)) known[name] = bare(members)
  return (name) => known[name] ?? refusing(name)
}

/** @param {WasiOptions} options */
function randomInterfaces({ randomBytes, trap }) {
  /** @param {bigint} length */
  const bytes = (length) => {
    if (length > maxRandomBytes) throw trap(`the component requested ${length} random bytes`)
    return randomBytes(Number(length))
  }
  const u64 = () => {
    const eight = randomBytes(8)
    return new DataView(eight.buffer, eight.byteOffset, 8).getBigUint64(0, true)
  }
  return {
    'wasi:random/random': { getRandomBytes: bytes, getRandomU64: u64 },
    'wasi:random/insecure': { getInsecureRandomBytes: bytes, getInsecureRandomU64: u64 },
    'wasi:random/insecure-seed': { insecureSeed: () => [u64(), u64()] },
  }
}

/** @param {WasiOptions['passedNs']} passedNs */
function runTime(passedNs) {
  /** Time added by reading and waiting. */
  let addedNs = 0n
  const elapsedNs = () => passedNs() + addedNs
  const now = () => {
    addedNs += readStepNs
    return elapsedNs()
  }
  /** @param {bigint} due */
  const waitUntil = (due) => {
    const left = due - elapsedNs()
    if (left > 0n) addedNs += left
  }
  class Pollable {
    /** @type {bigint} */
    due = 0n
    ready() {
      return elapsedNs() >= this.due
    }
    block() {
      waitUntil(this.due)
    }
  }
  /** @param {bigint} due */
  const pollableAt = (due) => {
    const pollable = new Pollable()
    pollable.due = due
    return pollable
  }
  /** @param {Pollable[]} pollables */
  const poll = (pollables) => {
    const [first = 0n] = pollables.map(({ due }) => due).sort((a, b) => (a < b ? -1 : 1))
    waitUntil(first)
    const ready = pollables.flatMap((pollable, index) => (pollable.ready() ? [index] : []))
    return Uint32Array.from(ready)
  }
  return {
    Pollable,
    poll,
    now,
    elapsedNs,
    pollableAt,
    /** @param {bigint} ns */
    subscribeDuration: (ns) => pollableAt(elapsedNs() + ns),
    /** @param {bigint} instant */
    subscribeInstant: (instant) => pollableAt(instant),
  }
}

/** @param {ReturnType<typeof runTime>} time */
function streamTypes(time) {
  class IoError {
    toDebugString() {
      return 'closed'
    }
  }
  const closed = () => {
    throw { tag: 'closed' }
  }
  class InputStream {
    read = closed
    blockingRead = closed
    skip = closed
    blockingSkip = closed
    subscribe() {
      return time.pollableAt(0n)
    }
  }
  class OutputStream {
    checkWrite() {
      return outputPermit
    }
    write() {}
    blockingWriteAndFlush() {}
    flush() {}
    blockingFlush() {}
    writeZeroes() {}
    blockingWriteZeroesAndFlush() {}
    splice = closed
    blockingSplice = closed
    subscribe() {
      return time.pollableAt(0n)
    }
  }
  return { IoError, InputStream, OutputStream }
}

const refusedPackages = ['wasi:cli/', 'wasi:filesystem/', 'wasi:sockets/']

/**
 * Files and sockets: linked, but every call returns that access is denied.
 * @param {string} name
 */
function refusing(name) {
  if (!refusedPackages.some((start) => name.startsWith(start))) return undefined
  const code = name.startsWith('wasi:filesystem/') ? 'access' : 'access-denied'
  const deny = () => {
    throw code
  }
  /** @type {Record<string, unknown>} */
  const members = bare({ filesystemErrorCode: () => undefined })
  return new Proxy(members, {
    get: (target, key) => {
      if (typeof key !== 'string') return undefined
      // In jco's names resource types are capitalized and functions are not.
      target[key] ??= /^[A-Z]/.test(key) ? refusingResource(deny) : deny
      return target[key]
    },
  })
}

/** @param {() => never} deny */
function refusingResource(deny) {
  class Resource {}
  const methods = new Proxy(Object.create(null), {
    get: (_target, key) => (typeof key === 'string' ? deny : undefined),
  })
  Object.setPrototypeOf(Resource.prototype, methods)
  return Resource
}
