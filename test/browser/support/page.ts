import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inject } from 'vitest';
import { launch } from './setup.ts';

declare global {
  /** What scripts of the tests use in pages, beside what Node has as well. */
  interface Navigator {
    sendBeacon(url: string, data: string | Blob): boolean;
  }
}

/** A page of a site of its own, in a browser of its own. */
export interface OpenPage extends AsyncDisposable {
  /** Runs a function in the page, on a value that can be copied there. */
  run<In, Out>(script: (input: In) => Out | Promise<Out>, input: In): Promise<Out>;
  /** Goes to another page of the site, as users do while the first one still sends. */
  leave(): Promise<void>;
}

/** Opens a page whose origin differs from that of the service in host and port. */
export async function openPage(): Promise<OpenPage> {
  const site = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>A shop</title>');
  }).listen(0, 'localhost');
  await once(site, 'listening');
  const { port } = site.address() as AddressInfo;
  const browser = await launch(inject('chromium'));
  const page = await browser.newPage();
  await page.goto(`http://localhost:${port}/`);
  return {
    run: (script, input) => page.evaluate(script as never, input) as never,
    leave: async () => {
      await page.goto(`http://localhost:${port}/other`);
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      site.close();
    },
  };
}
