import type { LookupAddress } from 'node:dns';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkedLookup, post, type Resolve } from '../../src/alerts/notify/post.ts';

const to =
  (...addresses: readonly string[]): Resolve =>
  (_name, _options, done) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );

const looked = (resolve: Resolve, allowLocal = false) =>
  new Promise<{ error: string | undefined; addresses: string | LookupAddress[] }>((settle) => {
    checkedLookup({ allowLocal, resolve })(
      'hooks.example.com',
      { all: true },
      (error, addresses) => {
        settle({ error: (error as NodeJS.ErrnoException | null)?.code, addresses });
      },
    );
  });

describe('the addresses of a name', () => {
  test('are connected to as they were checked', async () => {
    expect(await looked(to('1.1.1.1', '2606:4700::1'))).toEqual({
      error: undefined,
      addresses: [
        { address: '1.1.1.1', family: 4 },
        { address: '2606:4700::1', family: 6 },
      ],
    });
  });

  test.each([
    ['is private', to('10.0.0.1')],
    ['is the metadata service', to('169.254.169.254')],
    ['is this machine', to('127.0.0.1')],
    ['stands for a private one', to('::ffff:10.0.0.1')],
    ['is private beside one that is not', to('1.1.1.1', '10.0.0.1')],
    ['is not there', to()],
  ])('are none where one %s', async (_what, resolve) => {
    expect((await looked(resolve)).error).toBe('address_forbidden');
  });

  test('may be this machine where that is allowed, and no other private one', async () => {
    expect((await looked(to('127.0.0.1'), true)).error).toBeUndefined();
    expect((await looked(to('10.0.0.1'), true)).error).toBe('address_forbidden');
  });
});

describe('a post', () => {
  let server: Server;
  let url: string;
  let requests = 0;
  beforeAll(async () => {
    server = createServer((request, response) => {
      requests++;
      const path = request.url ?? '';
      if (path === '/silent') return;
      if (path === '/endless') {
        response.writeHead(200);
        const more = setInterval(() => response.write('x'.repeat(65_536)), 1);
        response.on('close', () => clearInterval(more));
        return;
      }
      const status = Number(path.slice(1));
      response.writeHead(status, status === 302 ? { Location: '/200' } : {}).end();
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const send = (
    path: string,
    options: { allowLocal?: boolean; resolve?: Resolve; ms?: number } = {},
  ) => {
    const { allowLocal = true, resolve, ms = 5_000 } = options;
    return post(path.startsWith('http') ? path : `${url}${path}`, {
      allowLocal,
      headers: {},
      body: '{}',
      signal: AbortSignal.timeout(ms),
      ...(resolve && { resolve }),
    });
  };

  test.each([
    [200, { ok: true, status: 200 }],
    [204, { ok: true, status: 204 }],
    [302, { ok: false, status: 302, code: 'redirect_refused', isTemporary: false }],
    [400, { ok: false, status: 400, code: 'refused_by_target', isTemporary: false }],
    [410, { ok: false, status: 410, code: 'refused_by_target', isTemporary: false }],
    [408, { ok: false, status: 408, code: 'refused_by_target', isTemporary: true }],
    [429, { ok: false, status: 429, code: 'refused_by_target', isTemporary: true }],
    [500, { ok: false, status: 500, code: 'refused_by_target', isTemporary: true }],
    [503, { ok: false, status: 503, code: 'refused_by_target', isTemporary: true }],
  ])('that is answered with %i', async (status, attempt) => {
    expect(await send(`/${status}`)).toEqual(attempt);
  });

  test('follows no redirect', async () => {
    const before = requests;
    await send('/302');
    expect(requests - before).toBe(1);
  });

  test('reads nothing of an answer without end', async () => {
    expect(await send('/endless')).toEqual({ ok: true, status: 200 });
  });

  test('ends where no answer comes', async () => {
    expect(await send('/silent', { ms: 50 })).toMatchObject({ code: 'timeout', isTemporary: true });
  });

  test('ends where nothing listens', async () => {
    expect(await send('http://127.0.0.1:1/')).toMatchObject({
      code: 'econnrefused',
      isTemporary: true,
    });
  });

  test('connects to no address that is not on the internet, whatever its name said before', async () => {
    const before = requests;
    const port = new URL(url).port;
    const rebound = await send(`https://hooks.example.com:${port}/200`, {
      allowLocal: false,
      resolve: to('127.0.0.1'),
    });
    expect(rebound).toEqual({
      ok: false,
      status: null,
      code: 'address_forbidden',
      isTemporary: false,
    });
    expect(await send(`${url}/200`, { allowLocal: false })).toMatchObject({
      code: 'url_forbidden',
    });
    expect(requests).toBe(before);
  });
});
