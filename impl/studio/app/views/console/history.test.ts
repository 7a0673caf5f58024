import { expect, it } from 'vitest'
import { addToHistory, clearHistory, type HistoryEntry, readHistory } from './history.ts'

function storageOf(initial?: string) {
  const items = new Map(initial === undefined ? [] : [['studio-console', initial]])
  return {
    items,
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
  }
}

const entry = (params: unknown, members: Partial<HistoryEntry> = {}): HistoryEntry => ({
  ...{ at: 1, call: 'getTask', params, key: 'rpc', ms: 2, outcome: 'ok', ...members },
})

it('keeps no member that may hold a secret, at any depth', () => {
  const storage = storageOf()
  const hidden = ['secret', 'password', 'secrets', 'envelope', 'private_key', 'apiKey', 'token']
  const params = Object.fromEntries(hidden.map((name) => [name, 'sensitive-value']))
  addToHistory(
    storage,
    entry({ url: 'https://a.example', list: [{ ...params, kept: 1 }], ...params }),
  )
  expect(storage.items.get('studio-console')).not.toContain('sensitive-value')
  expect(readHistory(storage)[0]?.params).toEqual({ url: 'https://a.example', list: [{ kept: 1 }] })
})

it('is bounded in entries, in the length of one, and as a whole', () => {
  const storage = storageOf()
  for (let at = 0; at < 60; at += 1)
    addToHistory(storage, entry({ data: 'x'.repeat(19_000) }, { at }))
  const entries = readHistory(storage)
  expect(entries[0]?.at).toBe(59)
  expect(entries.length).toBeGreaterThan(20)
  expect(storage.items.get('studio-console')!.length).toBeLessThanOrEqual(500_000)
  expect(addToHistory(storage, entry({ data: 'x'.repeat(30_000) }))[0]).not.toHaveProperty(
    'params.data',
  )
  const small = storageOf()
  for (let at = 0; at < 120; at += 1) addToHistory(small, entry({}, { at }))
  expect(readHistory(small)).toHaveLength(100)
  expect(clearHistory(small)).toEqual([])
  expect(readHistory(small)).toEqual([])
})

it.each(['{', 'null', '{"a":1}', '[1, null, {"at": "x"}]'])('reads %s as empty', (text) => {
  expect(readHistory(storageOf(text))).toEqual([])
})

it('goes on where the browser stores nothing', () => {
  const refusing = {
    getItem: () => null,
    setItem: () => {
      throw new Error('QuotaExceededError')
    },
  }
  expect(addToHistory(refusing, entry({}))).toHaveLength(1)
})
