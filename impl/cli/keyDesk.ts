import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readStackFile } from '../local/stackFile.ts'
import type { ApiKeyRecord, CreateKeyOptions, NewKey } from '../store/apiKeys.ts'
import { openStore } from '../store/openStore.ts'
import { CommandError } from './verb.ts'

/** Where keys are kept: the store itself, or a running local stack that owns it. */
export type KeyDesk = {
  create(options: CreateKeyOptions): Promise<NewKey>
  rotate(id: string): Promise<NewKey>
  delete(id: string): Promise<void>
  list(): Promise<ApiKeyRecord[]>
  close(): Promise<void>
}

export type KeyDeskOptions = { readonly dataDir?: string; readonly control?: string }

/** `--data-dir`, else `SVC_DATABASE_URL`, else the local stack that runs in this directory. */
export async function openKeyDesk(options: KeyDeskOptions): Promise<KeyDesk> {
  const url = process.env.SVC_DATABASE_URL
  if (options.control === undefined && (options.dataDir !== undefined || url !== undefined)) {
    const store = await openStore(
      options.dataDir === undefined ? { url } : { dataDir: storeDirectory(options.dataDir) },
    )
    return { ...store.apiKeys, close: () => store.close() }
  }
  const control = options.control ?? (await readStackFile())?.controlUrl
  if (control === undefined) {
    throw new CommandError('There are no keys to work on here', {
      hint: 'Run `svc start` in this directory, or give --data-dir, or set SVC_DATABASE_URL.',
    })
  }
  return controlDesk(control)
}

/** A local stack keeps its store in a folder of its data directory. */
const storeDirectory = (dataDir: string): string => {
  const inside = join(dataDir, 'store')
  return existsSync(inside) ? inside : dataDir
}

function controlDesk(url: string): KeyDesk {
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${url}/keys${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((cause) => {
      throw new CommandError(`No local stack answers at ${url}`, {
        hint: 'Run `svc start`.',
        cause,
      })
    })
    const answer = (await response.json()) as { error?: string; hint?: string }
    if (response.ok) return answer
    throw new CommandError(answer.error ?? `HTTP ${response.status}`, {
      ...(answer.hint === undefined ? {} : { hint: answer.hint }),
    })
  }
  return {
    create: async (options) => (await call('POST', '', options)) as NewKey,
    rotate: async (id) => (await call('POST', `/${id}/rotate`)) as NewKey,
    delete: async (id) => void (await call('DELETE', `/${id}`)),
    list: async () => (await call('GET', '')) as ApiKeyRecord[],
    close: async () => {},
  }
}
