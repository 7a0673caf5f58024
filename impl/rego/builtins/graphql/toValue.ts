import type {
  ArgumentNode,
  ConstDirectiveNode,
  DefinitionNode,
  DirectiveNode,
  DocumentNode,
  EnumValueDefinitionNode,
  FieldDefinitionNode,
  FragmentDefinitionNode,
  InputValueDefinitionNode,
  NamedTypeNode,
  OperationDefinitionNode,
  SelectionNode,
  SelectionSetNode,
  StringValueNode,
  TypeNode,
  ValueNode,
  VariableDefinitionNode,
} from 'graphql'
import { Kind } from 'graphql'
import { RegoObject } from '../../values/object.ts'
import { isArray, isObject, type Value } from '../../values/value.ts'

/**
 * GraphQL documents in the form of OPA: the structures of gqlparser as JSON, without positions,
 * nulls and empty collections.
 */

const isEmpty = (value: Value | undefined): boolean =>
  value === undefined ||
  value === null ||
  (isArray(value) && value.length === 0) ||
  (isObject(value) && value.size === 0)

const object = (members: Readonly<Record<string, Value | undefined>>): Value =>
  RegoObject.from(
    Object.entries(members).filter((entry): entry is [string, Value] => !isEmpty(entry[1])),
  )

const all = <T>(nodes: readonly T[] | undefined, convert: (node: T) => Value): Value =>
  (nodes ?? []).map(convert)

const text = (description: StringValueNode | undefined): string => description?.value ?? ''

const names = (nodes: readonly NamedTypeNode[] | undefined): Value =>
  all(nodes, (node) => node.name.value)

function typeOf(node: TypeNode): Value {
  if (node.kind === Kind.NON_NULL_TYPE) {
    const inner = typeOf(node.type)
    return isObject(inner) ? inner.copy().set('NonNull', true) : inner
  }
  return node.kind === Kind.NAMED_TYPE
    ? object({ NamedType: node.name.value, NonNull: false })
    : object({ NamedType: '', Elem: typeOf(node.type), NonNull: false })
}

const KINDS = {
  Variable: 0,
  IntValue: 1,
  FloatValue: 2,
  StringValue: 3,
  BooleanValue: 5,
  NullValue: 6,
  EnumValue: 7,
  ListValue: 8,
  ObjectValue: 9,
} as const

function rawOf(node: ValueNode): string {
  switch (node.kind) {
    case Kind.VARIABLE:
      return node.name.value
    case Kind.NULL:
      return 'null'
    case Kind.LIST:
    case Kind.OBJECT:
      return ''
    default:
      return String(node.value)
  }
}

function constantOf(node: ValueNode): Value {
  const children =
    node.kind === Kind.LIST
      ? node.values.map((value) => object({ Name: '', Value: constantOf(value) }))
      : node.kind === Kind.OBJECT
        ? node.fields.map((field) =>
            object({ Name: field.name.value, Value: constantOf(field.value) }),
          )
        : []
  const isBlock = node.kind === Kind.STRING && node.block === true
  return object({
    Raw: rawOf(node),
    Children: children,
    Kind: isBlock ? 4 : KINDS[node.kind],
    ExpectedTypeHasDefault: false,
  })
}

const valueIn = (node: ValueNode | undefined): Value | undefined =>
  node === undefined ? undefined : constantOf(node)

const argument = (node: ArgumentNode): Value =>
  object({ Name: node.name.value, Value: constantOf(node.value) })

const directive = (node: DirectiveNode | ConstDirectiveNode): Value =>
  object({ Name: node.name.value, Arguments: all(node.arguments, argument), Location: '' })

const selections = (node: SelectionSetNode | undefined): Value => all(node?.selections, selection)

function selection(node: SelectionNode): Value {
  const Directives = all(node.directives, directive)
  switch (node.kind) {
    case Kind.FIELD:
      return object({
        Alias: node.alias?.value ?? node.name.value,
        Name: node.name.value,
        Arguments: all(node.arguments, argument),
        Directives,
        SelectionSet: selections(node.selectionSet),
      })
    case Kind.FRAGMENT_SPREAD:
      return object({ Name: node.name.value, Directives })
    default:
      return object({
        TypeCondition: node.typeCondition?.name.value ?? '',
        Directives,
        SelectionSet: selections(node.selectionSet),
      })
  }
}

const variable = (node: VariableDefinitionNode): Value =>
  object({
    Variable: node.variable.name.value,
    Type: typeOf(node.type),
    DefaultValue: valueIn(node.defaultValue),
    Directives: all(node.directives, directive),
    Used: false,
  })

