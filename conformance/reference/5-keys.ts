import { type Expectations, equals, equalsFact, satisfies } from './expectation.ts'

export const keys: Expectations = {
  'rpc.keys.observed.admin': {
    'allowed-methods': equals([]),
  },
  'rpc.keys.observed.life': {
    statuses: equals([200, 401, 200, 401]),
  },
  'rpc.secrets.bytes': {
    bytes: equalsFact('sealed'),
  },
  'rpc.secrets.observed.none': {
    get: equals('error'),
  },
  'rpc.secrets.error.*': {
    forms: equals([], 'none'),
  },
  'rpc.secrets.error.observed.short': {
    error: satisfies('no q7', (error) => !String(error).includes('q7')),
  },
  'rpc.intent-digest.seen': {
    'simulate-policy': equalsFact('digest'),
    'simulate-task': equalsFact('digest'),
  },
  'rpc.intent-digest.absent': {
    'simulate-policy': equalsFact('absent'),
    'simulate-task': equalsFact('absent'),
  },
  'explorer.keys.observed.both': {
    'valid-bearer': equals(200),
    'invalid-bearer': equals(401),
    'other-scheme': equals(200),
  },
  'explorer.keys.observed.form': {
    status: equals(401),
  },
  'explorer.keys.observed.admin': {
    status: equals(403),
  },
  'explorer.keys.observed.new': {
    status: equals(200),
  },
}
