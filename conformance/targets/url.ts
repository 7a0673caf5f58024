import { CannotRun } from '../core/conformanceError.ts'
import { type KeyName, keyVariable } from '../core/exchange.ts'
import type { Target } from '../core/target.ts'
import { targetOfStack } from './target.ts'
import { brandOf, readStackDescription } from './targetFile.ts'
import type { TargetFile } from './targetSchema.ts'

const keyNames: readonly KeyName[] = [
  'read',
  'write',
  'rpc',
  'none',
  'expired',
  'stranger',
  'admin',
]

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Keys come from the environment only: an argument would be visible in the process list and in
 * shell history.
 */
const keysFrom = (env: Environment): Target['keys'] =>
  Object.fromEntries(
    keyNames.flatMap((name) => {
      const value = env[keyVariable(name)]
      return value ? [[name, value]] : []
    }),
  )

export type UrlTargetOptions = {
  readonly url: string
  /** Its name in reports; the URL by default. */
  readonly name?: string | undefined
  readonly file?: TargetFile | undefined
  /**
   * Address of the explorer, with or without `/v1`; else `SVC_EXPLORER_URL`, the file, the stack.
   */
  readonly explorerUrl?: string | undefined
  /** Path of the description that `polgate start` writes; used if its gateway is this target. */
  readonly stackFile: string
  readonly env: Environment
}

const gatewayHint = 'Use a URL such as https://gateway.example, or local.'

/** Without the path of the endpoint, so that both forms of the address are accepted. */
function baseOf(url: string, path = /\/(rpc)?\/?$/, hint = gatewayHint): string {
  let parsed: URL
  try {
    parsed = new URL(url)
  } catch (cause) {
    throw new CannotRun(`'${url}' is not a URL`, hint, cause)
  }
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')
    throw new CannotRun(`'${url}' is not an http or https URL`)
  if (parsed.username !== '' || parsed.password !== '')
    throw new CannotRun(
      'the URL contains credentials',
      'Set SVC_KEY_READ and the other SVC_KEY_ variables instead.',
    )
  return `${parsed.origin}${parsed.pathname.replace(path, '')}`
}

/** The explorer's address without `/v1`. */
const explorerOf = (url: string): string =>
  baseOf(url, /\/(v1)?\/?$/, 'Use a URL such as https://explorer.example.')

function sameAddress(a: string, b: string) {
  const normal = (url: string) => baseOf(url).replace('//localhost:', '//127.0.0.1:')
  return normal(a) === normal(b)
}

/**
 * A gateway that runs elsewhere. Its settings come from the target file, or from the description of
 * a local stack if that runs at this address; keys in the environment override both.
 */
export function targetOf(options: UrlTargetOptions): Target {
  const { file } = options
  if ((options.explorerUrl ?? options.env.SVC_EXPLORER_URL) === '')
    throw new CannotRun(
      `the URL of the explorer is empty${options.explorerUrl === undefined ? ' (SVC_EXPLORER_URL)' : ''}`,
      'A variable that it comes from may be unset. Give a URL, or omit --explorer-url.',
    )
  const gatewayUrl = baseOf(options.url)
  const stack = readStackDescription(options.stackFile)
  const known =
    stack !== undefined && sameAddress(stack.gatewayUrl, gatewayUrl)
      ? targetOfStack(stack, options.url)
      : undefined
  const explorerUrl =
    options.explorerUrl ?? options.env.SVC_EXPLORER_URL ?? file?.explorerUrl ?? known?.explorerUrl
  return {
    name: options.name ?? options.url,
    gatewayUrl,
    brand: brandOf(file, known?.brand),
    keys: { ...known?.keys, ...file?.keys, ...keysFrom(options.env) },
    controlUrl: file?.controlUrl ?? known?.controlUrl,
    chaosUrl: file?.chaosUrl ?? known?.chaosUrl,
    fixtureHostUrl: file?.fixtureHostUrl ?? known?.fixtureHostUrl,
    updatesUrl: file?.updatesUrl,
    explorerUrl: explorerUrl === undefined ? undefined : explorerOf(explorerUrl),
    explorerNetwork: file?.explorerNetwork,
    explorerLagSeconds: file?.explorerLagSeconds,
    networks: file?.networks ?? known?.networks,
    ...receiverOf(file),
    reference: known?.reference,
    chain: chainOf(file) ?? known?.chain,
    accounts: file?.accounts ?? known?.accounts,
    operators: file?.operators ?? known?.operators,
    clients: file?.clients ?? known?.clients ?? {},
    notApplicable: file?.notApplicable ?? {},
  }
}

/** Where webhooks are received, or that they cannot be. */
export function receiverOf(
  file: TargetFile | undefined,
): Pick<Target, 'webhookReceiver' | 'noReceiver'> {
  const place = file?.webhookReceiver
  if (place === undefined) return {}
  return place === false ? { noReceiver: true } : { webhookReceiver: place }
}

/** Without the members that only the deployment of fixtures needs. */
function chainOf(file: TargetFile | undefined): Target['chain'] {
  if (file?.chain === undefined) return undefined
  const { deployer: _, deployerBudget: __, ...chain } = file.chain
  return chain
}
