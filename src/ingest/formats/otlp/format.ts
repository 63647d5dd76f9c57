import { ServiceError } from '../../../platform/errors.ts';
import type { BodyParser, DecodedEvents, IngestFormat } from '../../decode/format.ts';
import { otlpAnswers, type RecordNames } from './answers.ts';
import { JSON_TYPE, PROTOBUF } from './media-types.ts';
import type { RequestReader } from './request.ts';

/** The route of one signal of OTLP over HTTP. */
export function otlpFormat(of: {
  readonly path: string;
  readonly names: RecordNames;
  /** Loads the signal's messages: at the first request, since most cold starts never see one. */
  readonly load: () => Promise<RequestReader>;
}): IngestFormat {
  const bodyParsers: readonly BodyParser[] = [
    {
      mediaType: /^application\/x-protobuf$/,
      parse: async (bytes) => (await of.load()).fromProtobuf(bytes),
    },
    { mediaType: /^application\/json$/, parse: async (bytes) => (await of.load()).fromJson(bytes) },
    { mediaType: /(?:)/, parse: refuse },
  ];
  return {
    path: of.path,
    atRoot: true,
    bodyParsers,
    answers: otlpAnswers(of.names),
    // Both parsers give the events themselves: the encodings differ in more than the bytes.
    decode: ({ body }) => body as DecodedEvents,
  };
}

function refuse(): never {
  throw new ServiceError(
    'unsupported_content_type',
    415,
    `OTLP is read as ${PROTOBUF} and as ${JSON_TYPE}. Send one of them as Content-Type.`,
  );
}
