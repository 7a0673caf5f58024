import { isProperty, type TaggedCheck } from '../core/tags.ts'
import { checks } from './catalogue.ts'

/** Every check without what runs it. */
export const value: readonly TaggedCheck[] = checks.map(({ run, ...info }) => ({
  ...info,
  isProperty: isProperty({ ...info, run }),
}))
