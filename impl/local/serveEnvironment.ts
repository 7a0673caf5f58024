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
 * Reads the test environment of a gateway under test from the file at `SVC_ENV_FILE`.
 *
 * @throws ServiceError that names the member, never its value
 */
export async function readEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): Promise<GatewayEnvironment> {
  const path = env[environmentFileVariable]
  if (path === undefined)
    throw refused(`${environmentFileVariable} is not set`, 'Set it to the path of a JSON file.')
  let value: unknown
  try {
    value = JSON.parse(await readFile(path, 'utf8'))
  } catch (cause) {
    // The parser's message may quote the file, which contains keys.
    throw refused(`Cannot read ${path} as JSON`, 'Check the path.', cause)
  }
  const validate = ajv.compile(GatewayEnvironment)
  if (validate(value)) return value as GatewayEnvironment
  const errors = validate.errors ?? []
  const error = errors[0]!
  const allowed = allowedValues(error, errors)
  const rule = allowed === undefined ? error.message : mustBeOneOf(allowed, error.data)
  throw refused(
    `${path} is not a valid environment: ${error.instancePath || 'the document'} ${rule}`,
    'See conformance/targets/CONTRACT.md.',
  )
}

const refused = (message: string, hint: string, cause?: unknown) =>
  new ServiceError(message, { code: -32603, clause: 'the environment', hint, cause })

/**
 * Runs the service in a test environment: when it accepts the first request, its keys are valid,
 * and its operators, limits and keys can be changed through the control listener.
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
