import { Type } from '@sinclair/typebox'
import type { Instant } from './instant.ts'

/** Past so many pages of the largest size, rows could no longer be counted exactly. */
const maxPage = 1_000_000_000_000

/** The parameters of every list (sections 4.12 and 8). */
export const PageQuery = Type.Object({
  page: Type.Integer({
    minimum: 1,
    maximum: maxPage,
    default: 1,
    description: 'Which page; past the last one there are no results.',
  }),
  size: Type.Integer({ minimum: 1, maximum: 100, default: 10, description: 'Rows of a page.' }),
  as_of: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: maxPage * 100,
      description:
        'The `total` that an earlier page told: pages are cut from the list as it was then, so that joined pages have no row twice while rows arrive. The links of an answer carry it.',
    }),
  ),
})

const moment = (description: string) =>
  Type.Unsafe<Instant>(
    Type.String({
      format: 'date-time',
      description: `${description} ISO 8601; UTC where it has no offset; a date alone is its first moment.`,
    }),
  )

/** The windows of the statistics; both ends belong to them (section 4.12). */
export const WindowsQuery = Type.Object({
  task_window_start: moment('Tasks from this moment on.'),
  task_window_end: Type.Optional(moment('Tasks until this moment.')),
  policy_window_start: Type.Optional(moment('Policies from this moment on.')),
  policy_window_end: Type.Optional(moment('Policies until this moment.')),
})

export const NoQuery = Type.Object({})
