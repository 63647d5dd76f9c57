/** Edge events of fifty projects, about 1 KB each, as varied as column sizes need them to be. */

const PROJECTS = 50;
const PRODUCTS = ['rest/v1', 'rest/v1', 'rest/v1', 'auth/v1', 'auth/v1', 'storage/v1/object'];
const RESOURCES = ['orders', 'customers', 'invoices', 'line_items', 'profiles', 'token', 'user'];
const METHODS = ['GET', 'GET', 'GET', 'POST', 'PATCH', 'DELETE', 'OPTIONS'];
const STATUSES = [200, 200, 200, 200, 200, 201, 204, 206, 304, 400, 401, 404, 429, 500];
const PLACES = [
  { city: 'Berlin', colo: 'TXL', country: 'DE', timezone: 'Europe/Berlin' },
  { city: 'São Paulo', colo: 'GRU', country: 'BR', timezone: 'America/Sao_Paulo' },
  { city: 'Singapore', colo: 'SIN', country: 'SG', timezone: 'Asia/Singapore' },
  { city: 'Ashburn', colo: 'IAD', country: 'US', timezone: 'America/New_York' },
  { city: 'London', colo: 'LHR', country: 'GB', timezone: 'Europe/London' },
  { city: 'Sydney', colo: 'SYD', country: 'AU', timezone: 'Australia/Sydney' },
];
const PLATFORMS = [
  'X11; Linux x86_64',
  'Macintosh; Intel Mac OS X 10_15_7',
  'Windows NT 10.0; Win64; x64',
  'iPhone; CPU iPhone OS 18_1 like Mac OS X',
];

/** A deterministic source of integers below 2^31 (Park and Miller). */
export type Random = () => number;

export function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state;
  };
}

/** References of the projects, busiest first: the n-th sends 1/n of what the first does. */
export const PROJECT_REFERENCES: readonly string[] = (() => {
  const random = randomFrom(20_260_203);
  return Array.from({ length: PROJECTS }, () =>
    Array.from({ length: 20 }, () => String.fromCharCode(97 + (random() % 26))).join(''),
  );
})();

const SHARES = PROJECT_REFERENCES.map((_, index) => 1 / (index + 1));
const TOTAL_SHARE = SHARES.reduce((sum, share) => sum + share, 0);

/** An event that happened at a time, milliseconds since the epoch. */
export function projectEvent(timestamp: number, random: Random): unknown {
  const pick = <T>(values: readonly T[]): T => values[random() % values.length] as T;
  const hex = (): string => random().toString(16).padStart(8, '0');

  const project = pickProject(random);
  const host = `${project}.example.net`;
  const product = random() % 40 === 0 ? 'realtime/v1' : pick(PRODUCTS);
  const resource = pick(RESOURCES);
  const path = product.startsWith('storage')
    ? `/${product}/public/${resource}/${hex()}${hex()}.webp`
    : `/${product}/${resource}`;
  const search = product === 'rest/v1' ? `?select=*&id=eq.${random() % 1_000_000}` : '';
  const method = pick(METHODS);
  const status = pick(STATUSES);
  const place = pick(PLACES);
  const address = `203.0.${random() % 256}.${random() % 256}`;
  const agent =
    `Mozilla/5.0 (${pick(PLATFORMS)}) AppleWebKit/537.36 (KHTML, like Gecko) ` +
    `Chrome/${100 + (random() % 40)}.0.${random() % 40}.0 Safari/537.36`;
  const ray = `${hex()}${hex()}`;
  const url = `https://${host}${path}${search}`;

  return {
    timestamp,
    event_message: `${method} | ${status} | ${address} | ${ray} | ${url} | ${agent}`,
    project,
    metadata: {
      request: {
        cf: {
          ...place,
          asn: random() % 65_536,
          clientTcpRtt: random() % 200,
          httpProtocol: pick(['HTTP/2', 'HTTP/3', 'HTTP/1.1']),
          longitude: ((random() % 36_000_000) / 100_000 - 180).toFixed(5),
          latitude: ((random() % 18_000_000) / 100_000 - 90).toFixed(5),
          tlsVersion: 'TLSv1.3',
        },
        headers: {
          accept: 'application/json',
          cf_connecting_ip: address,
          cf_ray: ray,
          user_agent: agent,
          x_client_info: pick(['js/2.39.1', 'js/2.47.0', 'py/2.10.0', 'dart/1.11.2']),
        },
        host,
        method,
        path,
        protocol: 'https:',
        search,
        url,
      },
      response: {
        headers: {
          cf_cache_status: pick(['DYNAMIC', 'DYNAMIC', 'HIT', 'MISS']),
          content_length: String(random() % 50_000),
          content_type: 'application/json; charset=utf-8',
        },
        origin_time: 1 + (random() % 900),
        status_code: status,
      },
    },
  };
}

function pickProject(random: Random): string {
  let point = (random() / 2_147_483_647) * TOTAL_SHARE;
  for (const [index, share] of SHARES.entries()) {
    point -= share;
    if (point < 0) return PROJECT_REFERENCES[index] as string;
  }
  return PROJECT_REFERENCES[0] as string;
}
