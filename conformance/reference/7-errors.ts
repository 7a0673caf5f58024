import { type Expectations, equals, equalsFact, fact, satisfies } from './expectation.ts'

export const errors: Expectations = {
  'rpc.any-member.*': {
    message: satisfies(
      ({ path }) => `one that names ${path}`,
      (message: string, { path }) =>
        String(path)
          .split('.')
          .some((name) => message.includes(name)),
    ),
  },
  'rpc.agreement.*': {
    'other-decision': equalsFact('task'),
  },
  'rpc.sendTask.*-version': {
    failure: equalsFact('created'),
  },
  'rpc.createTask.observed.pre-release': {
    failures: fact('refused', '-32618'),
  },
  'rpc.simulateTask.observed.empty-params': {
    allow: equals(true),
  },
  'explorer.not-found.observed.malformed': {
    status: equals(404),
  },
  'explorer.invalid.observed.body': {
    detail: fact('knownForm', '[{type, loc, msg, input}] twice'),
    named: equals(['page=abc', 'size=101'], 'both'),
  },
  'explorer.observed.precedence': {
    statuses: equals([401, 400, 400, 401]),
  },
}
