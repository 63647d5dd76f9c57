import { parseExact } from './exact-json.ts';

export type Row = Readonly<Record<string, unknown>>;

/** Of an answer's text in a report. */
const SHOWN_CHARACTERS = 300;

/** What a call came back with. */
export class Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;

  constructor(status: number, headers: Headers, text: string) {
    this.status = status;
    this.headers = headers;
    this.text = text;
  }

  /** The JSON in the text; undefined when it is none. */
  get body(): unknown {
    try {
      return parseExact(this.text);
    } catch {
      return undefined;
    }
  }

  /** The `code` of an error. */
  get code(): string | undefined {
    const code = field(this.body, 'code');
    return typeof code === 'string' ? code : undefined;
  }

  /** Rows of a query; undefined when the answer is another. */
  get rows(): readonly Row[] | undefined {
    const result = this.status === 200 ? field(this.body, 'result') : undefined;
    return Array.isArray(result) ? (result as Row[]) : undefined;
  }

  /** For a report: the status and the beginning of the text. */
  toString(): string {
    const { text } = this;
    const shown = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}...` : text;
    return `${this.status} ${shown}`.trim();
  }
}

/** A field of what may be an object. */
export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
