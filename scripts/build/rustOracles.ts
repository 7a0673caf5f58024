import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { componentEmbed, componentNew, preview1AdapterReactorPath } from '@bytecodealliance/jco'

/**
 * Builds the components of the Rust oracles, `fixtures/oracles/{rates,std}/oracle.wasm`. They are
 * committed, so that a Rust toolchain is not needed otherwise. Built with rustc 1.63.0 and LLD
 * 14.0.6 of Debian 12 (`rustc`, `libstd-rust-dev-wasm32` and `lld`), and with jco 1.35.0.
 *
 *   node --import tsx scripts/build/rustOracles.ts [--rustc PATH] [--linker PATH]
 */

const { values } = parseArgs({
  options: {
    rustc: { type: 'string', default: 'rustc' },
    linker: { type: 'string', default: 'wasm-ld' },
  },
})

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
const folder = join(root, 'fixtures/oracles')
const stackBytes = 16_384

const adapter = await readFile(preview1AdapterReactorPath())
const oracles = [
  { name: 'rates', target: 'wasm32-unknown-unknown', adapters: [] },
  { name: 'std', target: 'wasm32-wasi', adapters: [['wasi_snapshot_preview1', adapter]] },
] as const

const scratch = await mkdtemp(join(tmpdir(), 'rust-oracle-'))
try {
  for (const { name, target, adapters } of oracles) {
    const core = join(scratch, `${name}.wasm`)
    await compile(target, join(folder, name, 'oracle.rs'), core)
    const embedded = await componentEmbed({
      binary: await readFile(core),
      witSource: await readFile(join(folder, 'provider.wit'), 'utf8'),
      world: 'oracle',
    })
    const component = await componentNew(
      embedded,
      adapters.map(([module, bytes]) => [module, bytes]),
    )
    await writeFile(join(folder, name, 'oracle.wasm'), component)
    console.log(`fixtures/oracles/${name}/oracle.wasm: ${component.length} bytes`)
  }
} finally {
  await rm(scratch, { recursive: true, force: true })
}

async function compile(target: string, source: string, core: string): Promise<void> {
  const code = [
    'opt-level=z',
    'lto',
    'codegen-units=1',
    'panic=abort',
    'strip=symbols',
    'linker-flavor=wasm-ld',
  ]
  const link = [`linker=${values.linker}`, `link-arg=-zstack-size=${stackBytes}`]
  await promisify(execFile)(values.rustc, [
    ...['--edition', '2021', '--target', target, '--crate-type', 'cdylib'],
    ...[...code, ...link].flatMap((option) => ['-C', option]),
    // Panics contain the path of the source file: makes it independent of the build directory.
    ...['--remap-path-prefix', `${root}=/build/svc`],
    ...['-o', core, source],
  ])
}
