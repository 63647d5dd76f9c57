/** What the agents are fed with. */

const LONG = 100_000;

interface Message {
  /** As it goes over the wire: RFC 5424. */
  readonly wire: string;
  /** What the event has to say. */
  readonly text: string;
}

const TEXTS = [
  ...Array.from({ length: 500 }, (_, number) => `plain ${number}`),
  'Grüße aus Zürich, 日本 🦊',
  'Traceback:\n  File "a.py", line 3\n    raise ValueError\tfrom None',
  'quotes " and \\ backslashes, {"json": [1, "two"]}, 100 %',
  `long ${'x'.repeat(LONG)}`,
];

/** Plain, in other scripts, of several lines, with all that JSON escapes, and long. */
export const MESSAGES: readonly Message[] = TEXTS.map((text) => ({
  wire: `<134>1 2026-01-31T08:30:00.123456Z web-1 shop 4711 ID47 - ${text}`,
  text,
}));

/** A message with everything in its header, and what of it becomes metadata. */
export const STRUCTURED = {
  wire: '<165>1 2026-01-31T08:30:00.123456Z web-1 shop 4711 ID47 [call@32473 ms="3" path="/a \\"b\\""] structured',
  timestamp: Date.parse('2026-01-31T08:30:00Z') * 1000 + 123_456,
  metadata: {
    host: 'web-1',
    appname: 'shop',
    process_id: '4711',
    message_id: 'ID47',
    facility: 'local4',
    level: 'notice',
    sd: { _call_32473: { ms: '3', path: '/a "b"' } },
  },
} as const;

/** Lines of an application's own file. */
export const FILE_LINES: readonly string[] = [
  ...Array.from({ length: 100 }, (_, number) => `file ${number}`),
  'file Größe 日本',
];
