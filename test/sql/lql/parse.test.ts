import { describe, expect, test } from 'vitest';
import { condition, meaning } from './support.ts';

describe('columns', () => {
  test.each([
    ['', 'src.timestamp'],
    ['s:*', 'src.timestamp'],
    ['s:field1 s:field2', 'src.field1, src.field2'],
    ['select:field1', 'src.field1'],
    ['s:b s:a s:timestamp', 'src.a, src.b, src.timestamp'],
    ['s:a s:a', 'src.a'],
    ['s:event_message@msg', 'src.event_message AS msg'],
    ['s:a s:a@again', 'src.a, src.a AS again'],
  ])('%s selects %s', (lql, columns) => {
    expect(meaning(lql)).toBe(`SELECT ${columns} FROM src`);
  });

  test('a nested path comes out under its last name, walking objects and lists alike', () => {
    expect(meaning('s:m.user.id')).toBe(
      'SELECT `metadata.user[]`.id FROM src LEFT JOIN UNNEST(src.metadata) `metadata[]` LEFT JOIN UNNEST(`metadata[]`.user) `metadata.user[]`',
    );
  });

  test('paths with the same beginning walk it together', () => {
    expect(meaning('s:m.a.x s:m.a.y@why s:m.level')).toBe(
      'SELECT `metadata.a[]`.x, `metadata.a[]`.y AS why, `metadata[]`.level FROM src LEFT JOIN UNNEST(src.metadata) `metadata[]` LEFT JOIN UNNEST(`metadata[]`.a) `metadata.a[]`',
    );
  });

  test('two paths with the same last name come out under their whole paths', () => {
    expect(meaning('s:a.x s:b.x')).toMatch(/^SELECT `a\[\]`.x AS a_x, `b\[\]`.x AS b_x FROM /);
  });

  test.each([
    ['a:1 -error t:today', 'src.a, src.event_message, src.timestamp'],
    ['error failed', 'src.event_message'],
    ['s:a s:* level:error', 'src.level'],
  ])('without selected fields, %s shows the fields of its filters', (lql, columns) => {
    expect(meaning(lql)).toMatch(`SELECT ${columns} FROM src`);
  });
});

describe('words and quotes search the message', () => {
  test.each([
    ['error', "STRPOS(src.event_message, 'error') > 0"],
    ['-error', "(STRPOS(src.event_message, 'error') > 0) IS NOT TRUE"],
    ['"staging error"', "STRPOS(src.event_message, 'staging error') > 0"],
    [String.raw`"a \"b\" \\ \d"`, String.raw`STRPOS(src.event_message, 'a "b" \ \d') > 0`],
    ['"it\'s é"', "STRPOS(src.event_message, 'it''s é') > 0"],
    ['100', "STRPOS(src.event_message, '100') > 0"],
    ['true', "STRPOS(src.event_message, 'true') > 0"],
    ['--x', "(STRPOS(src.event_message, '-x') > 0) IS NOT TRUE"],
    [String.raw`~server\_\d`, String.raw`matches 'server\_\d'`],
    [String.raw`~"(?i)log message \d\d"`, String.raw`matches '(?i)log message \d\d'`],
    [String.raw`~"msg with \" spaces"`, `matches 'msg with " spaces'`],
    ['~"jpg$|jpeg$|png$"', "matches 'jpg$|jpeg$|png$'"],
    ['~^error$', "matches '^error$'"],
    [String.raw`~^er\"ror`, String.raw`matches '^er\"ror'`],
    ['event_message:~error', "matches 'error'"],
    ['event_message:error', "src.event_message = 'error'"],
    ['event_message:500', "src.event_message = '500'"],
  ])('%s', (lql, expected) => {
    const pattern = /^matches (.*)$/.exec(expected)?.[1];

    expect(condition(lql)).toBe(
      pattern === undefined
        ? expected
        : `REGEXP_CONTAINS(SAFE_CAST(src.event_message AS STRING), ${pattern})`,
    );
  });

  test.each([...'.?!@#$%^&*()-_=+[]{}|\\/;,<>'])('%s may stand inside a word', (character) => {
    expect(condition(`my${character}string`)).toBe(
      `STRPOS(src.event_message, 'my${character}string') > 0`,
    );
  });
});

