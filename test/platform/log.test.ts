import { expect, test } from 'vitest';
import { ServiceError } from '../../src/platform/errors.ts';
import { createLogger, type LogLevel } from '../../src/platform/log.ts';

const clock = { now: () => Date.UTC(2026, 0, 2, 3, 4, 5, 678) };

function capture(level?: LogLevel) {
  const written: { line: string; level: LogLevel }[] = [];
  const logger = createLogger({
    clock,
    ...(level === undefined ? {} : { level }),
    write: (line, at) => written.push({ line, level: at }),
  });
  return { logger, written, parsed: () => written.map(({ line }) => JSON.parse(line)) };
}

test('a line is one JSON object with time, level, message and fields', () => {
  const { logger, written } = capture();

  logger.info('started', { port: 4000, note: 'two\nlines' });

  expect(written).toEqual([
    {
      level: 'info',
      line: '{"time":"2026-01-02T03:04:05.678Z","level":"info","message":"started","port":4000,"note":"two\\nlines"}\n',
    },
  ]);
});

test.each<[LogLevel | undefined, LogLevel[]]>([
  [undefined, ['info', 'warn', 'error']],
  ['debug', ['debug', 'info', 'warn', 'error']],
  ['warn', ['warn', 'error']],
  ['error', ['error']],
])('at level %s the levels written are %j', (level, expected) => {
  const { logger, written } = capture(level);

  logger.debug('d');
  logger.info('i');
  logger.warn('w');
  logger.error('e');

  expect(written.map((line) => line.level)).toEqual(expected);
});

test('an error is written with its name, text, stack, code and causes', () => {
  const { logger, parsed } = capture();
  const cause = new TypeError('inner');

  logger.error('failed', { error: new ServiceError('query_failed', 502, 'outer', { cause }) });

  expect(parsed()[0].error).toMatchObject({
    name: 'ServiceError',
    message: 'outer',
    code: 'query_failed',
    stack: expect.stringContaining('log.test.ts'),
    cause: { name: 'TypeError', message: 'inner', stack: expect.any(String) },
  });
});

test('a big integer is written in decimal', () => {
  const { logger, parsed } = capture();

  logger.info('scanned', { bytes: 9007199254740993n });

  expect(parsed()[0].bytes).toBe('9007199254740993');
});

test('fields that cannot be written cost the fields, not the line', () => {
  const { logger, parsed } = capture();
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;

  logger.warn('odd', { cyclic });

  expect(parsed()[0]).toMatchObject({ level: 'warn', message: 'odd' });
  expect(parsed()[0].log_error).toContain('circular');
});

test('a field cannot pose as the level or the message', () => {
  const { logger, parsed } = capture();

  logger.info('real', { level: 'error', message: 'forged', time: 'never' });

  expect(parsed()[0]).toEqual({
    time: '2026-01-02T03:04:05.678Z',
    level: 'info',
    message: 'real',
  });
});
