/** Protobuf's numbers as JSON that loses nothing. */
import { type RawNumber, rawNumber } from '../../../../platform/json/json.ts';

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** An integer with all its digits. */
export function integer(value: bigint): number | RawNumber {
  return value <= MAX_SAFE && value >= -MAX_SAFE ? Number(value) : rawNumber(value.toString());
}

/** The same, but undefined for 0, by which protobuf says that there is none. */
export function integerUnlessZero(value: bigint): number | RawNumber | undefined {
  return value === 0n ? undefined : integer(value);
}

/** A double; JSON has no NaN and no infinities, which become text as in protobuf's own JSON. */
export function double(value: number | undefined): number | string | undefined {
  return value === undefined || Number.isFinite(value) ? value : String(value);
}