describe('fields', () => {
  test.each([
    ['level:error', "src.level = 'error'"],
    ['level:>error', "src.level > 'error'"],
    ['status:500', 'SAFE_CAST(src.status AS FLOAT64) = 500'],
    ['status:"500"', 'SAFE_CAST(src.status AS FLOAT64) = 500'],
    ['status:"-5"', 'SAFE_CAST(src.status AS FLOAT64) = -5'],
    ['status:(500)', "src.status = '500'"],
    ['ms:1.5', 'SAFE_CAST(src.ms AS FLOAT64) = 1.5'],
    ['ms:>1', 'SAFE_CAST(src.ms AS FLOAT64) > 1'],
    ['ms:>=1', 'SAFE_CAST(src.ms AS FLOAT64) >= 1'],
    ['ms:<1', 'SAFE_CAST(src.ms AS FLOAT64) < 1'],
    ['ms:<=1', 'SAFE_CAST(src.ms AS FLOAT64) <= 1'],
    ['ms:200..299', 'SAFE_CAST(src.ms AS FLOAT64) BETWEEN 200 AND 299'],
    ['ms:0.1..0.5', 'SAFE_CAST(src.ms AS FLOAT64) BETWEEN 0.1 AND 0.5'],
    ['ms:10..1', 'SAFE_CAST(src.ms AS FLOAT64) BETWEEN 10 AND 1'],
    ['-ms:200..299', '(SAFE_CAST(src.ms AS FLOAT64) BETWEEN 200 AND 299) IS NOT TRUE'],
    ['big:9007199254740993', "SAFE_CAST(src.big AS STRING) = '9007199254740993'"],
    ['flag:true', 'SAFE_CAST(src.flag AS BOOL) = TRUE'],
    ['flag:"false"', 'SAFE_CAST(src.flag AS BOOL) = FALSE'],
    ['flag:TRUE', "src.flag = 'TRUE'"],
    ['opt:NULL', '(src.opt) IS NULL'],
    ['-opt:NULL', '(src.opt) IS NOT NULL'],
    ['opt:"NULL"', "src.opt = 'NULL'"],
    ['opt:null', "src.opt = 'null'"],
    ['company:"My Company"', "src.company = 'My Company'"],
    ['company:(some value)', "src.company = 'some value'"],
    ['company:""', "src.company = ''"],
    ['id:"550e8400-e29b"', "src.id = '550e8400-e29b'"],
    ['day:2026-01-02', "src.day = '2026-01-02'"],
    ['day:2026-01-02..2026-01-03', "src.day BETWEEN '2026-01-02' AND '2026-01-03'"],
    ['browser:~"Fox \\d"', "REGEXP_CONTAINS(SAFE_CAST(src.browser AS STRING), 'Fox \\d')"],
    ['path:~(a|b)', "REGEXP_CONTAINS(SAFE_CAST(src.path AS STRING), 'a|b')"],
    ['c:d', "src.c = 'd'"],
    [
      'a:b -c:d -"e f" -~g',
      "src.a = 'b' AND (src.c = 'd') IS NOT TRUE AND (STRPOS(src.event_message, 'e f') > 0) IS NOT TRUE AND (REGEXP_CONTAINS(SAFE_CAST(src.event_message AS STRING), 'g')) IS NOT TRUE",
    ],
  ])('%s', (lql, expected) => {
    expect(condition(lql)).toBe(expected);
  });

  test('levels have an order', () => {
    expect(condition('level:debug..critical')).toBe(
      "src.level IN ('debug', 'info', 'notice', 'warning', 'error', 'critical')",
    );
  });
});

describe('nested fields and lists', () => {
  const METADATA = 'SELECT 1 FROM UNNEST(src.metadata) `metadata[]`';
  const TAGS = `${METADATA} CROSS JOIN UNNEST(\`metadata[]\`.tags) \`metadata.tags[]\``;

  test.each([
    ['m.level:error', `EXISTS(${METADATA} WHERE \`metadata[]\`.level = 'error')`],
    ['metadata.level:error', `EXISTS(${METADATA} WHERE \`metadata[]\`.level = 'error')`],
    ['-m.level:error', `NOT EXISTS(${METADATA} WHERE \`metadata[]\`.level = 'error')`],
    ['m.a:x', `EXISTS(${METADATA} WHERE \`metadata[]\`.a = 'x')`],
    ['m.opt:NULL', `NOT EXISTS(${METADATA} WHERE (\`metadata[]\`.opt) IS NOT NULL)`],
    ['-m.opt:NULL', `EXISTS(${METADATA} WHERE (\`metadata[]\`.opt) IS NOT NULL)`],
    [
      'm.level:error..critical',
      `EXISTS(${METADATA} WHERE \`metadata[]\`.level IN ('error', 'critical'))`,
    ],
    ['m.tags:@>prod', `EXISTS(${TAGS} WHERE \`metadata.tags[]\` = 'prod')`],
    ['m.tags:@>"new one"', `EXISTS(${TAGS} WHERE \`metadata.tags[]\` = 'new one')`],
    ['-m.tags:@>prod', `NOT EXISTS(${TAGS} WHERE \`metadata.tags[]\` = 'prod')`],
    [
      'm.tags:@>~"a c"',
      `EXISTS(${TAGS} WHERE REGEXP_CONTAINS(SAFE_CAST(\`metadata.tags[]\` AS STRING), 'a c'))`,
    ],
    ['tags:@>prod', "EXISTS(SELECT 1 FROM UNNEST(src.tags) `tags[]` WHERE `tags[]` = 'prod')"],
    [
      'm.a.b.c:x',
      `EXISTS(${METADATA} CROSS JOIN UNNEST(\`metadata[]\`.a) \`metadata.a[]\` CROSS JOIN UNNEST(\`metadata.a[]\`.b) \`metadata.a.b[]\` WHERE \`metadata.a.b[]\`.c = 'x')`,
    ],
  ])('%s', (lql, expected) => {
    expect(condition(lql)).toBe(expected);
  });

  test('each filter looks for its own element', () => {
    expect(condition('a.x:u a.y:v')).toBe(
      "EXISTS(SELECT 1 FROM UNNEST(src.a) `a[]` WHERE `a[]`.x = 'u') AND EXISTS(SELECT 1 FROM UNNEST(src.a) `a[]` WHERE `a[]`.y = 'v')",
    );
  });
});

