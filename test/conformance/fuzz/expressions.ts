import fc from 'fast-check';

/** Types that generated expressions have. */
export type Kind = 'string' | 'int' | 'float' | 'bool' | 'timestamp' | 'datetime' | 'date';

type Text = fc.Arbitrary<string>;
export type Expressions = Readonly<Record<Kind, Text>>;
/** `sql` with other expressions in its holes. */
function sql(parts: TemplateStringsArray, ...holes: Text[]): Text {
  return fc
    .tuple(...holes)
    .map((values) => parts.map((part, i) => part + (values[i] ?? '')).join(''));
}

const word = (...words: string[]): Text => fc.constantFrom(...words);

/** One of the forms around an expression, many times over: `?` is the expression. */
function deep(inner: Text, ...forms: string[]): Text {
  return fc
    .tuple(inner, fc.array(word(...forms), { minLength: 3, maxLength: 9 }))
    .map(([text, around]) =>
      around.reduce((nested, form) => form.replaceAll('?', () => nested), text),
    );
}
const small = fc.integer({ min: -3, max: 5 }).map(String);

const COLUMNS: Readonly<Record<Kind, readonly string[]>> = {
  string: [
    't.id',
    't.text',
    't.pattern',
    't.project',
    't.day',
    't.mixed',
    't.metadata.level',
    't.metadata.user.name',
    't.metadata.request.path',
    't.metadata.spans[safe_offset(0)].name',
  ],
  int: ['t.m', 't.m', 't.metadata.user.age', 't.metadata.response.status_code'],
  float: ['t.f', 't.metadata.user.score', 't.m / 4', 't.metadata.spans[safe_offset(1)].ms'],
  bool: ['t.flag', 't.metadata.user.admin'],
  timestamp: ['t.timestamp'],
  datetime: ['datetime(t.timestamp)'],
  date: ['date(t.timestamp)'],
};

const LITERALS: Readonly<Record<Kind, readonly string[]>> = {
  string: ["'Hello'", "'a'", "''", "'😀 ä'", "'12'", 'null', '@text'],
  int: ['0', '1', '-7', '100', '@number'],
  float: ['0.5', '-2.5', '1e3'],
  bool: ['true', 'false', 'null'],
  timestamp: ["timestamp '2025-06-30 23:59:59.999999'", 'current_timestamp()'],
  datetime: ["datetime '2024-02-29 12:00:00'"],
  date: ["date '2024-02-29'", "date '2026-02-01'"],
};

const COMPARISON = word('=', '!=', '<', '<=', '>', '>=');
const ZONE = word("'-03:30'", "'America/New_York'", "'Asia/Kathmandu'", "'Australia/Lord_Howe'");
const INSTANT_PART = word('microsecond', 'millisecond', 'second', 'minute', 'hour', 'day');
const DAY_PART = word('day', 'week', 'isoweek', 'month', 'quarter', 'year');
const EXTRACTED = word(
  ...['microsecond', 'millisecond', 'second', 'minute', 'hour', 'dayofweek', 'day', 'dayofyear'],
  ...['isoweek', 'isoyear', 'month', 'quarter', 'year'],
);
const REGEX = word(
  "r'[a-z]+'",
  "r'^H'",
  String.raw`r'\d+'`,
  "r'([a-z])'",
  String.raw`r'(?i)WORLD|\s'`,
  "r'o|,'",
);
const LIKE = word("'%o%'", "'H_llo%'", "'%'", String.raw`'%\\%%'`, "'a'");
const FORMAT = word("'%F %T'", "'%Y%m%d'", "'%d/%b/%y %H:%M:%E6S'", "'%E3S'", "'%j %a'");
const JSON_PATH = word("'$.user.name'", "'$.tags[0]'", "'$.user'", "'$.user.age'", "'$.none'");

/**
 * Expressions over a table `t` with the columns of `cases/samples.ts`, all of which the compiler
 * accepts. None fails for its values: engines evaluate in orders of their own, and which rows an
 * error reaches is no part of the language.
 */
