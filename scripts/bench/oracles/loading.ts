import { buildOracle } from '../../../fixtures/oracles/build.ts'
import { contentIdOf } from '../../../impl/content/contentId.ts'
import { type Section, timed } from './section.ts'
import { inWorld } from './world.ts'

/** A component that is new, known on disk, and known in memory. */
export const loading: Section = {
  name: 'loading',
  title: 'Loading a component',
  run: (bench) =>
    inWorld(async ({ newHost }) => {
      for (const name of ['echo', 'price']) {
        const component = await buildOracle(name)
        bench.heading(`${name}, ${(component.length / 1024).toFixed(0)} KiB`)
        const cid = contentIdOf(component)
        const first = newHost()
        bench.figure('cold', await timed(() => first.load(component, { cid })), 'ms')
        await first.close()
        const host = newHost()
        bench.figure('from disk', await timed(() => host.load(component, { cid })), 'ms')
        bench.figure('from memory', await timed(() => host.load(component, { cid })), 'ms')
        await host.close()
      }
    }),
}
