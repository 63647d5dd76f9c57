/** Events like those of an edge worker's request log, about 1 KB, values varied by their number. */

/** What sets the events of a benchmark apart. */
export type EventShape = 'clean' | 'renamed' | 'nanoseconds';

const CITIES = ['Berlin', 'São Paulo', 'Singapore', 'Ashburn', 'London', 'Sydney'];
const METHODS = ['GET', 'POST', 'PATCH', 'DELETE', 'OPTIONS'];
const TABLES = ['orders', 'customers', 'invoices', 'line_items', 'profiles'];
const START_MS = Date.UTC(2025, 5, 1);

/** JSON text of the event of a number; the same number gives the same event. */
export function edgeEvent(number: number, shape: EventShape): string {
  const random = generator(number + 1);
  const pick = <T>(values: readonly T[]): T => values[random() % values.length] as T;
  const hex = (length: number): string =>
    Array.from({ length }, () => (random() & 15).toString(16)).join('');

  const project = `p${hex(18)}`;
  const host = `${project}.example.net`;
  const path = `/rest/v1/${pick(TABLES)}`;
  const search = `?select=*&id=eq.${random() % 100_000}`;
  const method = pick(METHODS);
  const status = pick([200, 200, 200, 201, 204, 304, 401, 404, 500]);
  const address = `203.0.113.${random() % 256}`;
  const agent = `Mozilla/5.0 (X11; Linux x86_64) Chrome/${100 + (random() % 40)}.0.0.0`;
  const ray = hex(16);
  const ms = START_MS + number * 37;

  const headers =
    shape === 'renamed'
      ? {
          accept: 'application/json',
          'cf-connecting-ip': address,
          'cf-ray': ray,
          'user-agent': agent,
          'x-client-info': 'js/2.39.1',
          referer: null,
        }
      : {
          accept: 'application/json',
          cf_connecting_ip: address,
          cf_ray: ray,
          user_agent: agent,
          x_client_info: 'js/2.39.1',
        };
  const event = {
    timestamp: shape === 'nanoseconds' ? '<ns>' : ms,
    event_message: `${method} | ${status} | ${address} | ${ray} | https://${host}${path} | ${agent}`,
    project,
    metadata: {
      request: {
        cf: {
          asn: random() % 65_536,
          city: pick(CITIES),
          clientTrustScore: random() % 100,
          colo: pick(['TXL', 'GRU', 'SIN', 'IAD']),
          country: pick(['DE', 'BR', 'SG', 'US']),
          httpProtocol: 'HTTP/2',
          longitude: String((random() % 36_000) / 100 - 180),
          botManagement: { score: random() % 100, verifiedBot: random() % 2 === 0 },
          tlsVersion: 'TLSv1.3',
        },
        headers,
        host,
        method,
        path,
        protocol: 'https:',
        search,
        url: `https://${host}${path}${search}`,
      },
      response: {
        headers: {
          cf_cache_status: pick(['HIT', 'MISS']),
          content_length: String(random() % 5000),
        },
        origin_time: random() % 900,
        status_code: status,
      },
    },
  };
  return JSON.stringify(event).replace(
    '"<ns>"',
    `${ms}${String(random() % 1_000_000).padStart(6, '0')}`,
  );
}

/** Park and Miller's generator: positive integers below 2^31. */
function generator(seed: number): () => number {
  let state = (seed * 2_654_435) % 2_147_483_647 || 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state;
  };
}
