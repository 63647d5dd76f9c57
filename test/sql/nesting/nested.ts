import { FUNCTION_CASES } from '../../conformance/cases/function-cases.ts';

/** A form of SQL that can stand in an operand of itself, any number of times. */
export interface Nested {
  readonly what: string;
  /** An expression over `samples` in which the form lies within itself that many times. */
  readonly sql: (depth: number) => string;
}

/** Operators and grammar that say operands more than once in some engine; `?` is the operand. */
const GRAMMAR: readonly string[] = [
  '? / 3',
  '7 / ?',
  '? << 1',
  '1 << ?',
  '? >> 1',
  '? ^ 5',
  '? || text',
  '[m, ?][offset(0)]',
  '[m, 1][offset(?)]',
  '[m, ?][safe_offset(1)]',
  '[1, m][safe_offset(?)]',
  '? between 1 and 5',
  'm between ? and 5',
  'case ? when 1 then 2 when 3 then 4 else m end',
  "case ? when 'a' then text when 'b' then pattern end",
  'case when m = 1 then ? when m = 2 then f end',
  "? like any ('a%', '%b')",
  'text like any (?, pattern)',
  "? in ('a', text)",
  '? in unnest([1, m])',
  'm in unnest([?, 1])',
  '? is distinct from m',
  'cast(? as string)',
  'cast(? as int64)',
  'cast(? as float64)',
  'cast(? as bool)',
  'cast(? as timestamp)',
  'cast(? as datetime)',
  'cast(? as date)',
  'safe_cast(? as int64)',
  'safe_cast(? as float64)',
  'safe_cast(? as timestamp)',
  'safe_cast(? as date)',
  'extract(hour from ?)',
  "extract(dayofweek from ? at time zone 'Europe/Berlin')",
  'to_json_string(struct(? as a, f as b))',
  'timestamp_trunc(?, week)',
  "timestamp_trunc(?, hour, 'Asia/Kathmandu')",
  "timestamp_trunc(?, day, 'America/New_York')",
  "datetime(?, 'America/New_York')",
  "timestamp(?, 'Europe/Berlin')",
  "format_timestamp('%F %H:%M:%E6S %Ez', ?, 'Australia/Lord_Howe')",
  "parse_timestamp('%d/%b/%Y:%H:%M:%S', ?)",
  'safe.div(?, m)',
  'safe.right(?, m)',
];

/** What makes an operand of another type of it, most specific last. */
const CONVERSIONS: readonly string[] = [
  '?',
  'cast(? as string)',
  'to_json_string(?)',
  'length(to_json_string(?))',
  'cast(length(to_json_string(?)) as float64)',
  '(? is null)',
  'timestamp_seconds(length(to_json_string(?)))',
  'datetime(timestamp_seconds(length(to_json_string(?))))',
  'date(timestamp_seconds(length(to_json_string(?))))',
  '[to_json_string(?), text]',
  '[length(to_json_string(?)), m]',
];

/** Every function with each of its arguments in turn, and the grammar, as far as they can be nested. */
export function nestedForms(compiles: (sql: string) => boolean): readonly Nested[] {
  const calls = Object.values(FUNCTION_CASES).flatMap((cases) => cases.flatMap(holesOf));
  return [...new Set([...GRAMMAR, ...calls])].flatMap((form) => {
    const leaf = LEAVES.find((column) => compiles(form.replace('?', () => column)));
    if (leaf === undefined) return [];
    const sql = (conversion: string) => (depth: number) => {
      let text = leaf;
      for (let level = 0; level < depth; level += 1) {
        const operand = level === 0 ? text : conversion.replace('?', () => text);
        text = `(${form.replace('?', () => operand)})`;
      }
      return text;
    };
    const conversion = CONVERSIONS.find((each) => compiles(sql(each)(2)));
    return conversion === undefined
      ? []
      : [{ what: `${form}, ? = ${conversion}`, sql: sql(conversion) }];
  });
}

/** Columns of `samples` of all types. */
const LEAVES = [
  'm',
  'f',
  'text',
  'flag',
  'timestamp',
  'day',
  'metadata.tags',
  'metadata',
  '[m]',
  '[text]',
];

/** The call with each of its arguments taken out. */
function holesOf(call: string): readonly string[] {
  const open = call.indexOf('(');
  if (open < 0 || !call.endsWith(')')) return [];
  const args = splitArguments(call.slice(open + 1, -1));
  return args.map((_, hole) => {
    const others = args.map((arg, index) => (index === hole ? '?' : arg.trim()));
    return `${call.slice(0, open)}(${others.join(', ')})`;
  });
}

function splitArguments(text: string): string[] {
  const parts = [''];
  let depth = 0;
  let quote = '';
  for (const character of text) {
    if (quote !== '') {
      quote = character === quote ? '' : quote;
    } else if (character === "'" || character === '"') {
      quote = character;
    } else if ('([{'.includes(character)) {
      depth += 1;
    } else if (')]}'.includes(character)) {
      depth -= 1;
    }
    if (character === ',' && depth === 0 && quote === '') {
      parts.push('');
    } else {
      parts.push(`${parts.pop()}${character}`);
    }
  }
  return parts;
}
