/** Answers of Elasticsearch's document APIs (version 8). */
import type { Answer, AnswerStyle, DecodedEvents } from '../../decode/format.ts';
import { describeRejected, type StoreOutcome } from '../../event/store-outcome.ts';
import type { BulkItem } from './bulk.ts';

/** Elastic's clients take answers from nothing that does not say this (since 7.14). */
const HEADERS = { 'X-Elastic-Product': 'Elasticsearch' };

const JSON_TYPE = 'application/json';

/** Names of error types that clients log; what they do depends on the status. */
const REJECTED = 'document_parsing_exception';

/** Characters of index names and ids in an answer; past it they are left out, for Lambda's 6 MB. */
const MAX_NAMES_LENGTH = 1_000_000;

/** An item for each action, with a status of its own: a client sends again what has 429 or 5xx, and nothing else. */
export const bulkAnswers: AnswerStyle = {
  stored(outcome, _headers, { forAnswer }) {
    const items = forAnswer as readonly BulkItem[];
    return elasticsearchAnswer(200, {
      took: 0,
      errors: outcome.rejected.length > 0,
      items: resultsOf(items, outcome),
    });
  },
  failed,
};

export const documentAnswers: AnswerStyle = {
  stored(outcome, _headers, { forAnswer }: DecodedEvents) {
    const [item] = forAnswer as readonly BulkItem[];
    return outcome.rejected.length > 0
      ? elasticsearchAnswer(400, errorOf(REJECTED, describeRejected(outcome), 400))
      : elasticsearchAnswer(201, { _index: item?.index, _id: '', result: 'created', _version: 1 });
  },
  failed,
};

/** @param status of this answer. */
export function elasticsearchAnswer(status: Answer['status'], body: object): Answer {
  return { status, contentType: JSON_TYPE, headers: HEADERS, body: JSON.stringify(body) };
}

function failed({ code, message, status }: Parameters<AnswerStyle['failed']>[0]) {
  const body = JSON.stringify(errorOf(code, message, status));
  return { contentType: JSON_TYPE, headers: HEADERS, body };
}

function resultsOf(items: readonly BulkItem[], { rejected }: StoreOutcome): readonly object[] {
  const reasons = new Map(rejected.map(({ index, reason }) => [index, reason]));
  const length = items.reduce(
    (total, { index = '', id = '' }) => total + index.length + id.length,
    0,
  );
  const isShort = length <= MAX_NAMES_LENGTH;
  return items.map(({ action, index, id }, position) => {
    const reason = reasons.get(position);
    const result = { _index: isShort ? (index ?? '') : '', _id: isShort ? (id ?? '') : '' };
    const outcome =
      reason === undefined
        ? { status: 201, result: 'created' }
        : { status: 400, error: { type: REJECTED, reason } };
    return { [action]: { ...result, ...outcome } };
  });
}

function errorOf(type: string, reason: string, status: number): object {
  return { error: { root_cause: [{ type, reason }], type, reason }, status };
}