function formsOver(kinds: Expressions): Readonly<Record<Kind, readonly Text[]>> {
  const { string, int, float, bool, timestamp, datetime, date } = kinds;
  const anything = fc.oneof(...Object.values(kinds));
  /** Forms that every type has. */
  const ofAnyType = (kind: Kind): Text[] => {
    const same = kinds[kind];
    return [
      sql`if(${bool}, ${same}, ${same})`,
      sql`coalesce(${same}, ${same})`,
      sql`case when ${bool} then ${same} when ${bool} then ${same} end`,
      sql`nullif(${same}, ${same})`,
      ...(kind === 'bool' ? [] : [sql`${word('greatest', 'least')}(${same}, ${same})`]),
      sql`(select ${word('max', 'min')}(${same}) from samples as t where ${bool})`,
    ];
  };
  const comparisons = Object.values(kinds).flatMap((same) => [
    sql`(${same} ${COMPARISON} ${same})`,
    sql`(${same} is ${word('', 'not')} distinct from ${same})`,
    sql`(${same} ${word('', 'not')} between ${same} and ${same})`,
    sql`(${same} ${word('', 'not')} in (${same}, ${same}))`,
  ]);
  const own: Readonly<Record<Kind, readonly Text[]>> = {
    string: [
      sql`lower(${string})`,
      sql`upper(${string})`,
      sql`to_json_string(${anything})`,
      sql`to_json_string(${word('t.metadata', 't.metadata.tags', 't.metadata.spans', 't.mixed')})`,
      sql`array_to_string([${string}, ${string}], '|')`,
      sql`reverse(${string})`,
      sql`(${string} || ${string})`,
      sql`concat(${string}, ${anything})`,
      sql`substr(${string}, ${small})`,
      sql`substr(${string}, ${small}, ${word('0', '1', '4')})`,
      sql`left(${string}, ${word('0', '2', '50')})`,
      sql`replace(${string}, ${string}, ${string})`,
      sql`${word('trim', 'ltrim', 'rtrim')}(${string})`,
      sql`${word('trim', 'ltrim', 'rtrim')}(${string}, ' aHd,')`,
      sql`regexp_extract(${string}, ${REGEX})`,
      sql`regexp_replace(${string}, ${REGEX}, ${word("'#'", "''", String.raw`r'<\0>'`)})`,
      sql`cast(${fc.oneof(int, float, bool, timestamp, datetime, date)} as string)`,
      sql`format_timestamp(${FORMAT}, ${timestamp})`,
      sql`format_timestamp('%F %R %Ez', ${timestamp}, ${ZONE})`,
      sql`format_date('%d.%m.%Y', ${date})`,
      sql`json_value(t.metadata, ${JSON_PATH})`,
      sql`t.metadata.tags[safe_offset(${word('0', '1', '7')})]`,
      sql`[${string}, ${string}][offset(${word('0', '1')})]`,
      sql`(select string_agg(${string}, '|' order by t.id) from samples as t)`,
      deep(
        string,
        ...['right(?, 40)', 'substr(?, -30, 20)', "replace(?, 'a', 'b')", 'initcap(?)'],
        ...["concat(?, '.')", "nullif(?, 'b')", "regexp_extract(?, r'.*')", "greatest(?, 'a')"],
        ...["[?, 'z'][offset(0)]", 'array_to_string([?], t.id)', 'safe.left(?, t.m)'],
        "case ? when 'a' then 'b' when t.text then 'c' else t.id end",
        "ifnull(json_value(?, '$.a'), t.text)",
      ),
    ],
    int: [
      sql`(${int} ${word('+', '-')} ${int})`,
      sql`(${word('t.m', '3', 't.metadata.user.age')} * ${word('t.m', '-2', '1000')})`,
      sql`${word('mod', 'div')}(${int}, ${word('7', '-3')})`,
      sql`abs(${int})`,
      sql`sign(${int})`,
      sql`length(${string})`,
      sql`strpos(${string}, ${string})`,
      sql`extract(${EXTRACTED} from ${fc.oneof(timestamp, datetime)})`,
      sql`extract(${EXTRACTED} from ${timestamp} at time zone ${ZONE})`,
      sql`extract(${word('dayofweek', 'isoweek', 'year', 'day')} from ${date})`,
      sql`unix_${word('seconds', 'millis', 'micros')}(${timestamp})`,
      sql`timestamp_diff(${timestamp}, ${timestamp}, ${INSTANT_PART})`,
      sql`datetime_diff(${datetime}, ${datetime}, ${DAY_PART.filter((part) => part !== 'week')})`,
      sql`date_diff(${date}, ${date}, ${DAY_PART.filter((part) => part !== 'week')})`,
      sql`cast(${bool} as int64)`,
      sql`safe_cast(${float} as int64)`,
      sql`(${int} ${word('&', '|', '^')} ${int})`,
      sql`(${int} ${word('<<', '>>')} ${word('0', '1', '33')})`,
      sql`safe_cast(${string} as int64)`,
      sql`array_length(t.metadata.tags)`,
      sql`array_length([${int}, ${int}])`,
      sql`(select count(*) from samples as t where ${bool})`,
      sql`(select sum(t.m) from samples as t where ${bool})`,
      deep(
        int,
        ...['div(?, 2)', 'mod(?, 1000)', '(? >> 1)', 'abs(div(?, 3))', 'greatest(?, t.m)'],
        ...['nullif(?, 7)', 'length(cast(? as string))', '[1, 2, 3][safe_offset(mod(?, 4))]'],
        'case ? when 1 then t.m when 2 then 5 else 9 end',
        'cast(cast(? as string) as int64)',
      ),
    ],
    float: [
      sql`(${float} ${word('+', '-', '*')} ${float})`,
      sql`(${int} / ${word('3', '0.5', '-7')})`,
      sql`safe_divide(${float}, ${float})`,
      sql`abs(${float})`,
      sql`${word('floor', 'ceil', 'trunc', 'sign')}(${float})`,
      sql`round(t.f, ${word('0', '1', '2')})`,
      sql`sqrt(abs(${float}))`,
      sql`cast(${int} as float64)`,
      sql`safe_cast(${string} as float64)`,
      sql`(${float} + ${int})`,
      sql`(select avg(t.m) from samples as t where ${bool})`,
      deep(float, 'safe_divide(?, 4)', '(? / 8)', 'sqrt(abs(?))', 'least(?, t.f)', 'nullif(?, 0)'),
    ],
    bool: [
      ...comparisons,
      sql`(${bool} ${word('and', 'or')} ${bool})`,
      sql`(not ${bool})`,
      sql`(${anything} is ${word('', 'not')} null)`,
      sql`(${bool} is ${word('', 'not')} ${word('true', 'false')})`,
      sql`(${string} ${word('', 'not')} like ${LIKE})`,
      sql`regexp_contains(${string}, ${REGEX})`,
      sql`${word('starts_with', 'ends_with', 'contains_substr')}(${string}, ${string})`,
      sql`safe_cast(${string} as bool)`,
      sql`exists (select 1 from samples as u where u.project = t.project and u.m < ${int})`,
      sql`(t.id in (select t.id from samples as t where ${bool}))`,
      sql`(${string} in unnest([${string}, 'red']))`,
      sql`(${string} ${word('', 'not')} in unnest(t.metadata.tags))`,
      sql`(${string} ${word('', 'not')} in (null, ${string}))`,
      sql`(${int} ${word('', 'not')} in (${int}, null))`,
      sql`(t.mixed = ${fc.oneof(string, int, float, bool)})`,
      deep(
        bool,
        ...['(? between false and true)', '(? in unnest([t.flag, true]))', '(? is not true)'],
        "(cast(? as string) like any ('t%', 'x'))",
      ),
    ],
    timestamp: [
      sql`timestamp_trunc(${timestamp}, ${fc.oneof(INSTANT_PART, DAY_PART)})`,
      sql`${word('timestamp_add', 'timestamp_sub')}(${timestamp}, interval ${small} ${INSTANT_PART})`,
      sql`timestamp_add(${timestamp}, interval t.m hour)`,
      sql`timestamp_trunc(${timestamp}, ${fc.oneof(INSTANT_PART, DAY_PART)}, ${ZONE})`,
      sql`timestamp(${fc.oneof(date, datetime)}, ${ZONE})`,
      sql`timestamp(${date})`,
      sql`timestamp(${datetime})`,
      sql`safe_cast(${string} as timestamp)`,
      sql`safe_cast(t.moment as timestamp)`,
      sql`timestamp_${word('seconds', 'millis', 'micros')}(${word('t.m', '86400', '-1')})`,
      sql`parse_timestamp('%F %T', format_timestamp('%F %T', t.timestamp))`,
      deep(
        timestamp,
        ...['timestamp_trunc(?, week)', 'timestamp_add(?, interval 90 minute)'],
        ...["timestamp_trunc(?, hour, 'Asia/Kathmandu')", 'timestamp(datetime(?))'],
        'timestamp_micros(unix_micros(?))',
      ),
    ],
    datetime: [
      sql`datetime_trunc(${datetime}, ${fc.oneof(INSTANT_PART, DAY_PART)})`,
      sql`${word('datetime_add', 'datetime_sub')}(${datetime}, interval ${small} ${word('minute', 'day', 'week', 'month', 'year')})`,
      sql`datetime(${timestamp})`,
      sql`datetime(${timestamp}, ${ZONE})`,
      sql`cast(${date} as datetime)`,
      sql`safe_cast(t.day as datetime)`,
    ],
    date: [
      sql`date_trunc(${date}, ${DAY_PART})`,
      sql`${word('date_add', 'date_sub')}(${date}, interval ${small} ${word('day', 'week', 'month', 'quarter', 'year')})`,
      sql`date(${timestamp})`,
      sql`date(${timestamp}, ${ZONE})`,
      sql`cast(${datetime} as date)`,
      sql`safe_cast(${word('t.day', 't.text', 't.moment')} as date)`,
      sql`parse_date('%d.%m.%Y', format_date('%d.%m.%Y', date(t.timestamp)))`,
    ],
  };
  return mapKinds((kind) => [...own[kind], ...ofAnyType(kind)]);
}

