import { describe, expect, it } from 'vitest'
import { errorOf } from '../testing/answers.ts'

/** Calls with operands that a rule of OPA forbids, one for each text. Texts of OPA 1.2.0. */
describe('errors of built-ins have the texts of OPA', () => {
  it.each([
    [
      'input.a + input.b',
      '{"a":null,"b":0}',
      'eval_type_error: plus: operand 1 must be number but got null',
    ],
    [
      'input.a + input.b',
      '{"a":{},"b":16}',
      'eval_type_error: plus: operand 1 must be number but got object',
    ],
    [
      '{x | some x in input.a} - input.b',
      '{"a":[],"b":true}',
      'eval_type_error: minus: operand 2 must be number but got boolean',
    ],
    [
      'input.a - {x | some x in input.b}',
      '{"a":1e3,"b":[]}',
      'eval_type_error: minus: operand 2 must be number but got set',
    ],
    [
      'input.a * input.b',
      '{"a":-0.5,"b":[false,"{}"]}',
      'eval_type_error: mul: operand 2 must be number but got array',
    ],
    [
      'input.a % input.b',
      '{"a":-1,"b":-0.5}',
      'eval_builtin_error: rem: modulo on floating-point number',
    ],
    [
      'numbers.range(input.a, input.b)',
      '{"a":1.5,"b":1.0}',
      'eval_type_error: numbers.range: operand 1 must be integer number but got floating-point number',
    ],
    [
      'numbers.range_step(input.a, input.b, input.c)',
      '{"a":1,"b":0,"c":"abc"}',
      'eval_type_error: numbers.range_step: operand 3 must be integer but got string',
    ],
    [
      'numbers.range_step(input.a, input.b, input.c)',
      '{"a":{"a":{"a":null,"b":false}},"b":0.5,"c":16}',
      'eval_type_error: numbers.range_step: operand 1 must be integer but got object',
    ],
    [
      'bits.or(input.a, input.b)',
      '{"a":false,"b":0.5}',
      'eval_type_error: bits.or: operand 1 must be integer but got boolean',
    ],
    [
      'sum(input.a)',
      '{"a":["a/b",null]}',
      'eval_type_error: sum: operand 1 must be array of numbers but got array containing string',
    ],
    [
      'product(input.a)',
      '{"a":{"a":false,"b":true}}',
      'eval_type_error: product: operand 1 must be one of {set, array} but got object',
    ],
    [
      'product(input.a)',
      '{"a":[null,0.5,-0.5]}',
      'eval_type_error: product: operand 1 must be array of numbers but got array containing null',
    ],
    [
      'max(input.a)',
      '{"a":false}',
      'eval_type_error: max: operand 1 must be one of {set, array} but got boolean',
    ],
    [
      'min(input.a)',
      '{"a":"*"}',
      'eval_type_error: min: operand 1 must be one of {set, array} but got string',
    ],
    [
      'input.a & {x | some x in input.b}',
      '{"a":null,"b":[1e18,[null,false]]}',
      'eval_type_error: and: operand 1 must be set but got null',
    ],
    [
      '{x | some x in input.a} & input.b',
      '{"a":[[0,9223372036854775807]],"b":"10KB"}',
      'eval_type_error: and: operand 2 must be set but got string',
    ],
    [
      '{x | some x in input.a} | input.b',
      '{"a":[2],"b":[null]}',
      'eval_type_error: or: operand 2 must be set but got array',
    ],
    [
      'union(input.a)',
      '{"a":true}',
      'eval_type_error: union: operand 1 must be set but got boolean',
    ],
    [
      'object.remove(input.a, input.b)',
      '{"a":false,"b":[[true]]}',
      'eval_type_error: object.remove: operand 1 must be object but got boolean',
    ],
    [
      'object.remove(input.a, input.b)',
      '{"a":2,"b":{"x":"ff","y":"1h"}}',
      'eval_type_error: object.remove: operand 1 must be object but got number',
    ],
    [
      'object.remove(input.a, input.b)',
      '{"a":[],"b":{}}',
      'eval_type_error: object.remove: operand 1 must be object but got array',
    ],
    [
      'object.filter(input.a, input.b)',
      '{"a":null,"b":[0.5,{},{"a":{},"b":{}}]}',
      'eval_type_error: object.filter: operand 1 must be object but got null',
    ],
    [
      'object.filter(input.a, input.b)',
      '{"a":{"x":18446744073709551616},"b":false}',
      'eval_type_error: object.filter: operand 2 must be one of {object, set, array} but got boolean',
    ],
    [
      'object.union_n(input.a)',
      '{"a":[[null,"10KB"]]}',
      'eval_type_error: object.union_n: operand 1 must be array of objects but got array containing array',
    ],
    [
      'object.subset({x | some x in input.a}, input.b)',
      '{"a":[],"b":[null]}',
      'eval_type_error: object.subset: both arguments object.subset must be of the same type or array and set',
    ],
    [
      'json.marshal_with_options(input.a, input.b)',
      '{"a":["true"],"b":{"indent":"[1,2","prefix":"ff","pretty":true,"x":""}}',
      'eval_type_error: json.marshal_with_options: operand 2 object contained unknown key "x"',
    ],
    [
      'json.marshal_with_options(input.a, input.b)',
      '{"a":64,"b":{"indent":"[a","prefix":"a.b","pretty":[null],"x":false}}',
      'eval_type_error: json.marshal_with_options: operand 2 key "pretty" failed cast to bool',
    ],
    [
      'json.unmarshal(input.a)',
      '{"a":"a/b"}',
      "eval_builtin_error: json.unmarshal: invalid character 'a' looking for beginning of value",
    ],
    [
      'json.unmarshal(input.a)',
      '{"a":"é😀"}',
      "eval_builtin_error: json.unmarshal: invalid character 'Ã' looking for beginning of value",
    ],
    [
      'json.unmarshal(input.a)',
      '{"a":"*"}',
      "eval_builtin_error: json.unmarshal: invalid character '*' looking for beginning of value",
    ],
    [
      'json.unmarshal(input.a)',
      '{"a":true}',
      'eval_type_error: json.unmarshal: operand 1 must be string but got boolean',
    ],
    [
      'json.unmarshal(input.a)',
      '{"a":"ff"}',
      "eval_builtin_error: json.unmarshal: invalid character 'f' in literal false (expecting 'a')",
    ],
    [
      'json.filter(input.a, input.b)',
      '{"a":{"x":{},"y":null},"b":[[null,false],false]}',
      'eval_type_error: json.filter: operand 2 must be one of {set, array} containing string paths or array of path segments but got boolean',
    ],
    [
      'json.remove(input.a, input.b)',
      '{"a":{"x":true},"b":18446744073709551616}',
      'eval_type_error: json.remove: operand 2 must be one of {set, array} but got number',
    ],
    [
      'json.patch(input.a, input.b)',
      '{"a":[-0.5],"b":true}',
      'eval_type_error: json.patch: operand 2 must be array but got boolean',
    ],
    [
      'concat(input.a, input.b)',
      '{"a":"-1","b":[16,"{}","*"]}',
      'eval_type_error: concat: operand 2 must be array of strings but got array containing number',
    ],
    [
      'concat(input.a, {x | some x in input.b})',
      '{"a":"%s","b":[true,"{}"]}',
      'eval_type_error: concat: operand 2 must be set of strings but got set containing boolean',
    ],
    [
      'concat(input.a, input.b)',
      '{"a":{"a":["-1",{}],"b":false},"b":[]}',
      'eval_type_error: concat: operand 1 must be string but got object',
    ],
    [
      'concat(input.a, {x | some x in input.b})',
      '{"a":"a/b","b":[[],"YQ=="]}',
      'eval_type_error: concat: operand 2 must be set of strings but got set containing array',
    ],
    [
      'format_int(input.a, input.b)',
      '{"a":1,"b":18446744073709551616}',
      'eval_type_error: format_int: operand 2 must be one of {2, 8, 10, 16}',
    ],
    [
      'contains(input.a, input.b)',
      '{"a":[],"b":"10.0.0.1"}',
      'eval_type_error: contains: operand 1 must be string but got array',
    ],
    [
      'startswith(input.a, input.b)',
      '{"a":null,"b":"a.b"}',
      'eval_type_error: startswith: operand 1 must be string but got null',
    ],
    [
      'strings.replace_n(input.a, input.b)',
      '{"a":{"x":true},"b":"1.5"}',
      'eval_type_error: strings.replace_n: operand 1 non-string value found in pattern object',
    ],
    [
      'substring(input.a, input.b, input.c)',
      '{"a":"2020-01-01T00:00:00Z","b":"abc","c":-0.5}',
      'eval_type_error: substring: operand 2 must be number but got string',
    ],
    [
      'trim_right(input.a, input.b)',
      '{"a":1.5,"b":"a.b"}',
      'eval_type_error: trim_right: operand 1 must be string but got number',
    ],
    [
      'strings.any_prefix_match({x | some x in input.a}, input.b)',
      '{"a":[],"b":{"a":false}}',
      'eval_type_error: strings.any_prefix_match: operand 2 must be one of {string, set, array} but got object',
    ],
    [
      'strings.any_prefix_match(input.a, input.b)',
      '{"a":["a","",{"a":false,"b":[true]}],"b":["10.0.0.1","[a"]}',
      'eval_type_error: strings.any_prefix_match: operand 1 must be array of strings but got array containing object',
    ],
    [
      'strings.any_suffix_match(input.a, input.b)',
      '{"a":"YQ==","b":64}',
      'eval_type_error: strings.any_suffix_match: operand 2 must be one of {string, set, array} but got number',
    ],
    [
      'strings.any_suffix_match({x | some x in input.a}, {x | some x in input.b})',
      '{"a":["1.2.3",{"a":[false,2],"b":"ff"}],"b":["1h","RFC3339"]}',
      'eval_type_error: strings.any_suffix_match: operand 1 must be set of strings but got set containing object',
    ],
    [
      'strings.any_suffix_match(input.a, input.b)',
      '{"a":true,"b":18446744073709551616}',
      'eval_type_error: strings.any_suffix_match: operand 1 must be one of {string, set, array} but got boolean',
    ],
    [
      'to_number(input.a)',
      '{"a":"true"}',
      'eval_builtin_error: to_number: strconv.ParseFloat: parsing "true": invalid syntax',
    ],
    [
      'base64.decode(input.a)',
      '{"a":"[a"}',
      'eval_builtin_error: base64.decode: illegal base64 data at input byte 0',
    ],
    [
      'hex.decode(input.a)',
      '{"a":"true"}',
      "eval_builtin_error: hex.decode: encoding/hex: invalid byte: U+0074 't'",
    ],
    [
      'hex.decode(input.a)',
      '{"a":"a"}',
      'eval_builtin_error: hex.decode: encoding/hex: odd length hex string',
    ],
    [
      'hex.decode(input.a)',
      '{"a":"1.2.3"}',
      "eval_builtin_error: hex.decode: encoding/hex: invalid byte: U+002E '.'",
    ],
    [
      'hex.decode(input.a)',
      '{"a":"2020-01-01T00:00:00Z"}',
      "eval_builtin_error: hex.decode: encoding/hex: invalid byte: U+002D '-'",
    ],
    [
      'hex.decode(input.a)',
      '{"a":"10KB"}',
      "eval_builtin_error: hex.decode: encoding/hex: invalid byte: U+004B 'K'",
    ],
    [
      'units.parse(input.a)',
      '{"a":"ff"}',
      'eval_builtin_error: units.parse: units.parse: no amount provided',
    ],
    [
      'units.parse(input.a)',
      '{"a":"2020-01-01T00:00:00Z"}',
      'eval_builtin_error: units.parse: units.parse: unit T00:00:00z not recognized',
    ],
    [
      'units.parse_bytes(input.a)',
      '{"a":"10.0.0.1"}',
      'eval_builtin_error: units.parse_bytes: units.parse_bytes: could not parse byte amount to a number',
    ],
    [
      'units.parse_bytes(input.a)',
      '{"a":"{}"}',
      'eval_builtin_error: units.parse_bytes: units.parse_bytes: no byte amount provided',
    ],
    [
      'numbers.range_step(input.a, input.b, input.c)',
      '{"a":0,"b":0,"c":-1}',
      'eval_builtin_error: numbers.range_step: numbers.range_step: step must be a positive number above zero',
    ],
    [
      'bits.negate(input.a)',
      '{"a":null}',
      'eval_type_error: bits.negate: operand 1 must be integer but got null',
    ],
    [
      'sum(input.a)',
      '{"a":null}',
      'eval_type_error: sum: operand 1 must be one of {set, array} but got null',
    ],
    [
      'product({x | some x in input.a})',
      '{"a":[[{"a":false,"b":[]}]]}',
      'eval_type_error: product: operand 1 must be set of numbers but got set containing array',
    ],
    [
      'product(input.a)',
      '{"a":[1,-0.5,false]}',
      'eval_type_error: product: operand 1 must be array of numbers but got array containing boolean',
    ],
    [
      'product({x | some x in input.a})',
      '{"a":[64,true]}',
      'eval_type_error: product: operand 1 must be set of numbers but got set containing boolean',
    ],
    [
      'array.concat(input.a, input.b)',
      '{"a":[0.5,1e18,null],"b":"{}"}',
      'eval_type_error: array.concat: operand 2 must be array but got string',
    ],
    [
      'array.reverse(input.a)',
      '{"a":10}',
      'eval_type_error: array.reverse: operand 1 must be array but got number',
    ],
    [
      'union({x | some x in input.a})',
      '{"a":[18446744073709551616,[null]]}',
      'eval_type_error: union: operand 1 must be set but got number',
    ],
    [
      'object.union(input.a, input.b)',
      '{"a":"[1,2","b":{"x":null,"y":true}}',
      'eval_type_error: object.union: operand 1 must be object but got string',
    ],
    [
      'object.union_n(input.a)',
      '{"a":["",{},{}]}',
      'eval_type_error: object.union_n: operand 1 must be array of objects but got array containing string',
    ],
    [
      'json.marshal_with_options(input.a, input.b)',
      '{"a":9223372036854775807,"b":{"indent":null,"prefix":false,"pretty":false,"x":{"a":"true"}}}',
      'eval_type_error: json.marshal_with_options: operand 2 key "indent" failed cast to string: operand 0 must be string but got null',
    ],
    [
      'json.unmarshal(input.a)',
      '{"a":"YQ=="}',
      "eval_builtin_error: json.unmarshal: invalid character 'Y' looking for beginning of value",
    ],
    [
      'indexof_n(input.a, input.b)',
      '{"a":"a/b","b":""}',
      'eval_builtin_error: indexof_n: empty search character',
    ],
    [
      'strings.any_prefix_match(input.a, input.b)',
      '{"a":"1.5","b":["{}",null,"[1,2"]}',
      'eval_type_error: strings.any_prefix_match: operand 2 must be array of strings but got array containing null',
    ],
    [
      'strings.any_suffix_match(input.a, input.b)',
      '{"a":["é😀"],"b":[true]}',
      'eval_type_error: strings.any_suffix_match: operand 2 must be array of strings but got array containing boolean',
    ],
    [
      'base64url.decode(input.a)',
      '{"a":"a"}',
      'eval_builtin_error: base64url.decode: illegal base64url string: a',
    ],
    [
      'base64url.decode(input.a)',
      '{"a":"*"}',
      'eval_builtin_error: base64url.decode: illegal base64url string: *',
    ],
    [
      'hex.decode(input.a)',
      '{"a":"[a"}',
      "eval_builtin_error: hex.decode: encoding/hex: invalid byte: U+005B '['",
    ],
    [
      'hex.decode(input.a)',
      '{"a":"a/b"}',
      "eval_builtin_error: hex.decode: encoding/hex: invalid byte: U+002F '/'",
    ],
    [
      'hex.decode(input.a)',
      '{"a":"YQ=="}',
      "eval_builtin_error: hex.decode: encoding/hex: invalid byte: U+0059 'Y'",
    ],
    [
      'hex.decode(input.a)',
      '{"a":"*"}',
      "eval_builtin_error: hex.decode: encoding/hex: invalid byte: U+002A '*'",
    ],
    [
      'providers.aws.sign_req({"method":"get","url":"https://example.com","zz":1,"y":2}, {"aws_access_key":"a","aws_secret_access_key":"b","aws_region":"r","aws_service":"s3"}, 1)',
      '{}',
      'eval_type_error: providers.aws.sign_req: operand 1 invalid request parameters(s): {"y", "zz"}',
    ],
    [
      'urlquery.encode_object(input.a)',
      '{"a":{"x":[],"y":[[true,true]]}}',
      'eval_type_error: urlquery.encode_object: operand 1 values must be string, array[string], or set[string]',
    ],
    [
      'urlquery.decode_object(input.a)',
      '{"a":"%s"}',
      'eval_builtin_error: urlquery.decode_object: invalid URL escape "%s"',
    ],
    [
      'units.parse(input.a)',
      '{"a":"1.2.3"}',
      'eval_builtin_error: units.parse: units.parse: could not parse amount to a number',
    ],
    [
      'units.parse_bytes(input.a)',
      '{"a":"1h"}',
      'eval_builtin_error: units.parse_bytes: units.parse_bytes: byte unit h not recognized',
    ],
    [
      'graph.reachable(input.a, input.b)',
      '{"a":{"x":[true],"y":[[],{},{}]},"b":null}',
      'eval_type_error: graph.reachable: operand 2 must be {array, set} but got null',
    ],
    [
      'graph.reachable(input.a, input.b)',
      '{"a":{},"b":false}',
      'eval_type_error: graph.reachable: operand 2 must be {array, set} but got boolean',
    ],
    [
      'input.a - input.b',
      '{"a":true,"b":18446744073709551616}',
      'eval_type_error: minus: operand 1 must be one of {number, set} but got boolean',
    ],
    [
      'bits.xor(input.a, input.b)',
      '{"a":[],"b":10}',
      'eval_type_error: bits.xor: operand 1 must be integer but got array',
    ],
    [
      'count(input.a)',
      '{"a":true}',
      'eval_type_error: count: operand 1 must be one of {array, object, set, string} but got boolean',
    ],
    [
      'sum(input.a)',
      '{"a":[3,2,{}]}',
      'eval_type_error: sum: operand 1 must be array of numbers but got array containing object',
    ],
    [
      'array.slice(input.a, input.b, input.c)',
      '{"a":null,"b":1.0,"c":0}',
      'eval_type_error: array.slice: operand 1 must be array but got null',
    ],
    [
      'intersection(input.a)',
      '{"a":{}}',
      'eval_type_error: intersection: operand 1 must be set but got object',
    ],
    [
      'json.unmarshal(input.a)',
      '{"a":"10.0.0.1"}',
      "eval_builtin_error: json.unmarshal: invalid character '.' looking for beginning of value",
    ],
    [
      'json.unmarshal(input.a)',
      '{"a":"%s"}',
      "eval_builtin_error: json.unmarshal: invalid character '%' looking for beginning of value",
    ],
    [
      'json.unmarshal(input.a)',
      '{"a":"2020-01-01T00:00:00Z"}',
      "eval_builtin_error: json.unmarshal: error: invalid character '-0' after top-level value",
    ],
    [
      'json.filter(input.a, input.b)',
      '{"a":{"x":"a"},"b":[[{"a":9223372036854775807},[],true],{"a":true,"b":{}}]}',
      'eval_type_error: json.filter: operand 2 must be one of {set, array} containing string paths or array of path segments but got object',
    ],
    [
      'json.patch(input.a, input.b)',
      '{"a":{"a":[],"b":null},"b":{}}',
      'eval_type_error: json.patch: operand 2 must be array but got object',
    ],
    [
      'substring(input.a, input.b, input.c)',
      '{"a":"2020-01-01T00:00:00Z","b":-1,"c":16}',
      'eval_builtin_error: substring: negative offset',
    ],
    [
      'strings.any_prefix_match(input.a, input.b)',
      '{"a":null,"b":"YQ=="}',
      'eval_type_error: strings.any_prefix_match: operand 1 must be one of {string, set, array} but got null',
    ],
    [
      'base64url.decode(input.a)',
      '{"a":"1"}',
      'eval_builtin_error: base64url.decode: illegal base64url string: 1',
    ],
    [
      'hex.decode(input.a)',
      '{"a":"%s"}',
      "eval_builtin_error: hex.decode: encoding/hex: invalid byte: U+0025 '%'",
    ],
    [
      'hex.decode(input.a)',
      '{"a":"RFC3339"}',
      "eval_builtin_error: hex.decode: encoding/hex: invalid byte: U+0052 'R'",
    ],
    [
      'units.parse_bytes(input.a)',
      '{"a":"10.0.0.0/8"}',
      'eval_builtin_error: units.parse_bytes: units.parse_bytes: byte unit /8 not recognized',
    ],
    [
      'graph.reachable_paths(input.a, input.b)',
      '{"a":{},"b":{"a":1.5,"b":-1}}',
      'eval_type_error: graph.reachable_paths: operand 2 must be {array, set} but got object',
    ],
    ['json.unmarshal("")', '{}', 'eval_builtin_error: json.unmarshal: EOF'],
    [
      'json.unmarshal("1 2")',
      '{}',
      "eval_builtin_error: json.unmarshal: error: invalid character '2' after top-level value",
    ],
    [
      'strings.render_template("{{.a}}", {"a": "\\u0001"})',
      '{}',
      "eval_builtin_error: strings.render_template: invalid character 'x' in string escape code",
    ],
    [
      'regex.match(hex.decode("ff61"), "a")',
      '{}',
      'eval_builtin_error: regex.match: error parsing regexp: invalid UTF-8: `\udcffa`',
    ],
    [
      'glob.match(hex.decode("61ff"), [], "a")',
      '{}',
      'eval_builtin_error: glob.match: could not read rune',
    ],
    [
      'json.unmarshal("{} x")',
      '{}',
      "eval_builtin_error: json.unmarshal: invalid character 'x' looking for beginning of value",
    ],
    [
      'json.unmarshal("1]")',
      '{}',
      "eval_builtin_error: json.unmarshal: invalid character ']' looking for beginning of value",
    ],
    [
      'json.unmarshal("[1] ,")',
      '{}',
      "eval_builtin_error: json.unmarshal: invalid character ',' looking for beginning of value",
    ],
    [
      'json.unmarshal("1 \\"a\\"")',
      '{}',
      "eval_builtin_error: json.unmarshal: error: invalid character 'a' after top-level value",
    ],
    [
      'json.unmarshal("1 true")',
      '{}',
      "eval_builtin_error: json.unmarshal: error: invalid character '%!s(bool=true)' after top-level value",
    ],
    ['json.unmarshal("1 tru")', '{}', 'eval_builtin_error: json.unmarshal: unexpected EOF'],
    [
      'json.unmarshal("1 [2]")',
      '{}',
      "eval_builtin_error: json.unmarshal: error: invalid character '[' after top-level value",
    ],
    [
      'json.unmarshal("1 {")',
      '{}',
      "eval_builtin_error: json.unmarshal: error: invalid character '{' after top-level value",
    ],
    [
      'json.unmarshal("1 }")',
      '{}',
      "eval_builtin_error: json.unmarshal: invalid character '}' looking for beginning of value",
    ],
    [
      'json.unmarshal("1 :")',
      '{}',
      "eval_builtin_error: json.unmarshal: invalid character ':' looking for beginning of value",
    ],
    [
      'json.unmarshal("[1 2]")',
      '{}',
      "eval_builtin_error: json.unmarshal: invalid character '2' after array element",
    ],
    [
      'json.unmarshal("{a:1}")',
      '{}',
      "eval_builtin_error: json.unmarshal: invalid character 'a' looking for beginning of object key string",
    ],
    [
      'json.unmarshal("{\\"a\\" 1}")',
      '{}',
      "eval_builtin_error: json.unmarshal: invalid character '1' after object key",
    ],
    [
      'json.unmarshal("{\\"a\\":1,}")',
      '{}',
      "eval_builtin_error: json.unmarshal: invalid character '}' looking for beginning of object key string",
    ],
    [
      'json.unmarshal("{\\"a\\":1 \\"b\\"}")',
      '{}',
      "eval_builtin_error: json.unmarshal: invalid character '\"' after object key:value pair",
    ],
    [
      'json.unmarshal("\\"a\\nb\\"")',
      '{}',
      "eval_builtin_error: json.unmarshal: invalid character '\\n' in string literal",
    ],
    [
      'json.unmarshal("\\"\\\\x\\"")',
      '{}',
      "eval_builtin_error: json.unmarshal: invalid character 'x' in string escape code",
    ],
    [
      'json.unmarshal("\\"\\\\u12g4\\"")',
      '{}',
      "eval_builtin_error: json.unmarshal: invalid character 'g' in \\u hexadecimal character escape",
    ],
    [
      'json.unmarshal("-a")',
      '{}',
      "eval_builtin_error: json.unmarshal: invalid character 'a' in numeric literal",
    ],
    [
      'json.unmarshal("1.a")',
      '{}',
      "eval_builtin_error: json.unmarshal: invalid character 'a' after decimal point in numeric literal",
    ],
    [
      'json.unmarshal("1ex")',
      '{}',
      "eval_builtin_error: json.unmarshal: invalid character 'x' in exponent of numeric literal",
    ],
    [
      'json.unmarshal("+1")',
      '{}',
      "eval_builtin_error: json.unmarshal: invalid character '+' looking for beginning of value",
    ],
    [
      'json.unmarshal("trux")',
      '{}',
      "eval_builtin_error: json.unmarshal: invalid character 'x' in literal true (expecting 'e')",
    ],
    [
      'json.unmarshal("falsy")',
      '{}',
      "eval_builtin_error: json.unmarshal: invalid character 'y' in literal false (expecting 'e')",
    ],
    [
      'json.unmarshal("\'a\'")',
      '{}',
      "eval_builtin_error: json.unmarshal: invalid character '\\'' looking for beginning of value",
    ],
    [
      'json.unmarshal("\\u0001")',
      '{}',
      "eval_builtin_error: json.unmarshal: invalid character '\\x01' looking for beginning of value",
    ],
    [
      'json.unmarshal("\\u00a0")',
      '{}',
      "eval_builtin_error: json.unmarshal: invalid character 'Â' looking for beginning of value",
    ],
    [
      'json.unmarshal("\\\\")',
      '{}',
      "eval_builtin_error: json.unmarshal: invalid character '\\\\' looking for beginning of value",
    ],
    [
      'json.unmarshal("NaN")',
      '{}',
      "eval_builtin_error: json.unmarshal: invalid character 'N' looking for beginning of value",
    ],
  ])('%s of %s', (call, inputJson, text) => {
    expect(errorOf(`p := ${call}`, { inputJson, dialect: 'opa-1.2' })).toBe(text)
  })
})
