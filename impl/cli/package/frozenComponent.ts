import { importNames } from 'polgate-fixtures/oracles/renameImports.ts'

/** Part of every component that is made of JavaScript, by whatever version of the compiler. */
const engine = 'StarlingMonkey'

const needed = {
  clocks: /^wasi:clocks\/monotonic-clock(@|$)/,
  random: /^wasi:random\/random(@|$)/,
} as const

/**
 * What a component of JavaScript has from its build instead of from its host: compiled without a feature it still has
 * `Date.now()` and `Math.random()`, which give the same in every run. Some compilers leave the import of the wall clock.
 */
export function frozenIn(component: Uint8Array): readonly (keyof typeof needed)[] {
  if (!Buffer.from(component.buffer, component.byteOffset, component.byteLength).includes(engine))
    return []
  const names = importNames(component)
  return (['clocks', 'random'] as const).filter(
    (feature) => !names.some((name) => needed[feature].test(name)),
  )
}
