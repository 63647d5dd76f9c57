/** What may lie at the path of a promoted field, as JSON texts. */
import fc from 'fast-check';
import { parseJson } from '../../src/json.ts';
import { FIELD_TYPES, type PromotedField } from '../../src/lake/promoted-fields.ts';

const WHOLE = ['0', '-7', '200', '9007199254740993', '-9223372036854775808', '9223372036854775807'];

const TEXTS = [
  '"text"',
  '"with \\"quotes\\", \\\\ and \\u00e9 \\ud83d\\ude00"',
  '"12"',
  '"+5"',
  '"-0"',
  '"007"',
  '" 12\\t"',
  '"\\u00a012"',
  '"\\uff11"',
  '"0x1F"',
  '"9223372036854775807"',
  '"9223372036854775808"',
  '"-9223372036854775808"',
  '"1.5"',
  '"-.5e1"',
  '"5."',
  '"1e3"',
  '"1e-400"',
  '"1.5f"',
  '"NaN"',
  '"Infinity"',
  '"true"',
  '"False"',
  '"yes"',
  '"null"',
];

const OTHERS = ['true', 'false', '[1]', '["12"]', '{"a":1}'];

/** Texts that nearly say a value. */
const NEARLY = fc
  .sample(
    fc.oneof(
      fc.string({
        unit: fc.constantFrom(...' \t\u000b\u00a0+-0012345678901289..eExX_fnNaItTrueUEls'),
        minLength: 1,
        maxLength: 8,
      }),
      fc
        .tuple(fc.constantFrom('', '-', ' +', '00'), fc.bigInt(-(2n ** 64n), 2n ** 64n))
        .map(([before, value]) => `${before}${value}`),
      fc.double({ noNaN: true }).map(String),
    ),
    { seed: 7, numRuns: 400 },
  )
  .map((text) => JSON.stringify(text));

/** Not for INT64: a field that has shown any is read as FLOAT64, whatever it was promoted as. */
const FRACTIONS = ['1.5', '-0.25', '1.5e-7', '12345678901234567890'];

/** DuckDB spells it its own way when the JSON is read as text. */
const HUGE = ['1e300'];

/** A promoted field of each type, at `metadata.<type>`. */
export const PROMOTED: readonly PromotedField[] = FIELD_TYPES.map((type) => ({
  path: `metadata.${type.toLowerCase()}`,
  type,
}));

/** An event for each value, which is at the path of every type that it may have. */
export const PROMOTED_EVENTS = [
  ...[...WHOLE, ...TEXTS, ...NEARLY, ...OTHERS].map((json) => [
    json,
    ['string', 'int64', 'float64', 'bool'],
  ]),
  ...FRACTIONS.map((json) => [json, ['string', 'float64', 'bool']]),
  ...HUGE.map((json) => [json, ['float64', 'bool']]),
].map(([json, names], index) => ({
  id: String(index).padStart(3, '0'),
  event_message: String(json),
  timestamp: '2026-02-02T12:00:00Z',
  metadata: Object.fromEntries(
    [...(names ?? [])].map((name) => [name, parseJson(String(json))] as const),
  ),
}));

/** Reads each field as its type, and the text as every type. */
export const PROMOTED_QUERY = `
  select t.id, t.event_message, cast(m.string as string) as string, m.int64, m.float64, m.bool,
    m.int64 > 0 as positive, upper(m.string) as upper,
    cast(m.string as int64) as text_int64, cast(m.string as float64) as text_float64,
    cast(m.string as bool) as text_bool, m.string >= 100 as text_compared
  from promoted as t cross join unnest(t.metadata) as m
  where t.timestamp >= '2026-02-02 12:00:00' order by t.id`;
