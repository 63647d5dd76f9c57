/** Push requests of Loki with the lines of one container, with two labels for each line as Kubernetes has them. */
import { pushRequest } from '../test/ingest/formats/push-request.ts';

const START_SECONDS = Date.UTC(2025, 5, 1) / 1000;

const LABELS = {
  namespace: 'shop',
  pod: 'web-7d4b9c6f5-x2x9l',
  container: 'web',
  job: 'shop/web',
  node_name: 'ip-10-0-3-17',
};

/** JSON text of a request with the lines of the numbers from `first` to before `end`. */
export function lokiJson(first: number, end: number): string {
  const values = lines(first, end).map(({ seconds, nanos, line, structured }) => [
    `${seconds}${String(nanos).padStart(9, '0')}`,
    line,
    structured,
  ]);
  return JSON.stringify({ streams: [{ stream: LABELS, values }] });
}

/** The same request in protobuf, compressed with snappy. */
export function lokiProtobuf(first: number, end: number): Uint8Array {
  const pairs = Object.entries(LABELS).map(([name, value]) => `${name}="${value}"`);
  return pushRequest([{ labels: `{${pairs.join(', ')}}`, entries: lines(first, end) }]);
}

function lines(first: number, end: number) {
  return Array.from({ length: end - first }, (_, index) => {
    const number = first + index;
    const hex = number.toString(16);
    return {
      seconds: START_SECONDS + number,
      nanos: 123_456_789,
      line: `level=info msg="GET /rest/v1/orders/${number % 977}" status=200 ms=${number % 500} client=203.0.113.${number % 256}`,
      structured: { trace_id: hex.padStart(32, 'a'), span_id: hex.padStart(16, 'b') },
    };
  });
}
