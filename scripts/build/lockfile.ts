/**
 * `npm run lock:complete`: adds the packages of other platforms that a registry mirror omits to the
 * lock file.
 *
 * npm drops an optional package that it cannot find, and `npm ci` then rejects the lock file as
 * incomplete on every platform. An entry needs only what the parent declares: the exact version,
 * and the platform in its name.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { satisfies } from 'semver'

type Entry = {
  version?: string
  optional?: boolean
  dev?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}

const systems = [
  'darwin',
  'win32',
  'linux',
  'freebsd',
  'android',
  'openharmony',
  'wasi',
  'openbsd',
  'netbsd',
  'sunos',
  'aix',
]
const processors = [
  'x64',
  'arm64',
  'ia32',
  'arm',
  'ppc64',
  's390x',
  'riscv64',
  'loong64',
  'mips64el',
  'wasm32',
]
const processorNames: Record<string, string> = { amd64: 'x64' }

/**
 * The platform in a name such as `binding-linux-arm64-musl`; npm skips the package on all others.
 */
function platformOf(name: string): Pick<Entry, 'os' | 'cpu' | 'libc'> {
  const words = name.split(/[/-]/)
  const os = words.filter((word) => systems.includes(word))
  const cpu = words
    .map((word) => processorNames[word] ?? word)
    .filter((word) => processors.includes(word))
  if (os.length === 0 && cpu.length === 0)
    throw new Error(`${name} contains no platform: add it manually`)
  return {
    ...(cpu.length > 0 ? { cpu } : {}),
    ...(os.length > 0 && !os.includes('wasi') ? { os } : {}),
    ...(words.some((word) => word.startsWith('musl')) ? { libc: ['musl'] } : {}),
  }
}

const path = process.argv[2] ?? new URL('../../package-lock.json', import.meta.url)
const lock = JSON.parse(readFileSync(path, 'utf8')) as { packages: Record<string, Entry> }
let added = 0
for (const [parent, entry] of Object.entries(lock.packages)) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    if (parent === '') continue
    // Where npm resolves it, nearest first: inside the parent, next to it, at the root.
    const beside = parent.slice(0, parent.lastIndexOf('node_modules/'))
    const places = [`${parent}/`, beside, ''].map((place) => `${place}node_modules/${name}`)
    if (places.some((place) => satisfies(lock.packages[place]?.version ?? '', range))) continue
    const free = [places[2]!, places[1]!, places[0]!].find((place) => !(place in lock.packages))!
    lock.packages[free] = {
      version: range,
      ...platformOf(name),
      ...(entry.dev === true ? { dev: true } : {}),
      optional: true,
    }
    added += 1
  }
}
const sorted = Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1))
lock.packages = Object.fromEntries(sorted)
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`)
console.log(`${added} platform packages added to package-lock.json`)
