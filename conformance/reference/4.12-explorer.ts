import { isObject } from '../core/expect.ts'
import { shown } from '../core/shown.ts'
import {
  differs,
  type Expectations,
  equals,
  equalsFact,
  fact,
  fromFact,
  never,
  required,
  satisfies,
} from './expectation.ts'

export const explorer: Expectations = {
  'explorer.policy.info': {
    member: equalsFact('onChain'),
    'policy-data': satisfies(
      fromFact('onChain'),
      (value, { onChain }) => shown(value).toLowerCase() === shown(onChain).toLowerCase(),
    ),
    owner: satisfies(
      fromFact('onChain'),
      (value, { onChain }) => shown(value).toLowerCase() === shown(onChain).toLowerCase(),
    ),
  },
  'explorer.policy.letters': {
    policy: equalsFact('shown'),
  },
  'explorer.policy.observed.members': {
    'further-members': equals([]),
    'members-of-rows': equalsFact('more'),
  },
  'explorer.policy.observed.verified': {
    verified: equals(true),
  },
  'explorer.policy.observed.no-metadata': {
    'described-member': equals(null),
  },
  'explorer.task.failed.*': {
    'created-block': equalsFact('taskCreatedBlock'),
    policy: satisfies(
      fromFact('hex'),
      (value, { hex, early }) => value === hex || (early === true && value === null),
    ),
    'task-created-at': satisfies('the time of its admission', (value) => value !== null),
    error: equalsFact('answered'),
    'challenge-result': equals(null),
  },
  'explorer.life.created': {
    'challenge-result': equals(null),
  },
  'explorer.task.observed.unchallenged': {
    'challenge-result-before': equals('unchallenged'),
    'challenge-result-after': equals('unsuccessful'),
  },
  'explorer.task.policy-config': {
    'expire-after': equalsFact('expireAfter'),
    'policy-params': fact('sameJson', fromFact('params')),
    'policy-config': fact('sameJson', fromFact('answered')),
  },
  'explorer.task.policy-task-data': {
    'policy-task-data': fact('sameJson', fromFact('answered')),
  },
  'explorer.task.metadata': {
    'reference-block': equalsFact('answered'),
    'expiration-block': equalsFact('answered'),
    'responded-block': equalsFact('block'),
    'response-digest': fact('sameHex', fromFact('digest')),
  },
  'explorer.task.letters': {
    'id-in-capitals': equals(200),
    hex: fact('lowerCase', 'in lower case'),
  },
  'explorer.task.observed.members': {
    'further-members': equals([]),
    'members-of-rows': equalsFact('more'),
  },
  'explorer.task.observed.operator-errors': {
    'operator-errors': fact('sameJson', fromFact('answered')),
  },
  'explorer.growth.pages': {
    'missing-tasks': equals([]),
  },
  'explorer.growth.links': {
    link: differs('none', 'rel="next"'),
    'missing-tasks': equals([]),
    'repeated-tasks': equals([]),
  },
  'explorer.growth.observed.never-on-chain': {
    shown: equals(true),
    count: satisfies(
      (facts) => `more than ${facts.before}`,
      (after: number, { before }) => after > Number(before),
    ),
  },
  'explorer.list.past-the-end': {
    rows: equals([]),
    'next-rows': equals([]),
  },
  'explorer.network.observed.unconfigured': {
    totals: satisfies('zeros', (totals) => shown(totals) === '[0,0,0,0]'),
  },
  'explorer.network.observed.letters': {
    status: equals(400),
    'header-status': equals(400),
  },
  'explorer.list.of-policy.letters': {
    list: fact('same', 'the same'),
    found: satisfies(fromFact('total'), (found: number, { total }) => found >= Number(total)),
  },
  'explorer.list.observed.absent': {
    list: equals({ total: 0, results: [] }),
  },
  'explorer.list.observed.order': {
    'tasks-of-policy': fact('falling', 'newest first'),
    'new-task': satisfies('first', (ids: readonly unknown[], { id }) => ids.includes(id)),
    'all-tasks': fact('falling', 'newest first'),
    policies: fact('newest', 'newest first'),
  },
  'explorer.paths.observed.versions': {
    status: equals(404),
  },
  'explorer.paths.observed.unknown': {
    status: equals(404),
    body: satisfies('an object', isObject),
  },
  'explorer.paths.observed.methods': {
    status: equals(405),
    allow: satisfies('GET', (allow: string) => allow.includes('GET')),
    head: equals(200),
  },
  'explorer.paths.observed.description': {
    'openapi-status': equals(200),
    'docs-status': equals(200),
    'openapi-version': satisfies('3.1', (version: string) => version.startsWith('3.1')),
    paths: satisfies(fromFact('known'), (listed, { known }) => shown(listed) === shown(known)),
    'network-header': fact('named', fromFact('header')),
  },
  'explorer.observed.reorganisation': {
    'dropped-policy': equals(404),
    total: equalsFact('before'),
    count: equalsFact('before'),
  },
  'explorer.stats.task-windows': {
    'tasks-without-time': equals(0, 'none'),
  },
  'explorer.stats.recomputed': {
    'tasks-without-time': equals(0, 'none'),
  },
  'explorer.surfaces.success': {
    events: never('both'),
  },
  'explorer.surfaces.failure': {
    'failed-task-shown': required,
    error: equalsFact('answered'),
    'error-message': satisfies(fromFact('error'), (said: string, { error }) =>
      said.includes(String(error)),
    ),
  },
  'explorer.stats.observed.edges': {
    count: equalsFact('exact'),
    'windows-beside': equals([0, 0]),
    policies: fact('unbounded', fromFact('total')),
  },
}
