/** What may lie at a path of events, as JSON texts. */
import fc from 'fast-check';
import { parseJson } from '../../../src/platform/json/json.ts';

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

const FRACTIONS = ['1.5', '-0.25', '1.5e-7', '12345678901234567890'];

/** DuckDB spells it its own way when the JSON is read as text. */
const HUGE = ['1e300', '-1.7976931348623157e308'];

const events = (values: readonly string[]) =>
  values.map((json, index) => ({
    id: String(index).padStart(3, '0'),
    event_message: json,
    timestamp: '2026-02-03T09:00:00Z',
    metadata: { v: parseJson(json) },
  }));

/** Of a path whose values have several types. */
const MIXED_READS = [
  'cast(v as string)',
  "json_value(t.metadata, '$.v')",
  "upper(v) = 'TRUE'",
  'cast(v as int64)',
  'cast(v as float64)',
  'cast(v as bool)',
  'v >= 100',
  'v = 200',
  'v in (200, 1.5)',
  'to_json_string(v)',
];

/** Events of sources that show one type at a path, or all. */
export const VALUES = {
  texts: events([...TEXTS, ...NEARLY]),
  integers: events(WHOLE),
  numbers: events([...WHOLE, ...FRACTIONS]),
  booleans: events(['true', 'false']),
  mixed: events([...WHOLE, ...TEXTS, ...NEARLY, ...FRACTIONS, ...OTHERS]),
  'mixed but for integers': events([...TEXTS, ...OTHERS, '1.5']),
  huge: events(HUGE),
};

export const SOURCES = Object.keys(VALUES) as readonly (keyof typeof VALUES)[];

/** As what it is, and as every type that it can be read as where it has shown this. */
const READS: Readonly<Record<keyof typeof VALUES, readonly string[]>> = {
  texts: ["json_value(t.metadata, '$.v')", "v >= '1'", "upper(v) = 'TRUE'"],
  integers: [
    "json_value(t.metadata, '$.v')",
    'v = 200',
    'v in (-7, 200)',
    'v / 2',
    'max(v) over ()',
  ],
  numbers: ["json_value(t.metadata, '$.v')", 'v = 1.5', 'v >= 200', 'v - 1', 'max(v) over ()'],
  booleans: ["json_value(t.metadata, '$.v')", 'v', 'not v', 'v is true'],
  mixed: MIXED_READS,
  'mixed but for integers': MIXED_READS,
  huge: ['v > 1', 'v / 2'],
};

/** Finds each text, and what only the JSON of numbers, booleans and objects holds. JSON's strings are SQL's. */
export const SEARCH = [...TEXTS, '"200"', '"1.5e-7"', '"1e300"', '"true"', '"a"', '"Text"']
  .map((json) => JSON.stringify(JSON.parse(json)))
  .map(
    (text) =>
      `select ${text} as text, t.id from mixed as t cross join unnest(t.metadata) as m where m.v = ${text}`,
  )
  .join(' union all ')
  .concat(' order by text, id');

export const readsOf = (source: keyof typeof VALUES): string => {
  const reads = READS[source].map((read, index) => `${read} as read_${index}`);
  return `select id, v, ${reads.join(', ')} from
    (select t.id, t.metadata, m.v from \`${source}\` as t cross join unnest(t.metadata) as m) as t order by id`;
};
