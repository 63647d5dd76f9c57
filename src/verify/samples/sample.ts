/** A request to one ingest route, and what is stored of it. */
export interface Sample {
  /** The route without `/logs`, as the format is called in the service. */
  readonly format: string;
  /** Where it is sent. @default the format behind `/logs`, where that stands at the root the format itself */
  readonly path?: string;
  /** What answers that it is stored. @default 200 */
  readonly status?: number;
  /** What is special about this one. */
  readonly shape: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** By a text that only this event has, the fields it is stored with: those of objects may be more. */
  readonly events: readonly (readonly [mark: string, stored: object])[];
}

/** A text that only one event of the run has. */
export type Mark = (name: string) => string;
