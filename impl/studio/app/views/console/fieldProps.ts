import type { Components, Schema } from './schema.ts'
import type { Problems } from './validateParams.ts'

/** What a field needs of its form. */
export type FieldProps = {
  readonly name: string
  /** Of the value in the parameters: `intent.from`. */
  readonly path: string
  readonly schema: Schema
  readonly required: boolean
  /** Undefined: absent. */
  readonly value: unknown
  readonly onChange: (value: unknown) => void
  readonly components: Components
  readonly problems: Problems
}
