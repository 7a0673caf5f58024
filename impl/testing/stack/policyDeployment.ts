import { readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { maxExpireAfter } from 'polgate-protocol/expiryBlock.ts'
import type {
  OracleDeploymentRequest,
  PolicyClientKind,
  PolicyDeploymentRequest,
} from './controlWire.ts'
import { TestingError } from './testingError.ts'

/** An oracle of a policy that a test deploys. */
export type OracleToDeploy = {
  /** For messages; default the name of the file. */
  readonly name?: string | undefined
  /**
   * A component as bytes, or a path: `.wasm`, or a source, `.js` (needs
   * `@bytecodealliance/componentize-js`) or `.wat`.
   */
  readonly component: Uint8Array | string
  /** JSON Schema of the secrets (section 2.7). */
  readonly secretsSchema?: Readonly<Record<string, unknown>> | undefined
  /** Secrets that the owner of the client has stored for it. */
  readonly secrets?: Readonly<Record<string, string>> | undefined
}

/** A policy that a test deploys, with a client of its own. */
export type PolicyToDeploy = {
  /** Source of the policy. */
  readonly rego: string
  /** `package.rule`. Default: the rule `allow` of the package of the source. */
  readonly entrypoint?: string | undefined
  /** `data.params`, JSON. Default `{}`. */
  readonly params?: unknown
  /** JSON Schema of the parameters. */
  readonly paramsSchema?: Readonly<Record<string, unknown>> | undefined
  /** In the order of the policy data on chain. */
  readonly oracles?: readonly OracleToDeploy[] | undefined
  /** Default `sample`. */
  readonly client?: PolicyClientKind | undefined
  /** Blocks for which attestations and oracle data are valid. Default 1,000. */
  readonly expireAfter?: number | undefined
}

const kinds: readonly PolicyClientKind[] = ['sample', 'withoutDomain', 'tokenVault']
const members = [
  ...['rego', 'entrypoint', 'params', 'paramsSchema', 'oracles', 'client', 'expireAfter'],
]

/**
 * Reads the files of a policy and checks its members.
 *
 * @throws TestingError `option`
 */
export async function policyRequest(policy: PolicyToDeploy): Promise<PolicyDeploymentRequest> {
  const unknown = Object.keys(policy).find((name) => !members.includes(name))
  if (unknown !== undefined)
    throw refused(`Unknown member ${unknown} of a policy`, `Known members: ${members.join(', ')}.`)
  const { rego, params = {}, paramsSchema, oracles = [], client = 'sample' } = policy
  const { expireAfter = 1_000 } = policy
  if (typeof rego !== 'string' || rego.trim() === '')
    throw refused('rego must be the source of a policy', 'Read it with readFile(path, "utf8").')
  if (!kinds.includes(client))
    throw refused(`Unknown client ${client}`, `One of ${kinds.join(', ')}.`)
  if (!Number.isInteger(expireAfter) || expireAfter < 1 || expireAfter > maxExpireAfter)
    throw refused(
      `expireAfter must be a whole number of blocks, 1 to ${maxExpireAfter}, not ${expireAfter}`,
      'Default 1000.',
    )
  return {
    rego,
    entrypoint: policy.entrypoint ?? defaultEntrypoint(rego),
    paramsText: JSON.stringify(params),
    ...(paramsSchema === undefined ? {} : { paramsSchema }),
    oracles: await Promise.all(oracles.map(oracleRequest)),
    client,
    expireAfter,
  }
}

function defaultEntrypoint(rego: string): string {
  // Not over lines: a source of empty lines would be read again from each of them.
  const name = /^[ \t]*package\s+([\w.]+)/m.exec(rego)?.[1]
  if (name !== undefined) return `${name}.allow`
  throw refused('The policy has no package', 'Begin it with a line such as: package policy')
}

async function oracleRequest(
  { component, name, secretsSchema, secrets }: OracleToDeploy,
  at: number,
): Promise<OracleDeploymentRequest> {
  const rest = {
    ...(secretsSchema === undefined ? {} : { secretsSchema }),
    ...(secrets === undefined ? {} : { secrets }),
  }
  if (typeof component !== 'string') {
    const base64 = Buffer.from(component).toString('base64')
    return {
      name: checkedName(name ?? `oracle-${at}`),
      component: { kind: 'wasm', base64 },
      ...rest,
    }
  }
  const kind = extname(component).slice(1)
  if (kind !== 'wasm' && kind !== 'wat' && kind !== 'js')
    throw refused(`The oracle ${component} is no .wasm, .js or .wat file`, 'Compile it first.')
  const bytes = await readFile(component).catch((cause: Error) => {
    throw refused(`Cannot read the oracle ${component}`, `${cause.message}.`)
  })
  const own = basename(component, `.${kind}`)
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]/g, '-')
  return {
    name: checkedName(name ?? own),
    component: { kind, base64: bytes.toString('base64') },
    ...rest,
  }
}

function checkedName(name: string): string {
  if (/^[a-z0-9_-]{1,64}$/.test(name)) return name
  throw refused(`${JSON.stringify(name)} is not a name of an oracle`, 'Use a-z, 0-9, - and _.')
}

const refused = (message: string, hint: string) =>
  new TestingError(message, { code: 'option', hint })