const KIND_NAMES: readonly Kind[] = [
  'string',
  'int',
  'float',
  'bool',
  'timestamp',
  'datetime',
  'date',
];

function mapKinds<T>(make: (kind: Kind) => T): Record<Kind, T> {
  const entries = KIND_NAMES.map((kind) => [kind, make(kind)]);
  return Object.fromEntries(entries) as Record<Kind, T>;
}

const leaves: Expressions = mapKinds((kind) =>
  fc.oneof(
    { weight: 3, arbitrary: word(...COLUMNS[kind]) },
    { weight: 1, arbitrary: word(...LITERALS[kind]) },
  ),
);

/** Deep enough for functions to meet, and small enough for the engines to compile quickly. */
const DEPTH = 2;

function upTo(depth: number): Expressions {
  if (depth === 0) return leaves;
  const below = upTo(depth - 1);
  const forms = formsOver(below);
  return mapKinds((kind) =>
    fc.oneof(
      { withCrossShrink: true },
      { weight: 1, arbitrary: below[kind] },
      { weight: 3, arbitrary: fc.oneof(...forms[kind]) },
    ),
  );
}

export const expressions: Expressions = upTo(DEPTH);

/** An expression of any of the types. */
export const anyExpression: Text = fc.oneof(...KIND_NAMES.map((kind) => expressions[kind]));
