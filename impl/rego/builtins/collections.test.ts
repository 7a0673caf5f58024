import { describe, expect, it } from 'vitest'
import { display } from '../values/display.ts'
import { RegoObject } from '../values/object.ts'
import { call, set, value } from './builtinCalls.fixture.ts'

const keyed = RegoObject.from([
  [1, 'one'],
  [[2], 'two'],
])

describe('aggregates, arrays and sets', () => {
  it.each<[string, unknown[], unknown]>([
    ['count', ['a😀b'], 3],
    ['count', [[1, 2]], 2],
    ['count', [{ a: 1 }], 1],
    ['count', [set(1, 1)], 1],
    ['sum', [[1, 2.5]], 3.5],
    ['sum', [set()], 0],
    ['product', [[2, 3, 4]], 24],
    ['max', [[1, 'a', null]], 'a'],
    ['max', [set(3, 1)], 3],
    ['min', [['b', 'a']], 'a'],
    ['min', [[]], undefined],
    ['sort', [[3, 'a', 1]], [1, 3, 'a']],
    ['sort', [set(2, 1)], [1, 2]],
    ['any', [[false, true]], true],
    ['all', [[true, 1]], false],
    ['array.concat', [[1], [2]], [1, 2]],
    ['array.slice', [[1, 2, 3], -1, 2], [1, 2]],
    ['array.slice', [[1, 2, 3], 2, 1], []],
    ['array.slice', [[1, 2, 3], 0.5, 1], undefined],
    ['array.reverse', [[1, 2]], [2, 1]],
    ['array.flatten', [[1, [2, [3]]]], [1, 2, [3]]],
    ['and', [set(1, [2]), set([2], 3)], set([2])],
    ['or', [set(1), set(2)], set(1, 2)],
    ['intersection', [set(set(1, 2), set(2, 3))], set(2)],
    ['intersection', [set()], set()],
    ['union', [set(set(1), set(2))], set(1, 2)],
    ['internal.member_2', ['x', ['x']], true],
    ['internal.member_2', [[1], set([1])], true],
    ['internal.member_2', [2, { a: 2 }], true],
    ['internal.member_2', ['a', 'abc'], false],
    ['internal.member_3', ['a', 1, { a: 1 }], true],
    ['internal.member_3', [0, 'x', ['x']], true],
    ['internal.member_3', [1, 1, set(1)], true],
    ['internal.member_3', [1, 2, 3], false],
  ])('%s (%#)', (name, args, result) => {
    expect(call(name, ...args)).toEqual(result)
  })

  it.each<[string, unknown[], string]>([
    ['count', [1], 'operand 1 must be one of {array, object, set, string} but got number'],
    ['sum', [[1, 'a']], 'operand 1 must be array of numbers but got array containing string'],
    ['product', ['a'], 'operand 1 must be one of {set, array} but got string'],
    ['array.concat', [[], {}], 'operand 2 must be array but got object'],
    ['union', [set([1])], 'operand 1 must be set but got array'],
    ['and', [[], set()], 'operand 1 must be set but got array'],
  ])('%s refuses (%#)', (name, args, message) => {
    expect(() => call(name, ...args)).toThrow(
      expect.objectContaining({ message, code: 'eval_type_error' }),
    )
  })
})

describe('objects', () => {
  it.each<[string, unknown[], unknown]>([
    ['object.get', [{ a: { b: [5] } }, ['a', 'b', 0], 'no'], 5],
    ['object.get', [{ a: null }, 'a', 'no'], null],
    ['object.get', [{ a: 1 }, ['a', 'b'], 'no'], 'no'],
    ['object.get', [{ a: 1 }, '__proto__', 'no'], 'no'],
    ['object.get', [{ a: 1 }, [], 'no'], value({ a: 1 })],
    ['object.keys', [keyed], set(1, [2])],
    ['object.remove', [{ a: 1, b: 2 }, { a: 0 }], value({ b: 2 })],
    ['object.filter', [keyed, [[2], 3]], RegoObject.from([[[2], 'two']])],
    [
      'object.union',
      [
        { a: { b: 1 }, c: 1 },
        { a: { d: 2 }, c: { e: 3 } },
      ],
      value({ a: { b: 1, d: 2 }, c: { e: 3 } }),
    ],
    [
      'object.union_n',
      [[{ a: 1 }, { a: { b: 1 } }, { a: { c: 2 } }]],
      value({ a: { b: 1, c: 2 } }),
    ],
    ['object.subset', [{ a: { b: [1, 2, 3] } }, { a: { b: [2, 3] } }], true],
    ['object.subset', [{ a: 1 }, { a: 2 }], false],
    [
      'object.subset',
      [
        [1, 2, 1, 3],
        [1, 3],
      ],
      true,
    ],
    [
      'object.subset',
      [
        [1, 2, 3],
        [1, 3],
      ],
      false,
    ],
    ['object.subset', [[1, 2, 2], set(2, 1)], true],
    ['object.subset', [set(1, 2), set(3)], false],
  ])('%s (%#)', (name, args, result) => {
    expect(call(name, ...args)).toEqual(result)
  })

  it('reject operands that are not objects', () => {
    expect(() => call('object.get', [], 'a', 1)).toThrow('operand 1 must be object but got array')
    expect(() => call('object.remove', {}, 'a')).toThrow(
      'one of {object, set, array} but got string',
    )
    expect(() => call('object.union_n', [1])).toThrow(
      'array of objects but got array containing number',
    )
    expect(() => call('object.subset', {}, [])).toThrow('must be of the same type or array and set')
  })

  it('walk visits the whole value first, then members in order, with their paths', () => {
    const visited = call('walk', { b: [1], a: set(2) })
    expect(display(visited ?? null)).toBe(
      '[[[], {"a": {2}, "b": [1]}], [["a"], {2}], [["a", 2], 2], [["b"], [1]], [["b", 0], 1]]',
    )
  })

  it('reachable vertices are those in the graph', () => {
    const graph = { a: ['b', 'x'], b: set('a'), c: [] }
    expect(call('graph.reachable', graph, ['a'])).toEqual(set('a', 'b'))
    expect(call('graph.reachable', graph, set('x'))).toEqual(set())
    expect(call('graph.reachable_paths', { a: ['b', 'c'], b: ['c'], c: [] }, ['a'])).toEqual(
      set(['a', 'b', 'c'], ['a', 'c']),
    )
    expect(call('graph.reachable_paths', { a: ['a'] }, ['a'])).toEqual(set(['a']))
    expect(() => call('graph.reachable', graph, 'a')).toThrow('operand 2 must be {array, set}')
  })
})
