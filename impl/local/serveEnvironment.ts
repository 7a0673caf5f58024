import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { startWithCleanup } from 'polgate-lib/async/cleanupStack.ts'
import { allowedValues, mustBeOneOf } from 'polgate-protocol/enumeration.ts'
import { environmentFileVariable, GatewayEnvironment } from 'polgate-protocol/environment.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import { createService, type Service } from 'polgate-service/service.ts'
import { openStore } from 'polgate-service/store/openStore.ts'
import { adjustableLimits } from './adjustableLimits.ts'
import { serveControl } from './control.ts'
import { environmentConfig } from './environmentConfig.ts'
import { explorerParts } from './localExplorer.ts'

const ajv = new Ajv({ allErrors: false, strict: false, ownProperties: true, verbose: true })

/**
 * Reads what a gateway under test is handed: the file that `SVC_ENV_FILE` names.
 *
 * @throws ServiceError that names the member, never its value
 */
export async function readEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): Promise<GatewayEnvironment> {
  const path = env[environmentFileVariable]
  if (path === undefined)
    throw refused(`The environment has no ${environmentFileVariable}`, 'It names a JSON file.')
  let value: unknown
  try {
    value = JSON.parse(await readFile(path, 'utf8'))
  } catch (cause) {
    // The parser's message would repeat a piece of the file, which holds keys.
    throw refused(`${path} cannot be read as JSON`, 'Is the path right?', cause)
  }
  const validate = ajv.compile(GatewayEnvironment)
  if (validate(value)) return value as GatewayEnvironment
  const errors = validate.errors ?? []
  const error = errors[0]!
  const allowed = allowedValues(error, errors)
  const rule = allowed === undefined ? error.message : mustBeOneOf(allowed, error.data)
  throw refused(
    `${path} is no environment: ${error.instancePath || 'the top'} ${rule}`,
    'conformance/targets/CONTRACT.md says what it holds.',
  )
}

const refused = (message: string, hint: string, cause?: unknown) =>
  new ServiceError(message, { code: -32603, clause: 'the environment', hint, cause })

/**
 * Runs the service in the environment of a test: its keys are in force, and its operators, limits
 * and keys can be changed by the control listener, when it takes the first request.
 */
export const serveEnvironment = (environment: GatewayEnvironment): Promise<Service> =>
  startWithCleanup(async (cleanup) => {
    const directory = await mkdtemp(join(tmpdir(), 'svc-contents-'))
    cleanup.defer(() => rm(directory, { recursive: true, force: true }))
    const store = await openStore({})
    for (const { expiresAt, ...key } of environment.apiKeys)
      await store.apiKeys.create({ ...key, ...(expiresAt && { expiresAt: new Date(expiresAt) }) })
    const limits = adjustableLimits()
    const service = await createService(environmentConfig(environment, directory), {
      store,
      gateway: (deps) => ({ ...deps, rateLimits: limits.over(deps.rateLimits) }),
      ...explorerParts(undefined, limits),
    })
    cleanup.defer(() => service.close())
    const control = await serveControl({
      ...environment.listen.control,
      operators: service.operators,
      apiKeys: store.apiKeys,
      rpcUrl: environment.chain.rpcUrl,
      limits,
    })
    cleanup.defer(() => control.close())
    return { ...service, close: cleanup.close }
  })
