#!/usr/bin/env node
// Runs the TypeScript sources of this package without a build step.

/** The commands of regoCommands.ts: most of their time is their start, so they load nothing else. */
const isQuick = ['regorus', 'opa', 'rego'].includes(process.argv[2] ?? '')

async function load() {
  if (isQuick) {
    const { importScript } = await import('polgate-lib/compile/importScript.mjs')
    return importScript('impl/cli/regoMain.ts')
  }
  const { setFlagsFromString } = await import('node:v8')
  // WebAssembly functions are optimized once they are hot. By default thousands of the embedded
  // database are while it starts, which takes half of the CPU time of a short command; with this
  // number of executed bytes (Node 20: a twentieth) only those that stay hot are.
  setFlagsFromString('--wasm-tiering-budget=36000000')
  const { importCompiled } = await import('polgate-lib/compile/importCompiled.mjs')
  return importCompiled('impl/cli/main.ts')
}

const { run } = await load()
await run(process.argv)
