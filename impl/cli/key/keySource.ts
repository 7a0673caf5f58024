import { randomBytes } from 'node:crypto'
import type { KeyAnswer } from 'polgate-local/keyRoutes.ts'
import { systemClock } from 'polgate-protocol/clock.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import { remoteKeyHolder } from 'polgate-service/operators/keyShareRemote.ts'
import { operatorConnection } from 'polgate-service/operators/operatorConnection.ts'
import { rosterRulesOf } from 'polgate-service/rosterConfig.ts'
import { parseServiceConfig } from 'polgate-service/serviceConfig.ts'
import { type KeyReport, keyControl } from 'polgate-service/threshold/keyControl.ts'
import { CommandError } from '../commandDefinition.ts'
import { controlRequest } from '../controlRequest.ts'
import { readConfig } from '../readConfig.ts'
import { findStack } from '../stack/findStack.ts'

/** An operation on the key, with operators by address. */
export type KeyRequest =
  | { readonly action: 'status' | 'refresh' }
  | { readonly action: 'reshare'; readonly to?: { needed: number; members: Address[] } | undefined }
  | { readonly action: 'recover'; readonly address: Address; readonly without: Address[] }

/** Where the key is managed: a running stack, or the operators of a gateway's configuration. */
export type KeySource = {
  readonly run: (request: KeyRequest) => Promise<KeyReport>
  readonly close: () => Promise<void>
}

export type SourceOptions = { readonly target?: string; readonly config?: string }

/** @throws CommandError */
export async function openKeySource({ target, config }: SourceOptions): Promise<KeySource> {
  if (config !== undefined && target !== undefined)
    throw new CommandError('--target and --config exclude each other', {
      hint: 'Pass --target for a running stack, --config for the operators of a service.',
    })
  return config === undefined ? ofStack(target) : ofConfig(config)
}

async function ofStack(target: string | undefined): Promise<KeySource> {
  const { stack } = await findStack(target)
  return { run: (request) => requestKey(stack.controlUrl, request), close: async () => {} }
}

/** The key of a running stack. @throws CommandError */
export async function requestKey(controlUrl: string, request: KeyRequest): Promise<KeyAnswer> {
  const [path, body] = wireOf(request)
  const response = await controlRequest(
    controlUrl,
    path,
    body === undefined
      ? {}
      : {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        },
  )
  return (await response.json()) as KeyAnswer
}

function wireOf(request: KeyRequest): [string, object?] {
  if (request.action === 'recover') {
    const { address, without } = request
    return ['/key/recover', { address, without }]
  }
  if (request.action !== 'reshare')
    return request.action === 'status' ? ['/key'] : ['/key/refresh', {}]
  if (request.to === undefined)
    throw new CommandError('a stack has no next roster in its configuration', {
      hint: 'Pass --members and --needed.',
    })
  return ['/key/reshare', request.to]
}

/** This process relays the messages; the gateway may run or not. */
async function ofConfig(path: string): Promise<KeySource> {
  const config = parseServiceConfig(await readConfig(path))
  const rules = rosterRulesOf(config)
  const connections = config.operators.map((entry) => {
    if (entry.kind === 'remote') return operatorConnection({ ...entry, clock: systemClock })
    throw new CommandError(`operator ${entry.address} runs in the process of the gateway`, {
      hint: 'Only a gateway whose operators all run in processes of their own can be managed so.',
    })
  })
  const closing = new AbortController()
  const control = keyControl({
    members: connections.map((connection, at) =>
      remoteKeyHolder({ connection, address: config.operators[at]!.address }),
    ),
    ...{ rules, random: randomBytes, closing: closing.signal },
    timeoutMs: config.threshold?.timeoutMs ?? 0,
  })
  return {
    async run(request) {
      if (request.action === 'reshare') return control.reshare(request.to)
      if (request.action === 'recover') return control.recover(request.address, request.without)
      return control[request.action]()
    },
    async close() {
      closing.abort()
      await Promise.all(connections.map((connection) => connection.close()))
    },
  }
}
