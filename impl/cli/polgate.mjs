#!/usr/bin/env node
// Runs the TypeScript sources of this package without a build step.

/** The commands of regoCommands.ts: most of their time is their start, so they load nothing else. */
const isQuick = ['opa', 'rego', 'regorus'].includes(process.argv[2] ?? '')
/** That of mergeMain.ts, likewise. */
const isMerge = process.argv[2] === 'merge'

const optimizeLate = async () =>
  (await import('polgate-lib/compile/optimizeLate.mjs')).optimizeLate(process.argv[2])

async function load() {
  if (isQuick || isMerge) {
    const { importScript } = await import('polgate-lib/compile/importScript.mjs')
    if (isQuick) return importScript('impl/cli/regoMain.ts')
    await optimizeLate()
    return importScript('impl/cli/mergeMain.ts', ['conformance/checks/describe.ts'])
  }
  await optimizeLate()
  const { importCompiled } = await import('polgate-lib/compile/importCompiled.mjs')
  return importCompiled('impl/cli/main.ts')
}

const { run } = await load()
await run(process.argv)
