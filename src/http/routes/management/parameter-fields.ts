import * as z from 'zod';
import type { ParameterDeclaration, ParameterType } from '../../../catalog/types.ts';
import { EXPECTED, parseValue } from '../../../query/parameters/parameter-value.ts';
import {
  BLANK,
  blankOrInvalid,
  INVALID,
  MAX_UNKNOWN,
  TOO_LONG,
  TOO_MANY,
  unknownField,
} from './fields.ts';

/** What a query can name with `@`. */
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

/** A call's own inputs; a parameter of that name could never be set. */
const RESERVED = new Set(['sql', 'lql', 'api_key']);

const MAX_PARAMETERS = 100;
const MAX_ENUM = 200;
const MAX_TEXT = 1_000;

type Scalar = string | number | boolean;

const text = z
  .string(INVALID)
  .max(MAX_TEXT, TOO_LONG)
  .refine((value) => value.isWellFormed(), INVALID);

const FIELDS = ['name', 'type', 'required', 'enum', 'default', 'description'];

const declaration = z
  .strictObject(
    {
      name: z
        .string({ error: blankOrInvalid })
        .regex(NAME, { error: ({ input }) => (input === '' ? BLANK : INVALID) })
        .refine((name) => !RESERVED.has(name.toLowerCase()), 'is reserved'),
      type: z.enum(['string', 'int64', 'float64', 'bool', 'timestamp'], INVALID).default('string'),
      required: z.boolean(INVALID).default(false),
      enum: z
        .array(z.union([text, z.number()], INVALID), INVALID)
        .min(1, 'should have at least %{count} item(s)')
        .max(MAX_ENUM, TOO_MANY)
        .exactOptional(),
      default: z.union([text, z.number(), z.boolean()], INVALID).exactOptional(),
      description: text.exactOptional(),
    },
    {
      error: (issue) =>
        issue.code === 'unrecognized_keys'
          ? issue.keys
              .slice(0, MAX_UNKNOWN)
              .map((field) => `${field} ${unknownField(field, FIELDS)}`)
              .join(', ')
          : INVALID,
    },
  )
  .superRefine((given, context) => {
    const fits = (value: Scalar) => parsedAs(given.type, value) !== undefined;
    given.enum?.forEach((value, index) => {
      if (!fits(value)) {
        const path = ['enum', String(index)];
        context.addIssue({ code: 'custom', path, message: `must be ${EXPECTED[given.type]}` });
      }
    });
    if (given.default === undefined) return;
    const message = defaultFault({ ...given, default: given.default });
    if (message) context.addIssue({ code: 'custom', path: ['default'], message });
  });

/** The parameters that an endpoint declares. */
export const parametersField = z
  .array(declaration, INVALID)
  .max(MAX_PARAMETERS, TOO_MANY)
  .superRefine((all, context) => {
    const seen = new Set<string>();
    all.forEach(({ name }, index) => {
      // BigQuery does not tell parameters apart by case.
      if (seen.has(name.toLowerCase())) {
        const path = [String(index), 'name'];
        context.addIssue({ code: 'custom', path, message: 'has already been taken' });
      }
      seen.add(name.toLowerCase());
    });
  }) satisfies z.ZodType<readonly ParameterDeclaration[]>;

function defaultFault(
  given: Pick<ParameterDeclaration, 'type' | 'enum'> & { readonly default: Scalar },
): string | undefined {
  const value = parsedAs(given.type, given.default);
  if (value === undefined) return `must be ${EXPECTED[given.type]}`;
  const allowed = given.enum?.map((member) => parsedAs(given.type, member));
  return allowed?.includes(value) === false ? 'is not one of the enum' : undefined;
}

/** The value as a call would see it; undefined when it does not fit the type. */
function parsedAs(type: ParameterType, value: Scalar) {
  if (type === 'string' && typeof value !== 'string') return undefined;
  // JSON.parse has already rounded it; exact ones can be written as text.
  if (type === 'int64' && typeof value === 'number' && !Number.isSafeInteger(value)) {
    return undefined;
  }
  return parseValue(type, String(value))?.value;
}
