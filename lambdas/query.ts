import { createQueryApp } from '../src/http/apps/query.ts';
import { Authenticator } from '../src/http/auth.ts';
import { readEnvironment } from './environment.ts';
import { httpHandler } from './http-handler.ts';
import { queryingParts } from './querying.ts';

const parts = queryingParts(readEnvironment('query'));

export const handler = httpHandler(
  createQueryApp({ ...parts, authenticator: new Authenticator(parts) }),
);