const operation = (node: OperationDefinitionNode): Value =>
  object({
    Operation: node.operation,
    Name: node.name?.value ?? '',
    VariableDefinitions: all(node.variableDefinitions, variable),
    Directives: all(node.directives, directive),
    SelectionSet: selections(node.selectionSet),
  })

const fragment = (node: FragmentDefinitionNode): Value =>
  object({
    Name: node.name.value,
    VariableDefinition: all(node.variableDefinitions, variable),
    TypeCondition: node.typeCondition.name.value,
    Directives: all(node.directives, directive),
    SelectionSet: selections(node.selectionSet),
  })

const input = (node: InputValueDefinitionNode): Value =>
  object({
    Description: text(node.description),
    Name: node.name.value,
    DefaultValue: valueIn(node.defaultValue),
    Type: typeOf(node.type),
    Directives: all(node.directives, directive),
  })

const field = (node: FieldDefinitionNode): Value =>
  object({
    Description: text(node.description),
    Name: node.name.value,
    Arguments: all(node.arguments, input),
    Type: typeOf(node.type),
    Directives: all(node.directives, directive),
  })

const enumValue = (node: EnumValueDefinitionNode): Value =>
  object({
    Description: text(node.description),
    Name: node.name.value,
    Directives: all(node.directives, directive),
  })

const DEFINITIONS: Readonly<Record<string, string>> = {
  ScalarType: 'SCALAR',
  ObjectType: 'OBJECT',
  InterfaceType: 'INTERFACE',
  UnionType: 'UNION',
  EnumType: 'ENUM',
  InputObjectType: 'INPUT_OBJECT',
}

/** A type definition or extension. */
function definition(node: DefinitionNode): Value | undefined {
  const kind = DEFINITIONS[node.kind.replace(/(?:Definition|Extension)$/, '')]
  if (kind === undefined || !('name' in node) || node.name === undefined) return undefined
  const fields = 'fields' in node ? node.fields : undefined
  return object({
    Kind: kind,
    Description: 'description' in node ? text(node.description) : '',
    Name: node.name.value,
    Directives: all(node.directives, directive),
    Interfaces: 'interfaces' in node ? names(node.interfaces) : undefined,
    Fields: all<FieldDefinitionNode | InputValueDefinitionNode>(fields, (one) =>
      one.kind === Kind.FIELD_DEFINITION ? field(one) : input(one),
    ),
    Types: 'types' in node ? names(node.types) : undefined,
    EnumValues: 'values' in node ? all(node.values, enumValue) : undefined,
    BuiltIn: false,
  })
}

const pick = (
  document: DocumentNode,
  convert: (node: DefinitionNode) => Value | undefined,
): Value => document.definitions.map(convert).filter((value) => value !== undefined)

/** A document of operations. */
export const queryValue = (document: DocumentNode): Value =>
  object({
    Operations: pick(document, (node) =>
      node.kind === Kind.OPERATION_DEFINITION ? operation(node) : undefined,
    ),
    Fragments: pick(document, (node) =>
      node.kind === Kind.FRAGMENT_DEFINITION ? fragment(node) : undefined,
    ),
  })

const schemaPart = (node: DefinitionNode): Value | undefined =>
  node.kind === Kind.SCHEMA_DEFINITION || node.kind === Kind.SCHEMA_EXTENSION
    ? object({
        Description: 'description' in node ? text(node.description) : '',
        Directives: all(node.directives, directive),
        OperationTypes: all(node.operationTypes, (one) =>
          object({ Operation: one.operation, Type: one.type.name.value }),
        ),
      })
    : undefined

/** A document of type definitions. */
export function schemaValue(document: DocumentNode): Value {
  const extended = (node: DefinitionNode): boolean => node.kind.endsWith('Extension')
  return object({
    Schema: pick(document, (node) => (extended(node) ? undefined : schemaPart(node))),
    SchemaExtension: pick(document, (node) => (extended(node) ? schemaPart(node) : undefined)),
    Directives: pick(document, (node) =>
      node.kind === Kind.DIRECTIVE_DEFINITION
        ? object({
            Description: text(node.description),
            Name: node.name.value,
            Arguments: all(node.arguments, input),
            Locations: all(node.locations, (location) => location.value),
            IsRepeatable: node.repeatable,
          })
        : undefined,
    ),
    Definitions: pick(document, (node) => (extended(node) ? undefined : definition(node))),
    Extensions: pick(document, (node) => (extended(node) ? definition(node) : undefined)),
  })
}
