// @ts-check
/// <reference lib="dom" />
/**
 * The thread of an oracle. The host can terminate it at any moment, and each run gets a new
 * instance (decision O6). The generated code is evaluated in a separate context without Node
 * globals. Plain JavaScript, so that the thread starts without a loader under node, tsx and vitest.
 *
 * Host calls are synchronous for the guest: this thread posts the call, sleeps on a shared counter
 * and reads the reply from a port, while the main thread does the work.
 */
import { createCipheriv } from 'node:crypto'
import vm from 'node:vm'
import { ownTimeFile } from '../scheduling/threadTime.mjs'
import { bare } from './bare.mjs'
import { copyLimit, countCopies, forgetCopies, mostCopied } from './copies.mjs'
import { memoryLimit, trackMemories } from './guestMemory.mjs'
import { closeLine, hostCalls, openLine, waitedForHost } from './hostLine.mjs'
import { inertWasi } from './wasi.mjs'

/**
 * @typedef {object} RunCode the code of an instance
 * @property {string} key identity of the generated code, for the script cache of this thread
 * @property {string | Uint8Array} source generated code, or its UTF-8 in shared memory
 * @property {Record<string, import('./guestMemory.mjs').Core>} modules
 * @property {string} brand
 * @property {{ memoryBytes: number, outputBytes: number, request: RequestBounds }} limits
 */

/**
 * @typedef {object} RunData the input of a run
 * @property {string} input
 * @property {Uint8Array | undefined} secrets
 * @property {number} nowMs
 * @property {boolean} recordedTime time advances only when it is read or waited for
 * @property {Uint8Array} seed 32 bytes
 */

/** @typedef {import('./requestBounds.mjs').RequestBounds} RequestBounds */

/** @typedef {RunCode & RunData} RunMessage */

/** @typedef {{ instantiateMs: number, guestMs: number, hostMs: number }} RunTimes */

/** @typedef {import('./hostLine.mjs').Line} Line */

/** @typedef {ReturnType<typeof trackMemories>} Memories */

/** @typedef {import('./hostLine.mjs').HostRequest} HostRequest */

/**
 * @typedef {object} Instance
 * @property {RunCode} code
 * @property {{ run(input: string): unknown }} exported
 * @property {(data: RunData) => void} begin
 * @property {Memories} memories
 */

/**
 * @typedef {{ kind: 'ok', output: string }
 *   | { kind: 'err', text: string }
 *   | { kind: 'output-limit', bytes: number }
 *   | { kind: 'memory-limit' }
 *   | { kind: 'copy-limit', bytes: number }
 *   | { kind: 'trap', text: string, memoryBytes: number }} RunOutcome
 */

// Generated code receives functions of this thread's own realm, and could use their constructor to
// create code in this realm. The names in it are checked (codeNames.mjs); this is a second barrier.
for (const example of [() => {}, async () => {}, function* () {}, async function* () {}]) {
  Reflect.deleteProperty(Object.getPrototypeOf(example), 'constructor')
}

countCopies(ArrayBuffer.prototype)

// A longer text is dropped completely: truncated, it could end in a part of a secret, which the
// host would not recognise when it redacts secrets.
const maxText = 65_536
/** Maximum memory of an instance prepared in advance, bytes. */
const maxPreparedBytes = 32 * 1024 * 1024

const timeFile = ownTimeFile()

/** @type {Map<string, vm.Script>} */
const scripts = new Map()
const maxScripts = 8

/**
 * An instance prepared in advance for the next run, from code alone: instantiation takes longer
 * than most runs. It has seen no input, no secret and no other run.
 * @type {Instance | undefined}
 */
let ahead

/**
 * Prepares the instance of the next run of this code.
 * @param {{ code: RunCode }} task
 * @returns {boolean} whether it could be created before its run
 */
export function prepare({ code }) {
  discardAhead()
  forgetCopies()
  const memories = trackMemories(code)
  try {
    const instance = createInstance(code, memories)
    if (memories.used() <= maxPreparedBytes) ahead = instance
  } catch {
    // The component calls the host during instantiation: it is instantiated when the run starts.
  }
  if (ahead === undefined) memories.release(false)
  return ahead !== undefined
}

/** @param {RunMessage} message @returns {Instance | undefined} */
function takeAhead({ key, brand, limits }) {
  const code = ahead?.code
  const fits =
    code?.key === key && code.brand === brand && code.limits.memoryBytes === limits.memoryBytes
  const instance = fits ? ahead : undefined
  if (fits) ahead = undefined
  else discardAhead()
  return instance
}

function discardAhead() {
  ahead?.memories.release(false)
  ahead = undefined
}

/**
 * Executes one run, with its own channel to the host.
 * @param {Line & { message: RunMessage }} task
 * @returns {RunOutcome & { times: RunTimes }}
 */
export function run({ message, port, counter }) {
  openLine({ port, counter })
  port.postMessage({ type: 'begun', timeFile })
  const times = { instantiateMs: 0, guestMs: 0, hostMs: 0 }
  try {
    return { ...runIn(message, times), times }
  } finally {
    closeLine()
    port.close()
  }
}

