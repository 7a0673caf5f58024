import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Hono } from 'hono'
import { AppError } from 'polgate-lib/errors/appError.ts'

/** Replaces what hosts answer to the oracles of a running stack. */
export type MockControl = {
  /** Files like `mocks.yaml`, absolute. */
  files(): readonly string[]
  /** @throws AppError where a file cannot be read: then nothing changes */
  set(files: readonly string[]): Promise<void>
}

const Files = Type.Object({
  files: Type.Array(Type.String({ minLength: 1, maxLength: 4_096 }), { maxItems: 100 }),
})

/** `GET` and `PUT /mocks`; without files the stack is as it was started. */
export function addMockRoutes(app: Hono, mocks: MockControl): void {
  app.get('/mocks', (c) => c.json({ files: mocks.files() }))
  app.put('/mocks', async (c) => {
    const body: unknown = await c.req.json().catch(() => undefined)
    if (!Value.Check(Files, body)) return c.json({ error: 'mocks are {files}, paths' }, 422)
    try {
      await mocks.set(body.files)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return c.json({ error: error.message, hint: error.hint }, 422)
    }
    return c.json({ files: mocks.files() })
  })
}
