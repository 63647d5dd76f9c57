import * as z from 'zod';
import { ValidationError } from '../../../platform/errors.ts';
import { nearest } from '../../../platform/nearest.ts';
import type { JsonObject } from './request-body.ts';

/** Logflare's texts; its clients get the templates as they stand. */
export const BLANK = "can't be blank";
export const INVALID = 'is invalid';
export const TOO_LONG = 'should be at most %{count} character(s)';
export const TOO_MANY = 'should have at most %{count} item(s)';

/** Message of a required field. */
export function blankOrInvalid({ input }: { readonly input?: unknown }): string {
  return input === undefined || input === null ? BLANK : INVALID;
}

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** A token that the client brings along. */
export const tokenField = z.string(INVALID).regex(UUID_V4, INVALID).toLowerCase().nullable();

const MAX_NAME_LENGTH = 255;

/** A name that a query can quote: a backtick would end the quotes, and there is no way around it. */
const UNQUOTABLE = /[\p{Cc}`]/u;

export const nameField = z.string({ error: blankOrInvalid }).superRefine((name, context) => {
  if (name.trim() === '') context.addIssue(BLANK);
  else if (name.length > MAX_NAME_LENGTH) context.addIssue(TOO_LONG);
  else if (name !== name.trim() || UNQUOTABLE.test(name) || !name.isWellFormed()) {
    context.addIssue(INVALID);
  }
});

/** Text that may be missing; an empty one is none. */
export function textField(maxLength: number) {
  return z
    .string(INVALID)
    .refine((text) => text.isWellFormed(), INVALID)
    .max(maxLength, TOO_LONG)
    .transform((text) => text.trim() || null)
    .nullable();
}

export const descriptionField = textField(2_000);

/** A field that null puts back to its default. */
export function withDefault<T extends z.ZodType>(field: T, value: z.output<T>) {
  return field.nullable().transform((given) => given ?? value);
}

/** Unknown fields that one answer lists. */
export const MAX_UNKNOWN = 20;

/** Message of a field that does not exist. */
export function unknownField(field: string, known: readonly string[]): string {
  const near = nearest(field, known);
  return near === undefined
    ? 'is not a known field'
    : `is not a known field; did you mean ${near}?`;
}

/**
 * Reads the fields of a body. A field that nothing reads is refused: its author believes that it says
 * something.
 *
 * @param ignored fields that are passed over.
 * @throws ValidationError with every message, below the field it is about.
 */
export function readFields<T extends z.ZodObject>(
  schema: T,
  body: JsonObject,
  ignored: readonly string[],
): z.output<T> {
  const known = Object.keys(schema.shape);
  const unknown = Object.keys(body)
    .filter((field) => !known.includes(field) && !ignored.includes(field))
    .slice(0, MAX_UNKNOWN);
  const result = schema.safeParse(body);
  if (result.success && unknown.length === 0) return result.data;
  const errors = new Map(unknown.map((field) => [field, [unknownField(field, known)]]));
  for (const { path, message } of result.error?.issues ?? []) {
    const [field, ...inner] = path.map(String);
    const messages = errors.get(field ?? '') ?? [];
    messages.push(inner.length === 0 ? message : `${inner.join('.')} ${message}`);
    errors.set(field ?? '', messages);
  }
  throw new ValidationError(Object.fromEntries(errors));
}
