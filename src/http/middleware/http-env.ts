import type { ErrorAnswer } from '../../ingest/decode/format.ts';
import type { ServiceError } from '../../platform/errors.ts';

/** What the routes and the middleware of a request share. */
export type HttpEnv = {
  Variables: {
    /** Given by the client where it is word characters, `-` and `=`, else a new UUID. */
    requestId: string;
    /** Bytes of body that a route read, as sent; absent where none was read. */
    bytesIn?: number;
    /** How the route words its errors, where it is not as all others. */
    errorBody?: (error: ServiceError) => ErrorAnswer;
  };
};
