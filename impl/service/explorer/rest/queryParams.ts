import { Type } from '@sinclair/typebox'
import type { Instant } from './instant.ts'

/** Beyond this number of pages of the largest size, rows can no longer be counted exactly. */
const maxPage = 1_000_000_000_000

/** The parameters of every list (sections 4.12 and 8). */
export const PageQuery = Type.Object({
  page: Type.Integer({
    minimum: 1,
    maximum: maxPage,
    default: 1,
    description: 'Page number; past the last page there are no results.',
  }),
  size: Type.Integer({ minimum: 1, maximum: 100, default: 10, description: 'Rows per page.' }),
  as_of: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: maxPage * 100,
      description:
        'The `total` of an earlier page: pages are cut from the list as it was then, so that joined pages have no duplicate rows while new rows arrive. The links of a response contain it.',
    }),
  ),
})

const moment = (description: string) =>
  Type.Unsafe<Instant>(
    Type.String({
      format: 'date-time',
      description: `${description} ISO 8601; UTC without an offset; a date alone is its first instant.`,
    }),
  )

/** The windows of the statistics, both ends included (section 4.12). */
export const WindowsQuery = Type.Object({
  task_window_start: moment('Tasks from this time on.'),
  task_window_end: Type.Optional(moment('Tasks until this time.')),
  policy_window_start: Type.Optional(moment('Policies from this time on.')),
  policy_window_end: Type.Optional(moment('Policies until this time.')),
})

export const NoQuery = Type.Object({})
