/** Answers of an OTLP receiver, in the encoding of the request (OTLP 1.11, OTLP/HTTP Response). */
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { ServiceError } from '../../../platform/errors.ts';
import { mediaTypeOf } from '../../decode/body-parsers.ts';
import type { Answer, AnswerStyle, DecodedEvents, RequestHeaders } from '../../decode/format.ts';
import type { StoreOutcome } from '../../event/store-outcome.ts';
import { JSON_TYPE, PROTOBUF } from './media-types.ts';

/** What a signal calls the records that its requests hold. */
export interface RecordNames {
  /** For people: `log record`. */
  readonly record: string;
  /** Field of the partial success that counts those rejected, in protobuf's JSON. */
  readonly rejected: string;
}

/** Rejections that a message lists; a batch can hold a hundred thousand. */
const MAX_LISTED = 20;

/**
 * The messages are written by hand, because their descriptors take a quarter of a cold start to
 * load (17 of 63 ms, measured), and a stranger's request needs no more than an answer.
 */
export function otlpAnswers(names: RecordNames): AnswerStyle {
  return {
    stored(outcome, headers, decoded) {
      const partial = partialSuccess(outcome, decoded, names.record);
      const answer = isProtobuf(headers)
        ? protobufAnswer(partial === undefined ? NOTHING : embedded(partial))
        : jsonAnswer(partial === undefined ? {} : partialJson(partial, names.rejected));
      return { status: 200, ...answer };
    },

    failed(error, headers) {
      const status = { number: rpcCode(error), text: error.message };
      return isProtobuf(headers)
        ? protobufAnswer(numberAndText(status).finish())
        : jsonAnswer({ code: status.number, message: status.text });
    },
  };
}

/** `google.rpc.Status` and every partial success are an integer as field 1 and a text as field 2. */
interface NumberAndText {
  readonly number: number;
  readonly text: string;
}

const NOTHING = new Uint8Array();

/** A record counts as rejected if any of its events was; undefined if none was. */
function partialSuccess(
  { rejected }: StoreOutcome,
  { events, recordOf }: DecodedEvents,
  record: string,
): NumberAndText | undefined {
  if (rejected.length === 0) return undefined;
  const indexOf = (event: number): number => recordOf?.[event] ?? event;
  const records = new Set(rejected.map(({ index }) => indexOf(index)));
  const total = indexOf(events.length - 1) + 1;
  const listed = rejected
    .slice(0, MAX_LISTED)
    .map(({ index, reason }) => `${record} ${indexOf(index)}: ${reason}`);
  if (rejected.length > listed.length) listed.push(`and ${rejected.length - listed.length} more`);
  return {
    number: records.size,
    text: `Of ${total} ${record}s ${records.size} were rejected (counted from 0): ${listed.join('; ')}`,
  };
}

/** An `Export...ServiceResponse`, whose field 1 is the partial success. */
function embedded(partial: NumberAndText): Uint8Array<ArrayBuffer> {
  return new BinaryWriter()
    .tag(1, WireType.LengthDelimited)
    .bytes(numberAndText(partial).finish())
    .finish();
}

function numberAndText({ number, text }: NumberAndText): BinaryWriter {
  return new BinaryWriter()
    .tag(1, WireType.Varint)
    .int64(number)
    .tag(2, WireType.LengthDelimited)
    .string(text.toWellFormed());
}

/** protobuf's JSON writes 64-bit integers as text. */
function partialJson({ number, text }: NumberAndText, rejected: string): object {
  return { partialSuccess: { [rejected]: String(number), errorMessage: text } };
}

function isProtobuf(headers: RequestHeaders): boolean {
  return mediaTypeOf(headers()['content-type']) === PROTOBUF;
}

function protobufAnswer(body: Uint8Array<ArrayBuffer>): Omit<Answer, 'status'> {
  return { contentType: PROTOBUF, body };
}

function jsonAnswer(body: object): Omit<Answer, 'status'> {
  return { contentType: JSON_TYPE, body: JSON.stringify(body) };
}

/** Numbers of google.rpc.Code, by HTTP status. */
const RPC_CODES: ReadonlyMap<number, number> = new Map([
  [401, 16],
  [404, 5],
  [429, 8],
  [503, 14],
  [504, 4],
]);
const INVALID_ARGUMENT = 3;
const INTERNAL = 13;

function rpcCode({ status }: ServiceError): number {
  return RPC_CODES.get(status) ?? (status < 500 ? INVALID_ARGUMENT : INTERNAL);
}
