import { readFileSync } from 'node:fs'
import type { Static } from '@sinclair/typebox'
import { Ajv } from 'ajv'
import { describe, expect, expectTypeOf, test } from 'vitest'
import type { CheckFinished, RunFinished, RunStarted } from '../core/events.ts'
import { eventPage, eventSchemaText } from './eventPage.ts'
import type { eventSchemas } from './eventSchema.ts'
import { cleanRun, exampleRun, interruptedRun, outageRun } from './exampleRun.fixture.ts'

const here = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

type Node = Readonly<Record<string, unknown>>

/** The same schema without room for members that it does not name. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed)
  if (typeof node !== 'object' || node === null) return node
  const all = Object.fromEntries(Object.entries(node as Node).map(([k, v]) => [k, closed(v)]))
  return 'properties' in all ? { ...all, additionalProperties: false } : all
}

describe('the documented event log', () => {
  test('the published schema and the page are up to date', () => {
    expect(here('schema/events.schema.json')).toBe(eventSchemaText())
    expect(here('../EVENTS.md')).toBe(eventPage())
  })

  test('the schema names every member of the types, and no other', () => {
    type Schemas = { [T in keyof typeof eventSchemas]: Static<(typeof eventSchemas)[T]> }
    expectTypeOf<keyof Schemas['run-started']>().toEqualTypeOf<keyof RunStarted>()
    expectTypeOf<keyof Schemas['check-finished']>().toEqualTypeOf<keyof CheckFinished>()
    expectTypeOf<keyof Schemas['run-finished']>().toEqualTypeOf<keyof RunFinished>()
    expectTypeOf<RunFinished['broken']>().toExtend<readonly string[] | undefined>()
  })

  test.each(Object.entries({ exampleRun, interruptedRun, cleanRun, outageRun }))(
    '%s has only documented members',
    (_, events) => {
      const validate = new Ajv({ allErrors: true, strict: false }).compile(
        closed(JSON.parse(eventSchemaText())) as object,
      )
      for (const event of events) {
        validate(event)
        expect(validate.errors).toBeNull()
        expect(validate({ ...event, surprise: 1 })).toBe(false)
      }
    },
  )

  test('every member has a meaning on the page', () => {
    const rows = eventPage()
      .split('\n')
      .filter((line) => line.startsWith('| `'))
    expect(rows.length).toBeGreaterThan(90)
    for (const row of rows) if (!row.includes('`type`')) expect(row).not.toMatch(/\| {2}\|$/)
  })
})
