import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DeployedClient } from 'polgate-fixtures/deployClient.ts'
import { replaceFileSync } from 'polgate-lib/files/replaceFile.ts'
import { CannotRun } from '../core/conformanceError.ts'

/** What was deployed on a chain for a target, and its cost. Contains no key. */
export type DeploymentState = {
  readonly version: 1
  readonly chainId: number
  readonly deployer: string
  readonly token?: `0x${string}`
  readonly clients: Readonly<Record<string, DeployedClient>>
  readonly transactions: number
  /** Wei, over all runs. */
  readonly spent: string
}

/**
 * Everything that distinguishes deployments: chain, contracts, contents, and the oracles' data
 * source.
 */
export type DeploymentKey = {
  readonly chainId: number
  readonly deployer: string
  readonly taskManager: string
  readonly policyFactory: string
  readonly stranger: string
  readonly contents: unknown
  readonly places: unknown
}

/** The file of a deployment, below a project directory. */
export function deploymentFile(cwd: string, key: DeploymentKey): string {
  const hash = createHash('sha256').update(JSON.stringify(key).toLowerCase()).digest('hex')
  return join(cwd, '.svc/deployments', `${key.chainId}-${hash.slice(0, 16)}.json`)
}

/** @throws CannotRun for a damaged file: what was deployed would be paid for again */
export function readDeployment(file: string): DeploymentState | undefined {
  if (!existsSync(file)) return undefined
  try {
    const state = JSON.parse(readFileSync(file, 'utf8')) as DeploymentState
    return state.version === 1 ? state : undefined
  } catch (cause) {
    throw new CannotRun(
      `the record of a deployment, ${file}, is damaged: ${cause instanceof SyntaxError ? 'it is not JSON' : (cause as Error).message}`,
      'Restore it from a copy, or delete it to deploy everything again.',
      cause,
    )
  }
}

/** Written atomically after each client: a paid deployment is not repeated. */
export function writeDeployment(file: string, state: DeploymentState): void {
  mkdirSync(dirname(file), { recursive: true })
  replaceFileSync(file, `${JSON.stringify(state, null, 2)}\n`)
}
