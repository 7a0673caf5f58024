import { describe, expect, it } from 'vitest'
import { answerOf } from '../testing/answers.ts'

describe('built-ins answer like OPA 1.2.0', () => {
  it.each([
    ['yaml.is_valid(":")', 'false'],
    ['yaml.unmarshal("a: |\\n c")', '{"a":"c"}'],
    ['yaml.unmarshal("a: |\\n c\\n")', '{"a":"c\\n"}'],
    ['yaml.unmarshal("a: |+\\n c")', '{"a":"c"}'],
    ['yaml.unmarshal("a: >\\n c\\n d")', '{"a":"c d"}'],
    ['yaml.unmarshal("a: |\\n c\\nb: 1")', '{"a":"c\\n","b":1}'],
    ['yaml.unmarshal("a: |+\\n c\\n\\n")', '{"a":"c\\n\\n"}'],
    ['yaml.is_valid("[a, |\\n c]")', 'false'],
    ['yaml.unmarshal("- |\\n c\\n ")', '["c\\n"]'],
    ['yaml.unmarshal("- |+\\n c\\n  ")', '["c\\n "]'],
    ['strings.replace_n({"": "b", "b": "c"}, "a.b.c")', '"bab.bcb.bcb"'],
    ['strings.replace_n({"": "-", "bb": "c", "b": "d"}, "abbb")', '"-a-d-d-d-"'],
    ['yaml.is_valid("~: 1")', 'false'],
    ['yaml.is_valid("{a: 1, ? }")', 'false'],
    ['yaml.is_valid("[:]")', 'false'],
    ['yaml.unmarshal("{.inf: 1, -.inf: 2, .nan: 3}")', '{"-.inf":2,".inf":1,".nan":3}'],
    ['indexof_n("aaa","aa")', '[0,1]'],
    ['indexof_n("ééé","é")', '[0,1,2]'],
    ['indexof_n("é😀é😀é","é😀é")', '[0,2]'],
    ['substring("abc", 0, 9223372036854775807)', '"abc"'],
    ['units.parse("1E")', '1000000000000000000'],
    ['units.parse("1e")', '1000000000000000000'],
    ['units.parse("1e3")', '1000'],
    ['units.parse("1e3k")', '1000000'],
    ['units.parse("1.5Gi")', '1610612736'],
    ['units.parse("\\"1\\"K")', '1000'],
    ['units.parse("1mi")', '1048576'],
    ['units.parse("1Mi")', '1048576'],
    ['units.parse("1MI")', '1048576'],
    ['units.parse(".5k")', '500'],
    ['units.parse("5.k")', '5000'],
    ['units.parse_bytes("1EB")', '1000000000000000000'],
    ['units.parse_bytes("1E")', '1000000000000000000'],
    ['units.parse_bytes("1e3")', '1000'],
    ['units.parse_bytes("1.7KB")', '1700'],
    ['units.parse_bytes("-1.5k")', '-1500'],
    ['units.parse_bytes("0.1kib")', '102'],
    ['json.patch({"a":[1,2]}, [{"op":"remove","path":["a",1.0]}])', 'undefined'],
    ['json.patch({"a":[1,2]}, [{"op":"remove","path":["a",1]}])', '{"a":[1]}'],
    ['json.patch({"a":[1,2]}, [{"op":"remove","path":"a/01"}])', 'undefined'],
    ['json.patch({"a":[1,2]}, [{"op":"remove","path":"a/1.0"}])', 'undefined'],
    ['json.patch({"a":[1,2]}, [{"op":"remove","path":"a/-1"}])', 'undefined'],
    ['json.patch({"a":[1,2]}, [{"op":"remove","path":"a/-"}])', 'undefined'],
    ['json.patch({"a":[1,2]}, [{"op":"add","path":"a/-","value":3}])', '{"a":[1,2,3]}'],
    ['json.patch({"a":[1,2]}, [{"op":"add","path":"a/3","value":3}])', 'undefined'],
    ['json.patch({"a":[1,2]}, [{"op":"replace","path":"a/-","value":3}])', 'undefined'],
    ['json.patch({"a":[1,2]}, [{"op":"test","path":"a/-","value":3}])', 'undefined'],
    ['json.patch({"a":[1,2]}, [{"op":"add","path":["a", null],"value":3}])', 'undefined'],
    ['json.patch({"a":1}, [{"op":"add","path":"","value":3}])', '3'],
    ['json.patch({"a":1}, [{"op":"add","path":"a/b","value":3}])', 'undefined'],
    ['json.patch({"a":1}, [{"op":"remove","path":"b"}])', 'undefined'],
    ['json.patch({"a":1}, [{"op":"replace","path":"b","value":1}])', 'undefined'],
    ['json.patch({"a":1}, [{"op":"foo","path":"b","value":1}])', 'undefined'],
    ['json.patch({"a":[[1],2]}, [{"op":"move","from":"a/0","path":"b"}])', '{"a":[2],"b":[1]}'],
    [
      'json.patch({"a":{"b":1}}, [{"op":"copy","from":"a","path":"a/c"}])',
      '{"a":{"b":1,"c":{"b":1}}}',
    ],
    [
      'json.patch({"a":1, "b":2}, [{"op":"remove","path":"a"}, {"op":"remove","path":"a"}])',
      'undefined',
    ],
    [
      'json.patch([1,2,3], [{"op":"remove","path":"0"},{"op":"remove","path":"0"},{"op":"add","path":"0","value":9}])',
      '[9,3]',
    ],
    ['json.patch({"": 1}, [{"op":"replace","path":"/","value":2}])', '{"":2}'],
    ['yaml.marshal("2020-01-01T00:00:00Z")', '"\\"2020-01-01T00:00:00Z\\"\\n"'],
    ['yaml.marshal("12:30")', '"\\"12:30\\"\\n"'],
    ['yaml.is_valid("%s")', 'false'],
    ['base64.is_valid(input)', 'undefined'],
    ['regex.globs_match("", "")', 'true'],
    ['crypto.parse_private_keys("text")', '[]'],
  ])('%s', (call, answer) => {
    expect(answerOf(`p := ${call}`, { dialect: 'opa-1.2' })).toBe(answer)
  })
})

describe('built-ins answer like the engine at 0.9 in its dialect', () => {
  it.each([
    ['array.slice([1, 2, 3], 0.5, 2)', 'undefined'],
    ['array.slice([1, 2, 3], 1.0, 2)', '[2]'],
    ['semver.is_valid("01.2.3")', 'false'],
    ['semver.is_valid("1.2.3-")', 'false'],
    ['semver.compare("1.2.3-99999999999999999999", "1.2.3-9")', '1'],
    ['units.parse("1h")', '100'],
    ['units.parse("1EB")', 'undefined'],
    ['units.parse_bytes("1ZB")', '1000000000000000000000'],
    ['glob.match("[a-cx]", ["."], "x")', 'true'],
    ['indexof_n("aaa", "aa")', '[0,1]'],
  ])('%s', (call, answer) => {
    expect(answerOf(`p := ${call}`)).toBe(answer)
  })
})
