import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { componentEmbed, componentNew } from '@bytecodealliance/jco'

/**
 * Makes the component of the oracle in Rust, `fixtures/oracles/rates/oracle.wasm`, which is
 * committed: nobody else needs a Rust toolchain. Made with rustc 1.63.0 and LLD 14.0.6, as Debian 12
 * has them in `rustc`, `libstd-rust-dev-wasm32` and `lld`, and with jco 1.35.0.
 *
 *   node --import tsx scripts/build/rustOracle.ts [--rustc PATH] [--linker PATH]
 */

const { values } = parseArgs({
  options: {
    rustc: { type: 'string', default: 'rustc' },
    linker: { type: 'string', default: 'wasm-ld' },
  },
})

const folder = fileURLToPath(new URL('../../fixtures/oracles/rates/', import.meta.url))
const wit = fileURLToPath(new URL('../../fixtures/oracles/provider.wit', import.meta.url))
const stackBytes = 16_384

const scratch = await mkdtemp(join(tmpdir(), 'rust-oracle-'))
try {
  const core = join(scratch, 'core.wasm')
  const code = ['opt-level=s', 'lto', 'panic=abort', 'strip=symbols', 'linker-flavor=wasm-ld']
  const link = [`linker=${values.linker}`, `link-arg=-zstack-size=${stackBytes}`]
  await promisify(execFile)(values.rustc, [
    ...['--edition', '2021', '--target', 'wasm32-unknown-unknown', '--crate-type', 'cdylib'],
    ...[...code, ...link].flatMap((option) => ['-C', option]),
    ...['-o', core, join(folder, 'oracle.rs')],
  ])
  const embedded = await componentEmbed({
    binary: await readFile(core),
    witSource: await readFile(wit, 'utf8'),
    world: 'oracle',
  })
  const component = await componentNew(embedded, null)
  await writeFile(join(folder, 'oracle.wasm'), component)
  console.log(`fixtures/oracles/rates/oracle.wasm: ${component.length} bytes`)
} finally {
  await rm(scratch, { recursive: true, force: true })
}
