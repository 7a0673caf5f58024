import { describe, expect, it } from 'vitest'
import { call, set, value } from './builtinCalls.fixture.ts'

const document = { a: { b: 1, 'x/y': 2 }, list: [{ k: 1, l: 2 }, 5], s: set('m', 'n') }

describe('json.filter and json.remove', () => {
  it.each<[unknown, unknown, unknown]>([
    [['a/b'], { a: { b: 1 } }, { ...document, a: { 'x/y': 2 } }],
    [set('/a/x~1y'), { a: { 'x/y': 2 } }, { ...document, a: { b: 1 } }],
    [[['list', '0', 'k'], 'list/1'], { list: [{ k: 1 }, 5] }, { ...document, list: [{ l: 2 }] }],
    [['s/m'], { s: set('m') }, { ...document, s: set('n') }],
    [['a', 'a/b'], { a: document.a }, { list: document.list, s: document.s }],
    [['nothing/here', ''], {}, document],
  ])('paths %j', (paths, kept, left) => {
    expect(call('json.filter', document, paths)).toEqual(value(kept))
    expect(call('json.remove', document, paths)).toEqual(value(left))
  })

  it('reject invalid paths', () => {
    expect(() => call('json.filter', [], [])).toThrow('operand 1 must be object but got array')
    expect(() => call('json.remove', {}, 'a')).toThrow(
      'operand 2 must be one of {set, array} but got string',
    )
    expect(() => call('json.remove', {}, [1])).toThrow(
      'containing string paths or array of path segments but got number',
    )
  })
})

describe('json.patch', () => {
  it.each<[unknown, unknown[], unknown]>([
    [{ a: 1 }, [{ op: 'add', path: '/b/c', value: 2 }], undefined],
    [{ a: 1 }, [{ op: 'add', path: '/b', value: 2 }], { a: 1, b: 2 }],
    [[1, 3], [{ op: 'add', path: ['1'], value: 2 }], [1, 2, 3]],
    [[1], [{ op: 'add', path: '-', value: 2 }], [1, 2]],
    [[1], [{ op: 'add', path: '3', value: 2 }], undefined],
    [[1], [{ op: 'add', path: '01', value: 2 }], undefined],
    [{ a: [1, 2] }, [{ op: 'remove', path: 'a/0' }], { a: [2] }],
    [{ a: 1 }, [{ op: 'remove', path: 'b' }], undefined],
    [{ a: 1 }, [{ op: 'replace', path: 'a', value: { b: 1 } }], { a: { b: 1 } }],
    [{ a: 1 }, [{ op: 'replace', path: '', value: [] }], []],
    [{ a: { b: 1 } }, [{ op: 'move', from: 'a/b', path: 'c' }], { a: {}, c: 1 }],
    [{ a: { b: 1 } }, [{ op: 'move', from: 'a', path: 'a/b/c' }], undefined],
    [{ a: [1] }, [{ op: 'copy', from: 'a/0', path: 'a/-' }], { a: [1, 1] }],
    [{ a: 1 }, [{ op: 'test', path: 'a', value: 1 }], { a: 1 }],
    [{ a: 1 }, [{ op: 'test', path: 'a', value: 2 }], undefined],
    [set('a', set('b')), [{ op: 'remove', path: ['a'] }], set(set('b'))],
    [set('a'), [{ op: 'add', path: ['b'], value: 'b' }], set('a', 'b')],
    [set('a'), [{ op: 'add', path: ['b'], value: 'c' }], undefined],
    [set([1]), [{ op: 'add', path: [[1], '-'], value: 2 }], set([1, 2])],
    [{ a: 1 }, [{ op: 'unknown', path: 'a' }], undefined],
    [{ a: 1 }, [{ op: 'add', path: 'a' }], undefined],
    [{ a: 1 }, [1], undefined],
  ])('%j %j', (before, patch, after) => {
    const kept = value(before)
    expect(call('json.patch', before, patch)).toEqual(
      after === undefined ? undefined : value(after),
    )
    expect(value(before)).toEqual(kept)
  })
})
