import { mediaTypeOf } from '../../decode/body-parsers.ts';
import type { AnswerStyle, BodyParser, DecodedEvents, IngestFormat } from '../../decode/format.ts';
import { describeRejected } from '../../event/store-outcome.ts';

const TEXT = 'text/plain; charset=utf-8';
const JSON_TYPE = /^application\/json$/;

/** Loki answers in text. Its clients drop a batch on every 4xx but 429, and repeat on 429 and 5xx. */
const answers: AnswerStyle = {
  stored: (outcome) =>
    outcome.rejected.length === 0
      ? { status: 204, contentType: TEXT, body: '' }
      : { status: 400, contentType: TEXT, body: `${describeRejected(outcome)}\n` },
  failed: ({ message }) => ({ contentType: TEXT, body: `${message}\n` }),
};

/** Loaded at the first request, since most cold starts never see one. */
const push = () => import('./push.ts');

const bodyParsers: readonly BodyParser[] = [
  {
    mediaType: JSON_TYPE,
    parse: async (bytes) => (await push()).eventsOfJson(bytes),
  },
  {
    mediaType: /(?:)/,
    parse: async (bytes) => (await push()).eventsOfProtobuf(bytes),
  },
];

/**
 * Loki's push API, in JSON and in protobuf (Loki 3, `POST /loki/api/v1/push`): every line is an event, the labels
 * of its stream and its structured metadata are `metadata`. The tenant names the source.
 */
export const lokiFormat: IngestFormat = {
  path: '/loki/api/v1/push',
  atRoot: true,
  ownSource: (request) => request.header('X-Scope-OrgID'),
  codings,
  bodyParsers,
  answers,
  probes: [
    {
      methods: ['GET'],
      path: '/ready',
      isOpen: true,
      answer: { status: 200, contentType: TEXT, body: 'ready\n' },
    },
  ],
  // Both parsers give the events themselves: the encodings differ in more than the bytes.
  decode: ({ body }): DecodedEvents => body as DecodedEvents,
};

/** Protobuf is always a block of snappy, whether a client says so or not; what it says comes on top. */
function codings(contentType: string | undefined, contentEncoding = ''): string {
  const isSaid =
    JSON_TYPE.test(mediaTypeOf(contentType) ?? '') || contentEncoding.includes('snappy');
  return isSaid ? contentEncoding : `snappy,${contentEncoding}`;
}
