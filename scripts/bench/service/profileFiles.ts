import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { SourceMap, type SourceMapping } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type CallFrame,
  type CpuProfile,
  type Place,
  summarise,
  type ThreadSummary,
  type Window,
} from './profileSummary.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

export type ProcessThread = ThreadSummary & { readonly thread: string }

/** Summaries of the profiles that the processes of one run have left in a directory. */
export function summariseFiles(directory: string, window?: Window): ProcessThread[] {
  const names = existsSync(directory) ? readdirSync(directory) : []
  const locate = createLocator()
  return names
    .filter((name) => name.endsWith('.cpuprofile'))
    .sort()
    .map((name) => {
      const profile = JSON.parse(readFileSync(join(directory, name), 'utf8')) as CpuProfile
      return { thread: threadOf(name, profile), ...summarise(profile, { window, locate }) }
    })
    .filter(({ busyMs }) => busyMs > 0)
    .sort((a, b) => b.busyMs - a.busyMs)
}

/** CPU.<date>.<time>.<process>.<thread>.<number>.cpuprofile */
function threadOf(name: string, { nodes }: CpuProfile): string {
  const [, , , process, thread] = name.split('.')
  if (thread === '0') return `process ${process}, main thread`
  const entry = nodes
    .map(({ callFrame }) =>
      /([^/]+)\.worker\.mjs$|-([A-Za-z]*Thread)\.[^/]*\/[^/]*$/.exec(callFrame.url),
    )
    .find((match) => match !== null)
  const what = entry === undefined ? '' : `, ${entry[1] ?? entry[2]}`
  return `process ${process}, thread ${thread}${what}`
}

/** Maps frames of bundles in .cache/compiled to the sources, where there are source maps. */
function createLocator(): (frame: CallFrame) => Place {
  const maps = new Map<string, SourceMap | undefined>()
  const mapOf = (url: string) => {
    if (!maps.has(url)) maps.set(url, readMap(url))
    return maps.get(url)
  }
  return ({ functionName, url, lineNumber, columnNumber }) => {
    const path = url.startsWith('file:') ? fileURLToPath(url) : undefined
    const entry = path === undefined ? undefined : mapOf(url)?.findEntry(lineNumber, columnNumber)
    if (path !== undefined && isMapped(entry)) {
      const file = resolve(dirname(path), entry.originalSource)
      return { name: functionName, file: relative(root, file), line: entry.originalLine + 1 }
    }
    const file = path === undefined ? url : relative(root, path)
    return { name: functionName, file, line: lineNumber + 1 }
  }
}

const isMapped = (entry: SourceMapping | object | undefined): entry is SourceMapping =>
  entry !== undefined && 'originalSource' in entry

function readMap(url: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, 'utf8')))
  } catch {
    // Not a bundle.
    return undefined
  }
}

const ms = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ms`.padStart(9)

/** Lines for people: the threads that did something, and what. */
export function profileLines(
  threads: readonly ProcessThread[],
  processorMs = Number.NaN,
  most = 15,
): string[] {
  if (threads.length === 0) return ['  no profile was written']
  const known = threads.reduce((sum, { busyMs }) => sum + busyMs, 0)
  const outside = processorMs - known
  const what =
    outside > 0
      ? `${ms(outside).trim()} of it not in profiles: terminated threads (oracle runs, Rego), the threads of V8, the chain's process`
      : 'less than threads were busy, which includes their waits for a core'
  const rest = Number.isNaN(processorMs) ? [] : [`  CPU time ${ms(processorMs).trim()}; ${what}`]
  return rest.concat(
    threads.flatMap(({ thread, wallMs, busyMs, folders, self, inclusive }) => {
      const percent = (value: number) => `${((100 * value) / busyMs).toFixed(0)} %`.padStart(6)
      const rows = (costs: typeof folders) =>
        costs
          .filter((cost) => cost.ms / busyMs >= 0.005)
          .slice(0, most)
          .map((cost) => `      ${ms(cost.ms)}${percent(cost.ms)}  ${cost.name}`)
      return [
        `  ${thread}: busy ${ms(busyMs).trim()} of ${ms(wallMs).trim()}`,
        '    by package or folder',
        ...rows(folders),
        '    functions by own time',
        ...rows(self),
        '    functions by time with all they call',
        ...rows(inclusive),
      ]
    }),
  )
}