describe('charts', () => {
  const chart = (unit: string, aggregate: string, from = 'src', where = ''): string =>
    `SELECT TIMESTAMP_TRUNC(src.timestamp, ${unit}) AS timestamp, ${aggregate} AS count FROM ${from}${where} GROUP BY 1 ORDER BY 1`;
  const COUNT = 'COUNT(src.timestamp)';

  test.each([
    ['c:count(*)', 'MINUTE', COUNT],
    ['chart:count(anything)', 'MINUTE', COUNT],
    ['c:count(*) c:group_by(t::h)', 'HOUR', COUNT],
    ['c:group_by(timestamp::day)', 'DAY', COUNT],
    ['c:group_by(t::minute)', 'MINUTE', COUNT],
    ['c:group_by(t::s)', 'SECOND', COUNT],
    ['c:countd(host) c:group_by(t::hour)', 'HOUR', 'COUNT(DISTINCT src.host)'],
    ['c:avg(ms)', 'MINUTE', 'AVG(SAFE_CAST(src.ms AS FLOAT64))'],
    ['c:sum(bytes) c:group_by(t::d)', 'DAY', 'SUM(SAFE_CAST(src.bytes AS FLOAT64))'],
    ['c:max(x)', 'MINUTE', 'MAX(SAFE_CAST(src.x AS FLOAT64))'],
    ['c:p50(x)', 'MINUTE', 'APPROX_QUANTILES(SAFE_CAST(src.x AS FLOAT64), 100)[OFFSET(50)]'],
    ['c:p95(x)', 'MINUTE', 'APPROX_QUANTILES(SAFE_CAST(src.x AS FLOAT64), 100)[OFFSET(95)]'],
    ['c:p99(x)', 'MINUTE', 'APPROX_QUANTILES(SAFE_CAST(src.x AS FLOAT64), 100)[OFFSET(99)]'],
    ['c:count(*) c:avg(x)', 'MINUTE', 'AVG(SAFE_CAST(src.x AS FLOAT64))'],
    ['c:count(*) s:a', 'MINUTE', COUNT],
  ])('%s', (lql, unit, aggregate) => {
    expect(meaning(lql)).toBe(chart(unit, aggregate));
  });

  test('a nested path is walked', () => {
    expect(meaning('c:avg(m.ms)')).toBe(
      chart(
        'MINUTE',
        'AVG(SAFE_CAST(`metadata[]`.ms AS FLOAT64))',
        'src LEFT JOIN UNNEST(src.metadata) `metadata[]`',
      ),
    );
  });

  test('filters choose what is counted', () => {
    expect(meaning('c:count(*) error t:>2023-01-01')).toBe(
      chart(
        'MINUTE',
        COUNT,
        'src',
        " WHERE STRPOS(src.event_message, 'error') > 0 AND src.timestamp > TIMESTAMP '2023-01-01 00:00:00'",
      ),
    );
  });
});

describe('the table', () => {
  test.each([
    ['f:second_cte s:col2', 'SELECT second_cte.col2 FROM second_cte'],
    ['from:errors', 'SELECT errors.timestamp FROM errors'],
    ['x:1 f:errors', 'SELECT errors.x FROM errors WHERE SAFE_CAST(errors.x AS FLOAT64) = 1'],
  ])('%s', (lql, expected) => {
    expect(meaning(lql, { tables: ['errors', 'second_cte'] })).toBe(expected);
  });
});

test('clauses may stand on lines of their own', () => {
  expect(condition('\n a:x\n\tb:y \r\n')).toBe("src.a = 'x' AND src.b = 'y'");
});
