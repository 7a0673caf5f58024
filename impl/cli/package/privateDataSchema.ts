import { type Static, type TSchema, Type } from '@sinclair/typebox'

const closed = { additionalProperties: false } as const
const Data = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description })

/** Member names of data types and of ephemeral data. */
const byName = <Value extends TSchema>(value: Value, description: string) =>
  Type.Optional(
    Type.Record(Type.String({ minLength: 1, maxLength: 64 }), value, {
      description,
      maxProperties: 8,
    }),
  )

/** The content of `testPrivateData`: what a policy reads as private data in tests and simulations. */
export const TestPrivateData = Type.Object(
  {
    identity: Type.Optional(Data('Identity of the user, as service.identity reads it')),
    confidential: byName(
      Data('{"entries": [addresses]} for lists, {"values": {...}} for confidential.get'),
      'Data of providers by its type, such as blacklist: set, granted and published',
    ),
    privacy: byName(Data('An object'), 'Ephemeral data by name, as data.privacy has it'),
  },
  { ...closed, title: 'Private data of tests' },
)
export type TestPrivateData = Static<typeof TestPrivateData>

const Changed = (description: string) => Type.Union([Type.Null(), Data(description)])

/** What differs in one case. */
export const PrivateDataChanges = Type.Object(
  {
    identity: Type.Optional(
      Changed('Members that differ, null removes one; null: no identity is linked'),
    ),
    confidential: byName(
      Changed('Members that differ, null removes one; null: not set, or not granted'),
      'By data type',
    ),
    privacy: byName(Changed('Members that differ, null removes one; null: not sent'), 'By name'),
  },
  {
    ...closed,
    description: 'Private data that differs from testPrivateData of the package',
  },
)
export type PrivateDataChanges = Static<typeof PrivateDataChanges>
