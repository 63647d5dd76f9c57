import { createQueryApp } from '../src/http/apps/query.ts';
import { Authenticator } from '../src/http/auth.ts';
import { readEnvironment } from './environment.ts';
import { httpHandler } from './http-handler.ts';
import { recordedQueryingParts } from './querying.ts';

const parts = recordedQueryingParts(readEnvironment('query'));

export const handler = parts.metrics.publishing(
  httpHandler(createQueryApp({ ...parts, authenticator: new Authenticator(parts) })),
);
