import { readStackFile } from 'polgate-local/stackFile.ts'
import type { ApiKeyRecord, NewKey } from 'polgate-service/store/apiKeys.ts'
import type { CreateKeyOptions } from 'polgate-service/store/keyOptions.ts'
import { openStore } from 'polgate-service/store/openStore.ts'
import { databaseUrl } from './databaseUrl.ts'
import { storeDirectory } from './storeDirectory.ts'
import { CommandError } from './verb.ts'

/** Where keys are kept: the store itself, or a running local stack that owns it. */
export type KeyDesk = {
  create(options: CreateKeyOptions): Promise<NewKey>
  rotate(id: string): Promise<NewKey>
  delete(id: string): Promise<void>
  list(): Promise<ApiKeyRecord[]>
  close(): Promise<void>
}

export type KeyDeskOptions = {
  readonly dataDir?: string
  readonly control?: string
  /** Whether a data directory without a store gets one. */
  readonly mayMakeStore?: boolean
}

/** `--data-dir`, else `DATABASE_URL`, else the local stack that runs in this directory. */
export async function openKeyDesk(options: KeyDeskOptions): Promise<KeyDesk> {
  const { dataDir, control } = options
  if (dataDir !== undefined && control !== undefined) {
    throw new CommandError('--data-dir and --control name two places of keys', {
      hint: 'Give --control for a stack that runs, --data-dir for one that does not.',
    })
  }
  const url = databaseUrl()
  if (control === undefined && (dataDir !== undefined || url !== undefined)) {
    const store = await openStore(
      dataDir === undefined
        ? { url }
        : { dataDir: storeDirectory(dataDir, options.mayMakeStore ?? false) },
    )
    return { ...store.apiKeys, close: () => store.close() }
  }
  const running = control ?? (await readStackFile())?.controlUrl
  if (running === undefined) {
    throw new CommandError('There are no keys to work on here', {
      hint: 'Run `svc start` in this directory, or give --data-dir, or set DATABASE_URL.',
    })
  }
  return controlDesk(running)
}

function controlDesk(url: string): KeyDesk {
  const unreachable = (cause: unknown) =>
    new CommandError(`No local stack answers at ${url}`, { hint: 'Run `svc start`.', cause })

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
      ...(answer.hint === undefined ? {} : { hint: answer.hint }),
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
