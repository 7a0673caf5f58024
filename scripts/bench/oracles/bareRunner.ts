import vm from 'node:vm'
import { compileModule } from 'polgate-service/oracles/coreModule.ts'
import { createTranspiler } from 'polgate-service/oracles/transpiler.ts'

type InertWasi = (options: {
  readonly nowMs: number
  readonly passedNs: () => bigint
  readonly randomBytes: (length: number) => Uint8Array
  readonly trap: (text: string) => unknown
}) => (name: string) => object | undefined

const { inertWasi } = (await import('polgate-service/oracles/wasi.mjs' as string)) as {
  readonly inertWasi: InertWasi
}
const wasi = inertWasi({
  nowMs: Date.now(),
  passedNs: () => process.hrtime.bigint(),
  randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
  trap: (text) => new Error(text),
})

type Instantiate = (
  module: (name: string) => unknown,
  imports: Record<string, object>,
) => { run(input: string): unknown }

/**
 * Runs a component without isolation: in this thread, with a fresh instance per run, and host
 * functions that return immediately.
 */
export async function bareRunner(
  component: Uint8Array,
  secrets: Uint8Array,
): Promise<(input: string) => unknown> {
  const transpiler = createTranspiler({ threads: 1 })
  const { files } = await transpiler.transpile(component)
  await transpiler.close()
  const entries = Object.entries(files)
  const modules = new Map<string, unknown>()
  for (const [name, bytes] of entries) {
    if (name.endsWith('.wasm')) modules.set(name, await compileModule(bytes))
  }
  const code = entries.find(([name]) => name.endsWith('.js'))?.[1]
  const body = new TextDecoder().decode(code).replace(/^export (function|const) /gm, '$1 ')
  const source = `'use strict';(() => {${body}\nreturn instantiate})()`
  const instantiate = new vm.Script(source).runInThisContext() as Instantiate
  const answer = new TextEncoder().encode('{"symbol":"ETH","price":2000,"updated_at":1}')
  const imports = {
    'service:provider/http': { fetch: () => ({ status: 200, headers: [], body: answer }) },
    'service:provider/secrets': { get: () => ({ value: secrets }) },
  }
  const withVersions = new Proxy(imports as Record<string, object>, {
    get(target, versioned) {
      const name = String(versioned).replace(/@[^@]*$/, '')
      return target[name] ?? wasi(name)
    },
  })
  return (input) => instantiate((name) => modules.get(name), withVersions).run(input)
}
