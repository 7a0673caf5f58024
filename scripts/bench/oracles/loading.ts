import { buildOracle } from 'polgate-fixtures/oracles/build.ts'
import { contentIdOf } from 'polgate-service/content/contentId.ts'
import { capModules, compileModule } from 'polgate-service/oracles/coreModule.ts'
import { createTranspiler } from 'polgate-service/oracles/transpiler.ts'
import { type Bench, type Section, timed } from './section.ts'
import { subjectsOf } from './subjects.ts'
import { withOracleData } from './world.ts'

/** Loads a component that is new, cached on disk, and cached in memory. */
export const loading: Section = {
  name: 'loading',
  title: 'Loading a component',
  run: (bench) =>
    withOracleData(async ({ newHost }) => {
      for (const { name, what } of subjectsOf(bench)) {
        const component = await buildOracle(name)
        bench.heading(`${name}: ${what}, ${(component.length / 1024).toFixed(0)} KiB`)
        const cid = contentIdOf(component)
        const first = newHost()
        bench.figure('cold', await timed(() => first.load(component, { cid })), 'ms')
        await stages(bench, component)
        await first.close()
        const host = newHost()
        bench.figure('from disk', await timed(() => host.load(component, { cid })), 'ms')
        bench.figure('from memory', await timed(() => host.load(component, { cid })), 'ms')
        await host.close()
      }
    }),
}

/** The parts of a cold load, separately. */
async function stages(bench: Bench, component: Uint8Array): Promise<void> {
  const figure = (stage: string, ms: number) => bench.figure(`  of it, ${stage}`, ms, 'ms')
  figure('hash', await timed(async () => contentIdOf(component)))
  const transpiler = createTranspiler({ threads: 1 })
  let files: Record<string, Uint8Array> = {}
  const transpile = async () => {
    files = (await transpiler.transpile(component)).files
  }
  const withStart = await timed(transpile)
  const alone = await timed(transpile)
  figure('start of the transpiler', Math.max(0, withStart - alone))
  figure('transpile', alone)
  await transpiler.close()
  const modules = Object.entries(files).filter(([name]) => name.endsWith('.wasm'))
  const most = 128 * 1024 * 1024
  let capped = modules.map(([, bytes]) => bytes)
  const cap = async () => {
    capped = capModules(capped, most).map(({ bytes }) => bytes)
  }
  figure('bound memories', await timed(cap))
  figure('compile', await timed(() => Promise.all(capped.map(compileModule))))
}
