import type { ParameterDeclaration } from '../../catalog/types.ts';
import { ServiceError } from '../../platform/errors.ts';
import { isPlainObject, stringifyJson } from '../../platform/json/json.ts';
import type { ParameterValue } from '../../sql/compile.ts';
import { EXPECTED, parseValue } from './parameter-value.ts';

/** Query string and body of a call, merged: texts, or JSON values of a JSON body. */
export type CallInput = Readonly<Record<string, unknown>>;

export type BoundParameters = Readonly<Record<string, ParameterValue>>;

/**
 * Gives every parameter its value. Names that are used but not declared are optional strings; inputs
 * that are neither are left alone (Logflare 1.50). An empty text counts as absent, except for
 * an optional string, where it is a value.
 *
 * @param used names that the query texts use.
 * @throws ServiceError 400 `missing_parameter` or `invalid_parameter`, naming the parameter and what
 *   it has to be.
 */
export function bindParameters(
  declarations: readonly ParameterDeclaration[],
  used: readonly string[],
  input: CallInput,
): BoundParameters {
  return Object.fromEntries(
    withImplied(declarations, used).map((declaration) => [
      declaration.name,
      bind(declaration, input),
    ]),
  );
}

/** Declarations, and those that names imply which are used without one. */
export function withImplied(
  declarations: readonly ParameterDeclaration[],
  used: readonly string[],
): readonly ParameterDeclaration[] {
  const declared = new Set(declarations.map(({ name }) => name));
  const implied = used
    .filter((name) => !declared.has(name))
    .map((name): ParameterDeclaration => ({ name, type: 'string', required: false }));
  return [...declarations, ...implied];
}

/** Values that a query can be checked with before it is called: enum, default, else NULL. */
export function sampleParameters(declarations: readonly ParameterDeclaration[]): BoundParameters {
  return Object.fromEntries(
    declarations.map((declaration) => {
      const sample = declaration.default ?? declaration.enum?.[0];
      const value = sample === undefined ? nullOf(declaration) : parse(declaration, String(sample));
      return [declaration.name, value];
    }),
  );
}

function bind(declaration: ParameterDeclaration, input: CallInput): ParameterValue {
  const given = Object.hasOwn(input, declaration.name) ? input[declaration.name] : undefined;
  const text = asText(declaration, given);
  const absent =
    text === undefined || (text === '' && (declaration.required || declaration.type !== 'string'));
  if (!absent) return parse(declaration, text);
  if (declaration.default !== undefined) return parse(declaration, String(declaration.default));
  if (declaration.required) {
    throw new ServiceError(
      'missing_parameter',
      400,
      `The parameter "${declaration.name}" is missing; it ${expectation(declaration)}.`,
    );
  }
  return nullOf(declaration);
}

/** A number or boolean of a JSON body stands for its JSON text. */
function asText(declaration: ParameterDeclaration, given: unknown): string | undefined {
  if (given === undefined || given === null) return undefined;
  if (typeof given === 'string') return given;
  if (Array.isArray(given) || isPlainObject(given)) throw invalid(declaration);
  return stringifyJson(given);
}

function parse(declaration: ParameterDeclaration, text: string): ParameterValue {
  const value = parseValue(declaration.type, text);
  if (value === undefined || !isAllowed(declaration, value)) throw invalid(declaration);
  return value;
}

/** Enum members are compared as values: `007` is 7 where the type is int64. */
function isAllowed({ type, enum: allowed }: ParameterDeclaration, value: ParameterValue): boolean {
  return (
    allowed === undefined ||
    allowed.some((member) => parseValue(type, String(member))?.value === value.value)
  );
}

function invalid(declaration: ParameterDeclaration): ServiceError {
  return new ServiceError(
    'invalid_parameter',
    400,
    `The parameter "${declaration.name}" ${expectation(declaration)}.`,
  );
}

function expectation({ type, enum: allowed }: ParameterDeclaration): string {
  return allowed === undefined
    ? `must be ${EXPECTED[type]}`
    : `must be one of ${allowed.join(', ')}`;
}

function nullOf({ type }: ParameterDeclaration): ParameterValue {
  return { type, value: null };
}