/** @param {RunMessage} message @param {RunTimes} times @returns {RunOutcome} */
function runIn(message, times) {
  forgetCopies()
  const begun = performance.now()
  const made = takeAhead(message)
  const memories = made?.memories ?? trackMemories(message)
  try {
    made?.begin(message)
    const { exported } = made ?? createInstance(message, memories, message)
    const ready = performance.now()
    times.instantiateMs = ready - begun
    const waitedBefore = waitedForHost()
    const output = exported.run(message.input)
    times.hostMs = waitedForHost() - waitedBefore
    times.guestMs = performance.now() - ready - times.hostMs
    if (typeof output !== 'string') return trap('run did not return a string', memories.used())
    const bytes = Buffer.byteLength(output)
    if (bytes > message.limits.outputBytes) return { kind: 'output-limit', bytes }
    return { kind: 'ok', output }
  } catch (error) {
    if (error === memoryLimit) return { kind: 'memory-limit' }
    if (error === copyLimit) return { kind: 'copy-limit', bytes: mostCopied }
    if (isErrResult(error)) return { kind: 'err', text: bounded(String(error.payload)) }
    return trap(textOf(error), memories.used())
  } finally {
    memories.release(message.secrets !== undefined)
    message.secrets?.fill(0)
  }
}

/**
 * @param {RunCode} code
 * @param {Memories} memories
 * @param {RunData} [data] the run that starts with it; absent when it is created in advance
 * @returns {Instance}
 */
function createInstance(code, memories, data) {
  const context = vm.createContext(
    { TextDecoder, TextEncoder },
    { codeGeneration: { strings: false, wasm: false } },
  )
  // Generated code wraps exports in it for asynchronous calls and catches that Node 20 has none. To
  // describe that TypeError the engine parses the whole code again: 20 ms of each instance.
  vm.runInContext('WebAssembly.promising ??= (run) => run', context)
  // Nothing of an instance runs later than its run, such as its destructors: its memory is reused.
  vm.runInContext('FinalizationRegistry = class { register() {} unregister() {} }', context)
  const ContextError = vm.runInContext('Error', context)
  countCopies(vm.runInContext('ArrayBuffer.prototype', context))
  const imports = importsOf(code, (text) => new ContextError(text))
  if (data) imports.begin(data)
  const instantiate = scriptOf(code).runInContext(context)
  const exported = instantiate(
    (/** @type {string} */ name) => code.modules[name],
    imports.objects,
    memories.instantiate,
  )
  return { code, exported, begin: imports.begin, memories }
}

/** @param {string} text @param {number} memoryBytes @returns {RunOutcome} */
function trap(text, memoryBytes) {
  return { kind: 'trap', text: bounded(text), memoryBytes }
}

/** The generated module as a function that returns its only export. @param {RunCode} code */
function scriptOf({ key, source }) {
  const known = scripts.get(key)
  if (known) return known
  const text = typeof source === 'string' ? source : new TextDecoder().decode(source.slice())
  const body = text
    .replace(/^export (function|const) /gm, '$1 ')
    // Statements that only build arguments for a log that is always off.
    .replace(/^( *)_debugLog\(/gm, '$1false && _debugLog(')
  const script = new vm.Script(`'use strict';(() => {${body}\nreturn instantiate})()`, {
    filename: `oracle-${key}.js`,
  })
  if (scripts.size >= maxScripts)
    scripts.delete(/** @type {string} */ (scripts.keys().next().value))
  scripts.set(key, script)
  return script
}

/**
 * The imports of an instance. `begin` sets the run; whatever depends on the run is unavailable
 * before.
 * @param {RunCode} code
 * @param {(text: string) => unknown} makeTrap
 */
function importsOf({ brand, limits }, makeTrap) {
  const callHost = hostCalls(limits.request)
  /** @type {(RunData & { random: (length: number) => Uint8Array, begunNs: bigint }) | undefined} */
  let current
  const running = () => {
    if (!current) throw makeTrap('the component calls the host before its run')
    return current
  }
  const wasi = inertWasi({
    get nowMs() {
      return running().nowMs
    },
    passedNs: () =>
      current === undefined || current.recordedTime
        ? 0n
        : process.hrtime.bigint() - current.begunNs,
    randomBytes: (length) => running().random(length),
    trap: makeTrap,
  })
  const noNotary = () => {
    throw 'TLSNotary verification is not available'
  }
  /** @type {Record<string, object>} */
  const provider = bare({
    [`${brand}/http`]: bare({
      fetch: (/** @type {HostRequest} */ request) => {
        running()
        return callHost(request)
      },
    }),
    [`${brand}/secrets`]: bare({
      get: () => {
        const { secrets } = running()
        if (!secrets) throw 'no secrets are stored for this policy client and policy data'
        return { value: secrets.slice() }
      },
    }),
    [`${brand}/tlsn`]: bare({ verify: noNotary, verifyFromCid: noNotary }),
  })
  const objects = new Proxy(provider, {
    get: (target, key) => {
      if (typeof key !== 'string') return undefined
      const name = key.replace(/@[^@]*$/, '')
      return target[name] ?? wasi(name)
    },
  })
  return {
    objects,
    /** @param {RunData} data */
    begin: (data) => {
      current = { ...data, random: keystream(data.seed), begunNs: process.hrtime.bigint() }
    },
  }
}

/** Random bytes for the run, from its seed. @param {Uint8Array} seed */
function keystream(seed) {
  const cipher = createCipheriv('chacha20', seed, Buffer.alloc(16))
  return (/** @type {number} */ length) => Uint8Array.from(cipher.update(Buffer.alloc(length)))
}

/**
 * jco throws the `err` case of a result as an error with a payload.
 * @param {unknown} error
 * @returns {error is { payload: unknown }}
 */
function isErrResult(error) {
  return typeof error === 'object' && error !== null && Object.hasOwn(error, 'payload')
}

/** @param {unknown} error */
function textOf(error) {
  if (typeof error === 'object' && error !== null && 'message' in error)
    return String(error.message)
  return String(error)
}

/** @param {string} text */
function bounded(text) {
  return text.length > maxText ? `a text of ${text.length} characters` : text
}
