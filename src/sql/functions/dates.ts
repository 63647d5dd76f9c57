import { constant, isConst } from '../build.ts';
import { formatCivil, isUtc } from '../time.ts';
import type { Expr } from '../tree.ts';
import { DATE, DATETIME, INT64, type SqlType, STRING, TIMESTAMP } from '../types.ts';
import { addInterval, boundariesBetween, timestampDiff } from './date-arithmetic.ts';
import { formatFunction } from './format-time.ts';
import type { SimpleFunction, SpecialCall, SpecialFunction } from './function.ts';
import { parseWithFormat } from './parse-time.ts';
import { truncateTo } from './truncate.ts';

/** Sentences become errors of the call. */
function orFail(call: SpecialCall, result: Expr | string): Expr {
  if (typeof result === 'string') {
    throw call.fail(result);
  }
  return result;
}

/** An optional time zone argument: only UTC is computed in. */
function checkZone(call: SpecialCall, index: number): void {
  if (call.count <= index) {
    return;
  }
  const zone = call.argAs(index, STRING);
  if (!isConst(zone) || !isUtc(zone.value)) {
    throw call.fail("Time zones other than 'UTC' are not supported");
  }
}

/** A string or JSON value becomes the type; dates and times stay as they are. */
function temporal(call: SpecialCall, index: number, preferred: SqlType): Expr {
  const arg = call.arg(index);
  return ['timestamp', 'datetime', 'date'].includes(arg.type.kind)
    ? arg
    : call.coerce(arg, preferred);
}

function trunc(name: string, type: SqlType): SpecialFunction {
  return {
    name,
    bind: (call) => {
      checkZone(call, 2);
      return orFail(call, truncateTo(temporal(call, 0, type), call.word(1)));
    },
  };
}

function move(name: string, type: SqlType, sign: bigint): SpecialFunction {
  return {
    name,
    bind: (call) => {
      const { amount, unit } = call.interval(1);
      return orFail(call, addInterval(temporal(call, 0, type), amount, unit, sign));
    },
  };
}

function convertTo(name: string, type: SqlType): SpecialFunction {
  return {
    name,
    bind: (call) => {
      if (call.count === 0) {
        return now(call, type);
      }
      if (call.count > 2) {
        throw call.fail(
          `${name.toUpperCase()} from separate numbers is not supported: use a literal or a string`,
        );
      }
      checkZone(call, 1);
      const arg = temporal(call, 0, type);
      if (arg.type.kind === type.kind) {
        return arg;
      }
      return call.cast(arg, type);
    },
  };
}

function now(call: SpecialCall, type: SqlType): Expr {
  const us = call.nowUs();
  return constant(type, type.kind === 'date' ? formatCivil(us).slice(0, 10) : us);
}

function current(name: string, type: SqlType): SpecialFunction {
  return {
    name,
    bind: (call) => {
      checkZone(call, 0);
      return now(call, type);
    },
  };
}

function format(name: string, type: SqlType): SpecialFunction {
  return {
    name,
    bind: (call) => {
      checkZone(call, 2);
      const pattern = literalText(call, 0);
      const fn = formatFunction(name, pattern);
      if (typeof fn === 'string') {
        throw call.fail(fn);
      }
      const value = call.cast(temporal(call, 1, type), type.kind === 'date' ? DATETIME : type);
      return { op: 'call', type: STRING, fn, args: [value] };
    },
  };
}

function parse(name: string, type: SqlType): SpecialFunction {
  return {
    name,
    bind: (call) => {
      checkZone(call, 2);
      const text = call.argAs(1, STRING);
      return orFail(call, parseWithFormat(name, literalText(call, 0), text, type));
    },
  };
}

function literalText(call: SpecialCall, index: number): string {
  const text = call.argAs(index, STRING);
  if (!isConst(text) || typeof text.value !== 'string') {
    throw call.fail(`The format of ${call.name.toUpperCase()} must be a literal`);
  }
  return text.value;
}

