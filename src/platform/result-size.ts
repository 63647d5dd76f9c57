import { ServiceError } from './errors.ts';

/** What the text of one result may have where nothing else is set. Reading and answering it takes several times as much. */
export const MAX_RESULT_TEXT_BYTES = 32 * 1024 * 1024;

/** What a cell costs beyond its text: a place in a row. */
const CELL_BYTES = 8;

/** Counts a result while it is read, so that one which is too large is not read to its end. */
export class ResultSize {
  readonly #maxBytes: number;
  #bytes = 0;

  /** @param maxBytes text of all cells, with a few bytes for each. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @throws ServiceError `result_too_large` (400) past the limit. */
  add(cell: string | null): void {
    this.#bytes += CELL_BYTES + (cell?.length ?? 0);
    if (this.#bytes > this.#maxBytes) throw resultTooLarge(this.#maxBytes);
  }
}

function resultTooLarge(maxBytes: number): ServiceError {
  const limit = Math.floor(maxBytes / 1024 ** 2);
  return new ServiceError(
    'result_too_large',
    400,
    `The result is larger than the ${limit} MiB that one result may have. ` +
      'Ask for fewer rows or columns, or for shorter values.',
  );
}
