/** A frame of a profile; positions count from zero, -1 where there is none. */
export type CallFrame = {
  readonly functionName: string
  readonly url: string
  readonly lineNumber: number
  readonly columnNumber: number
}

/** What `node --cpu-prof` writes: times in microseconds of the monotonic clock. */
export type CpuProfile = {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: CallFrame
    readonly children?: readonly number[]
  }[]
  readonly startTime: number
  readonly endTime: number
  readonly samples: readonly number[]
  /** Time of each sample since the one before it. */
  readonly timeDeltas: readonly number[]
}

/** Microseconds of the monotonic clock, which all processes of a machine share. */
export type Window = { readonly from: number; readonly to: number }

/** Name of a function and the file that contains it. */
export type Place = { readonly name: string; readonly file: string; readonly line: number }

export type Cost = { readonly name: string; readonly ms: number }

export type ThreadSummary = {
  /** Milliseconds of the window within the profile, and those in which the thread did something. */
  readonly wallMs: number
  readonly busyMs: number
  /** Time by package or folder, most first; the sum is `busyMs`. */
  readonly folders: readonly Cost[]
  readonly self: readonly Cost[]
  readonly inclusive: readonly Cost[]
}

const place = ({ functionName, url, lineNumber }: CallFrame): Place => ({
  name: functionName,
  file: url,
  line: lineNumber + 1,
})

/**
 * Where one thread spent its time: by folder, and the functions with the largest own and inclusive
 * times. A function that calls itself counts once.
 *
 * @param options.locate maps a frame of a bundle to its source; default: as in the profile
 */
export function summarise(
  profile: CpuProfile,
  options: {
    readonly window?: Window | undefined
    readonly locate?: (frame: CallFrame) => Place
    readonly most?: number
  } = {},
): ThreadSummary {
  const { locate = place, most = 15 } = options
  const { window = { from: profile.startTime, to: profile.endTime } } = options
  const own = ownTimes(profile, window)
  const byId = new Map(profile.nodes.map((node) => [node.id, node]))
  const folders = new Map<string, number>()
  const self = new Map<string, number>()
  const inclusive = new Map<string, number>()
  const add = (to: Map<string, number>, name: string, ms: number) => {
    if (ms > 0) to.set(name, (to.get(name) ?? 0) + ms)
  }

  /** @returns the time of the node and of everything that it called */
  function visit(id: number, open: ReadonlySet<string>, caller: string): number {
    const { callFrame, children = [] } = byId.get(id)!
    if (callFrame.functionName === '(idle)') return 0
    const located = locate(callFrame)
    const title = titleOf(located)
    const folder = folderOf(located, caller)
    const ms = own.get(id) ?? 0
    add(folders, folder, ms)
    add(self, title, ms)
    const inner = open.has(title) ? open : new Set(open).add(title)
    // What is native, such as the wrapper of a WebAssembly function, has a caller as well.
    const from = folder === 'native' ? caller : folder
    const total = children.reduce((sum, child) => sum + visit(child, inner, from), ms)
    if (!open.has(title) && callFrame.functionName !== '(root)') add(inclusive, title, total)
    return total
  }

  const [root] = profile.nodes
  const busyMs = root === undefined ? 0 : visit(root.id, new Set(), '')
  const wall = Math.min(window.to, profile.endTime) - Math.max(window.from, profile.startTime)
  return {
    wallMs: Math.max(0, wall) / 1000,
    busyMs,
    folders: sorted(folders),
    self: sorted(self).slice(0, most),
    inclusive: sorted(inclusive).slice(0, most),
  }
}

/** Milliseconds of each node within the window: a sample lasts until the next one. */
function ownTimes({ samples, timeDeltas, startTime, endTime }: CpuProfile, window: Window) {
  const times = new Map<number, number>()
  let at = startTime
  for (const [index, id] of samples.entries()) {
    at += timeDeltas[index] ?? 0
    const until = index + 1 < samples.length ? at + (timeDeltas[index + 1] ?? 0) : endTime
    const within = Math.min(until, window.to) - Math.max(at, window.from)
    if (within > 0) times.set(id, (times.get(id) ?? 0) + within / 1000)
  }
  return times
}

const sorted = (costs: ReadonlyMap<string, number>): Cost[] =>
  [...costs].map(([name, ms]) => ({ name, ms })).sort((a, b) => b.ms - a.ms)

function titleOf({ name, file, line }: Place): string {
  const short = file.replace(/^file:\/\//, '').replace(/^.*node_modules\//, '')
  if (file.startsWith('wasm:')) return `${name} (WebAssembly)`
  return short === '' ? name || '(anonymous)' : `${name || '(anonymous)'} ${short}:${line}`
}

/** The package of npm, the folder of this repository, Node, or what V8 itself does. */
function folderOf({ name, file }: Place, caller: string): string {
  if (file.startsWith('node:')) return 'Node'
  // WebAssembly belongs to the module that calls it.
  if (file.startsWith('wasm:'))
    return caller.endsWith('WebAssembly') ? caller : `${caller} WebAssembly`.trim()
  if (file === '') return /^\(/.test(name) ? name : 'native'
  const [, scope] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file) ?? []
  if (scope !== undefined) return scope
  const parts = file
    .replace(/^file:\/\//, '')
    .split('/')
    .slice(0, -1)
  const top = parts.findIndex((part) => /^(impl|chain|fixtures|conformance|scripts)$/.test(part))
  return top < 0 ? 'generated code' : parts.slice(top, top + 3).join('/')
}
