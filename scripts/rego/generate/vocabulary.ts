/** The kinds of values; arrays and sets contain numbers, objects map strings to numbers. */
export type Kind = 'number' | 'string' | 'boolean' | 'array' | 'set' | 'object'

export const KINDS: readonly Kind[] = ['number', 'string', 'boolean', 'array', 'set', 'object']

export const COLLECTIONS: readonly Kind[] = ['array', 'set', 'object']

/** Calls by the kind of their result; `%` and a kind is a placeholder for an operand. */
export const CALLS: Readonly<Record<Kind, readonly string[]>> = {
  number: [
    '(%number + %number)',
    '(%number - %number)',
    '(%number * %number)',
    '(%number % 7)',
    'count(%array)',
    'count(%set)',
    'count(%object)',
    'count(%string)',
    'sum(%array)',
    'max(%set)',
    'min(%array)',
    'abs(%number)',
    'indexof(%string, %string)',
    'object.get(%object, %string, %number)',
    'to_number(%string)',
    'bits.and(%number, 15)',
    'product([%number, 2])',
  ],
  string: [
    'concat("-", [%string, %string])',
    'upper(%string)',
    'sprintf("%d:%s", [%number, %string])',
    'sprintf("%v", [%object])',
    'sprintf("%v", [%set])',
    'replace(%string, "a", %string)',
    'substring(%string, 1, 2)',
    'trim(%string, "a")',
    'json.marshal(%array)',
    'json.marshal(%object)',
    'format_int(%number, 16)',
    'base64.encode(%string)',
    'type_name(%set)',
    'trim_prefix(%string, "a")',
    'strings.reverse(%string)',
  ],
  boolean: [
    'contains(%string, %string)',
    'startswith(%string, "a")',
    'is_number(%number)',
    'regex.match("^[a-c]+$", %string)',
    'glob.match("a*", [], %string)',
    'object.subset(%object, %object)',
    'strings.any_prefix_match(%string, [%string])',
  ],
  array: [
    'array.concat(%array, %array)',
    'array.slice(%array, 1, 3)',
    'array.reverse(%array)',
    'sort(%set)',
    'numbers.range(%number % 9, 4)',
    'indexof_n(%string, "a")',
    'object.keys(%object) | set()',
  ].slice(0, 6),
  set: [
    '(%set | %set)',
    '(%set & %set)',
    '(%set - %set)',
    'union({%set, %set})',
    'intersection({%set})',
  ],
  object: [
    'object.union(%object, %object)',
    'object.remove(%object, [%string])',
    'object.filter(%object, [%string, "a"])',
    'json.filter(%object, ["a"])',
    'object.union_n([%object, %object])',
  ],
}

export const STRINGS = ['"a"', '"b"', '"abc"', '""', '"é"', '"a b"', '"1"', '"😀"']
export const NUMBERS = ['0', '1', '2', '3', '-1', '10', '9007199254740993', '7']
