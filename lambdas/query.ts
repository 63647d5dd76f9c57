import { Authenticator } from '../src/access/authenticator.ts';
import { createQueryApp } from '../src/http/apps/query-app.ts';
import { readEnvironment } from './shared/environment.ts';
import { httpHandler } from './shared/http-handler.ts';
import { afterEach } from './shared/metrics.ts';
import { recordedQueryDependencies } from './shared/query-dependencies.ts';

const parts = recordedQueryDependencies(readEnvironment('query'));

const serve = httpHandler(createQueryApp({ ...parts, authenticator: new Authenticator(parts) }));

export const handler = parts.metrics.publishing(afterEach(serve, () => parts.queryLog.flushDue()));
