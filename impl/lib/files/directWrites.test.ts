import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/**
 * Modules that write, rename or copy files by themselves, and why they may. All others use `replaceFile`,
 * `writeOutput`, `moveFile` or `generations.ts`, which leave no part of a file after a crash.
 */
const allowed: Readonly<Record<string, string>> = {
  'conformance/commands/reportToGithub.ts': 'appends to the files that GitHub names',
  'conformance/examples/reporter.mjs': 'an example of a reporter',
  'conformance/own/importModules.ts': 'a temporary folder of one build',
  'conformance/commands/record.ts': 'a temporary folder of one recording',
  'conformance/runner/eventLog.ts': 'appended line by line, synced at the end',
  'conformance/self-test/local/thirdPartyTarget.ts': 'a temporary folder of one campaign',
  'conformance/targets/command.ts': 'a temporary folder of one gateway',
  'fixtures/oracles/build.ts': 'a cache of builds, whose files are named by their content',
  'fixtures/oracles/prebuilt.ts': 'written when this repository is built',
  'impl/cli/runStack.ts': 'an empty file that shows whether a folder can be written',
  'impl/lib/compile/importCompiled.mjs': 'a cache of bundles',
  'impl/lib/compile/loadScript.mjs': 'a cache of compiled code',
  'impl/service/content/contentHealth.ts':
    'a file of one byte that shows whether contents can be written, and is removed',
  'impl/service/operators/signedResponses.ts': 'a log that is synced line by line, and a lock',
  'impl/service/snapshot/fillDirectory.ts': 'a synced stream into a draft',
  'impl/service/snapshot/snapshotFile.ts': 'a synced stream into a draft',
  'impl/service/store/clusterTar.ts': 'files of the embedded database',
  'impl/service/store/directoryLock.ts': 'a lock',
  'impl/service/store/prebuiltCluster.ts': 'written when this repository is built',
  'impl/service/store/preparedCluster.ts': 'files of the embedded database',
  'impl/studio/build/buildStudio.ts': 'written when this repository is built',
}

const writing =
  /\b(writeFile|writeFileSync|appendFile|appendFileSync|createWriteStream|rename|renameSync|copyFile|copyFileSync|cp|cpSync|link|linkSync|symlink|truncate|truncateSync)\b/
const imports =
  /(?:import|const)\s+([^;'"]*?)\s+(?:from|=\s+(?:await\s+)?(?:import|require|process\.getBuiltinModule)\()\s*['"](?:node:)?fs(?:\/promises)?['"]/g

/** Without tests, what only tests use, and the functions that the others use. */
const isOwn = (path: string): boolean =>
  !/\.(test|suite|fixture)\.ts$|\/testing\/|\/node_modules\/|^impl\/lib\/files\//.test(path)

it('only listed modules write files without leaving the old or the new one after a crash', () => {
  const modules = ['impl', 'conformance', 'chain', 'fixtures'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(ts|tsx|mjs)$/.test(path))
      .map((path) => `${folder}/${path}`),
  )
  const found = modules.filter(isOwn).filter((path) => {
    const text = readFileSync(`${root}${path}`, 'utf8')
    return [...text.matchAll(imports)].some(
      // A namespace has all functions.
      ([, names = '']) => writing.test(names) || /\*|^\w+$/.test(names.trim()),
    )
  })
  expect(modules.length).toBeGreaterThan(1_000)
  expect(found.sort()).toEqual(Object.keys(allowed).sort())
})
