/** Syslog like that of a web application: RFC 5424 with structured data, about 300 bytes. */

const START_MS = Date.UTC(2025, 5, 1);
const LEVELS = ['error', 'warning', 'notice', 'info', 'debug'];
const FIRST_LEVEL = 3;
const LOCAL0 = 16;

/** The message of a number, and JSON text of the event that it becomes. */
export function syslogMessage(number: number): { readonly text: string; readonly json: string } {
  const severity = number % LEVELS.length;
  const priority = LOCAL0 * 8 + FIRST_LEVEL + severity;
  const timestamp = new Date(START_MS + number * 37).toISOString();
  const hostname = `web-${number % 20}.example.net`;
  const processId = String(1000 + (number % 500));
  const params = {
    request: `${number.toString(16).padStart(12, '0')}`,
    user: `u${number % 977}`,
    duration: String(number % 3000),
  };
  const message =
    `Completed request ${number} for /rest/v1/orders/${number % 10_000}?select=* in ` +
    `${number % 3000} ms with status ${number % 7 === 0 ? 500 : 200}: ` +
    'SELECT o.id, o.total, c.name FROM orders o JOIN customers c ON c.id = o.customer WHERE o.id = $1';
  const data = Object.entries(params).map(([name, value]) => ` ${name}="${value}"`);
  const text =
    `<${priority}>1 ${timestamp} ${hostname} shop ${processId} REQ ` +
    `[call@32473${data.join('')}] ${message}`;
  const level = LEVELS[severity];
  const event = {
    event_message: message,
    timestamp,
    metadata: {
      priority,
      facility: 'local0',
      severity: level,
      level,
      hostname,
      appname: 'shop',
      process_id: processId,
      message_id: 'REQ',
      message_text: message,
      message_raw: text,
      sd: [{ ...params, id: 'call@32473' }],
    },
  };
  return { text, json: JSON.stringify(event) };
}
