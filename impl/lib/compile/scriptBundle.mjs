// @ts-check
import { readFileSync } from 'node:fs'
import { wrapper } from './loadScript.mjs'

/** How esbuild makes one script of a module, for `loadScript`; with `scriptPlugins`. */
export const scriptOptions = /** @type {const} */ ({
  format: 'cjs',
  splitting: false,
  // It is read whole at each start, as text of one byte a character.
  minifyWhitespace: true,
  charset: 'ascii',
  // Code that V8 kept cannot import.
  supported: { 'dynamic-import': false },
  banner: { js: wrapper.begin },
  footer: { js: wrapper.end },
})

/** A script requires child processes when it starts one: few do, and loading them takes 5 ms. */
const lateChildProcess = {
  name: 'late-child-process',
  /** @param {import('esbuild').PluginBuild} build */
  setup(build) {
    build.onResolve({ filter: /^node:child_process$/ }, ({ kind, pluginData }) =>
      kind === 'require-call' && pluginData !== 'late'
        ? { path: 'late', namespace: 'late-child-process' }
        : undefined,
    )
    build.onLoad({ filter: /^/, namespace: 'late-child-process' }, () => ({
      contents: `module.exports = { spawn: (...args) => process.getBuiltinModule('node:child_process').spawn(...args) }`,
    }))
  },
}

/**
 * picocolors checks on loading whether stdout is a terminal. That opens the stream, which takes longer than
 * evaluating a policy; the result is not used, because `colours.ts` decides.
 */
const colourDefault = '(p.stdout || {}).isTTY'
const lateStdout = {
  name: 'late-stdout',
  /** @param {import('esbuild').PluginBuild} build */
  setup(build) {
    build.onLoad({ filter: /[\\/]picocolors[\\/]picocolors\.js$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8')
      if (!source.includes(colourDefault)) throw new Error(`${path} has no ${colourDefault}`)
      return { contents: source.replace(colourDefault, 'false') }
    })
  },
}

/** Before other plugins. */
export const scriptPlugins = [lateChildProcess, lateStdout]