export const DATE_FUNCTIONS: readonly SpecialFunction[] = [
  format('format_timestamp', TIMESTAMP),
  format('format_datetime', DATETIME),
  format('format_date', DATE),
  parse('parse_timestamp', TIMESTAMP),
  parse('parse_datetime', DATETIME),
  parse('parse_date', DATE),
  current('current_timestamp', TIMESTAMP),
  current('now', TIMESTAMP),
  current('current_datetime', DATETIME),
  current('current_date', DATE),
  trunc('timestamp_trunc', TIMESTAMP),
  trunc('datetime_trunc', DATETIME),
  {
    name: 'date_trunc',
    bind: (call) => {
      // PostgreSQL has the part first: date_trunc('day', x).
      const first = call.arg(0);
      if (isConst(first) && first.type.kind === 'string') {
        return orFail(call, truncateTo(temporal(call, 1, TIMESTAMP), call.word(0)));
      }
      return orFail(call, truncateTo(temporal(call, 0, DATE), call.word(1)));
    },
  },
  move('timestamp_add', TIMESTAMP, 1n),
  move('timestamp_sub', TIMESTAMP, -1n),
  move('datetime_add', DATETIME, 1n),
  move('datetime_sub', DATETIME, -1n),
  move('date_add', DATE, 1n),
  move('date_sub', DATE, -1n),
  {
    name: 'timestamp_diff',
    bind: (call) => {
      const [later, earlier] = [call.argAs(0, TIMESTAMP), call.argAs(1, TIMESTAMP)];
      return orFail(call, timestampDiff(later, earlier, call.word(2)));
    },
  },
  {
    name: 'datetime_diff',
    bind: (call) => {
      const [later, earlier] = [call.argAs(0, DATETIME), call.argAs(1, DATETIME)];
      return orFail(call, boundariesBetween(later, earlier, call.word(2)));
    },
  },
  {
    name: 'date_diff',
    bind: (call) => {
      const sides = [0, 1].map((i): Expr => {
        const date = call.argAs(i, DATE);
        return { op: 'cast', type: DATETIME, arg: date, safe: false };
      });
      const [later, earlier] = sides;
      if (later === undefined || earlier === undefined) {
        throw call.fail('DATE_DIFF needs two dates and a part');
      }
      return orFail(call, boundariesBetween(later, earlier, call.word(2)));
    },
  },
  convertTo('timestamp', TIMESTAMP),
  convertTo('datetime', DATETIME),
  convertTo('date', DATE),
];

const epoch = (name: string, divisor: bigint): SimpleFunction => ({
  name,
  parameters: ['timestamp'],
  required: 1,
  result: INT64,
  athena: ([us]) => (divisor === 1n ? `${us}` : `CAST(FLOOR(${us} / ${divisor}E0) AS BIGINT)`),
  duckdb: ([us]) =>
    divisor === 1n ? `${us}` : `CAST(FLOOR(${us} / ${divisor}::DOUBLE) AS BIGINT)`,
});

const fromEpoch = (name: string, factor: bigint): SimpleFunction => ({
  name,
  parameters: ['int64'],
  required: 1,
  result: TIMESTAMP,
  athena: ([n]) => (factor === 1n ? `${n}` : `(${n} * BIGINT '${factor}')`),
  duckdb: ([n]) => (factor === 1n ? `${n}` : `(${n} * BIGINT '${factor}')`),
  fold: ([n]) => (typeof n === 'bigint' ? n * factor : null),
});

export const EPOCH_FUNCTIONS: readonly SimpleFunction[] = [
  epoch('unix_seconds', 1_000_000n),
  epoch('unix_millis', 1_000n),
  epoch('unix_micros', 1n),
  fromEpoch('timestamp_seconds', 1_000_000n),
  fromEpoch('timestamp_millis', 1_000n),
  fromEpoch('timestamp_micros', 1n),
];
