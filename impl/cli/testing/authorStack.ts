import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LocalStack } from 'polgate-local/localStack.ts'
import { writeStackFile } from 'polgate-local/stackFile.ts'
import { startChaosStack } from 'polgate-self-test/local/localChaos.ts'
import { mockStack } from '../stack/mockStack.ts'
import { replaceableMocks } from '../stack/replaceableMocks.ts'
import { type Ran, runMain } from './runMain.ts'

const templates = fileURLToPath(new URL('../templates/', import.meta.url))

/** A stack as `polgate start` runs it, in this process, and its description in a file. */
export type AuthorStack = {
  readonly stack: LocalStack
  readonly directory: string
  readonly file: string
  /** Runs a command on it: adds `--target`. */
  readonly run: (...args: readonly string[]) => Promise<Ran>
  readonly close: () => Promise<void>
}

/** For tests: one stack for all commands of policy authors. */
export async function startAuthorStack(): Promise<AuthorStack> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-author-'))
  const base = await mockStack(
    readdirSync(templates, { recursive: true, encoding: 'utf8' })
      .filter((name) => basename(name) === 'mocks.yaml')
      .map((name) => join(templates, name)),
  )
  const mocks = replaceableMocks(base)
  const stack = await startChaosStack({
    mocks,
    timeTravel: true,
    parts: { oracleEgress: mocks.egress },
  })
  const file = join(directory, 'stack.json')
  await writeStackFile(stack.description, file)
  return {
    ...{ stack, directory, file },
    run: (...args) => runMain(...args, '--target', file),
    async close() {
      await stack.close()
      await mocks.close()
      await rm(directory, { recursive: true })
    },
  }
}
