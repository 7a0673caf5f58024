import { describe, expect, it } from 'vitest'
import { type CpuProfile, summarise } from './profileSummary.ts'

const frame = (functionName: string, url = '', lineNumber = -1) => ({
  functionName,
  url,
  lineNumber,
  columnNumber: 0,
})

/** main calls itself once, which calls sign of a package; sign calls WebAssembly. */
const profile: CpuProfile = {
  nodes: [
    { id: 1, callFrame: frame('(root)'), children: [2, 3, 6] },
    { id: 2, callFrame: frame('(idle)') },
    { id: 3, callFrame: frame('main', 'file:///r/impl/service/tasks/a.ts', 4), children: [4] },
    { id: 4, callFrame: frame('main', 'file:///r/impl/service/tasks/a.ts', 4), children: [5] },
    { id: 5, callFrame: frame('sign', 'file:///r/node_modules/@x/bls/i.js', 0), children: [7] },
    { id: 6, callFrame: frame('(garbage collector)') },
    { id: 7, callFrame: frame('wasm-function[3]', 'wasm://wasm/1234') },
  ],
  startTime: 1_000,
  endTime: 11_000,
  samples: [3, 4, 5, 7, 2, 6],
  timeDeltas: [0, 1_000, 2_000, 1_000, 1_000, 4_000],
}

describe('summarise', () => {
  it('gives every millisecond to a folder', () => {
    const { wallMs, busyMs, folders } = summarise(profile)
    expect({ wallMs, busyMs }).toEqual({ wallMs: 10, busyMs: 6 })
    expect(folders).toEqual([
      { name: 'impl/service/tasks', ms: 3 },
      { name: '@x/bls', ms: 1 },
      { name: '@x/bls WebAssembly', ms: 1 },
      { name: '(garbage collector)', ms: 1 },
    ])
  })

  it('counts a function that calls itself once', () => {
    const { self, inclusive } = summarise(profile)
    expect(self[0]).toEqual({ name: 'main /r/impl/service/tasks/a.ts:5', ms: 3 })
    expect(inclusive.slice(0, 2)).toEqual([
      { name: 'main /r/impl/service/tasks/a.ts:5', ms: 5 },
      { name: 'sign @x/bls/i.js:1', ms: 2 },
    ])
  })

  it('leaves out what is before and after the window', () => {
    const { wallMs, folders } = summarise(profile, { window: { from: 3_500, to: 5_500 } })
    expect(wallMs).toBe(2)
    expect(folders).toEqual([
      { name: '@x/bls', ms: 1 },
      { name: 'impl/service/tasks', ms: 0.5 },
      { name: '@x/bls WebAssembly', ms: 0.5 },
    ])
  })

  it('shows the places that a source map names', () => {
    const locate = () => ({ name: 'mapped', file: 'chain/reads.ts', line: 9 })
    expect(summarise(profile, { locate }).self).toEqual([
      { name: 'mapped chain/reads.ts:9', ms: 6 },
    ])
  })
})
