import type { ApiKeyRecord, NewKey } from 'polgate-service/store/apiKeys.ts'
import type { CreateKeyOptions } from 'polgate-service/store/keyOptions.ts'
import { openStore } from 'polgate-service/store/openStore.ts'
import { CommandError } from './commandDefinition.ts'
import { databaseUrl } from './databaseUrl.ts'
import { findStackIfAny } from './stack/findStack.ts'
import { storeDirectory } from './storeDirectory.ts'
import { detail } from './verbosity.ts'

/** Manages API keys in the store, or through a running local stack that has the store open. */
export type KeyManager = {
  create(options: CreateKeyOptions): Promise<NewKey>
  rotate(id: string): Promise<NewKey>
  delete(id: string): Promise<void>
  list(): Promise<ApiKeyRecord[]>
  close(): Promise<void>
}

export type KeyManagerOptions = {
  readonly dataDir?: string
  readonly control?: string
  /** Whether to create a store in a data directory that has none. */
  readonly mayMakeStore?: boolean
}

/** Uses `--data-dir`, else `DATABASE_URL`, else the local stack of this directory, else the only one that runs. */
export async function openKeyManager(options: KeyManagerOptions): Promise<KeyManager> {
  const { dataDir, control } = options
  if (dataDir !== undefined && control !== undefined) {
    throw new CommandError('--data-dir and --control exclude each other', {
      hint: 'Pass --control for a running stack, --data-dir for a stopped one.',
    })
  }
  const url = databaseUrl()
  if (control === undefined && (dataDir !== undefined || url !== undefined)) {
    // Not the address of the database, which has a password.
    detail(`keys in ${dataDir === undefined ? 'the database of DATABASE_URL' : dataDir}`)
    const store = await openStore(
      dataDir === undefined
        ? { url }
        : { dataDir: storeDirectory(dataDir, options.mayMakeStore ?? false) },
    )
    return { ...store.apiKeys, close: () => store.close() }
  }
  const running = control ?? (await findStackIfAny())?.stack.controlUrl
  if (running === undefined) {
    throw new CommandError('No key store found', {
      hint: 'Run `polgate start`, pass --data-dir, or set DATABASE_URL.',
    })
  }
  detail(`keys through the running stack at ${running}`)
  return controlDesk(running)
}

function controlDesk(url: string): KeyManager {
  const unreachable = (cause: unknown) =>
    new CommandError(`The local stack at ${url} is unreachable`, {
      hint: 'Run `polgate start`.',
      cause,
    })

  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${url}/keys${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((cause) => {
      throw unreachable(cause)
    })
    const answer = (await response.json().catch((cause) => {
      throw unreachable(cause)
    })) as { error?: string; hint?: string }
    if (response.ok) return answer
    throw new CommandError(answer.error ?? `HTTP ${response.status}`, {
      hint: answer.hint ?? 'polgate keys list shows the keys.',
    })
  }
  const of = (id: string) => `/${encodeURIComponent(id)}`
  return {
    create: async (options) => (await call('POST', '', options)) as NewKey,
    rotate: async (id) => (await call('POST', `${of(id)}/rotate`)) as NewKey,
    delete: async (id) => void (await call('DELETE', of(id))),
    list: async () => (await call('GET', '')) as ApiKeyRecord[],
    close: async () => {},
  }
}
