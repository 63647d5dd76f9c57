import { isTime } from '../../ir/time.ts';
import { INT64, TIMESTAMP } from '../../ir/types.ts';
import { docsFrom, example, timeExample } from '../common/doc.ts';
import { both, type SignatureFunction } from '../common/function.ts';
import { insideYears } from './years.ts';

const doc = docsFrom('Timestamp functions');

function toEpoch(name: string, unit: string, divisor: bigint, then: number): SignatureFunction {
  const floored = divisor === 1n ? '' : ' What is smaller is cut off, downwards.';
  return {
    name: name.toLowerCase(),
    doc: doc(
      `${name}(value TIMESTAMP) -> INT64`,
      `${unit} since 1970-01-01 00:00:00 UTC.${floored}`,
      [
        example(`${name}(TIMESTAMP '2026-02-03 10:20:30.123456')`, then),
        example(`${name}(TIMESTAMP '1969-12-31 23:59:59.999999')`, -1),
        example(`${name}(CAST(NULL AS TIMESTAMP))`, null),
      ],
    ),
    parameters: ['timestamp'],
    required: 1,
    result: INT64,
    // Integers throughout: a double does not hold all microseconds.
    athena: ([us]) => (divisor === 1n ? `${us}` : `((${us} - ${above(us, divisor)}) / ${divisor})`),
    duckdb: ([us]) =>
      divisor === 1n ? `${us}` : `((${us} - ${above(us, divisor)}) // ${divisor})`,
  };
}

const above = (us: string | undefined, divisor: bigint): string =>
  `((${us} % ${divisor} + ${divisor}) % ${divisor})`;

function fromEpoch(name: string, unit: string, factor: bigint, count: string): SignatureFunction {
  return {
    name: name.toLowerCase(),
    doc: doc(
      `${name}(count INT64) -> TIMESTAMP`,
      `The time that many ${unit} after 1970-01-01 00:00:00 UTC. Outside of the years 1 to 9999 it is an error.`,
      [
        timeExample(`${name}(${count})`, '2026-02-03 10:20:30'),
        timeExample(`${name}(DIV(-${1_000_000n / factor}, 1))`, '1969-12-31 23:59:59'),
        example(`${name}(NULL)`, null),
        example(`SAFE.${name}(${253_402_300_800n * (1_000_000n / factor)})`, null),
      ],
    ),
    parameters: ['int64'],
    required: 1,
    result: TIMESTAMP,
    ...both(([n]) => insideYears(factor === 1n ? `${n}` : `(${n} * BIGINT '${factor}')`)),
    fold: ([n]) => (typeof n === 'bigint' && isTime(n * factor) ? n * factor : undefined),
  };
}

/** Numbers since the epoch, which is what a TIMESTAMP is in the engines. */
export const EPOCH_FUNCTIONS: readonly SignatureFunction[] = [
  toEpoch('UNIX_SECONDS', 'Seconds', 1_000_000n, 1770114030),
  toEpoch('UNIX_MILLIS', 'Milliseconds', 1_000n, 1770114030123),
  toEpoch('UNIX_MICROS', 'Microseconds', 1n, 1770114030123456),
  fromEpoch('TIMESTAMP_SECONDS', 'seconds', 1_000_000n, '1770114030'),
  fromEpoch('TIMESTAMP_MILLIS', 'milliseconds', 1_000n, '1770114030000'),
  fromEpoch('TIMESTAMP_MICROS', 'microseconds', 1n, '1770114030000000'),
];
