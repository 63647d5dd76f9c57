import * as z from 'zod/mini';
import type { CompactionState, Endpoint, Source } from './types.ts';

/** What is kept as JSON text. */
function jsonText<T extends z.ZodMiniType>(codec: T) {
  return z.codec(z.string(), codec, {
    decode(text, context) {
      try {
        return JSON.parse(text);
      } catch {
        context.issues.push({ code: 'invalid_format', format: 'json', input: text });
        return z.NEVER;
      }
    },
    encode: (value) => JSON.stringify(value),
  });
}

const parameters = z.array(
  z.object({
    name: z.string(),
    type: z.enum(['string', 'int64', 'float64', 'bool', 'timestamp']),
    required: z.boolean(),
    enum: z.exactOptional(z.array(z.union([z.string(), z.number()]))),
    default: z.exactOptional(z.union([z.string(), z.number(), z.boolean()])),
    description: z.exactOptional(z.string()),
  }),
);

const reads = z.array(z.object({ name: z.string(), token: z.string() }));
const columns = z.array(z.object({ name: z.string(), type: z.string() }));

const parsedQuery = z.object({
  parameters,
  sources: reads,
  endpoints: reads,
  columns,
  tables: z.array(z.object({ name: z.string(), columns })),
  truncated: z.boolean(),
});

const named = {
  token: z.string(),
  name: z.string(),
  description: z.nullable(z.string()),
  insertedAt: z.string(),
  updatedAt: z.string(),
};

const ruleCodec = z.object({ token: z.string(), lql_string: z.string(), sink: z.string() });

/** Sources that were saved before there were settings have none. */
const setting = z._default(z.nullable(z.string()), null);

export const sourceCodec = z.object({
  ...named,
  transform_copy_fields: setting,
  transform_drop_fields: setting,
  custom_event_message_keys: setting,
  drop_lql_string: setting,
  rules: z._default(z.array(ruleCodec), []),
  // Sources that were saved before there was a choice.
  api_quota: z._default(z.nullable(z.number()), null),
  keep_rejected_events: z._default(z.boolean(), false),
  retention_days: z._default(z.nullable(z.number()), null),
}) satisfies z.ZodMiniType<Source>;

export const endpointCodec = z.object({
  ...named,
  query: z.string(),
  language: z.literal('bq_sql'),
  // As JSON text: DynamoDB numbers have a smaller range than a float64 default may have.
  parameters: jsonText(parameters),
  source_mapping: z.record(z.string(), z.string()),
  // Endpoints that were saved before there was a parsed form.
  parsed: z._default(z.nullable(jsonText(parsedQuery)), null),
  sandboxable: z.boolean(),
  // Endpoints that were saved before there was a choice.
  allow_wildcards: z._default(z.boolean(), true),
  allow_whole_rows: z._default(z.nullable(z.boolean()), null),
  cache_duration_seconds: z.number(),
  proactive_requerying_seconds: z.number(),
  max_limit: z.number(),
  enable_auth: z.boolean(),
  redact_pii: z.boolean(),
  nested_records: z.enum(['object', 'array']),
  labels: z.nullable(z.string()),
  version: z.number(),
}) satisfies z.ZodMiniType<Endpoint>;

/** What `named-store.ts` keeps beside an entity. */
export const stateCodec = z.object({
  writeId: z.string(),
  pending: z.exactOptional(z.literal(true)),
});

export const reservationCodec = z.object({ token: z.string(), nonce: z.string() });

export const compactionCodec = z.object({
  version: z.string(),
  watermark: z.number(),
  landed: z.record(z.string(), z.number()),
  started: z.exactOptional(
    z.object({
      hour: z.number(),
      days: z.readonly(z.array(z.string())),
      token: z.string(),
      statement: z.exactOptional(z.string()),
    }),
  ),
  notes: jsonText(z.record(z.string(), z.json())),
}) satisfies z.ZodMiniType<CompactionState>;

export const schemaShardCodec = z.object({ paths: z.set(z.string()) });
export const slotsCodec = z.object({ slots: z.array(z.string()) });
