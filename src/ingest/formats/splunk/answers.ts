/** Answers of Splunk's HTTP Event Collector: a text and a code of its own. */
import { ServiceError } from '../../../platform/errors.ts';
import type { Answer, AnswerStyle, Probe } from '../../decode/format.ts';
import { describeRejected } from '../../event/store-outcome.ts';

const JSON_TYPE = 'application/json';

/** Splunk's codes (Splunk Enterprise REST API, services/collector). */
const SUCCESS = 0;
const INVALID_AUTHORIZATION = 3;
const NO_DATA = 5;
const INVALID_DATA = 6;
const INCORRECT_INDEX = 7;
const INTERNAL_ERROR = 8;
const BUSY = 9;
const ACK_DISABLED = 14;
const HEALTHY = 17;

/** By the code of an error, where its status does not say it. */
const CODES: ReadonlyMap<string, number> = new Map([
  ['no_data', NO_DATA],
  ['source_missing', INCORRECT_INDEX],
  ['several_sources', INCORRECT_INDEX],
  ['not_found', INCORRECT_INDEX],
]);

export const hecAnswers: AnswerStyle = {
  stored(outcome) {
    const [first] = outcome.rejected;
    return first === undefined
      ? hecAnswer(200, 'Success', SUCCESS)
      : hecAnswer(400, describeRejected(outcome), INVALID_DATA, first.index);
  },
  failed: (error) => ({
    contentType: JSON_TYPE,
    body: JSON.stringify({ text: error.message, code: codeOf(error) }),
  }),
};

/** Health, which load balancers ask for without a key; and acknowledgements, which agents wait for if they may. */
export const hecProbes: readonly Probe[] = [
  ...['/services/collector/health', '/services/collector/health/1.0'].map(
    (path): Probe => ({
      methods: ['GET'],
      path,
      isOpen: true,
      answer: hecAnswer(200, 'HEC is healthy', HEALTHY),
    }),
  ),
  {
    methods: ['POST'],
    path: '/services/collector/ack',
    answer: hecAnswer(
      400,
      'ACK is disabled: an answer with code 0 means that the events are stored.',
      ACK_DISABLED,
    ),
  },
];

/** The answer to a body without anything in it. */
export function noData(): ServiceError {
  return new ServiceError('no_data', 400, 'No data');
}

/** The answer to a body that holds more than objects. */
export function invalidData(): ServiceError {
  return new ServiceError(
    'invalid_json',
    400,
    'Invalid data format: the body is not JSON objects, one after the other.',
  );
}

function hecAnswer(status: Answer['status'], text: string, code: number, event?: number): Answer {
  const body = JSON.stringify({ text, code, 'invalid-event-number': event });
  return { status, contentType: JSON_TYPE, body };
}

function codeOf({ code, status }: ServiceError): number {
  if (status === 401) return INVALID_AUTHORIZATION;
  if (status === 429 || status === 503) return BUSY;
  return CODES.get(code) ?? (status < 500 ? INVALID_DATA : INTERNAL_ERROR);
}
