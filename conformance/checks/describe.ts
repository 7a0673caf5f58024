import { isProperty, type TaggedCheck } from '../core/tags.ts'
import { checksByFile } from './catalogue.ts'

/** Every check without what runs it, with the file that has it. */
export const value: readonly TaggedCheck[] = checksByFile.flatMap(([file, checks]) =>
  checks.map(({ run, ...info }) => ({
    ...info,
    file: `conformance/checks/${file}`,
    isProperty: isProperty({ ...info, run }),
  })),
)
