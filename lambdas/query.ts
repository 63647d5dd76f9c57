import { Authenticator } from '../src/access/authenticator.ts';
import { createQueryApp } from '../src/http/apps/query-app.ts';
import { readEnvironment } from './environment.ts';
import { httpHandler } from './http-handler.ts';
import { afterEach } from './metrics.ts';
import { recordedQueryingParts } from './querying.ts';

const parts = recordedQueryingParts(readEnvironment('query'));

const serve = httpHandler(createQueryApp({ ...parts, authenticator: new Authenticator(parts) }));

export const handler = parts.metrics.publishing(afterEach(serve, () => parts.queryLog.flushDue()));
